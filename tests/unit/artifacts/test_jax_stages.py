"""Programs of `jax.jit(f).trace(…)` and `.lower(…)`, loaded without an export."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import numpy as np
import pytest

import stablehlo_py

jax = pytest.importorskip("jax", reason="the package jax is not installed")
WEIGHTS = {"a": np.ones((2, 3), np.float32), "unused": np.float32(0)}
X = np.float32([1, 2, 3])


def product(w, x, *, flag, scale):
    return {"y": w["a"] @ x * scale, "flag": flag}


@pytest.mark.parametrize("stage", ["trace", "lower"])
def test_a_stage_is_called_as_its_function(stage):
    jitted = jax.jit(product, static_argnames="scale")
    program = stablehlo_py.load(getattr(jitted, stage)(WEIGHTS, X, flag=True, scale=2))
    result = program(WEIGHTS, X, flag=False)
    assert result["y"].tolist() == [12, 12]
    assert result["flag"].tolist() is False
    with pytest.raises(stablehlo_py.ArgumentError, match="named arguments: flag"):
        program(WEIGHTS, X)


def test_keys_tokens_and_single_results_pass():
    def draw(key):
        jax.debug.print("a message", ordered=True)
        return jax.random.bits(key, (3,))

    key = jax.random.key(3)
    expected = jax.random.bits(key, (3,))
    program = stablehlo_py.load(jax.jit(lambda key: jax.random.bits(key, (3,))).lower(key))
    np.testing.assert_array_equal(program(key), expected)
    with pytest.raises(stablehlo_py.StablehloError, match="callback"):
        stablehlo_py.load(jax.jit(draw).lower(key))(key)


def test_a_stage_for_several_platforms_runs_as_on_a_cpu():
    def on_platform(x):
        return jax.lax.platform_dependent(x, cpu=lambda x: x + 1, default=lambda x: x - 1)

    lowered = jax.jit(on_platform).trace(X).lower(lowering_platforms=("tpu", "cpu"))
    assert stablehlo_py.load(lowered)(X).tolist() == [2, 3, 4]


def test_other_functions_take_stages():
    lowered = jax.jit(lambda x: x + x).lower(X)
    assert "stablehlo.add" in str(stablehlo_py.parse(lowered))
    assert stablehlo_py.interpret(lowered, [X])[0].tolist() == [2, 4, 6]
    stablehlo_py.verify(lowered)
    diff = stablehlo_py.load(lowered).diff(jax.jit(lambda x: x + x).trace(X))
    assert repr(diff) == "<Diff: the same program>"


def test_a_jitted_function_asks_for_its_arguments():
    with pytest.raises(stablehlo_py.InputError, match="expected text, bytes or a path") as error:
        stablehlo_py.load(jax.jit(lambda x: x))
    assert "lower(…)" in error.value.notes[0]


def test_looking_for_a_stage_does_not_import_jax():
    code = "import sys, stablehlo_py as s; s.load('func.func @main() { return }'); print('jax' in sys.modules)"
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout == "False\n"


def test_an_export_with_a_calling_convention_older_than_jax_supports_is_read():
    export = pytest.importorskip("jax.export", reason="the export is made with jax")
    exported = export.export(jax.jit(lambda x: x * 2))(X)
    former = dataclasses.replace(
        exported, calling_convention_version=export.minimum_supported_calling_convention_version - 1
    )
    program = stablehlo_py.load(bytes(former.serialize()))
    assert program(X).tolist() == [2, 4, 6]
