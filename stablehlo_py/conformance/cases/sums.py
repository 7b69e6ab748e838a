"""Exact sums of numbers and of products, and how far the results of an engine may be from them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ...debug.allowed.widths import operand_reach, sum_reach
from ..case import PROFILE, Expected
from ..generate.values import COMPLEX, INTEGERS, dtype_of, wide
from ..oracle import scalars
from ..oracle.rounding import array_of
from .elementwise import scalars_of

SUM_SOURCE = "sums of rational numbers; any order of additions is within the bounds"
_to_fractions = np.frompyfunc(lambda number: Fraction(float(number)), 1, 1)


def exact_parts(array: np.ndarray) -> list[np.ndarray]:
    """The elements as exact numbers: an array of them, or one for each part of complex numbers."""
    if array.dtype.kind == "c":
        return [_to_fractions(np.real(array)), _to_fractions(np.imag(array))]
    if array.dtype.kind in "iu" or array.dtype.name.startswith(("int", "uint")):
        return [np.array(scalars_of(array), object).reshape(array.shape)]
    return [np.asarray(_to_fractions(wide(array)), object)]


def contracted(config: str, *operands: np.ndarray) -> list[np.ndarray]:
    """The parts of the exact sums of elements, or of products of two, that a configuration of `einsum` names."""
    (first, *rest), *others = [exact_parts(operand) for operand in operands]

    def sums(*parts: np.ndarray) -> np.ndarray:
        return np.asarray(np.einsum(config, *parts), object)

    if not others:
        return [sums(part) for part in (first, *rest)]
    second = others[0]
    if not rest:
        return [sums(first, second[0])]
    real = sums(first, second[0]) - sums(rest[0], second[1])
    return [np.asarray(real, object), np.asarray(sums(first, second[1]) + sums(rest[0], second[0]), object)]


def exact_array(parts: Sequence[np.ndarray], element: str) -> np.ndarray:
    """Exact numbers as elements: integers wrap around, floats are rounded once. Zeros are positive."""
    dtype, shape = dtype_of(element), parts[0].shape
    if element in COMPLEX:
        return (parts[0].astype(np.float64) + 1j * parts[1].astype(np.float64)).astype(dtype)
    if element in INTEGERS:
        return scalars.wrapped_array(map(int, parts[0].flat), element).reshape(shape)
    return array_of([number if number else 0.0 for number in parts[0].flat], element, shape)


def summed(value: np.ndarray, element: str) -> Expected:
    """An exact sum: of floats the sign of a zero is open, as the initial zero may take part or not."""
    if element in INTEGERS:
        return Expected(value, element)
    parts = np.stack([np.real(value), np.imag(value)], -1) if element in COMPLEX else wide(value)
    bounds = np.asarray(parts, np.float64)
    return Expected(value, element, "bounds", low=bounds, high=bounds)


def bounded(
    sums: np.ndarray,
    totals: np.ndarray,
    count: int,
    element: str,
    *,
    products: bool = True,
    operands: float = 0.0,
    unit: float = 0.0,
) -> Expected:
    """Bounds for sums of `count` rational numbers in a float type, in any order, from the sums of their magnitudes.

    Terms may be products, of operands that are rounded too; sums may be made in a type of less precision, whose
    roundoff is the `unit`.
    """
    near, total = sums.astype(np.float64), totals.astype(np.float64)
    reach = sum_reach(dtype_of(element), near, total, count, PROFILE, products=products, unit=unit)
    errors = _to_fractions(reach + operand_reach(operands, total))
    low, high = [(sums + sign * errors).astype(np.float64) for sign in (-1, 1)]
    return Expected(exact_array([sums], element), element, "bounds", low=low, high=high)
