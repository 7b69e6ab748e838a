"""Exact functions over their whole range, against mpmath with so many digits that the last bit is certain."""

from __future__ import annotations

import itertools
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


# Whether the term behind x makes f(x) = x + c x^n larger in size than x, for positive and for negative x.
BEHIND_X = {
    "exponential_minus_one": (True, False),
    "log_plus_one": (False, True),
    "sine": (False, False),
    "tan": (True, True),
    "tanh": (False, False),
    "complex exponential_minus_one 0": (True, False),
    "complex log_plus_one 0": (False, True),
    "complex sine 0": (False, False),
    "complex tan 0": (True, True),
    "complex tanh 0": (False, False),
}


@pytest.mark.parametrize("bits", [23, 10, 2])
@pytest.mark.parametrize("name", BEHIND_X)
def test_the_term_behind_a_small_operand_decides_between_two_floats(name: str, bits: int) -> None:
    """The operand is the middle between them."""
    for power in (-30, -41, -83, -84, -127, -301):
        for number, (sign, up) in itertools.product((0, 1), zip((1, -1), BEHIND_X[name], strict=True)):
            middle = math.ldexp(2 ** (bits + 1) + 2 * number + 1, power - bits - 1)
            operands = (sign * middle, 0.0) if name.startswith("complex") else (sign * middle,)
            half = math.ldexp(1, power - bits - 1)
            expected = sign * (middle + half if up else middle - half)
            assert rounded(name, operands, bits, -1074) == expected, f"{name} of {operands}"


ROOTS = [  # x, y and x^y
    (0.0, 3.0, Fraction(0)),
    (0.0, 0.5, Fraction(0)),
    (2.25, 0.5, Fraction(3, 2)),
    (2.25, -1.5, Fraction(8, 27)),
    (-3.0, 3.0, Fraction(-27)),
    (-3.0, -4.0, Fraction(1, 81)),
    (16.0, 0.75, Fraction(8)),
    (16.0, -0.25, Fraction(1, 2)),
    (5.0, 400.0, Fraction(5**400)),
    (-2.0, 1023.0, Fraction(-(2**1023))),
    (2.0, -1074.0, Fraction(1, 2**1074)),
    (1.0 + 2.0**-52, 2.0, (1 + Fraction(1, 2**52)) ** 2),
    (1.0 + 2.0**-27, 2.0, (1 + Fraction(1, 2**27)) ** 2),  # the middle between two doubles
    (1.0 + 3 * 2.0**-27, 2.0, (1 + Fraction(3, 2**27)) ** 2),
]


@pytest.mark.parametrize(("x", "y", "value"), ROOTS)
def test_powers_that_are_fractions(x: float, y: float, value: Fraction) -> None:
    for bits, least in TYPES.values():
        assert rounded("power", (x, y), bits, least) == nearest(value, bits, least), f"{bits} bits"


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (2.0, 1024.0, math.inf),
        (-2.0, 1025.0, -math.inf),
        (-2.0, 1026.0, math.inf),
        (1.5, 2.0**60, math.inf),  # which has more digits than there are atoms
        (-1.5, 2.0**60 + 2.0**10, math.inf),
        (0.75, 2.0**60, 0.0),
        (2.0, -1076.0, 0.0),
        (1.0, 2.0**60, 1.0),
    ],
)
def test_powers_beyond_all_floats(x: float, y: float, expected: float) -> None:
    assert rounded("power", (x, y), 52, -1022) == expected


@pytest.mark.parametrize("sides", [(3, 4, 5), (20, 21, 29), (30, 31.5, 43.5), (28, 45, 53), (1, 0, 1)])
def test_sizes_that_are_whole_are_exact_up_to_the_largest_float(sides: tuple[float, float, float]) -> None:
    x, y, size = sides
    for power in (-1074, -1000, 0, 900, 1018, 1019):
        if max(x, y) * Fraction(2) ** power >= 2**1024 or (power == -1074 and x % 1 + y % 1):
            continue
        a, b = math.ldexp(x, power), math.ldexp(y, power)
        whole = Fraction(size) * Fraction(2) ** power
        expected = math.inf if whole >= 2**1024 else float(whole)
        assert rounded("complex abs 0", (a, -b), 52, -1022) == expected, f"{a}, {b}"


@pytest.mark.parametrize("base", [(1, 1), (-3, 1)])
def test_powers_of_complex_numbers_with_whole_exponents(base: tuple[int, int]) -> None:
    """Of both signs and beyond what is multiplied out, with parts that are zeros."""
    x, y = map(Fraction, base)
    size = x * x + y * y
    for exponent_, is_negative in itertools.product((1, 2, 66), (False, True)):
        real, imag = Fraction(1), Fraction(0)
        for _ in range(exponent_):
            real, imag = real * x - imag * y, real * y + imag * x
        scale = size**-exponent_ if is_negative else Fraction(1)
        expected = (real * scale, (-imag if is_negative else imag) * scale)
        operands = (*map(float, base), float(-exponent_ if is_negative else exponent_), 0.0)
        for part, value in enumerate(expected):
            found = rounded(f"complex power {part}", operands, *TYPES["f64"])
            assert found == nearest(value, *TYPES["f64"]), f"part {part} of {base} to the power of {operands[2]}"
