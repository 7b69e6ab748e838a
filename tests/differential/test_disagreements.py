"""Where the official interpreter does not do what the specification says. docs/arithmetic.md lists them."""

from __future__ import annotations

import math

import numpy as np
from agreement import op_text, ours, theirs
from oracle import official

from stablehlo_py.conformance.generate.values import dtype_of


def both(
    op: str, names: list[str], values: list[list[complex]], result: str, attributes: str = ""
) -> tuple[np.ndarray, np.ndarray]:
    """What an op comes to here and officially."""
    arguments = [np.array(value).astype(dtype_of(name)) for name, value in zip(names, values, strict=True)]
    text = op_text(op, names, arguments, result, attributes)
    return ours(text, arguments), theirs(text, arguments)


def floats(array: np.ndarray) -> list[float]:
    return array.astype(np.float64).tolist()


def test_rounding_to_integers() -> None:
    here, officially = both("floor", ["f8E3M4"], [[1.5, 3.25]], "f8E3M4")
    assert floats(here) == [1.0, 3.0]
    assert np.isnan(officially.astype(np.float64)).all()
    here, officially = both("floor", ["f6E2M3FN"], [[1.0, 1.5]], "f6E2M3FN")
    assert floats(here) == [1.0, 1.0]
    assert floats(officially) == [0.0, 0.0]


def test_total_order() -> None:
    attributes = (
        "comparison_direction = #stablehlo<comparison_direction LT>, "
        "compare_type = #stablehlo<comparison_type TOTALORDER>"
    )
    here, officially = both("compare", ["f32", "f32"], [[-0.0], [0.0]], "i1", attributes)
    assert here.tolist() == [True]
    assert officially.tolist() == [False]


def test_order_of_complex_numbers() -> None:
    attributes = "comparison_direction = #stablehlo<comparison_direction LT>"
    lhs, rhs = np.array([1 + 2j], np.complex64), np.array([1 + 3j], np.complex64)
    text = op_text("compare", ["complex<f32>"] * 2, [lhs, rhs], "i1", attributes)
    assert ours(text, [lhs, rhs]).tolist() == [True]
    assert official(text, [lhs, rhs]) is None


def test_division_by_zero() -> None:
    lhs, rhs = np.array([7], np.int32), np.array([0], np.int32)
    text = op_text("divide", ["i32", "i32"], [lhs, rhs], "i32")
    assert ours(text, [lhs, rhs]).tolist() == [-1]
    assert official(text, [lhs, rhs]) is None


def test_unsigned_storage() -> None:
    here, officially = both("uniform_dequantize", ["!quant.uniform<u8:f32, 0.5:128>"], [[177]], "f32")
    assert here.tolist() == [24.5]
    assert officially.tolist() == [-103.5]


def test_requantization() -> None:
    """15031 * 8.0 / 5.5234375 is 21770.5 in f32, a tie."""
    fine = "!quant.uniform<i16:f32, 5.5234375>"
    here, officially = both("uniform_quantize", ["!quant.uniform<i16:f32, 8.0:-236>"], [[14795]], fine)
    assert (here.tolist(), officially.tolist()) == ([21770], [21771])


def test_floats_without_a_sign() -> None:
    here, officially = both("convert", ["f32"], [[-4.0]], "f8E8M0FNU")
    assert math.isnan(floats(here)[0])
    assert floats(officially) == [4.0]
    here, officially = both("convert", ["f8E8M0FNU"], [[math.nan]], "f32")
    assert math.isnan(here[0])
    assert officially[0] == math.inf or math.isnan(officially[0])  # infinity up to jaxlib 0.10


def test_reduce_precision_without_infinity() -> None:
    attributes = "exponent_bits = 3 : i32, mantissa_bits = 3 : i32"
    here, officially = both("reduce_precision", ["f8E4M3FN"], [[16.0]], "f8E4M3FN", attributes)
    assert math.isnan(floats(here)[0])
    assert floats(officially) == [256.0]


def test_logistic() -> None:
    here, officially = both("logistic", ["f8E4M3FN"], [[-6.5]], "f8E4M3FN")
    assert floats(here) == [2.0**-9]
    assert math.isnan(floats(officially)[0])


def test_small_complex_numbers() -> None:
    for op in ["exponential_minus_one", "log_plus_one"]:
        here, officially = both(op, ["complex<f64>"], [[1e-30]], "complex<f64>")
        assert here[0] == 1e-30
        assert officially[0] == 0


def test_large_complex_numbers() -> None:
    here, officially = both("cbrt", ["complex<f64>"], [[1e300]], "complex<f64>")
    np.testing.assert_allclose(here, [1e100])
    assert np.isinf(officially.real).all()
