"""Ops of static types whose sizes are values, or that no verifier checks: what does not fit is told in its terms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.program import Program, interpret
from stablehlo_py.interpreter.settings import Settings

A, B, ROW = np.ones((2, 3), np.float32), np.ones((4, 5), np.float32), np.ones(4, np.float32)
ONE = "tensor<1xi64>"
BATCHES = "(tensor<2x3xf32>, tensor<3x4xi32>) -> tensor<2x4xf32>"


def sizes(*numbers: int) -> list[np.ndarray]:
    return [np.array([number]) for number in numbers]


CASES: dict[str, tuple[str, list[Any], str]] = {
    "letters": (
        '"stablehlo.einsum"(%0, %1) {einsum_config = "ij,jk->ik"} '
        ": (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>",
        [A, B],
        "the same letter stands for 3 and for 4",
    ),
    "letters of one operand": (
        '"stablehlo.unary_einsum"(%0) {einsum_config = "ii->i"} : (tensor<2x3xf32>) -> tensor<2xf32>',
        [A],
        "the same letter stands for 2 and for 3",
    ),
    "batches": (
        f'"stablehlo.torch_index_select"(%0, %1) {{dim = 1 : i64, batch_dims = 1 : i64}} : {BATCHES}',
        [A, np.zeros((3, 4), np.int32)],
        "batch dimension 0 is 2 in the operand and 3 in the index",
    ),
    "random numbers": (
        '"stablehlo.rng"(%0, %1, %2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} '
        f": (tensor<f32>, tensor<f32>, {ONE}) -> tensor<3xf32>",
        [np.float32(0), np.float32(1), *sizes(2)],
        "dimension 0 of result 0 is declared 3, it is 2",
    ),
    "numbers": (
        f"stablehlo.dynamic_iota %0, dim = 0 : ({ONE}) -> tensor<3xf32>",
        sizes(2),
        "dimension 0 of result 0 is declared 3, it is 2",
    ),
    "copies": (
        f"stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [0] : (tensor<4xf32>, {ONE}) -> tensor<4xf32>",
        [ROW, *sizes(3)],
        "neither 1 nor the result's 3",
    ),
    "margins": (
        f"stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<4xf32>, tensor<f32>, {ONE}, {ONE}, {ONE}) "
        "-> tensor<5xf32>",
        [ROW, np.float32(0), *sizes(1, 1, 0)],
        "dimension 0 of result 0 is declared 5, it is 6",
    ),
    "another shape": (
        f"stablehlo.dynamic_reshape %0, %1 : (tensor<4xf32>, {ONE}) -> tensor<4xf32>",
        [ROW, *sizes(5)],
        "the operand has 4 elements, the result would have 5",
    ),
    "a part": (
        f"stablehlo.real_dynamic_slice %0, %1, %2, %3 : (tensor<4xf32>, {ONE}, {ONE}, {ONE}) -> tensor<2xf32>",
        [ROW, *sizes(0, 3, 1)],
        "dimension 0 of result 0 is declared 2, it is 3",
    ),
    "gathered parts": (
        '"stablehlo.dynamic_gather"(%0, %1, %2) {dimension_numbers = #stablehlo.gather<offset_dims = [0], '
        f"start_index_map = [0], index_vector_dim = 0>}} : (tensor<4xf32>, {ONE}, {ONE}) -> tensor<2xf32>",
        [ROW, *sizes(0, 3)],
        "dimension 0 of result 0 is declared 2, it is 3",
    ),
}


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_sizes_that_do_not_fit_static_types_are_told(name: str, fast: bool) -> None:
    line, arguments, said = CASES[name]
    given, result = line.rpartition(" : ")[2].split(" -> ")
    types = [type_ if type_.endswith(">") else f"{type_}>" for type_ in given.strip("()").split(">, ")]
    parameters = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(types))
    text = f"func.func @main({parameters}) -> {result} {{\n  %r = {line}\n  return %r : {result}\n}}"
    with pytest.raises(InterpreterError) as caught:
        interpret(parsed(text), arguments, settings=Settings(fast=fast))
    assert said in caught.value.message
    assert caught.value.location == "<string>:2:8"


CHOSEN = """func.func @main(%index: tensor<i32>, %x: tensor<?xf32>) -> tensor<2xf32> {
  %r = "stablehlo.case"(%index) ({
    stablehlo.return %x : tensor<?xf32>
  }, {
    %0 = stablehlo.negate %x : tensor<?xf32>
    stablehlo.return %0 : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}"""


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("index", [0, 1])
def test_what_a_branch_gives_is_of_the_type_of_the_op_in_every_run(index: int, fast: bool) -> None:
    program = Program(parsed(CHOSEN), Settings(fast=fast))
    for _ in range(3):
        assert program.run([index, [1.0, 2.0]])[0].tolist() == ([-1, -2] if index else [1, 2])
        with pytest.raises(InterpreterError, match=r"produced tensor<3xf32> as result 0, expected tensor<2xf32>"):
            program.run([index, [1.0, 2.0, 3.0]])


def test_the_result_that_does_not_fit_is_told_with_its_own_type() -> None:
    text = """func.func @main(%p: tensor<i1>, %x: tensor<?xf32>) -> tensor<2xf32> {
      %r:2 = "stablehlo.if"(%p) ({
        stablehlo.return %p, %x : tensor<i1>, tensor<?xf32>
      }, {
        stablehlo.return %p, %x : tensor<i1>, tensor<?xf32>
      }) : (tensor<i1>) -> (tensor<i1>, tensor<2xf32>)
      return %r#1 : tensor<2xf32>
    }"""
    with pytest.raises(InterpreterError, match=r"produced tensor<3xf32> as result 1, expected tensor<2xf32>"):
        interpret(parsed(text), [True, [1.0, 2.0, 3.0]])
