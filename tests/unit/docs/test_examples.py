"""The programs in examples/ do what their READMEs say."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stablehlo_py
import stablehlo_py.testing
from stablehlo_py.conformance.catalog import Choice
from stablehlo_py.conformance.score.run import run

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_digits_are_read_as_jax_read_them():
    completed = subprocess.run([sys.executable, EXAMPLES / "digits" / "run.py"], capture_output=True, text=True)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    summary = completed.stdout.splitlines()[-1]
    found = re.fullmatch(r"360 scans read in [\d.]+ s: ([\d.]+)% right, 360 as JAX read them", summary)
    assert found is not None, summary
    assert float(found[1]) >= 97


def test_the_text_and_the_artifact_of_digits_are_the_same_program():
    text = stablehlo_py.parse(EXAMPLES / "digits" / "digits.mlir")
    artifact = stablehlo_py.deserialize(EXAMPLES / "digits" / "digits.mlir.bc")
    assert str(text) == str(artifact)


def test_held_out_scans_are_as_described():
    held_out = np.load(EXAMPLES / "digits" / "held_out.npz")
    assert held_out["scans"].shape == (360, 8, 8)
    assert held_out["scans"].dtype == np.uint8
    assert held_out["scans"].max() == 16
    assert set(held_out["labels"]) == set(range(10))
    assert np.mean(held_out["labels"] == held_out["jax_predictions"]) >= 0.97


@pytest.mark.parametrize("name", ["transformer_block", "optimizer_step", "quantized_op"])
def test_programs_written_with_ops_give_what_xla_gives(name):
    path = EXAMPLES / "ops" / f"{name}.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 40
    module = runpy.run_path(str(path))["module"]
    if name == "quantized_op":  # XLA runs it on integers
        stablehlo_py.run_passes(module, "builtin.module(func.func(stablehlo-legalize-quant-to-math))")
    stablehlo_py.testing.assert_engines_agree(module)


def test_the_kit_finds_the_five_errors_of_the_wrong_backend():
    ops = ("add", "atan2", "cbrt", "dynamic_slice", "sort")
    choice = Choice(level="smoke", ops=ops, types=("i1", "f32", "ui8"))
    report = run(f"command+:{sys.executable} {EXAMPLES / 'wrong_backend.py'}", choice)
    assert {entry.op for entry in report.entries if entry.verdict == "wrong"} == set(ops)
    assert all(entry.verdict in ("pass", "wrong") for entry in report.entries)
