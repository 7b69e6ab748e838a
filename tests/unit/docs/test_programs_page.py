"""What docs/programs.md shows works, and its list of custom calls is complete."""

from __future__ import annotations

import importlib
import re
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest
from installed import needs_dialect
from warm_tools import tool

import stablehlo_py
from stablehlo_py.interpreter.custom_calls.lookup import targets
from stablehlo_py.interpreter.ops.async_collectives import STARTS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@needs_dialect("mhlo")
def test_the_python_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    here = [block for block in blocks("python") if "jax.export" not in block]
    assert len(here) == 4
    exec("\n".join(here), {})
    assert (tmp_path / "probes" / "index.csv").exists()


def test_the_python_for_jax_runs():
    pytest.importorskip("jax", reason="the example exports a program (stablehlo-py[test])")
    there = [block for block in blocks("python") if "jax.export" in block]
    assert len(there) == 2
    exec("\n".join(["import numpy as np", "import stablehlo_py", *there]), {})


def run(commands: list[str], folder: Path) -> str:
    """What the last command prints."""
    for command in commands:
        name, *arguments = shlex.split(command)
        assert name == "stablehlo-translate"
        completed = subprocess.run([tool(name), *arguments], cwd=folder, capture_output=True, text=True, check=False)
        assert completed.returncode == 0, completed.stderr
    return completed.stdout


@needs_dialect("mhlo")
def test_the_commands_run(tmp_path):
    add = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.add %x, %x : tensor<2xf32>\n"
    (tmp_path / "program.mlir").write_text(add + "  return %0 : tensor<2xf32>\n}\n")
    np.savez(tmp_path / "arguments.npz", x=np.float32([1, 2.5]))
    (commands,) = blocks("sh")
    assert "5.000000e+00" in run(commands.splitlines(), tmp_path)
    assert stablehlo_py.load(tmp_path / "new.mlir.bc")([1.0, 2.5]).tolist() == [2.0, 5.0]


def test_the_command_for_jax_runs(tmp_path):
    jax = pytest.importorskip("jax", reason="the example exports a program (stablehlo-py[test])")
    from jax import export

    arguments = {"a": np.ones((2, 3), np.float32), "unused": np.float32(0)}, np.ones(3, np.float32)
    exported = export.export(jax.jit(lambda w, x, *, flag: {"y": w["a"] @ x}))(*arguments, flag=True)
    (tmp_path / "model.jax_export").write_bytes(exported.serialize())
    (command,) = [line[2:] for block in blocks("console") for line in block.splitlines() if "jax_export" in line]
    assert "3.000000e+00, 3.000000e+00" in run([command], tmp_path)


def test_every_target_is_listed():
    pytest.importorskip("jax", reason="the page names the programs of jax's wheel (stablehlo-py[test])")
    pytest.importorskip("scipy", reason="linear algebra needs scipy (stablehlo-py[scipy])")
    writer = importlib.import_module("custom_calls")
    assert writer.OUTPUT.read_text(encoding="utf-8") == writer.text()
    rows = [row for row in writer.text().splitlines() if row.startswith(("| `", "| *`")) and row.count("|") == 4]
    assert [row for row in rows if row.endswith("|  |")] == []
    assert {target for row in rows for target in re.findall(r"`([^`]+)`", row.split("|")[1])} == {*targets(), *STARTS}
