"""Exact functions over their whole range, against mpmath with so many digits that the last bit is certain."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from stablehlo_py.conformance.oracle.functions import COMPLEX_UNARY, REAL, of_complex, of_real
from stablehlo_py.conformance.oracle.rounding import exponent
from stablehlo_py.interpreter.element_types.exact import rounded

# Of doubles, floats and a type of eight bits.
TYPES = {"f64": (52, -1022), "f32": (23, -126), "f8E5M2": (2, -14)}
REALS = sorted(REAL.keys() - {"sqrt"})  # which is correctly rounded everywhere
COMPLEX = sorted({*COMPLEX_UNARY, "power"} - {"negate"})
POSITIVE = ("log", "power", "rsqrt")
SIZES = {"small": (-60, -20), "middling": (-3, 3), "large": (4, 40)}


def nearest(value: Fraction, mantissa_bits: int, least_exponent: int) -> float:
    """Round once, to even, whatever the largest number is."""
    if not value:
        return 0.0
    quantum = Fraction(2) ** (max(exponent(value), least_exponent) - mantissa_bits)
    return float(round(value / quantum) * quantum)


def drawn(size: str, seed: int) -> float:
    random = np.random.default_rng(seed)
    low, high = SIZES[size]
    return float(random.choice([-1, 1]) * random.uniform(1, 2) * 2.0 ** random.integers(low, high))


def assert_nearest(name: str, operands: tuple[float, ...], value: Fraction) -> None:
    for bits, least in TYPES.values():
        if value and not -1000 < exponent(value) < 1000:
            return  # beyond all types, where the next power of two stands for what is left
        found = rounded(name, operands, bits, least)
        wanted = nearest(value, bits, least)
        assert found == wanted, f"{name}{operands} with {bits} bits"


def assert_parts_nearest(name: str, operands: tuple[float, ...], *numbers: complex) -> None:
    for part, value in enumerate(of_complex(name, *numbers, bits=3000)):
        assert_nearest(f"complex {name} {part}", operands, value)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", REALS)
def test_real_numbers(name: str, size: str) -> None:
    for seed in range(4):
        x = drawn(size, seed)
        x = abs(x) if name in POSITIVE or (name == "log_plus_one" and x < -1) else x
        operands = (x, drawn("middling", seed + 9)) if name in ("atan2", "power") else (x,)
        if name in ("exponential", "exponential_minus_one", "logistic"):
            operands = (math.copysign(min(abs(x), 700.0), x),)
        assert_nearest(name, operands, of_real(name, *operands))


@pytest.mark.parametrize(
    "sizes", [("small", "middling"), ("middling", "small"), ("middling", "middling"), ("small", "small")]
)
@pytest.mark.parametrize("name", COMPLEX)
def test_complex_numbers(name: str, sizes: tuple[str, str]) -> None:
    for seed in range(2):
        x, y = drawn(sizes[0], seed), drawn(sizes[1], seed + 5)
        operands = (x, y, drawn("middling", seed + 9), drawn(sizes[0], seed + 7)) if name == "power" else (x, y)
        numbers = [complex(*operands[start : start + 2]) for start in range(0, len(operands), 2)]
        assert_parts_nearest(name, operands, *numbers)


@pytest.mark.parametrize("power", [(3.5, 0.0), (1000.5, 0.0), (2.0**40, 0.25), (0.25, 2.0**40), (-5.0, 3.0)])
def test_powers_of_complex_numbers_near_the_circle_of_one(power: tuple[float, float]) -> None:
    """Large exponents, and results that no type is too narrow for."""
    for base in ((1.0, 2.0**-45), (1.0 - 2.0**-44, 2.0**-46), (0.0, 1.0 + 2.0**-50)):
        assert_parts_nearest("power", (*base, *power), complex(*base), complex(*power))
