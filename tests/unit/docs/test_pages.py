"""The tutorials, the how-to pages and the reference, followed literally."""

from __future__ import annotations

import importlib.util
import re
import runpy
import shlex
import subprocess
import sys

import click
import pytest
from installed import needs
from pages import ROOT, blocks, carry_out, environment, sessions

from stablehlo_py.cli.options import COMMON
from stablehlo_py.cli.stablehlo import stablehlo

PAGES = sorted(path for folder in ("tutorials", "how-to") for path in (ROOT / "docs" / folder).glob("*.md"))
PAGES.append(ROOT / "docs/reference/interpreter.md")
# What a page needs that not every environment has.
NEEDS = {"agents": "mcp", "jax": "jax", "pytorch": "torch", "sharded-programs": "jax"}
COMMON = {f"--{flag.partition('=')[0]}" for flag in COMMON}
LONG = {"ci", "compiler", "corpora", "jax", "lit-suites", "sharded-programs"}  # four seconds to half a minute each


def page_parameter(path):
    marks = [needs("partition")] if path.stem == "sharded-programs" else []
    return pytest.param(path, marks=[*marks, pytest.mark.release] if path.stem in LONG else marks)


@pytest.mark.parametrize("path", list(map(page_parameter, PAGES)), ids=lambda path: path.stem)
def test_a_page_works_as_it_is_written(path, tmp_path, monkeypatch):
    needed = NEEDS.get(path.stem)
    if needed is not None and importlib.util.find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    if sys.platform == "win32":
        pytest.skip("the pages are written for a POSIX shell")
    monkeypatch.chdir(tmp_path)
    assert carry_out(path.read_text(encoding="utf-8"), tmp_path)


def test_verbs_and_flags_of_sessions_exist():
    """What of a page only a release carries out is at least read by the commands that it names."""
    context, unknown = click.Context(stablehlo), []
    for path in [ROOT / "README.md", *PAGES]:
        shown = [block.text for block in blocks(path.read_text(encoding="utf-8")) if block.language == "console"]
        for command, _ in (pair for text in shown for pair in sessions(text)):
            for name, rest in re.findall(r"(?:^|[|;&] *)stablehlo (\w[\w-]*)([^|;&]*)", command):
                verb = stablehlo.get_command(context, name)
                known = {flag for one in verb.params for flag in one.opts} | COMMON if verb else set()
                if not isinstance(verb, click.Group):
                    flags = set(re.findall(r"(?<= )--?[a-z][\w-]*", rest))
                    unknown += [f"{path.name}: {name} {flag}" for flag in flags - known] if verb else [name]
    assert unknown == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_links_of_a_page_lead_somewhere(path):
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8"))]
    assert [one for one in targets if one and "://" not in one and not (path.parent / one).exists()] == []


def command_lines(name: str) -> list[list[str]]:
    """The words of each command that a page lists without a session."""
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    listed = [block.text for block in blocks(text) if block.language in ("sh", "console") and "$ " not in block.text]
    return [shlex.split(line, comments=True) for part in listed for line in part.splitlines() if line]


@pytest.mark.parametrize("words", command_lines("conformance") + command_lines("reliability"), ids=" ".join)
def test_the_command_line_of_a_long_run_is_read(words, tmp_path, monkeypatch):
    """Read, not run: each of these takes minutes or hours."""
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "fuzz"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "xla.txt").touch()
    if "tests/fuzz/coverage_guided.py" in words:
        pytest.importorskip("atheris", reason="atheris is not installed")
    if words[0] == "python":
        target = ROOT / words[1]
        command = runpy.run_path(str(target / "__main__.py" if target.is_dir() else target), run_name="read")["main"]
        words = words[1:]
    else:
        command, context = stablehlo, click.Context(stablehlo)
    while isinstance(command, click.Group):
        words = words[1:]
        command = command.get_command(context, words[0])
    assert isinstance(command, click.Command), words
    command.make_context("read", words[1:])  # raises for a flag or a value that it does not take


@pytest.mark.parametrize("words", command_lines("abstract-interpretation"), ids=" ".join)
def test_the_commands_about_shapes_run(words, tmp_path):
    (tmp_path / "my_ops.py").write_text("")
    (tmp_path / "model.mlir").write_text(
        "func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {\n"
        "  %0 = stablehlo.negate %x : tensor<?x8xf32>\n  return %0 : tensor<?x8xf32>\n}\n"
    )
    done = subprocess.run(words, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert (done.returncode, bool(done.stdout)) == (0, True), done.stderr
