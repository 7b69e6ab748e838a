"""What docs/programs.md shows works, and its list of custom calls is complete."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from stablehlo_py.reference.custom_calls.registry import targets

PAGE = (Path(__file__).parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")
TOOL = [sys.executable, "-c", "from stablehlo_py.cli import stablehlo_translate; stablehlo_translate()"]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_python_runs():
    assert len(blocks("python")) == 2
    exec("\n".join(blocks("python")), {})


def test_the_commands_run(tmp_path):
    add = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.add %x, %x : tensor<2xf32>\n"
    (tmp_path / "program.mlir").write_text(add + "  return %0 : tensor<2xf32>\n}\n")
    (commands,) = blocks("sh")
    for command in commands.splitlines():
        name, *arguments = shlex.split(command)
        assert name == "stablehlo-translate"
        completed = subprocess.run([*TOOL, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert completed.returncode == 0, completed.stderr
    assert "5.000000e+00" in completed.stdout


def test_every_target_is_listed():
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    listed = {target for row in rows for target in re.findall(r"`([^`]+)`", row)}
    assert listed == set(targets())
