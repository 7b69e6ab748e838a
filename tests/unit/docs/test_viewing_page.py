"""What docs/viewing.md and docs/cost.md show is what happens."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from installed import needs
from warm_tools import make_warm_tool_folder

from stablehlo_py.notebook import run_cell

ROOT = Path(__file__).parents[3]
PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("viewing", "cost")}


def sessions(page: str) -> list[tuple[str, str]]:
    """The commands of a page, each with its output."""
    blocks = re.findall(r"^```console\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return [
        (command, output)
        for block in blocks
        for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


@pytest.mark.parametrize("name", [pytest.param("viewing", marks=needs("partition")), "cost"])
def test_every_command_prints_what_is_shown(name, tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    make_warm_tool_folder(str(tools), os.environ)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    environment = {**os.environ, "PATH": os.pathsep.join([str(tools), os.environ["PATH"]])}
    commands = sessions(PAGES[name])
    assert len(commands) >= 3
    for command, output in commands:
        completed = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, stdout=-1, stderr=subprocess.STDOUT, text=True
        )
        assert completed.stdout == output, command
    for written in re.findall(r"-o (\w+\.html)", PAGES[name]):
        if written != "report.html":  # the name in the table of questions
            assert (tmp_path / written).stat().st_size > 30_000


def test_python_prints_what_is_shown(monkeypatch):
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(PAGES["viewing"], {}, "viewing.md", "viewing.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_cell_is_a_program():
    (line, cell) = re.findall(r"^```text\n%%stablehlo (.*)\n((?:.*\n)*?)```", PAGES["viewing"], re.MULTILINE)[0]
    variables = {"x": np.float32([1, 2]), "y": np.float32([3, 4])}
    shell = SimpleNamespace(user_ns=variables, user_global_ns=variables)
    assert run_cell(line, cell, shell).tolist() == [4, 6]


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", PAGES[name]) if "://" not in target]
    assert all((ROOT / "docs" / target).exists() for target in targets)


def test_every_picture_is_shown_and_can_be_made():
    import pictures

    made = {name for name, _, _ in pictures.PICTURES} | {pictures.NOTEBOOK}
    assert made == {path.name for path in (ROOT / "docs" / "images").glob("*.png") if path.name in PAGES["viewing"]}
    assert made == set(re.findall(r"images/([\w.]+)", PAGES["viewing"]))
