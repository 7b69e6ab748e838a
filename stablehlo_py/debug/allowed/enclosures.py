"""Enclosures: for each element of a result the values that it may have; see `allowed`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from ...bindings import ir
from ...bindings.types import dtype_name, element_type
from ...engines.reference import backend
from ...engines.worker import Run
from ...interpreter.element_types.ulp import epsilon, largest, smallest_normal, spacing
from ..programs.slices import Values
from ..programs.subject import Extractor
from .measures import Difference, Tolerance, Wide, difference, is_float, parts_of, wide_type
from .widths import DEFAULT, AccuracyProfile

Mask = npt.NDArray[np.bool_]


COMPLEX = "Errors: exceptions of complex arithmetic and of certain functions are implementation-defined"
_MEANINGS = {
    "add": "add: for booleans logical OR, for integers integer addition",
    "convolution": "convolution: dot products of windows of padded_lhs, whose padding counts as zeros, and rhs",
    "count_leading_zeros": "count_leading_zeros: the number of leading zero bits",
    "multiply": "multiply: for booleans logical AND, for integers integer multiplication",
    "scatter": "scatter: each result_index that is in bounds is updated, whatever the rest of its window is",
    "sort": "sort: 1-dimensional slices in non-descending order, as the comparator says",
}


def meaning(short: str) -> str:
    """Return the sentence of the spec about a result that has one value."""
    return _MEANINGS.get(short, f"{short}: the formula of the spec gives one value, without rounding")


@dataclass(frozen=True)
class Allowed:
    """The values that one result of an op may have.

    Attributes:
        value: What the reference gives: one of them.
        outside: Tells which elements of an array are not allowed.
        sentence: Where that comes from.
        free: The elements that the spec leaves to the implementation.
        opening: The sentence that leaves them so, if it is another one.
        outside_if_specified: Tells which elements would not be allowed if the spec left none of them open.
    """

    value: np.ndarray
    outside: Callable[[np.ndarray], Mask]
    sentence: str
    free: Mask | bool = False
    opening: str = ""
    outside_if_specified: Callable[[np.ndarray], Mask] | None = None

    def measure(self, given: np.ndarray) -> Difference:
        """Measure an engine's result: its mismatches are the elements outside."""
        return difference(given, self.value, Tolerance(), self.outside(given))

    def leaves_open(self, given: np.ndarray) -> bool:
        """Whether the result is one that only elements which the spec leaves open may have."""
        if not np.any(self.free):
            return False
        return bool((self.free & difference_mask(given, self.value) & self.strays(given)).any())

    def strays(self, given: np.ndarray) -> Mask:
        """Return the elements that would not be allowed if the spec left none of them open."""
        return np.ones(given.shape, bool) if self.outside_if_specified is None else self.outside_if_specified(given)

    def opened(self, free: Mask, sentence: str) -> Allowed:
        """Return the enclosure that leaves more elements to the implementation."""
        found = self.free | free

        def outside(given: np.ndarray) -> Mask:
            return self.outside(given) & ~found

        def outside_if_specified(given: np.ndarray) -> Mask:
            return (self.strays(given) & self.free) | self.outside(given)

        return replace(self, outside=outside, free=found, opening=sentence, outside_if_specified=outside_if_specified)

    def reason(self, given: np.ndarray) -> str:
        """Return the sentence about an engine's result: on what is wrong, otherwise on what is open."""
        is_open = bool(self.opening) and self.leaves_open(given) and not self.outside(given).any()
        return self.opening if is_open else self.sentence


def difference_mask(a: np.ndarray, b: np.ndarray) -> Mask:
    """Which elements differ."""
    x, y = parts_of(a), parts_of(b)
    return np.asarray(((x != y) & ~(np.isnan(x) & np.isnan(y))).any(1)).reshape(a.shape)


@dataclass
class Question:
    """An op on operands, and the reference's results.

    Attributes:
        op: The op.
        values: The values that it uses.
        wanted: The reference's results.
        types: The data types in which the engine returns the results; they may be narrower than the program's.
        extractor: Cuts the op out of its program.
        results: The op's results that `wanted` has.
        profile: How accurate functions have to be.
    """

    op: ir.Operation
    values: Values
    wanted: Sequence[np.ndarray]
    types: Sequence[np.dtype]
    extractor: Extractor
    results: Sequence[ir.Value]
    profile: AccuracyProfile = DEFAULT

    @cached_property
    def operands(self) -> list[np.ndarray]:
        """The operands."""
        return [self.values[operand] for operand in self.op.operands]

    @cached_property
    def floats(self) -> list[np.ndarray]:
        """The operands that are floats."""
        return [operand for operand in self.operands if is_float(operand.dtype)]

    def run(self, values: Values, element: str = "") -> list[np.ndarray]:
        """Run the op in this process on other values, with its floats in another type if one is named."""
        code, inputs, outputs = self.extractor.alone(self.op)
        with np.errstate(all="ignore"):
            results = _loaded(code, element)([values[value] for value in inputs])
        return [one for one, value in zip(results, outputs, strict=True) if value in self.results]

    def with_operands(self, change: Callable[[int, np.ndarray], np.ndarray]) -> Values:
        """Return the values with each float operand changed, given its number."""
        changed = {
            value: change(number, self.values[value])
            for number, value in enumerate(self.op.operands)
            if is_float(self.values[value].dtype)
        }
        return {**self.values, **changed}


@lru_cache(64)
def _loaded(code: bytes, element: str) -> Run:
    """Return the program of an op in the reference; in another float type if one is named."""
    return backend(*filter(None, [element])).load(code)


def anything(wanted: np.ndarray, sentence: str) -> Allowed:
    """Return the enclosure of a result that the spec leaves to the implementation."""
    return Allowed(wanted, lambda given: np.zeros(given.shape, bool), sentence, np.ones(wanted.shape, bool))


def interval(
    question: Question,
    wanted: np.ndarray,
    low: Wide,
    high: Wide,
    dtype: np.dtype,
    sentence: str,
    free: Mask | None = None,
    overflows: tuple[Mask, Mask] | None = None,
) -> Allowed:
    """Return the values from `low` to `high`, rounded outward where the engine has fewer digits than the program.

    NaN is allowed where a bound is NaN, infinity where a bound is too large for the type, and both where steps
    between may overflow: `overflows` says where they do so below zero and above. Where denormals may be flushed, zero
    stands for them.
    """
    nan = np.isnan(low) | np.isnan(high)
    low, high = np.where(nan, np.inf, low), np.where(nan, -np.inf, high)
    if is_float(dtype):
        most = largest(dtype)
        if is_float(wanted.dtype) and epsilon(dtype) > epsilon(wanted.dtype):
            low, high = outward(low, high, dtype)
        if not element_type(dtype_name(dtype)).has_infinity:
            nan |= (high > most) | (low < -most)
        high, low = np.where(high > most, np.inf, high), np.where(low < -most, -np.inf, low)
    below, above = overflows if overflows is not None and is_float(dtype) else (np.zeros_like(nan), np.zeros_like(nan))
    nan |= (below & above) if element_type(dtype_name(dtype)).has_infinity else (below | above)
    tiny = smallest_normal(dtype) if question.profile.flushes and is_float(dtype) else 0.0
    is_free = np.zeros(wanted.shape, bool) if free is None else free

    def outside_if_specified(given: np.ndarray) -> Mask:
        found = parts_of(given, low.dtype.type)
        inside = ((low <= found) & (found <= high)) | (np.isnan(found) & nan)
        inside |= (np.isneginf(found) & below) | (np.isposinf(found) & above)
        if tiny:
            inside |= (found == 0) & (low < tiny) & (high > -tiny)
        return np.asarray(~inside.all(1)).reshape(wanted.shape)

    return Allowed(
        wanted,
        lambda given: outside_if_specified(given) & ~is_free,
        sentence,
        is_free,
        outside_if_specified=outside_if_specified,
    )


def outward(low: Wide, high: Wide, dtype: np.dtype) -> tuple[Wide, Wide]:
    """Return bounds rounded outward to values of a type."""
    with np.errstate(all="ignore"):
        steps = spacing(low, dtype), spacing(high, dtype)
        down, up = np.floor(low / steps[0]) * steps[0], np.ceil(high / steps[1]) * steps[1]
    return np.where(np.isfinite(low), down, low), np.where(np.isfinite(high), up, high)


def has_denormals(array: np.ndarray) -> bool:
    sizes = np.abs(parts_of(array, wide_type(array.dtype)))
    return bool(((sizes > 0) & (sizes < smallest_normal(array.dtype))).any())


def flushed(array: np.ndarray) -> np.ndarray:
    """Return an array with zeros of the same sign in place of denormal numbers."""
    real = array.view(f"f{array.dtype.itemsize // 2}") if array.dtype.kind == "c" else array
    wide = real.astype(np.float64)
    zeros = np.copysign(0.0, wide).astype(real.dtype)
    return np.where(np.abs(wide) < smallest_normal(array.dtype), zeros, real).view(array.dtype).reshape(array.shape)
