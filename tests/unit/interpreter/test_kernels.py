"""Kernels where types are dynamic or quantized."""

from __future__ import annotations

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.program import interpret

CONTEXT = make_context()
QUANTIZED = "!quant.uniform<i8:f32, 0.5:-10>"


def run(text: str, *arguments: np.ndarray) -> list[np.ndarray]:
    return [np.asarray(result) for result in interpret(ir.Module.parse(text, CONTEXT), arguments)]


def test_operands_whose_shapes_turn_out_to_differ():
    program = """
        func.func @main(%lhs: tensor<?xf32>, %rhs: tensor<?xf32>) -> tensor<?xf32> {
          %0 = stablehlo.add %lhs, %rhs : tensor<?xf32>
          return %0 : tensor<?xf32>
        }"""
    three, one = np.ones(3, np.float32), np.ones(1, np.float32)
    assert run(program, three, three)[0].tolist() == [2, 2, 2]
    with pytest.raises(InterpreterError, match="dimension 0 of the operands differs, 3 and 1"):
        run(program, three, one)


def test_scalars_go_with_any_shape():
    program = """
        func.func @main(%min: tensor<f32>, %operand: tensor<?xf32>, %max: tensor<f32>) -> tensor<?xf32> {
          %0 = stablehlo.clamp %min, %operand, %max : (tensor<f32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
          return %0 : tensor<?xf32>
        }"""
    bounds = np.float32(0), np.float32(1)
    result = run(program, np.asarray(bounds[0]), np.array([-1, 0.5, 2], np.float32), np.asarray(bounds[1]))
    assert result[0].tolist() == [0, 0.5, 1]


def test_a_sum_of_quantized_elements_is_a_sum_of_floats():
    """(1 - -10) + (2 - -10) halves are 23 halves, stored as 13; the stored integers sum up to 3."""
    program = f"""
        func.func @main(%operand: tensor<2x{QUANTIZED}>, %init: tensor<{QUANTIZED}>) -> tensor<{QUANTIZED}> {{
          %0 = stablehlo.reduce(%operand init: %init) applies stablehlo.add across dimensions = [0]
            : (tensor<2x{QUANTIZED}>, tensor<{QUANTIZED}>) -> tensor<{QUANTIZED}>
          return %0 : tensor<{QUANTIZED}>
        }}"""
    assert run(program, np.array([1, 2], np.int8), np.asarray(np.int8(-10)))[0] == 13


def test_results_of_several_quantized_types():
    scale, wide = "!quant.uniform<i8:f32, 1.0>", f"tensor<2x1x{QUANTIZED}>"
    one = f"tensor<1x{scale}>"
    program = f"""
        func.func @main(%operand: {wide}, %scale: {one}, %offset: {one}) -> ({wide}, {one}, {one}) {{
          %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset)
            {{epsilon = 0.0 : f32, feature_index = 1 : i64}} : ({wide}, {one}, {one}) -> ({wide}, {one}, {one})
          return %0#0, %0#1, %0#2 : {wide}, {one}, {one}
        }}"""
    operand = np.array([[-10], [-2]], np.int8)  # 0.0 and 4.0, so the mean is 2.0 and the variance 4.0
    output, mean, variance = run(program, operand, np.array([1], np.int8), np.array([3], np.int8))
    assert output.reshape(-1).tolist() == [-6, -2]  # 3.0 - 1.0 and 3.0 + 1.0
    assert (mean.tolist(), variance.tolist()) == ([2], [4])


def test_an_op_that_a_type_does_not_have_is_located():
    program = """
        func.func @main(%operand: tensor<2xi1>) -> tensor<2xi1> {
          %0 = math.absi %operand : tensor<2xi1>
          return %0 : tensor<2xi1>
        }"""
    with pytest.raises(InterpreterError, match=r"<string>:3:.*'math.absi' op is not defined for elements of type i1"):
        run(program, np.array([True, False]))
