"""Functions of doubles in integers: their errors are below the bound that decides, and beyond it nothing is decided."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest

from stablehlo_py.interpreter.element_types import exact
from stablehlo_py.interpreter.fast import fixed_point
from stablehlo_py.interpreter.fast.scalars import BINARY, FUNCTIONS

ERROR = 1 << 40
"""In units of the value, as the module says."""
POSITIVE = {"log", "rsqrt", "cbrt", "power"}


def operands(name: str) -> list[tuple[float, ...]]:
    """Of many sizes: small steps and large ones, exact powers of two and numbers next to them."""
    random = np.random.default_rng(len(name))
    most = {"exponential": 9, "exponential_minus_one": 9, "logistic": 9, "tanh": 5, "log_plus_one": 15}.get(name, 15)
    least = -2 if name in ("exponential_minus_one", "tanh", "log_plus_one", "tan") else -20
    values = random.uniform(1, 2, 60) * 2.0 ** random.uniform(least, most, 60)
    values = np.concatenate([values, 2.0 ** np.arange(least, most), np.nextafter(2.0 ** np.arange(least, most), 0)])
    if name not in POSITIVE:
        values = np.where(random.random(values.size) < 0.5, -values, values)
    if name == "log_plus_one":
        values = np.where(values < -0.9, -values, values)
    if name not in BINARY:
        return [(float(value),) for value in values]
    others = random.uniform(-4, 4, values.size) if name == "power" else random.permutation(values)
    return [(float(value), float(other)) for value, other in zip(values, others, strict=True)]


@pytest.mark.parametrize("name", fixed_point._FUNCTIONS)
def test_errors_are_below_the_bound(name: str) -> None:
    decided = 0
    for numbers in operands(name):
        try:
            value, exponent = fixed_point._FUNCTIONS[name](*numbers)
        except ArithmeticError:
            continue
        decided += 1
        with localcontext(prec=120):
            wanted = exact._value(name, numbers) * Decimal(2) ** (fixed_point.BITS - exponent)
            assert abs(value - wanted) < ERROR, f"{name} of {numbers} is off by {abs(value - wanted):.3g} units"
    assert decided > 60


def asks(name: str, *numbers: float) -> bool:
    """Whether the function leaves the result to the definition."""
    try:
        fixed_point.of_doubles(name)(*numbers)
    except (ArithmeticError, ValueError):
        return True
    return False


DECIDED: list[tuple[str, tuple[float, ...]]] = [
    ("exponential", (-690.0,)),
    ("exponential", (700.0,)),
    ("power", (0.5001, 990.0)),
    ("power", (1.0001, 65_535.0)),
    ("power", (1.0001, 65_536.0)),
    ("logistic", (-690.0,)),
    *[("exponential_minus_one", (x,)) for x in (-30.0, -3.0, -0.7, -0.1, 0.1, 0.7, 3.0, 30.0)],
    *[("logistic", (x,)) for x in (-3.0, 3.0, 30.0)],
    *[("tanh", (x,)) for x in (-3.0, -0.1, 0.1, 10.0)],
    ("sine", (65_535.0,)),
    ("cosine", (-65_536.0,)),
    ("tan", (65_536.0,)),
]
LEFT: list[tuple[str, tuple[float, ...]]] = [
    ("exponential", (-700.0,)),
    ("exponential", (-740.5,)),
    ("exponential", (710.0,)),
    ("power", (0.4999, 1010.0)),
    ("power", (1.0001, 65_536.5)),
    ("power", (1.0001, -65_537.0)),
    ("power", (-2.0, 3.0)),
    ("logistic", (-700.0,)),
    ("sine", (65_536.5,)),
    ("cosine", (-65_537.0,)),
    ("tan", (1e10,)),
    ("sine", (1e-310,)),
    ("tanh", (1e-40,)),
    ("log_plus_one", (-1.5,)),
    ("log", (-1.0,)),
    ("rsqrt", (0.0,)),
    ("cbrt", (0.0,)),
    ("tan", (math.pi / 2,)),
    ("sine", (math.inf,)),
    ("exponential", (math.nan,)),
]


@pytest.mark.parametrize(("name", "numbers"), DECIDED)
def test_results_within_the_bounds_are_decided(name: str, numbers: tuple[float, ...]) -> None:
    assert not asks(name, *numbers)
    assert fixed_point.of_doubles(name)(*numbers) == exact.rounded(name, numbers, 52, -1022)


@pytest.mark.parametrize(("name", "numbers"), LEFT)
def test_results_beyond_the_bounds_are_left_to_the_definition(name: str, numbers: tuple[float, ...]) -> None:
    assert asks(name, *numbers)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_decided_is_rounded_once(name: str) -> None:
    function: Any = fixed_point.of_doubles(name)
    decided = [numbers for numbers in operands(name)[::3] if not asks(name, *numbers)]
    assert decided, "all are left to the definition"
    for numbers in decided:
        assert function(*numbers) == exact.rounded(name, numbers, 52, -1022), numbers


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("half", [(1 << 128) + (1 << 75), (1 << 127) + (3 << 74), (5 << 127) - (1 << 76)])
def test_what_lies_within_the_error_of_a_tie_is_not_decided(
    half: int, sign: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for distance, decides in ((0, False), (ERROR // 2, False), (ERROR - 1, False), (ERROR * 5 // 4, True)):
        for value in (sign * half + distance, sign * half - distance):
            monkeypatch.setitem(fixed_point._FUNCTIONS, "sine", lambda _x, value=value: (value, 3))
            assert asks("sine", 1.0) == (not decides), value
            if decides:
                assert fixed_point.of_doubles("sine")(1.0) == math.ldexp(float(value), 3 - fixed_point.BITS)
