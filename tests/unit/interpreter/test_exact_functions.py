"""Exact functions over their whole range, against mpmath with so many digits that the last bit is certain."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mpmath import MPContext

from stablehlo_py.interpreter.element_types.exact import rounded

MP = MPContext()
MP.prec = 3000
# Of doubles, floats and a type of eight bits.
TYPES = {"f64": (52, -1022), "f32": (23, -126), "f8E5M2": (2, -14)}
REAL: dict[str, Callable[..., Any]] = {
    "atan2": MP.atan2,
    "cbrt": lambda x: MP.sign(x) * MP.cbrt(abs(x)),
    "cosine": MP.cos,
    "exponential": MP.exp,
    "exponential_minus_one": MP.expm1,
    "log": MP.log,
    "log_plus_one": MP.log1p,
    "logistic": lambda x: 1 / (1 + MP.exp(-x)),
    "power": MP.power,
    "rsqrt": lambda x: 1 / MP.sqrt(x),
    "sine": MP.sin,
    "tan": MP.tan,
    "tanh": MP.tanh,
}
COMPLEX: dict[str, Callable[..., Any]] = {
    **{
        name: REAL[name]
        for name in ("cosine", "exponential", "log", "logistic", "power", "rsqrt", "sine", "tan", "tanh")
    },
    "cbrt": MP.cbrt,
    "exponential_minus_one": lambda z: MP.exp(z) - 1,
    "log_plus_one": lambda z: MP.log(1 + z),
    "sign": lambda z: z / abs(z),
    "sqrt": MP.sqrt,
}
POSITIVE = ("log", "power", "rsqrt")
SIZES = {"small": (-60, -20), "middling": (-3, 3), "large": (4, 40)}


def nearest(value: Any, mantissa_bits: int, least_exponent: int) -> float:
    """Round once, to even; beyond the largest double, infinity, which is 2^1024."""
    if not value:
        return 0.0
    exponent = max(int(MP.floor(MP.log(abs(value), 2))), least_exponent)
    scale = MP.ldexp(MP.mpf(1), mantissa_bits - exponent)
    whole = MP.nint(value * scale)
    return float(MP.ldexp(whole, exponent - mantissa_bits))


def drawn(size: str, seed: int) -> float:
    random = np.random.default_rng(seed)
    low, high = SIZES[size]
    return float(random.choice([-1, 1]) * random.uniform(1, 2) * 2.0 ** random.integers(low, high))


def assert_nearest(name: str, operands: tuple[float, ...], value: Any) -> None:
    for bits, least in TYPES.values():
        if abs(value) and not -1000 < MP.log(abs(value), 2) < 1000:
            return  # beyond all types, where the next power of two stands for what is left
        found = rounded(name, operands, bits, least)
        wanted = nearest(value, bits, least)
        assert found == wanted, f"{name}{operands} with {bits} bits"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", REAL)
def test_real_numbers(name: str, size: str) -> None:
    for seed in range(4):
        x = drawn(size, seed)
        x = abs(x) if name in POSITIVE or (name == "log_plus_one" and x < -1) else x
        operands = (x, drawn("middling", seed + 9)) if name in ("atan2", "power") else (x,)
        if name in ("exponential", "exponential_minus_one", "logistic"):
            operands = (math.copysign(min(abs(x), 700.0), x),)
        assert_nearest(name, operands, REAL[name](*map(MP.mpf, operands)))


@pytest.mark.parametrize(
    "sizes", [("small", "middling"), ("middling", "small"), ("middling", "middling"), ("small", "small")]
)
@pytest.mark.parametrize("name", COMPLEX)
def test_complex_numbers(name: str, sizes: tuple[str, str]) -> None:
    for seed in range(2):
        x, y = drawn(sizes[0], seed), drawn(sizes[1], seed + 5)
        operands = (x, y, drawn("middling", seed + 9), drawn(sizes[0], seed + 7)) if name == "power" else (x, y)
        numbers = [MP.mpc(*operands[start : start + 2]) for start in range(0, len(operands), 2)]
        value = COMPLEX[name](*numbers)
        assert_nearest(f"complex {name} 0", operands, value.real)
        assert_nearest(f"complex {name} 1", operands, value.imag)


@pytest.mark.parametrize("exponent", [(3.5, 0.0), (1000.5, 0.0), (2.0**40, 0.25), (0.25, 2.0**40), (-5.0, 3.0)])
def test_powers_of_complex_numbers_near_the_circle_of_one(exponent: tuple[float, float]) -> None:
    """Large exponents, and results that no type is too narrow for."""
    for base in ((1.0, 2.0**-45), (1.0 - 2.0**-44, 2.0**-46), (0.0, 1.0 + 2.0**-50)):
        value = MP.power(MP.mpc(*base), MP.mpc(*exponent))
        assert_nearest("complex power 0", (*base, *exponent), value.real)
        assert_nearest("complex power 1", (*base, *exponent), value.imag)
