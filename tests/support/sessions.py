"""Sessions with the tools: pages of a room whose commands have to print all of what the page shows.

They pin whole outputs. `tools/run generate/session_pages` writes what commands
print now; `...` on a page stands for anything.
"""

from __future__ import annotations

import difflib
import doctest
import os
import re
import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import CHECKER, ROOT, blocks, environment, sessions

from stablehlo_py.artifacts.versions import Version, current_version

newest_bindings = pytest.mark.skipif(
    current_version() < Version(1, 22), reason="what is kept is what the newest bindings print"
)

_MEASURED = re.compile(r'("(?:\w*seconds|peak_bytes(?=": \d{7}))":) [\d.e-]+')
_DIGITS = re.compile(r"(\d\.\d{7})\d+")  # further digits depend on the machine


def session_pages(room: str = "*") -> list[Path]:
    """Return the pages of a room's sessions."""
    return sorted(ROOT.glob(f"tests/unit/{room}/sessions/*.md"))


def replayed(page: str, folder: Path) -> str:
    """Return the page with what its commands print now, when run in `folder`; what fits stays as it is."""
    variables = {**environment(folder), "COLUMNS": "120"}
    for block in blocks(page):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        if block.language != "console":
            continue
        text = "".join(_replayed(*each, folder, variables) for each in sessions(block.text))
        page = page.replace(block.text, text)
    return page


def _wrapped(line: str) -> list[str]:
    """Return the line, or several if it is as long as JSON in one line."""
    return textwrap.wrap(line, 118, break_long_words=False, break_on_hyphens=False) if len(line) > 300 else [line]


def _replayed(command: str, expected: str, folder: Path, variables: dict[str, str]) -> str:
    """Return a command with what it prints, and its exit code unless that is 0."""
    script = f"{command}\ncode=$?; test $code = 0 || echo exit code $code"
    ended = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=variables, stdout=-1, stderr=-2, text=True, timeout=120, check=False
    )
    found = re.sub(rf"{re.escape(os.path.realpath(folder))}/?", "", ended.stdout)
    found = _DIGITS.sub(r"\1", _MEASURED.sub(r"\1 0", found))
    found = "".join(f"{short}\n" for line in found.splitlines() for short in _wrapped(line))
    fits = CHECKER.check_output(expected, found, doctest.ELLIPSIS)
    return f"$ {command}\n{expected if fits else found}"


def session_test(room: str) -> Callable[[Path, Path], None]:
    """Return the test that a room's pages show what their commands print."""

    @newest_bindings
    @pytest.mark.parametrize("page", session_pages(room), ids=lambda page: page.stem)
    def test(page: Path, tmp_path: Path) -> None:
        text = page.read_text(encoding="utf-8")
        sides = text.splitlines(), replayed(text, tmp_path).splitlines()
        changes = "\n".join(difflib.unified_diff(*sides, "the page", "printed now", lineterm=""))
        if changes:
            pytest.fail(f"if this is meant: tools/run generate/session_pages {room}\n{changes}", pytrace=False)

    return test
