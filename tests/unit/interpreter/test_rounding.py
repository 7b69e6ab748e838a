"""Functions of f64 and of complex numbers are rounded correctly, and have IEEE-754's special values."""

from __future__ import annotations

import math
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from stablehlo_py.bindings.types import element_type
from stablehlo_py.interpreter.element_types import arithmetic
from stablehlo_py.interpreter.element_types.exact import rounded

TOOL = Path(__file__).parents[3] / "benchmarks" / "rounding.py"
INFINITY, NAN = math.inf, math.nan


def test_errors_are_at_most_half_a_last_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short version of `tools/run benchmarks/rounding`."""
    monkeypatch.setattr(
        sys, "argv", [str(TOOL), "--count=10", "--type=f64", *[f"--type=complex<f{bits}>" for bits in (32, 64)]]
    )
    monkeypatch.setattr("stablehlo_py.interpreter.element_types.exact.rounded", rounded)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(TOOL), run_name="__main__")
    assert not ended.value.code


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        *[(x, 0.0, 1.0) for x in (0.0, -0.0, INFINITY, -INFINITY, NAN, -3.5)],
        *[(1.0, y, 1.0) for y in (INFINITY, -INFINITY, NAN, 1e300)],
        *[(-1.0, INFINITY, 1.0), (-1.0, -INFINITY, 1.0), (-1.0, NAN, NAN), (NAN, 1.0, NAN)],
        *[(0.0, -3.0, INFINITY), (-0.0, -3.0, -INFINITY), (-0.0, -2.0, INFINITY), (-0.0, 3.0, -0.0), (-0.0, 0.5, 0.0)],
        *[(0.5, -INFINITY, INFINITY), (0.5, INFINITY, 0.0), (-2.0, -INFINITY, 0.0), (-2.0, INFINITY, INFINITY)],
        *[(-INFINITY, 3.0, -INFINITY), (-INFINITY, 0.5, INFINITY), (-INFINITY, -3.0, -0.0), (INFINITY, -0.5, 0.0)],
        *[(-8.0, 1 / 3, NAN), (-2.0, 3.0, -8.0), (2.0, 1e300, INFINITY), (2.0, -1e300, 0.0), (2.0, -1074.0, 5e-324)],
        *[(5e-324, 3.0, 0.0), (-5e-324, 3.0, -0.0), (5e-324, -1.0, INFINITY), (9.0, -0.5, 1 / 3)],
    ],
)
def test_power_of_ieee(x: float, y: float, expected: float) -> None:
    result = arithmetic(element_type("f64")).power(np.float64(x), np.float64(y))
    assert isinstance(result, np.float64)
    np.testing.assert_equal(float(result), expected)


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@pytest.mark.parametrize("name", ["exponential_minus_one", "log_plus_one", "sine", "tan", "tanh", "cbrt"])
def test_zeros_keep_their_signs(name: str) -> None:
    function = getattr(arithmetic(element_type("f64")), name)
    found = function(np.array([0.0, -0.0, NAN]))
    np.testing.assert_equal(found, [0.0, -0.0, NAN])
    assert np.signbit(found[:2]).tolist() == [False, True]  # which equality of arrays does not tell
    if name != "cbrt":
        np.testing.assert_equal(function(np.array([5e-324, -1e-310])), [5e-324, -1e-310])


@pytest.mark.parametrize(
    ("name", "operands", "expected"),
    [
        ("atan2", (1.5 * 2.0**-100, 2.0**974), 5e-324),  # the quotient less a part of 2^-2148 is below the middle
        ("logistic", (2.0**-52,), 0.5),  # 0.5 + 2^-54 less 2^-162
        ("power", (2.0**27 - 1, 2.0), 2.0**54 - 2.0**28),  # the middle itself goes to even
        ("complex power 0", (2.0**27 - 1, 0.0, 2.0, 0.0), 2.0**54 - 2.0**28),
        ("complex abs 0", (3.0, 4.0), 5.0),
        ("sine", (2.0**1023,), 0.563127779850884),
        ("complex log 0", (1.0, 2.0**-500), 2.0**-1001),
    ],
)
def test_hard_decisions(name: str, operands: tuple[float, ...], expected: float) -> None:
    assert rounded(name, operands, 52, -1022) == expected


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_branch_cuts_and_signs_of_complex_numbers() -> None:
    complex_ = arithmetic(element_type("complex<f64>"))
    below, above = complex(-4, -0.0), complex(-4, 0.0)
    assert (complex_.log(np.array([below])).imag[0], complex_.log(np.array([above])).imag[0]) == (-math.pi, math.pi)
    assert (complex_.sqrt(np.array([below]))[0], complex_.sqrt(np.array([above]))[0]) == (-2j, 2j)
    zeros = complex_.sine(np.array([complex(-0.0, 2.0), complex(2.0, -0.0)]))
    assert np.signbit(zeros.real[0])
    assert not np.signbit(zeros.imag[1])


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_quotients_of_complex_numbers_in_the_middle_are_even() -> None:
    """(a + b i) / (1 + i) has a real part of (a + b) / 2, which may be between two floats."""
    divide = arithmetic(element_type("complex<f32>")).divide
    numbers = np.array([16777215 + 2j, 16777215 + 4j, 3 + 1j], np.complex64)
    assert divide(numbers, np.full(3, 1 + 1j, np.complex64)).real.tolist() == [8388608.0, 8388610.0, 2.0]
    large = np.array([1e308 + 1e308j])
    assert arithmetic(element_type("complex<f64>")).divide(large, large).tolist() == [1.0]


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_parts_of_powers_that_are_zero() -> None:
    """Such a part takes any number of digits: i^7 has no real part, and neither has (1 + i)^2."""
    power = arithmetic(element_type("complex<f64>")).power
    result = power(np.array([1j, 1 + 1j, -4.0, 3 + 4j]), np.array([7 + 5.997680996965323j, 2, 0.5, 2]))
    assert result.real.tolist() == [0.0, 0.0, 0.0, -7.0]
    assert result.imag.tolist() == [-8.09940162626935e-05, 2.0, 2.0, 24.0]
