"""What the package offers for suites of users."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from stablehlo_py import parse
from stablehlo_py.debug import Tolerance, compare, examine, trace
from stablehlo_py.engines import open_engine
from stablehlo_py.testing import assert_engines_agree, filecheck, find_filecheck


def test_filecheck_accepts_and_rejects():
    filecheck("first\nsecond\n", "CHECK: first\nCHECK-NEXT: second")
    with pytest.raises(AssertionError, match="third"):
        filecheck("first\nsecond\n", "CHECK: third")


def test_a_filecheck_can_be_named(monkeypatch, tmp_path):
    program = tmp_path / "mine"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    monkeypatch.setenv("STABLEHLO_PY_FILECHECK", str(program))
    assert find_filecheck() == str(program)
    filecheck("anything", "CHECK: nothing")


def test_a_suite_of_a_user_runs(tmp_path):
    (tmp_path / "lit.cfg.py").write_text(
        "import os\n"
        "from stablehlo_py.testing import lit\n"
        "lit.configure(config, lit_config, name='mine', source_root=os.path.dirname(__file__))\n"
    )
    (tmp_path / "sound.mlir").write_text(
        "// RUN: stablehlo-opt %s | FileCheck %s\n"
        "// RUN: not stablehlo-opt %s --no-such-flag\n"
        "// CHECK: func.func private @f\n"
        "func.func private @f()\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STABLEHLO_PY_FILECHECK")}
    command = [sys.executable, "-c", "from lit.main import main; main()", "-v", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert "PASS: mine :: sound.mlir" in result.stdout, result.stdout + result.stderr
    assert result.returncode == 0


def test_engines_that_agree_pass_and_others_fail():
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.sine %x : tensor<4xf32>
      return %0 : tensor<4xf32> }"""
    assert_engines_agree(text, ["reference", "reference:f64"], samples=2)
    with pytest.raises(AssertionError, match=r"sample 0, result 0 tensor<4xf32>: reference:bf16 differs"):
        assert_engines_agree(text, ["reference", "reference:bf16"], tolerances={"": Tolerance()})


def test_comparisons_and_traces_show_as_tables():
    module = parse("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                   "%0 = stablehlo.sine %x : tensor<2xf32>\nreturn %0 : tensor<2xf32> }")  # fmt: skip
    compared = compare(module, ["reference", "reference:f64"])
    assert "<td>tensor&lt;2xf32&gt;</td>" in compared._repr_html_()
    assert str(compared).startswith("same: 1 of 1 results agree with reference")
    with open_engine("reference") as first, open_engine("reference:bf16") as second:
        traced = trace(examine(module), compared.arguments[0], first, second, tolerance=Tolerance())
    assert "stablehlo.sine" in traced._repr_html_()
    assert "first wrong op: #0 stablehlo.sine" in str(traced)
