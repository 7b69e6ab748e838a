"""Exact sums of numbers and of products, and how far the results of an engine may be from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...bindings.types import element_type
from ...debug.allowed.widths import operand_reach, sum_reach
from ..case import PROFILE, Expected
from ..generate.values import COMPLEX, INTEGERS, dtype_of, wide
from ..oracle import scalars
from ..oracle.rounding import array_of
from .elementwise import scalars_of

SUM_SOURCE = "sums of rational numbers; any order of additions is within the bounds"
Exact = Any  # a Fraction, or two of them for a complex number


def fractions_of(array: np.ndarray) -> list[Exact]:
    """The elements as exact numbers."""
    if array.dtype.kind == "c":
        return [(Fraction(float(value.real)), Fraction(float(value.imag))) for value in array.reshape(-1)]
    if array.dtype.kind in "iu" or array.dtype.name.startswith(("int", "uint")):
        return [Fraction(value) for value in scalars_of(array)]
    return [Fraction(float(value)) for value in wide(array.reshape(-1))]


def multiply(x: Exact, y: Exact) -> Exact:
    """A product of real or of complex numbers."""
    if isinstance(x, tuple):
        return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]
    return x * y


def total(terms: Iterable[Exact], element: str) -> Exact:
    """Return the sum of the terms; zero for none."""
    if element in COMPLEX:
        listed = list(terms)
        return sum((t[0] for t in listed), Fraction(0)), sum((t[1] for t in listed), Fraction(0))
    return sum(terms, Fraction(0))


def exact_array(numbers: Sequence[Exact], element: str, sizes: Sequence[int]) -> np.ndarray:
    """Exact numbers as elements: integers wrap around, floats are rounded once. Zeros are positive."""
    dtype = dtype_of(element)
    if element in COMPLEX:
        return np.array([complex(float(a), float(b)) for a, b in numbers]).astype(dtype).reshape(tuple(sizes))
    if element in INTEGERS:
        bits, signed = element_type(element).bits, not element.startswith("u")
        whole = [scalars.wrapped(int(number), bits, signed) for number in numbers]
        return np.array(whole, object).astype(dtype).reshape(tuple(sizes))
    return array_of([number if number else 0.0 for number in numbers], element, tuple(sizes))


def summed(value: np.ndarray, element: str) -> Expected:
    """An exact sum: of floats the sign of a zero is open, as the initial zero may take part or not."""
    if element in INTEGERS:
        return Expected(value, element)
    parts = np.stack([np.real(value), np.imag(value)], -1) if element in COMPLEX else wide(value)
    bounds = np.asarray(parts, np.float64)
    return Expected(value, element, "bounds", low=bounds, high=bounds)


def sum_bounds(
    terms: Sequence[Sequence[Fraction]],
    element: str,
    sizes: Sequence[int],
    *,
    products: bool = True,
    operands: float = 0.0,
    unit: float = 0.0,
) -> Expected:
    """Bounds for sums of rational numbers in a float type, added in any order.

    Args:
        terms: The numbers that are added for each element.
        element: The type.
        sizes: The shape.
        products: Whether the numbers are products.
        operands: The roundoff of the operands of products.
        unit: The roundoff of a narrower type that the sums are made in.
    """
    sums = [sum(each, Fraction(0)) for each in terms]
    totals, counts = [sum(map(abs, each), Fraction(0)) for each in terms], np.array(list(map(len, terms)))
    return bounded(sums, totals, counts, element, sizes, products=products, operands=operands, unit=unit)


def bounded(
    sums: Sequence[Fraction],
    totals: Sequence[Fraction],
    counts: np.ndarray | int,
    element: str,
    sizes: Sequence[int],
    *,
    products: bool = True,
    operands: float = 0.0,
    unit: float = 0.0,
) -> Expected:
    """The bounds from exact sums, the sums of the magnitudes, and the numbers of terms; see `sum_bounds`."""
    near, total = [np.array(list(map(float, each))) for each in (sums, totals)]
    reach = sum_reach(dtype_of(element), near, total, counts, PROFILE, products=products, unit=unit)
    errors = [Fraction(float(error)) for error in reach + operand_reach(operands, total)]
    low, high = [
        np.array([float(exact + sign * error) for exact, error in zip(sums, errors, strict=True)]).reshape(tuple(sizes))
        for sign in (-1, 1)
    ]
    return Expected(exact_array(sums, element, sizes), element, "bounds", low=low, high=high)
