"""Checks with results, paddings that do not fit in one dimension, names in tuples, and complex numbers that widen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings.types import TensorType, TokenType, TupleType, element_type
from stablehlo_py.errors import CheckError, InterpreterError
from stablehlo_py.interpreter.fingerprints.reading import FingerprintReading
from stablehlo_py.interpreter.fingerprints.storage import as_values
from stablehlo_py.interpreter.program import Program, interpret
from stablehlo_py.interpreter.values import Future, Token, flat, tensors_in


@pytest.mark.parametrize("target", ["check.eq", "check.expect_eq", "check.expect_almost_eq", "check.expect_close"])
def test_a_check_that_holds_is_true_where_it_has_a_result(target: str) -> None:
    text = f"""func.func @main(%x: tensor<2xf32>) -> tensor<i1> {{
      %0 = stablehlo.custom_call @{target}(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
      return %0 : tensor<i1>
    }}"""
    assert interpret(parsed(text), [[1.0, 2.0]]) == [True]


def test_truth_values_are_checked_without_a_tolerance() -> None:
    text = """func.func @main(%x: tensor<2xi1>, %y: tensor<2xi1>) {
      stablehlo.custom_call @check.eq(%x, %y) : (tensor<2xi1>, tensor<2xi1>) -> ()
      return
    }"""
    with pytest.raises(CheckError, match=r"element values don't match: True \(actual\) vs False \(expected\) at index"):
        interpret(parsed(text), [[True, True], [True, False]])


@pytest.mark.parametrize("shape", [(2, 5), (5, 2), (5, 4)])
def test_no_dimension_is_padded_to_fewer_elements(shape: tuple[int, int]) -> None:
    text = """func.func @main(%x: tensor<?x?xf32>) -> tensor<4x4xf32> {
      %0:3 = stablehlo.custom_call @PadToStatic(%x) : (tensor<?x?xf32>) -> (tensor<4x4xf32>, tensor<i32>, tensor<i32>)
      return %0#0 : tensor<4x4xf32>
    }"""
    with pytest.raises(InterpreterError, match="to tensor<4x4xf32>, which is smaller"):
        interpret(parsed(text), [np.ones(shape, np.float32)])


def test_tensors_in_tuples_have_names_and_are_flat() -> None:
    real = TensorType((), element_type("f32"))
    types = [real, TupleType((TokenType(), real, TupleType((real,)))), real]
    assert [name for name, _ in tensors_in(types, ["a", "b", "c"])] == ["a", "b.1", "b.2.0", "c"]
    assert {name for name, _ in tensors_in(types)} == {""}
    values: list[Any] = [1, (Token(), 2, (3, (4, Token()))), Future(lambda: (5, (6,))), 7]
    assert flat(values) == [1, 2, 3, 4, 5, 6, 7]


def test_complex_numbers_that_widen_keep_both_parts_as_fingerprints() -> None:
    text = """func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f64>> {
      %0 = stablehlo.convert %x : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f64>>
      return %0 : tensor<2xcomplex<f64>>
    }"""
    reading = FingerprintReading()
    program = Program(parsed(text), None, reading)
    given = np.complex64([1 + 2j, -3j])
    (found,) = program.run_values(reading.arguments_of([given], program.parameter_types()))
    np.testing.assert_array_equal(as_values(found), given)
