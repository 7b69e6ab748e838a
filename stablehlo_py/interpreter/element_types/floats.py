"""Floats of 16 bits and more.

Arithmetic is IEEE-754's, rounded to the nearest. So are the functions. f64 computes them in double-double, narrower
types in double precision; `deciding` rounds them.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...bindings.types import ElementType
from .arithmetic import Arithmetic, Operation, bits_dtype
from .deciding import correctly_rounded, decided
from .ulp import layout

_DOUBLE = np.dtype(np.float64)


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
    remainder = staticmethod(np.fmod)
    sqrt = staticmethod(np.sqrt)
    is_finite = staticmethod(np.isfinite)

    def __init__(self, element_type: ElementType) -> None:
        super().__init__(element_type)
        self._bits = bits_dtype(self.dtype)
        half = np.array(0.5, self.dtype).view(self._bits)
        self._below_half = (half - self._bits.type(1)).view(self.dtype)[()]
        for name, function in _IN_DOUBLE.items():
            setattr(self, name, correctly_rounded(name) if self.dtype == _DOUBLE else self._decided(name, function))

    def _decided(self, name: str, function: Operation) -> Operation:
        """Return a function of one or two doubles, with operands and result of this type."""

        def of_any(*operands: Any) -> Any:
            numbers = tuple(map(np.float64, operands))
            return decided(name, function(*numbers), numbers, self.dtype)

        return of_any

    @staticmethod
    def real(operand: Any) -> Any:
        return operand

    @staticmethod
    def imag(operand: Any) -> Any:
        return np.zeros_like(operand)[()]

    def maximum(self, lhs: Any, rhs: Any) -> Any:
        """Return the larger one, NaN if either is; +0 is larger than -0."""
        return self._settle_zeros(np.maximum(lhs, rhs), lhs, rhs, np.bitwise_and)

    def minimum(self, lhs: Any, rhs: Any) -> Any:
        """Return the smaller one, NaN if either is; -0 is smaller than +0."""
        return self._settle_zeros(np.minimum(lhs, rhs), lhs, rhs, np.bitwise_or)

    def _settle_zeros(self, result: Any, lhs: Any, rhs: Any, combine: np.ufunc) -> Any:
        """Combine the signs of lhs and rhs if both are zero: numpy leaves the sign of `result` open."""
        result = np.asarray(result)
        combine(lhs.view(self._bits), rhs.view(self._bits), out=result.view(self._bits), where=lhs == rhs)
        return result[()]

    def sign(self, operand: Any) -> Any:
        """-1 or 1; zeros and NaN are themselves."""
        return np.copysign(np.sign(operand), operand)

    def round_nearest_afz(self, operand: Any) -> Any:
        """The nearest integer, of two equally near ones the one away from zero. The number added before truncating is
        just under a half: from a half on, the sum rounds up to the integer, and below it does not reach it."""
        return np.trunc(operand + np.copysign(self._below_half, operand))

    def total_order_key(self, operand: Any) -> Any:
        return flipped(np.asarray(operand).view(f"i{self.dtype.itemsize}"))[()]

    def reduce_precision(self, exponent_bits: int, mantissa_bits: int) -> Operation:
        """Round the fraction to `mantissa_bits`, ties to even; then what is outside the normal numbers of
        `exponent_bits` becomes infinity or zero of the same sign. NaN stays, or is infinity where no fraction is left.
        """
        own_exponent_bits, own_mantissa_bits, _ = layout(self.dtype)
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

        return reduce


def flipped(bits: np.ndarray) -> np.ndarray:
    """The bits of floats, as signed integers, with the magnitude of negative ones complemented: integers in the order
    of the floats, or back."""
    scalar, last = bits.dtype.type, 8 * bits.itemsize - 1
    return bits ^ ((bits >> scalar(last)) & scalar((1 << last) - 1))


def _power(lhs: Any, rhs: Any) -> Any:
    """lhs^rhs. numpy takes the square root for an exponent of 0.5 that it sees once, and that is not the power of -0
    and -infinity."""
    if rhs.size == 1 or 0 in rhs.strides:
        lhs = np.where((rhs == 0.5) & ((lhs == 0) | np.isinf(lhs)), np.abs(lhs), lhs)
    return np.power(lhs, rhs)


_IN_DOUBLE: dict[str, Operation] = {
    "atan2": np.arctan2,
    "cbrt": np.cbrt,
    "cosine": np.cos,
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "log": np.log,
    "log_plus_one": np.log1p,
    "logistic": lambda operand: 1 / (1 + np.exp(-operand)),
    "power": _power,
    "rsqrt": lambda operand: 1 / np.sqrt(operand),
    "sine": np.sin,
    "tan": np.tan,
    "tanh": np.tanh,
}
"""Functions that are off by some last bits; `deciding` rounds their results."""
