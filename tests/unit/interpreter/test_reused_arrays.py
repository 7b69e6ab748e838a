"""Compiled plans let results take the place of arrays that die. `tests/fuzz donations` draws programs for it."""

import tracemalloc

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.interpreter.fast import codegen

SIZE = 128  # of a side: 64 KiB a tensor
TYPE = f"tensor<{SIZE}x{SIZE}xf32>"


def loop_that_returns(name: str, first: str, last: str) -> str:
    """A loop of one round, which takes a value and returns another that it only looks at."""
    state = f"tensor<i32>, {TYPE}"
    return f"""
  {name}_zero = stablehlo.constant dense<0> : tensor<i32>
  {name}_one = stablehlo.constant dense<1> : tensor<i32>
  {name}:2 = stablehlo.while(%i = {name}_zero, %s = {first}) : {state}
    cond {{
      %c = stablehlo.compare LT, %i, {name}_one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }} do {{
      %n = stablehlo.add %i, {name}_one : tensor<i32>
      stablehlo.return %n, {last} : {state}
    }}"""


def _peak_of_chain(monkeypatch: pytest.MonkeyPatch, least: int) -> int:
    """The bytes that the second run of a chain of additions takes at most."""
    monkeypatch.setattr(codegen, "_LEAST_REUSED", least)
    lines = [f"  %{index + 1} = stablehlo.add %{index}, %x : {TYPE}" for index in range(10)]
    text = "\n".join([f"  %0 = stablehlo.multiply %x, %x : {TYPE}", *lines])
    program = stablehlo_py.load(f"func.func @main(%x: {TYPE}) -> {TYPE} {{\n{text}\n  return %10 : {TYPE}\n}}")
    x = np.ones((SIZE, SIZE), np.float32)
    program(x)
    program(x)
    tracemalloc.start()
    try:
        program(x)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_chain_takes_one_array(monkeypatch: pytest.MonkeyPatch) -> None:
    one = SIZE * SIZE * 4
    assert _peak_of_chain(monkeypatch, codegen._LEAST_REUSED) < 1.5 * one
    assert _peak_of_chain(monkeypatch, 10 * one) > 1.9 * one


def test_what_a_loop_that_takes_other_values_returns_stays() -> None:
    """The loop empties a list of its first values, and returns a value that it only looks at, which is used later."""
    program = stablehlo_py.load(f"""func.func @main(%x: {TYPE}) -> ({TYPE}, {TYPE}) {{
  %a = stablehlo.add %x, %x : {TYPE}
  %b = stablehlo.multiply %x, %x : {TYPE}{loop_that_returns("%r", "%a", "%b")}
  %c = stablehlo.add %b, %x : {TYPE}
  return %r#1, %c : {TYPE}, {TYPE}
}}""")
    x = np.full((SIZE, SIZE), 3, np.float32)
    for _ in range(3):
        returned, later = program(x)
        assert returned[0, 0] == 9
        assert later[0, 0] == 12
