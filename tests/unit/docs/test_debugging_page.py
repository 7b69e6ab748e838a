"""What docs/debugging.md shows is what happens."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from warm_tools import make_warm_tool_folder

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "debugging.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"^```console\n\$ (.*)\n((?:.*\n)*?)```", PAGE, re.MULTILINE)


@pytest.mark.release
def test_the_way_to_an_issue_takes_four_commands(tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    make_warm_tool_folder(str(tools), os.environ)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    environment = {**os.environ, "PATH": os.pathsep.join([str(tools), os.environ["PATH"]])}
    assert len(SESSIONS) == 4
    for command, output in SESSIONS:
        completed = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, stdout=-1, stderr=subprocess.STDOUT, text=True
        )
        assert completed.stdout == output


def test_python_prints_what_is_shown(monkeypatch):
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(PAGE, {}, "debugging.md", "debugging.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_links_lead_somewhere():
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", PAGE) if "://" not in target]
    assert targets
    assert all((ROOT / "docs" / target).exists() for target in targets)
