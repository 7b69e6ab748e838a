"""Calls of tensors with bounds, and of the largest elements."""

from __future__ import annotations

import numpy as np
import pytest
from called_targets import call, type_of

import stablehlo_py
from stablehlo_py.bindings.types import Kind, element_type
from stablehlo_py.errors import InterpreterError

BOUNDED_ROWS = "tensor<?x2xf32, #stablehlo.bounds<3, ?>>"
ROWS_OF_TWO = np.arange(6, dtype=np.float32).reshape(3, 2)
GREATER = """func.func private @greater(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
      %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      return %0 : tensor<i1>
    }"""


def test_calls_between_bounded_and_static_tensors():
    padded = "(tensor<3x2xf32>, tensor<i32>, tensor<i32>)"
    text = f"""func.func @main(%x: tensor<3x2xf32>, %n: tensor<i32>, %m: tensor<i32>)
        -> ({BOUNDED_ROWS}, tensor<i32>, tuple<{padded[1:-1]}>) {{
      %0 = stablehlo.custom_call @SliceToDynamic(%x, %n, %m) : {padded} -> {BOUNDED_ROWS}
      %1:3 = stablehlo.custom_call @PadToStatic(%0) : ({BOUNDED_ROWS}) -> {padded}
      %2 = stablehlo.custom_call @PadToStatic(%0) : ({BOUNDED_ROWS}) -> tuple<{padded[1:-1]}>
      return %0, %1#1, %2 : {BOUNDED_ROWS}, tensor<i32>, tuple<{padded[1:-1]}>
    }}"""
    for size in range(4):
        arguments = [ROWS_OF_TWO, np.int32(size), np.int32(2)]
        rows, count, whole = stablehlo_py.interpret(stablehlo_py.parse(text), arguments)
        np.testing.assert_array_equal(rows, ROWS_OF_TWO[:size], strict=True)
        np.testing.assert_array_equal(whole[0][:size], rows)
        assert [whole[0].shape, int(count), int(whole[1]), int(whole[2])] == [(3, 2), size, size, 2]
    for size in (-1, 4):
        with pytest.raises(InterpreterError, match=rf"slices an operand of shape \[3, 2\] to \[{size}, 2\]"):
            stablehlo_py.interpret(stablehlo_py.parse(text), [ROWS_OF_TWO, np.int32(size), np.int32(2)])
    small = text.replace(f"({BOUNDED_ROWS}) -> {padded}", f"({BOUNDED_ROWS}) -> {padded.replace('3x2', '2x2')}")
    with pytest.raises(
        InterpreterError, match=r"pads an operand of shape \[3, 2\] to tensor<2x2xf32>, which is smaller"
    ):
        stablehlo_py.interpret(stablehlo_py.parse(small), [ROWS_OF_TWO, np.int32(3), np.int32(2)])


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0), (2, 3, 4)])
def test_what_is_static_already_is_padded_by_nothing(shape):
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    padded, *sizes = call("PadToStatic", [x], [x, *[np.int32(0)] * len(shape)], layouts=False)
    np.testing.assert_array_equal(padded, x, strict=True)
    assert [int(size) for size in sizes] == list(shape)
    types = ", ".join([type_of(x), *["tensor<i32>"] * len(shape)])
    text = f"""func.func @main(%x: {type_of(x)}) -> tuple<{types}> {{
      %0 = stablehlo.custom_call @PadToStatic(%x) : ({type_of(x)}) -> tuple<{types}>
      return %0 : tuple<{types}> }}"""
    (whole,) = stablehlo_py.interpret(stablehlo_py.parse(text), [x])
    np.testing.assert_array_equal(whole[0], x, strict=True)
    assert [int(size) for size in whole[1:]] == list(shape)
    (sliced,) = call("SliceToDynamic", [x, *map(np.int32, shape)], [x], layouts=False)
    np.testing.assert_array_equal(sliced, x, strict=True)


@pytest.mark.parametrize("k", [1, 17, 40])
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
@pytest.mark.parametrize("largest", [True, False])
def test_the_first_of_equal_elements_comes_first_in_long_lanes_too(largest, dtype, k):
    operand = np.random.default_rng(k).integers(-2, 3, (3, 40)).astype(dtype)
    attributes = f"mhlo.attributes = {{k = {k}, largest = {str(largest).lower()}}}"
    values, indices = call(
        "mhlo.topk", [operand], [operand[:, :k], np.zeros((3, k), np.int32)], attributes, layouts=False
    )
    order = [sorted(range(40), key=lambda i: -lane[i] if largest else lane[i])[:k] for lane in operand]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(operand, np.array(order), axis=1))


@pytest.mark.parametrize(
    ("shape", "dimension"), [((5,), 0), ((3, 4), 0), ((3, 4), 1), *(((2, 3, 4), dimension) for dimension in range(3))]
)
def test_the_first_elements_are_those_of_lanes_along_any_dimension(shape, dimension):
    values = np.random.default_rng(0).permutation(np.prod(shape)).reshape(shape).astype(np.float32)
    kept = tuple([2 if number == dimension else size for number, size in enumerate(shape)])
    operand, result = (f"tensor<{'x'.join(map(str, sizes))}xf32>" for sizes in (shape, kept))
    text = f"""func.func @main(%x: {operand}, %least: tensor<f32>) -> {result} {{
      %0 = stablehlo.custom_call @ApproxTopK(%x, %least) {{called_computations = [@greater],
        mhlo.backend_config = {{top_k = 2 : i64, reduction_dim = {dimension} : i64}}}}
        : ({operand}, tensor<f32>) -> {result}
      return %0 : {result}
    }}
    {GREATER}"""
    (found,) = stablehlo_py.interpret(stablehlo_py.parse(text), [values, np.float32(-np.inf)])
    np.testing.assert_array_equal(found, -np.sort(-values, axis=dimension).take([0, 1], axis=dimension), strict=True)


@pytest.mark.parametrize("result", [2, "?"])
def test_as_many_elements_are_taken_as_the_options_or_else_the_result_says(result):
    values = np.float32([[3, 1, 4, 1], [5, 9, 2, 6]])
    for option, count in (("top_k = 2 : i64, ", 2), ("", 4 if result == "?" else 2)):
        type_ = f"tensor<2x{result}xf32>"
        text = f"""func.func @main(%x: tensor<2x4xf32>, %least: tensor<f32>) -> {type_} {{
          %0 = stablehlo.custom_call @ApproxTopK(%x, %least) {{called_computations = [@greater],
            mhlo.backend_config = {{{option}reduction_dim = 1 : i64}}}} : (tensor<2x4xf32>, tensor<f32>) -> {type_}
          return %0 : {type_}
        }}
        {GREATER}"""
        (found,) = stablehlo_py.interpret(stablehlo_py.parse(text), [values, np.float32(-np.inf)])
        assert found.tolist() == [sorted(lane, reverse=True)[:count] for lane in values.tolist()], text


@pytest.mark.parametrize(
    "element", ["i1", "i2", "i4", "i8", "i64", "ui2", "ui4", "ui8", "ui64", "f8E5M2", "bf16", "f64"]
)
@pytest.mark.parametrize("largest", [True, False])
def test_the_largest_elements_of_each_type(element, largest):
    type_ = element_type(element)
    numbers = [0, 1] if element == "i1" else [1, 0, 1] if element in ("i2", "ui2") else [3, 1, 5, 0, 5, 2]
    numbers += [-1, -2, -1] * (type_.kind in (Kind.SIGNED, Kind.FLOAT))
    values = np.array(numbers).astype(type_.dtype)
    size = len(numbers)
    text = f"""func.func @main(%x: tensor<{size}x{element}>) -> (tensor<3x{element}>, tensor<3xi32>) {{
      %r:2 = stablehlo.custom_call @mhlo.topk(%x)
        {{mhlo.attributes = {{k = 3 : i64, largest = {str(largest).lower()}}}}}
        : (tensor<{size}x{element}>) -> (tensor<3x{element}>, tensor<3xi32>)
      return %r#0, %r#1 : tensor<3x{element}>, tensor<3xi32> }}"""
    text = text.replace("3x", "2x").replace("3 :", "2 :") if size < 3 else text
    found, indices = stablehlo_py.interpret(stablehlo_py.parse(text), [values])
    order = sorted(range(size), key=lambda index: numbers[index] * (-1 if largest else 1))[: min(size, 3)]
    assert indices.tolist() == order
    np.testing.assert_array_equal(found, values[order], strict=True)
