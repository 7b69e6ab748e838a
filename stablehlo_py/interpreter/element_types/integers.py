"""Integers modulo 2^bits, and booleans."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...bindings.types import ElementType, Kind
from .arithmetic import Arithmetic, bits_dtype

_TRUE = np.True_


class Booleans(Arithmetic):
    """Truth values: addition is or, multiplication is and."""

    add = maximum = or_ = staticmethod(operator.or_)
    multiply = minimum = and_ = staticmethod(operator.and_)
    xor = staticmethod(operator.xor)

    @staticmethod
    def not_(operand: Any) -> Any:
        return operand ^ _TRUE


class Integers(Arithmetic):
    """Integers of a width that numpy has. `bits` is the width of the program's type, which may be smaller: then the
    results are right in their last `bits` bits."""

    add = staticmethod(operator.add)
    subtract = staticmethod(operator.sub)
    multiply = staticmethod(operator.mul)
    negate = staticmethod(operator.neg)
    abs = staticmethod(operator.abs)
    and_ = staticmethod(operator.and_)
    or_ = staticmethod(operator.or_)
    xor = staticmethod(operator.xor)
    not_ = staticmethod(operator.invert)
    maximum = staticmethod(np.maximum)
    minimum = staticmethod(np.minimum)
    sign = staticmethod(np.sign)
    # numpy shifts as if the amount were unsigned, and out everything once it reaches the width, as is wanted here.
    shift_left = staticmethod(operator.lshift)

    def __init__(self, element_type: ElementType, dtype: np.dtype | None = None) -> None:
        super().__init__(element_type)
        self.dtype = element_type.dtype if dtype is None else dtype
        self.bits = element_type.bits
        self._scalar = self.dtype.type
        self._zero, self._one = self._scalar(0), self._scalar(1)
        self._unsigned = bits_dtype(self.dtype)
        self._is_signed = element_type.kind is not Kind.UNSIGNED
        self.shift_right_arithmetic = operator.rshift if self._is_signed else self._shift_in_sign
        self.shift_right_logical = self._shift_in_zeros if self._is_signed else operator.rshift

    def _as_unsigned(self, operand: Any) -> Any:
        """Return the elements' bits as unsigned integers."""
        unsigned = operand.view(self._unsigned)
        if self.bits == 8 * self.dtype.itemsize:
            return unsigned
        return unsigned & self._unsigned.type((1 << self.bits) - 1)

    def _shift_in_zeros(self, lhs: Any, rhs: Any) -> Any:
        return (self._as_unsigned(lhs) >> self._as_unsigned(rhs)).view(self.dtype)

    def _shift_in_sign(self, lhs: Any, rhs: Any) -> Any:
        """Copies of the highest bit come in from the left, for unsigned elements too."""
        signed = np.dtype(f"i{self.dtype.itemsize}")
        if self.bits == 8 * self.dtype.itemsize:
            return (lhs.view(signed) >> rhs.view(signed)).view(self.dtype)
        unused = self._scalar(8 * self.dtype.itemsize - self.bits)
        shifted = ((lhs << unused).view(signed) >> unused.view(signed)) >> rhs.view(signed)
        return shifted.view(self.dtype)

    def divide(self, lhs: Any, rhs: Any) -> Any:
        """Return the quotient rounded toward zero; -1 (all bits set) for a divisor of zero, as XLA has it."""
        multiple = lhs - np.fmod(lhs, rhs) if self._is_signed else lhs
        return multiple // rhs - (rhs == 0)  # numpy's quotient by zero is zero

    def remainder(self, lhs: Any, rhs: Any) -> Any:
        """Return the remainder of a division; lhs for a divisor of zero, as in XLA."""
        remainder = np.fmod(lhs, rhs)
        return remainder if np.count_nonzero(rhs) == rhs.size else np.where(rhs == 0, lhs, remainder)[()]

    def power(self, lhs: Any, rhs: Any) -> Any:
        """lhs^rhs modulo 2^bits; the quotient 1 / lhs^-rhs rounded toward zero for a negative exponent."""
        is_negative = rhs < 0
        if not self._is_signed or not np.count_nonzero(is_negative):
            return np.power(lhs, rhs)
        result = np.power(lhs, np.where(is_negative, self._zero, rhs))
        parity = np.where(rhs & self._one, lhs, self._one)
        inverse = np.where((lhs == 1) | (lhs == -1), parity, self._zero)
        return np.where(is_negative, inverse, result)[()]

    def popcnt(self, operand: Any) -> Any:
        """Return the number of bits that are set."""
        return self._scalar(np.bitwise_count(self._as_unsigned(operand)))

    def count_leading_zeros(self, operand: Any) -> Any:
        """Return the number of zero bits above the highest one; the width for zero."""
        unsigned = self._as_unsigned(operand)
        if self.bits == 64:
            # Clearing the bit below each set bit keeps the highest one and the double from rounding up past it.
            unsigned = unsigned & ~(unsigned >> self._unsigned.type(1))
        doubles = np.asarray(unsigned).astype(np.float64)
        length = np.maximum((doubles.view(np.int64) >> 52) - 1022, 0)  # the double's exponent, 0 for zero
        return self._scalar(self.bits - length)
