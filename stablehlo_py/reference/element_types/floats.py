"""Floats of 16 bits and more.

Arithmetic is IEEE-754's, rounded to the nearest. Functions that cannot be computed exactly are computed in double
precision and rounded, which puts those of 32 bits and less within half an ULP and a little of the exact value.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...bindings.types import ElementType
from .arithmetic import Arithmetic, Operation, bits_dtype, is_array
from .blocks import in_blocks
from .few import MOST_BITS, by_number, by_two_numbers, rounder
from .rounding import NUMPY_FLOATS

_DOUBLE = np.dtype(np.float64)
_SINGLE = np.dtype(np.float32)
# From how many elements on a computation of many steps beats the C library.
_LARGE = 1 << 10
# A float's fraction bits where the width alone does not tell.
_MANTISSA_BITS = {"bf16": 7, "f16": 10, "f32": 23, "f64": 52}


class Floats(Arithmetic):
    """bf16, f16, f32 and f64."""

    add = staticmethod(operator.add)
    subtract = staticmethod(operator.sub)
    multiply = staticmethod(operator.mul)
    divide = staticmethod(operator.truediv)
    negate = staticmethod(operator.neg)
    abs = staticmethod(operator.abs)
    floor = staticmethod(np.floor)
    ceil = staticmethod(np.ceil)
    round_nearest_even = staticmethod(np.rint)
    sqrt = staticmethod(np.sqrt)

    def __init__(self, element_type: ElementType) -> None:
        super().__init__(element_type)
        self._scalar = self.dtype.type
        self._zero, self._one, self._minus_one = self._scalar(0), self._scalar(1), self._scalar(-1)
        self._bits = bits_dtype(self.dtype)
        half = np.array(0.5, self.dtype).view(self._bits)
        self._below_half = (half - self._bits.type(1)).view(self.dtype)[()]
        self.atan2 = self._through_double(np.arctan2, math.atan2, by_two_numbers)
        self.cbrt = self._through_double(np.cbrt, math.cbrt)
        self.cosine = self._through_double(np.cos, math.cos)
        self.exponential = self._through_double(np.exp, math.exp)
        self.exponential_minus_one = self._through_double(np.expm1, math.expm1)
        self.log = self._through_double(np.log, math.log)
        self.log_plus_one = self._through_double(np.log1p, math.log1p)
        self.logistic = self._through_double(_logistic, lambda operand: 1 / (1 + math.exp(-operand)))
        self.power = self._through_double(_power, math.pow, by_two_numbers)
        self.rsqrt = self._through_double(_rsqrt, lambda operand: 1 / math.sqrt(operand))
        self.sine = self._through_double(np.sin, math.sin)
        self.tan = self._through_double(np.tan, math.tan)
        self.tanh = self._through_double(np.tanh, math.tanh)
        self.is_finite = by_number(math.isfinite, np.dtype(np.bool_), np.isfinite, few=0)
        if self.dtype == _DOUBLE:
            self.rsqrt = by_number(lambda operand: 1 / math.sqrt(operand), _DOUBLE, _rsqrt, few=0)
        else:
            self.round_nearest_afz = by_number(_half_away, self.dtype, self.round_nearest_afz)
        if self.dtype not in NUMPY_FLOATS:
            for name in ("ceil", "floor", "round_nearest_even", "sqrt"):
                setattr(self, name, self._of_scalars_wide(getattr(self, name)))

    def _of_scalars_wide(self, function: Operation) -> Operation:
        """The function, computed on doubles for scalars of a type that numpy does not have: its result, rounded once
        more, is the same, and numpy takes long to find the one for that type."""
        scalar = self._scalar

        def of_any(operand: Any) -> Any:
            return function(operand) if is_array(operand) else scalar(function(float(operand)))

        return of_any

    def _through_double(
        self,
        function: Operation,
        of_numbers: Callable[..., float],
        by_numbers: Callable[[Callable[..., float], np.dtype, Operation], Operation] = by_number,
    ) -> Operation:
        """A function of one or two doubles, with operands and result of this type. `function` takes `dtype` as numpy's
        do; `of_numbers` is the same one on Python's floats, which may raise where the result is not finite."""
        if self.dtype == _DOUBLE:
            return function

        def of_any(*operands: Any) -> Any:
            if self.dtype != _SINGLE:
                operands = tuple([np.float32(operand) for operand in operands])
            return function(*operands, dtype=_DOUBLE).astype(self.dtype)

        return by_numbers(of_numbers, self.dtype, of_any)

    @staticmethod
    def real(operand: Any) -> Any:
        return operand

    @staticmethod
    def imag(operand: Any) -> Any:
        return np.zeros_like(operand)[()]

    def remainder(self, lhs: Any, rhs: Any) -> Any:
        """lhs - trunc(lhs / rhs) * rhs without rounding, with the sign of lhs."""
        if is_array(lhs) or is_array(rhs):
            is_long = self.dtype == _SINGLE and max(lhs.size, rhs.size) > _LARGE
            return _remainder_in_blocks(lhs, rhs) if is_long else np.fmod(lhs, rhs)
        try:
            return self._scalar(math.fmod(lhs, rhs))
        except ValueError:
            return np.fmod(lhs, rhs)

    def maximum(self, lhs: Any, rhs: Any) -> Any:
        """The larger one, NaN if either is; +0 is larger than -0."""
        if is_array(lhs) or is_array(rhs):
            return self._settle_zeros(np.maximum(lhs, rhs), lhs, rhs, np.bitwise_and)
        if lhs > rhs or (lhs == rhs and lhs):
            return lhs
        return rhs if rhs > lhs else lhs + rhs

    def minimum(self, lhs: Any, rhs: Any) -> Any:
        """The smaller one, NaN if either is; -0 is smaller than +0."""
        if is_array(lhs) or is_array(rhs):
            return self._settle_zeros(np.minimum(lhs, rhs), lhs, rhs, np.bitwise_or)
        if lhs < rhs or (lhs == rhs and lhs):
            return lhs
        return rhs if rhs < lhs else -(-lhs - rhs)

    def _settle_zeros(self, result: np.ndarray, lhs: Any, rhs: Any, combine: np.ufunc) -> np.ndarray:
        """`result` with the signs of lhs and rhs combined where both are zero, on which numpy leaves it open."""
        if np.count_nonzero(result) == result.size:
            return result
        lhs_bits, rhs_bits = np.asarray(lhs).view(self._bits), np.asarray(rhs).view(self._bits)
        result = np.asarray(result)
        combine(lhs_bits, rhs_bits, out=result.view(self._bits), where=np.asarray(lhs == rhs))
        return result

    def sign(self, operand: Any) -> Any:
        """-1 or 1; zeros and NaN are themselves."""
        if not is_array(operand):
            return self._one if operand > self._zero else self._minus_one if operand < self._zero else operand
        return np.copysign(np.sign(operand), operand)

    def round_nearest_afz(self, operand: Any) -> Any:
        """The nearest integer, of two equally near ones the one away from zero. What is added before truncating is just
        under a half: from a half on, the sum rounds up to the integer, and below it does not reach it."""
        if is_array(operand):
            return np.trunc(operand + np.copysign(self._below_half, operand))
        if operand > 0:
            return np.trunc(operand + self._below_half)
        return np.trunc(operand - self._below_half) if operand < 0 else operand

    def total_order_key(self, operand: Any) -> Any:
        signed = np.dtype(f"i{self.dtype.itemsize}")
        bits = np.asarray(operand).view(signed)
        largest = np.iinfo(signed).max
        return (bits ^ ((bits >> signed.type(8 * signed.itemsize - 1)) & signed.type(largest)))[()]

    def reduce_precision(self, exponent_bits: int, mantissa_bits: int) -> Operation:
        """Rounds the fraction to `mantissa_bits`, ties to even; then what is outside the normal numbers of
        `exponent_bits` becomes infinity or zero of the same sign. NaN stays, or is infinity where no fraction is left.
        """
        own_mantissa_bits = _MANTISSA_BITS[self.element_type.name]
        own_exponent_bits = self.element_type.bits - 1 - own_mantissa_bits
        unsigned = self._bits.type
        dropped = max(own_mantissa_bits - mantissa_bits, 0)
        infinity = unsigned(((1 << own_exponent_bits) - 1) << own_mantissa_bits)
        sign_bit = unsigned(1 << (self.element_type.bits - 1))
        bias = (1 << (own_exponent_bits - 1)) - 1
        reduced_bias = (1 << (min(exponent_bits, own_exponent_bits) - 1)) - 1
        largest = unsigned((bias + reduced_bias) << own_mantissa_bits | ((1 << own_mantissa_bits) - 1))
        smallest = unsigned((bias - reduced_bias + 1) << own_mantissa_bits)

        def reduce(operand: Any) -> Any:
            bits = np.asarray(operand).view(self._bits)
            magnitude = np.asarray(bits & ~sign_bit)
            is_nan = magnitude > infinity
            if dropped:
                last = (magnitude >> unsigned(dropped)) & unsigned(1)
                last += unsigned((1 << (dropped - 1)) - 1)
                magnitude = np.asarray((magnitude + last) & ~unsigned((1 << dropped) - 1))
            if exponent_bits < own_exponent_bits:
                np.copyto(magnitude, infinity, where=magnitude > largest)
                np.copyto(magnitude, unsigned(0), where=magnitude < smallest)
            magnitude |= bits & sign_bit
            if np.count_nonzero(is_nan):
                np.copyto(magnitude, bits if mantissa_bits else infinity, where=is_nan)
            return magnitude.view(self.dtype)[()]

        on_arrays = in_blocks(reduce)
        kept = min(mantissa_bits, own_mantissa_bits)
        if not 0 < kept <= MOST_BITS:
            return on_arrays
        largest_number, smallest_number = float(largest.view(self.dtype)), float(smallest.view(self.dtype))

        def outside(number: float) -> float:
            if exponent_bits < own_exponent_bits:
                magnitude = abs(number)
                if magnitude > largest_number:
                    return math.copysign(math.inf, number)
                if magnitude < smallest_number:
                    return math.copysign(0.0, number)
            return number

        to_nearest = rounder(kept, 1 - bias, range(1 - reduced_bias, reduced_bias), outside)
        return by_number(to_nearest, self.dtype, on_arrays)


def _half_away(operand: Any) -> float:
    """The integer nearest to a float of at most 32 bits, of two equally near ones the one away from zero: with room
    for the half, which a double has, adding it is exact where it matters. Raises where the operand is not finite."""
    number = float(operand)
    return math.copysign(math.floor(abs(number) + 0.5), number)


def _logistic(operand: Any, dtype: np.dtype = _DOUBLE) -> Any:
    return 1 / (1 + np.exp(-operand, dtype=dtype))


def _power(lhs: Any, rhs: Any, dtype: np.dtype = _DOUBLE) -> Any:
    """lhs^rhs. numpy takes the square root for an exponent of 0.5 that it sees once, and that is not the power of -0
    and -infinity."""
    if not is_array(rhs) and rhs != 0.5:
        return np.power(lhs, rhs, dtype=dtype)
    if rhs.size == 1 or 0 in rhs.strides:
        lhs = np.where((rhs == 0.5) & ((lhs == 0) | np.isinf(lhs)), np.abs(lhs), lhs)
    return np.power(lhs, rhs, dtype=dtype)


def _rsqrt(operand: Any, dtype: np.dtype = _DOUBLE) -> Any:
    return np.reciprocal(np.sqrt(operand, dtype=dtype))


def _single_remainder(lhs: Any, rhs: Any) -> Any:
    """The remainder of floats, exact: below 2^28 their quotient in double precision truncates to the right integer,
    whose product with rhs is exact as well. What is left goes to the C library, which is slow."""
    wide_lhs, wide_rhs = np.float64(lhs), np.float64(rhs)
    quotient = np.trunc(wide_lhs / wide_rhs)
    result = np.copysign(wide_lhs - quotient * wide_rhs, wide_lhs).astype(np.float32)
    rest = ~((np.abs(quotient) < 2**28) & np.isfinite(wide_rhs))
    if rest.any():
        np.fmod(lhs, rhs, out=result, where=rest)
    return result


_remainder_in_blocks = in_blocks(_single_remainder)
