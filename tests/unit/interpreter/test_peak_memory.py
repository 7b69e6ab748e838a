"""The peak memory of one op: what it has to keep, and at most twice its operands and results beside that."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.interpreter.program import Program

MILLION = 1 << 20
F = f"tensor<{MILLION}xf32>"
F8 = f"tensor<{MILLION}xf8E4M3FN>"


def region(op: str) -> str:
    return (
        f"^bb0(%x: tensor<f32>, %y: tensor<f32>):\n %s = stablehlo.{op} %x, %y : tensor<f32>\n"
        " stablehlo.return %s : tensor<f32>"
    )


def comparator(total: str) -> str:
    return (
        f"^bb0(%x: tensor<f32>, %y: tensor<f32>):\n %p = stablehlo.compare LT, %x, %y{total} : "
        "(tensor<f32>, tensor<f32>) -> tensor<i1>\n stablehlo.return %p : tensor<i1>"
    )


def random(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return (np.random.default_rng(0).random(shape) * 100).astype(dtype)


IMAGES, POOLED = "tensor<8x64x64x32xf32>", "tensor<8x32x32x32xf32>"
MATRIX = "tensor<1024x1024x{}>"
CASES: dict[str, tuple[str, str, str, Callable[[], list[np.ndarray]]]] = {
    "transpose": (
        "%a: tensor<1024x1024xf32>",
        "tensor<1024x1024xf32>",
        "stablehlo.transpose %a, dims = [1, 0] : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>",
        lambda: [random(1024, 1024)],
    ),
    "convolution": (
        f"%a: {IMAGES}, %k: tensor<3x3x32x32xf32>",
        IMAGES,
        "stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        "window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} "
        f": ({IMAGES}, tensor<3x3x32x32xf32>) -> {IMAGES}",
        lambda: [random(8, 64, 64, 32), random(3, 3, 32, 32)],
    ),
    "pooling": (
        f"%a: {IMAGES}, %v: tensor<f32>",
        POOLED,
        f'"stablehlo.reduce_window"(%a, %v) ({{{region("maximum")}}}) {{window_dimensions = array<i64: 1, 2, 2, 1>, '
        f"window_strides = array<i64: 1, 2, 2, 1>}} : ({IMAGES}, tensor<f32>) -> {POOLED}",
        lambda: [random(8, 64, 64, 32), np.zeros((), np.float32)],
    ),
    "pooling backwards": (
        f"%a: {IMAGES}, %b: {POOLED}, %v: tensor<f32>",
        IMAGES,
        f'"stablehlo.select_and_scatter"(%a, %b, %v) ({{{comparator("")}}}, {{{region("add")}}}) {{window_dimensions = '
        "array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>} "
        f": ({IMAGES}, {POOLED}, tensor<f32>) -> {IMAGES}",
        lambda: [random(8, 64, 64, 32), random(8, 32, 32, 32), np.zeros((), np.float32)],
    ),
    "cumulative sum": (
        f"%a: {F}, %v: tensor<f32>",
        F,
        f'"stablehlo.reduce_window"(%a, %v) ({{{region("add")}}}) {{window_dimensions = array<i64: {MILLION}>, '
        f"padding = dense<[[{MILLION - 1}, 0]]> : tensor<1x2xi64>}} : ({F}, tensor<f32>) -> {F}",
        lambda: [random(MILLION), np.zeros((), np.float32)],
    ),
    "sort": (
        f"%a: {F}",
        F,
        f'"stablehlo.sort"(%a) ({{{comparator(", TOTALORDER")}}}) {{dimension = 0 : i64}} : ({F}) -> {F}',
        lambda: [random(MILLION)],
    ),
    "sum of f8": (
        f"%a: {F8}",
        F8,
        f"stablehlo.add %a, %a : {F8}",
        lambda: [random(MILLION, dtype=ml_dtypes.float8_e4m3fn)],
    ),
    "small convolution": (
        "%a: tensor<32x8x8x16xf32>, %k: tensor<3x3x16x32xf32>",
        "tensor<32x8x8x32xf32>",
        "stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        "window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} "
        ": (tensor<32x8x8x16xf32>, tensor<3x3x16x32xf32>) -> tensor<32x8x8x32xf32>",
        lambda: [random(32, 8, 8, 16), random(3, 3, 16, 32)],
    ),
    "scatter of rows": (
        f"%a: {F}, %i: tensor<{MILLION // 4}x1xi32>, %u: tensor<{MILLION // 4}x4xf32>",
        F,
        f'"stablehlo.scatter"(%a, %i, %u) ({{{region("add")}}}) {{scatter_dimension_numbers = #stablehlo.scatter<'
        "update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} "
        f": ({F}, tensor<{MILLION // 4}x1xi32>, tensor<{MILLION // 4}x4xf32>) -> {F}",
        lambda: [random(MILLION), random(MILLION // 4, 1, dtype=np.int32), random(MILLION // 4, 4)],
    ),
    "scatter": (
        f"%a: {F}, %i: tensor<{MILLION}x1xi32>, %u: {F}",
        F,
        f'"stablehlo.scatter"(%a, %i, %u) ({{{region("add")}}}) {{scatter_dimension_numbers = #stablehlo.scatter<'
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} "
        f": ({F}, tensor<{MILLION}x1xi32>, {F}) -> {F}",
        lambda: [random(MILLION), random(MILLION, 1, dtype=np.int32), random(MILLION)],
    ),
    "gather": (
        f"%a: tensor<1000xf32>, %i: tensor<{MILLION}x1xi32>",
        F,
        '"stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], '
        "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} "
        f": (tensor<1000xf32>, tensor<{MILLION}x1xi32>) -> {F}",
        lambda: [random(1000), random(MILLION, 1, dtype=np.int32)],
    ),
} | {
    f"product of {element}": (
        f"%a: {MATRIX.format(element)}",
        MATRIX.format(element),
        f"stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : ({MATRIX.format(element)}, "
        f"{MATRIX.format(element)}) -> {MATRIX.format(element)}",
        lambda dtype=dtype: [random(1024, 1024, dtype=dtype)],
    )
    for element, dtype in (("i32", np.int32), ("bf16", ml_dtypes.bfloat16))
}


@pytest.mark.parametrize("name", CASES)
def test_peak(name: str) -> None:
    parameters, result, line, make_arguments = CASES[name]
    text = f"func.func @main({parameters}) -> {result} {{\n %r = {line}\n return %r : {result}\n}}"
    program = Program(ir.Module.parse(text, make_context()))
    arguments = make_arguments()
    program.run(arguments)  # planning is not what is measured
    tracemalloc.start()
    try:
        (array,) = program.run(arguments)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(array, np.ndarray)
    operands, results = sum(argument.nbytes for argument in arguments), array.nbytes
    assert peak <= results + 2 * (operands + results), peak / (operands + results)  # the arguments were there before


def nested_calls() -> str:
    """Each of eight functions calls the next one with what it computed."""
    last = f"func.func private @f7(%a: {F}) -> {F} {{\n %r = stablehlo.negate %a : {F}\n return %r : {F}\n}}\n"
    return last + "".join(
        f"func.func @{'main' if not depth else f'f{depth}'}(%a: {F}) -> {F} {{\n %b = stablehlo.add %a, %a : {F}\n"
        f" %r = func.call @f{depth + 1}(%b) : ({F}) -> {F}\n return %r : {F}\n}}\n"
        for depth in range(7)
    )


LOOP = f"""func.func @main(%a: {F}) -> {F} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.negate %a : {F}
  %r:2 = stablehlo.while(%i = %zero, %x = %b) : tensor<i32>, {F}
    cond {{
      %more = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
      %next = stablehlo.add %i, %one : tensor<i32>
      %y = stablehlo.negate %x : {F}
      %z = stablehlo.negate %y : {F}
      stablehlo.return %next, %z : tensor<i32>, {F}
    }}
  return %r#1 : {F}
}}
"""


@pytest.mark.parametrize("text", [nested_calls(), LOOP], ids=["calls", "loop"])
def test_values_die_at_their_last_use_inside_of_functions_and_loops(text: str) -> None:
    argument = random(MILLION)
    program = Program(ir.Module.parse(text, make_context()))
    results = []
    for _ in range(2):  # step by step, then compiled
        tracemalloc.start()
        results.append(program.run([argument])[0])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2.5 * argument.nbytes, peak / argument.nbytes  # an op's operand and its result
    assert results[0].tobytes() == results[1].tobytes()


def test_a_value_that_is_used_again_survives_the_call_that_it_is_given_to() -> None:
    text = f"""func.func private @twice(%a: {F}, %b: {F}) -> {F} {{
      %0 = stablehlo.add %a, %b : {F}
      return %0 : {F}
    }}
    func.func @main(%a: {F}) -> ({F}, {F}) {{
      %0 = stablehlo.negate %a : {F}
      %1 = func.call @twice(%0, %0) : ({F}, {F}) -> {F}
      %2 = func.call @twice(%0, %1) : ({F}, {F}) -> {F}
      %3 = func.call @twice(%1, %1) : ({F}, {F}) -> {F}
      return %2, %3 : {F}, {F}
    }}"""
    argument = random(MILLION)
    program = Program(ir.Module.parse(text, make_context()))
    for _ in range(2):
        second, third = program.run([argument])
        assert np.array_equal(second, -3 * argument)
        assert np.array_equal(third, -4 * argument)
