"""Compiled plans let results take the place of arrays that die. `tests/fuzz donations` draws programs for it."""

import random
import tracemalloc

import numpy as np
import pytest
from bits import assert_same_bits
from donated_programs import draw_donated, judge_donated
from parsed import parsed

import stablehlo_py
from stablehlo_py.bindings.types import element_type
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


def peak(text: str, *arguments: np.ndarray) -> int:
    """The bytes that the third run of a program takes at most."""
    program = stablehlo_py.load(text)
    for _ in range(2):
        program(*arguments)
    tracemalloc.start()
    try:
        program(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [4096, SIZE * SIZE])
@pytest.mark.parametrize(("op", "element"), [("add", "f32"), ("maximum", "i32")])
def test_a_chain_takes_one_array_if_it_is_of_16384_bytes(op: str, element: str, size: int) -> None:
    for elements, arrays in ((size, 1), (4095, 2)):
        type_ = f"tensor<{elements}x{element}>"
        lines = [f"  %{index + 1} = stablehlo.{op} %{index}, %x : {type_}" for index in range(10)]
        text = "\n".join([f"  %0 = stablehlo.multiply %x, %x : {type_}", *lines])
        text = f"func.func @main(%x: {type_}) -> {type_} {{\n{text}\n  return %10 : {type_}\n}}"
        assert round(peak(text, np.ones(elements, element_type(element).dtype)) / (4 * elements)) == arrays, text


def test_moved_constants_of_4096_bytes_are_made_once() -> None:
    """The sizes are those of the results."""
    pieces = 40
    for elements, copies in ((1024, 1), (1025, 2)):
        ops = ("iota dim = 0 :", f"broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<{elements}xf32>")
        lines = [f"  %{index} = stablehlo.{ops[index % 2]}" for index in range(pieces)]
        lines = [f"{line} tensor<{elements}xf32>" if line.endswith(":") else line for line in lines]
        operands = ", ".join(f"%{index}" for index in range(pieces))
        types = ", ".join([f"tensor<{elements}xf32>"] * pieces)
        result = f"tensor<{pieces * elements}xf32>"
        text = "\n".join(lines)
        text = f"""func.func @main() -> {result} {{
  %c = stablehlo.constant dense<1.5> : tensor<f32>
{text}
  %r = stablehlo.concatenate {operands}, dim = 0 : ({types}) -> {result}
  return %r : {result}
}}"""
        found = peak(text) / (4 * elements * pieces)
        assert abs(found - (1 if copies == 1 else 1.5)) < 0.25, (elements, found)  # larger broadcasts are views


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


@pytest.mark.parametrize("seed", range(5))
def test_drawn_programs_whose_values_are_used_again(seed: int) -> None:
    """The first of those that the fuzzer draws."""
    choices = random.Random(seed)
    for _ in range(8):
        case = draw_donated(choices)
        assert judge_donated(case) == "the same", case.decode()


BOUND = """func.func @main(%x: TYPE) -> (TYPE, TYPE) {
  %a = stablehlo.multiply %x, %x : TYPE
  %b = stablehlo.add %a, %x : TYPE
  %c = stablehlo.negate %b : TYPE
  %d = stablehlo.OP %c, %c : TYPE
  return %d, %a : TYPE, TYPE
}"""


@pytest.mark.parametrize("op", ["add", "maximum", "power", "divide", "remainder"])
@pytest.mark.parametrize("type_", ["4095xf32", "4096xf32", "4097xf32", "2048xf64", "2048xcomplex<f32>", "16384xi8"])
def test_a_result_takes_the_place_of_an_operand_of_its_type(type_: str, op: str) -> None:
    """From 16,384 bytes on; an operand that is needed later stays."""
    if op in ("maximum", "remainder") and "complex" in type_:
        op = "subtract"
    module = parsed(BOUND.replace("TYPE", f"tensor<{type_}>").replace("OP", op))
    program, definition = Program(module), Program(module, Settings(fast=False))
    dtype = program.parameter_types()[0].dtype
    x = np.random.default_rng(0).integers(-5, 6, int(type_.partition("x")[0])).astype(dtype)
    expected = definition.run([x])
    for _ in range(3):
        for found, result in zip(program.run([x]), expected, strict=True):
            assert_same_bits(found, result, f"{op} of {type_}")


COMPARED = """func.func @main(%x: tensor<SIZExTYPE>) -> (tensor<SIZExi1>, tensor<SIZEx8xi1>) {
  %a = stablehlo.multiply %x, %x : tensor<SIZExTYPE>
  %b = stablehlo.add %x, %x : tensor<SIZExTYPE>
  %c = stablehlo.compare LT, %a, %b : (tensor<SIZExTYPE>, tensor<SIZExTYPE>) -> tensor<SIZExi1>
  %d = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<SIZExi1>) -> tensor<SIZEx8xi1>
  %e = stablehlo.not %d : tensor<SIZEx8xi1>
  %f = stablehlo.compare EQ, %e, %d : (tensor<SIZEx8xi1>, tensor<SIZEx8xi1>) -> tensor<SIZEx8xi1>
  return %c, %f : tensor<SIZExi1>, tensor<SIZEx8xi1>
}"""


@pytest.mark.parametrize("type_", ["i8", "ui8", "f32", "i1"])
def test_a_result_of_another_type_takes_the_place_of_no_operand(type_: str) -> None:
    for size in (2048, 16_384):
        module = parsed(COMPARED.replace("SIZE", str(size)).replace("TYPE", type_))
        program, definition = Program(module), Program(module, Settings(fast=False))
        x = np.random.default_rng(1).integers(-9, 10, size).astype(program.parameter_types()[0].dtype)
        expected = [(result.dtype, result.tobytes()) for result in definition.run([x])]
        for _ in range(3):
            assert [(result.dtype, result.tobytes()) for result in program.run([x])] == expected, size
