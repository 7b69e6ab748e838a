"""Custom calls that are named after an op: they give what the op gives, with the numbers that operands hold."""

from __future__ import annotations

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.errors import InterpreterError, UnsupportedOpError
from stablehlo_py.interpreter.program import Program

ADD = """func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
"""


@pytest.mark.parametrize(
    ("window", "strides", "base", "dilations", "padding", "shape"),
    [
        ((2, 3), (1, 2), (1, 1), (1, 1), ((0, 0), (0, 0)), (3, 2)),
        ((2, 2), (2, 1), (2, 1), (1, 2), ((1, 0), (0, 2)), (4, 5)),
        ((1, 3), (3, 1), (1, 2), (1, 1), ((0, 2), (1, 0)), (2, 8)),
    ],
)
def test_windows_of_operands_are_those_of_attributes(
    window: tuple[int, int],
    strides: tuple[int, int],
    base: tuple[int, int],
    dilations: tuple[int, int],
    padding: tuple[tuple[int, int], tuple[int, int]],
    shape: tuple[int, int],
) -> None:
    result = f"tensor<{shape[0]}x{shape[1]}xf32>"
    call = f"""{ADD}func.func @main(%x: tensor<4x5xf32>, %w: tensor<2xi64>, %s: tensor<2xi64>, %b: tensor<2xi64>,
        %d: tensor<2xi64>, %p: tensor<2x2xi64>) -> {result} {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %w, %s, %b, %d, %p)
        {{called_computations = [@add]}} : (tensor<4x5xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>,
        tensor<2xi64>, tensor<2x2xi64>) -> {result}
      return %0 : {result}
    }}"""
    fields = {
        "window_dimensions": window,
        "window_strides": strides,
        "base_dilations": base,
        "window_dilations": dilations,
    }
    arrays = ", ".join(f"{name} = array<i64: {a}, {b}>" for name, (a, b) in fields.items())
    op = f"""func.func @main(%x: tensor<4x5xf32>) -> {result} {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = "stablehlo.reduce_window"(%x, %zero) ({{ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }}) {{{arrays}, padding = dense<{list(map(list, padding))}> : tensor<2x2xi64>}}
        : (tensor<4x5xf32>, tensor<f32>) -> {result}
      return %0 : {result}
    }}"""
    x = np.arange(20, dtype=np.float32).reshape(4, 5)
    numbers = [np.array(each) for each in (window, strides, base, dilations, padding)]
    (found,), (expected,) = Program(parsed(call)).run([x, *numbers]), Program(parsed(op)).run([x])
    np.testing.assert_array_equal(found, expected, strict=True)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_random_bits_in_the_shape_of_an_operand_are_those_of_the_op(shape: tuple[int, ...]) -> None:
    bits = "tensor<" + "".join(f"{size}x" for size in shape) + "ui32>"
    call = f"""func.func @main(%s: tensor<2xui64>, %n: tensor<{len(shape)}xi64>) -> (tensor<2xui64>, {bits}) {{
      %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n)
        {{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}}
        : (tensor<2xui64>, tensor<{len(shape)}xi64>) -> (tensor<2xui64>, {bits})
      return %0#0, %0#1 : tensor<2xui64>, {bits}
    }}"""
    op = f"""func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, {bits}) {{
      %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, {bits})
      return %0, %1 : tensor<2xui64>, {bits}
    }}"""
    state = np.array([1, 2], np.uint64)
    found = Program(parsed(call)).run([state, np.array(shape, np.int64)])
    for result, expected in zip(found, Program(parsed(op)).run([state]), strict=True):
        np.testing.assert_array_equal(result, expected, strict=True)


def called(target: str, attributes: str = "") -> Program:
    return Program(
        parsed(f"""func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {{
      %0 = stablehlo.custom_call @{target}(%x) {{{attributes}}} : (tensor<2x3xf32>) -> tensor<3x2xf32>
      return %0 : tensor<3x2xf32>
    }}""")
    )


@pytest.mark.parametrize("dialect", ["mhlo", "stablehlo"])
def test_attributes_of_the_op_are_those_of_the_call(dialect: str) -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    program = called(f"{dialect}.transpose", "mhlo.attributes = {permutation = array<i64: 1, 0>}")
    np.testing.assert_array_equal(program.run([x])[0], x.T)
    np.testing.assert_array_equal(called(f"{dialect}.reshape").run([x])[0], x.reshape(3, 2))


def test_an_op_that_does_not_fit_and_a_target_that_is_none_are_told() -> None:
    x = np.zeros((2, 3), np.float32)
    with pytest.raises(InterpreterError, match=r"stands for stablehlo\.tanh, which fails: ") as caught:
        called("mhlo.tanh").run([x])
    assert caught.value.op == "stablehlo.custom_call"
    for target in ("mhlo.tanhh", "other.tanh", "tanh"):
        with pytest.raises(UnsupportedOpError, match=f"calls '{target}', which has no handler"):
            called(target).run([x])
