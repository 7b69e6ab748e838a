"""Compiled plans let results take the place of arrays that die. `tests/fuzz donations` draws programs for it."""

import tracemalloc

import numpy as np
import pytest
from bits import assert_same_bits
from parsed import parsed

import stablehlo_py
from stablehlo_py.interpreter.fast import codegen
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

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


OPS = {
    "update": """%r = stablehlo.dynamic_update_slice OPERAND, %u, %k, %k
      : (TYPE, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> TYPE""",
    "scatter": """%r = "stablehlo.scatter"(OPERAND, %k, %u) ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %sum = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %sum : tensor<f32>
      }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1],
          scatter_dims_to_operand_dims = [0], index_vector_dim = 0>} : (TYPE, tensor<i32>, tensor<2x3xf32>) -> TYPE""",
    "if": """%t = stablehlo.compare GT, %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %r = "stablehlo.if"(%t) ({
        %s = stablehlo.add OPERAND, OPERAND : TYPE
        stablehlo.return %s : TYPE
      }, {
        stablehlo.return OPERAND : TYPE
      }) : (tensor<i1>) -> TYPE""",
    "case": """%r = "stablehlo.case"(%k) ({
        stablehlo.return OPERAND : TYPE
      }, {
        %s = stablehlo.negate OPERAND : TYPE
        stablehlo.return %s : TYPE
      }, {
        %s = stablehlo.add OPERAND, OPERAND : TYPE
        stablehlo.return %s : TYPE
      }) : (tensor<i32>) -> TYPE""",
    "call": "%r = func.call @double(OPERAND) : (TYPE) -> TYPE",
    "while": """%w:2 = stablehlo.while(%i = %one, %s = OPERAND) : tensor<i32>, TYPE cond {
        %t = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %t : tensor<i1>
      } do {
        %n = stablehlo.add %i, %one : tensor<i32>
        %m = stablehlo.dynamic_update_slice %s, %u, %i, %i : (TYPE, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> TYPE
        %g = stablehlo.add %m, %m : TYPE
        stablehlo.return %n, %g : tensor<i32>, TYPE
      }
      %r = stablehlo.negate %w#1 : TYPE""",
}


@pytest.mark.parametrize("rows", [SIZE - 1, SIZE])  # 64 KiB are large
@pytest.mark.parametrize("op", OPS)
def test_an_operand_is_written_into_only_where_it_dies(op: str, rows: int) -> None:
    type_ = f"tensor<{rows}x{SIZE}xf32>"
    steps = list[str]()
    for operand, result in (("%x", "%a"), ("%y", "%b"), ("%d", "%c")):
        step = OPS[op].replace("OPERAND", operand).replace("%r =", f"{result} =")
        steps.append(step.replace("%t", f"{result}_t").replace("%w", f"{result}_w"))
    text = f"""func.func @main(%x: TYPE, %u: tensor<2x3xf32>, %k: tensor<i32>) -> (TYPE, TYPE, TYPE, TYPE) {{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %y = stablehlo.add %x, %x : TYPE
      %d = stablehlo.multiply %x, %x : TYPE
      {steps[0]}
      {steps[1]}
      {steps[2]}
      %later = stablehlo.subtract %y, %x : TYPE
      return %a, %b, %c, %later : TYPE, TYPE, TYPE, TYPE
    }}
    func.func private @double(%x: TYPE) -> TYPE {{
      %0 = stablehlo.add %x, %x : TYPE
      return %0 : TYPE
    }}""".replace("TYPE", type_)
    programs = [Program(parsed(text), Settings(fast=fast)) for fast in (True, False)]
    x = np.random.default_rng(0).normal(size=(rows, SIZE)).astype(np.float32)
    u = np.full((2, 3), -0.0, np.float32)
    before = x.tobytes()
    for k in (-1, 0, 1, 2, 3, 1000):
        for fast, slow in zip(*[program.run([x, u, np.int32(k)]) for program in programs], strict=True):
            assert_same_bits(fast, slow, f"an update at {k}")
        assert x.tobytes() == before
