"""Carries out what a page of the documentation shows, in the order of the page, in one folder.

Blocks of files (with a caption) are written; `console` sessions have to print what is shown, where `...` stands for
anything; `python` runs, all of a page's blocks in one namespace; `pycon` is a doctest. Blocks of `sh` are for what
cannot be tried in a test: installing.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from warm_tools import make_warm_tool_folder

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(
    r"^(?P<fence>```+|~~~+)(?:\{(?P<directive>[\w-]+)\} *)?(?P<language>[\w-]*)\n(?P<body>.*?)^(?P=fence)$", re.M | re.S
)
_CAPTION = re.compile(r"\A:caption: (\S+)\n((?::\w+:.*\n)*)\n?")
_INSTALLING = re.compile(r"(?:pip|npm|apt|conda) install |python3? -m venv |\. |source |#")
CHECKER = doctest.OutputChecker()


class Block(NamedTuple):
    """A block of a page: what it is, the name of the file where it is one, and its text."""

    language: str
    file: str
    text: str


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page."""
    for found in _BLOCK.finditer(page):
        caption = _CAPTION.match(found["body"])
        text = found["body"] if caption is None else found["body"][caption.end() :]
        yield Block(found["language"], "" if caption is None else caption[1], text)


def sessions(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a session, each with what it prints; a backslash continues a command."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        count = 1
        while lines[count - 1].endswith("\\\n"):
            count += 1
        yield "".join(lines[:count]).strip(), "".join(lines[count:])


def environment(folder: Path) -> dict[str, str]:
    """Variables with which a shell finds the tools of this package and this Python."""
    tools = folder / ".tools"
    tools.mkdir(exist_ok=True)
    for name in ("python", "python3"):
        script = tools / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        script.chmod(0o755)
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    variables = {
        **os.environ,
        "PATH": os.pathsep.join([str(tools), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": paths,
    }
    make_warm_tool_folder(str(tools), variables)
    return variables


def carry_out(page: str, folder: Path) -> int:
    """Do all that a page says, in `folder`, which is the current one; return how many blocks were tried."""
    variables, names, tried = environment(folder), {"__name__": "page"}, 0
    for block in blocks(page):
        tried += 1
        if block.file:
            target = folder / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            _hold_session(block.text, folder, variables)
        elif block.language == "python":
            exec(compile(block.text, "page", "exec"), names)
        elif block.language == "pycon":
            _hold_doctest(block.text, names)
        elif block.language == "sh":
            lines = [line for line in block.text.splitlines() if line.strip()]
            assert all(_INSTALLING.match(line) for line in lines), f"only installing is left untried: {lines}"
        else:
            tried -= 1
    return tried


def _hold_session(text: str, folder: Path, variables: dict[str, str]) -> None:
    for command, expected in sessions(text):
        ended = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=variables,
            stdout=-1,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        fits = expected == "...\n" or CHECKER.check_output(expected, ended.stdout, doctest.ELLIPSIS)
        assert fits, f"{command}\nprints\n{ended.stdout}\ninstead of\n{expected}"


def _hold_doctest(text: str, names: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(text, names, "page", "page", 0)
    report: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    assert not outcome.failed, "".join(report)
