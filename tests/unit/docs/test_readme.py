"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
from pathlib import Path

import pytest
from warm_tools import make_warm_tool_folder

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text()


def sessions() -> list[tuple[str, str]]:
    """Each command that the README shows with what it prints."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    commands = [part.partition("\n") for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(command, output) for command, _, output in commands]


@pytest.mark.parametrize(("command", "output"), sessions(), ids=lambda text: text.partition("\n")[0][:40])
def test_commands_print_what_is_shown(command, output, tmp_path):
    make_warm_tool_folder(str(tmp_path), os.environ)
    environment = {**os.environ, "PATH": os.pathsep.join([str(tmp_path), os.environ["PATH"]])}
    completed = subprocess.run(
        command, shell=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert completed.stdout == output


def test_python_prints_what_is_shown(monkeypatch):
    monkeypatch.chdir(ROOT)
    parser = doctest.DocTestParser()
    test = parser.get_doctest(README, {}, "README.md", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_links_into_the_tree_lead_somewhere():
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", README) if "://" not in target]
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []
