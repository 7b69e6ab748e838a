"""Shapes that are known only while running: what does not fit is an error that names the op, before any allocation."""

from __future__ import annotations

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import InterpreterError, ResourceError
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.interpreter.settings import Settings

T = "tensor<?xf32>"
I = "tensor<1xi64>"  # noqa: E741
CASES = {
    "limits before starts": (
        f"stablehlo.real_dynamic_slice %a, %x, %y, %z : (tensor<4xf32>, {I}, {I}, {I}) -> {T}",
        [3, 2, 1],
        "dimension 0 would have size -1",
    ),
    "limits past the end": (
        f"stablehlo.real_dynamic_slice %a, %x, %y, %z : (tensor<4xf32>, {I}, {I}, {I}) -> {T}",
        [0, 5, 1],
        "outside the operand's shape",
    ),
    "no stride": (
        f"stablehlo.real_dynamic_slice %a, %x, %y, %z : (tensor<4xf32>, {I}, {I}, {I}) -> {T}",
        [0, 2, 0],
        "has to be positive",
    ),
    "another number of elements": (
        f"stablehlo.dynamic_reshape %a, %x : (tensor<4xf32>, {I}) -> {T}",
        [5, 0, 0],
        "the operand has 4 elements, the result would have 5",
    ),
    "a negative dimension size": (
        f"stablehlo.dynamic_reshape %a, %x : (tensor<4xf32>, {I}) -> {T}",
        [-4, 0, 0],
        "would have -4",
    ),
    "no broadcast": (
        f"stablehlo.dynamic_broadcast_in_dim %a, %x, dims = [0] : (tensor<4xf32>, {I}) -> {T}",
        [3, 0, 0],
        "neither 1 nor the result's 3",
    ),
    "negative interior padding": (
        f"stablehlo.dynamic_pad %a, %f, %x, %y, %z : (tensor<4xf32>, tensor<f32>, {I}, {I}, {I}) -> {T}",
        [0, 0, -1],
        "must not be negative",
    ),
    "slices larger than the operand": (
        '"stablehlo.dynamic_gather"(%a, %y, %x) {dimension_numbers = #stablehlo.gather<offset_dims = [0], '
        f"start_index_map = [0], index_vector_dim = 0>}} : (tensor<4xf32>, {I}, {I}) -> {T}",
        [5, 0, 0],
        "slice size 5 of dimension 0 is beyond 4",
    ),
}


def run(line: str, numbers: list[int], **settings: int) -> list[object]:
    text = f"""func.func @main(%a: tensor<4xf32>, %f: tensor<f32>, %x: {I}, %y: {I}, %z: {I}) -> {T} {{
      %r = {line}
      return %r : {T}
    }}"""
    arguments = [np.zeros(4, np.float32), np.float32(0), *[np.array([number]) for number in numbers]]
    return interpret(ir.Module.parse(text, make_context()), arguments, settings=Settings(**settings))


@pytest.mark.parametrize("name", CASES)
def test_error(name: str) -> None:
    line, numbers, message = CASES[name]
    with pytest.raises(InterpreterError, match=message) as caught:
        run(line, numbers)
    assert caught.value.op.startswith("stablehlo.")
    assert caught.value.location


@pytest.mark.parametrize(
    "dims", ["dynamic_iota %x, dim = 0 : ", "dynamic_broadcast_in_dim %f, %x, dims = [] : (tensor<f32>, "]
)
def test_memory_is_refused_before_it_is_taken(dims: str) -> None:
    line = f"stablehlo.{dims}{'(' if 'iota' in dims else ''}{I}) -> {T}"
    with pytest.raises(ResourceError, match="4000000 bytes"):
        run(line, [10**6, 0, 0], max_memory=10**6)


def test_set_dimension_size_stays_within_the_bound() -> None:
    bounded = "tensor<?xf32, #stablehlo.bounds<4>>"
    text = f"""func.func @main(%a: tensor<4xf32>, %n: tensor<i32>) -> {bounded} {{
      %r = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) -> {bounded}
      return %r : {bounded}
    }}"""
    module = ir.Module.parse(text, make_context())
    values = np.arange(4, dtype=np.float32)
    assert interpret(module, [values, np.int32(3)])[0].tolist() == [0.0, 1.0, 2.0]  # pyright: ignore
    with pytest.raises(InterpreterError, match=r"size 5 is outside \[0, 4\]"):
        interpret(module, [values, np.int32(5)])


def test_shapes_that_do_not_broadcast() -> None:
    text = """func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
      %r = chlo.broadcast_add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }"""
    module = ir.Module.parse(text, make_context())
    three, one, two = [np.ones(size, np.float32) for size in (3, 1, 2)]
    assert interpret(module, [three, one])[0].tolist() == [2.0, 2.0, 2.0]  # pyright: ignore
    with pytest.raises(InterpreterError, match="which do not broadcast"):
        interpret(module, [three, two])
