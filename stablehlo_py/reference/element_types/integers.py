"""Integers modulo 2^bits, and booleans."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...bindings.types import ElementType, Kind
from .arithmetic import Arithmetic, bits_dtype, is_array
from .few import by_number

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
    # numpy shifts as if the amount were unsigned, and out everything once it reaches the width, as is wanted here.
    shift_left = staticmethod(operator.lshift)

    def __init__(self, element_type: ElementType, dtype: np.dtype | None = None) -> None:
        super().__init__(element_type)
        self.dtype = element_type.dtype if dtype is None else dtype
        self.bits = element_type.bits
        self._scalar = self.dtype.type
        self._zero, self._one = self._scalar(0), self._scalar(1)
        self._mask = (1 << self.bits) - 1
        self._unsigned = bits_dtype(self.dtype)
        # As elements: all bits, and the one that tells the sign.
        self._ones = self._unsigned.type(self._mask).view(self.dtype)
        self._highest = self._unsigned.type(1 << (self.bits - 1)).view(self.dtype)
        self._is_signed = element_type.kind is not Kind.UNSIGNED
        self.count_leading_zeros = by_number(self._leading_zeros_of_number, self.dtype, self._leading_zeros)
        self.popcnt = by_number(self._population, self.dtype, self._popcnt, few=0)
        self.shift_right_arithmetic = operator.rshift if self._is_signed else self._shift_in_sign
        self.shift_right_logical = self._shift_in_zeros if self._is_signed else operator.rshift

    def _as_unsigned(self, operand: Any) -> Any:
        """The elements' bits as unsigned integers."""
        unsigned = operand.view(self._unsigned)
        if self.bits == 8 * self.dtype.itemsize:
            return unsigned
        return unsigned & self._unsigned.type(self._mask)

    def _shift_in_zeros(self, lhs: Any, rhs: Any) -> Any:
        if is_array(lhs) or is_array(rhs):
            return (self._as_unsigned(lhs) >> self._as_unsigned(rhs)).view(self.dtype)
        amount = int(rhs)
        if amount > 0:
            return self._scalar((int(lhs) & self._mask) >> amount)
        return self._zero if amount else lhs  # a negative amount is a large one

    def _shift_in_sign(self, lhs: Any, rhs: Any) -> Any:
        """Copies of the highest bit come in from the left, for unsigned elements too."""
        if not is_array(lhs) and not is_array(rhs):
            return ~((~lhs & self._ones) >> rhs) if lhs & self._highest else lhs >> rhs
        signed = np.dtype(f"i{self.dtype.itemsize}")
        if self.bits == 8 * self.dtype.itemsize:
            return (lhs.view(signed) >> rhs.view(signed)).view(self.dtype)
        unused = self._scalar(8 * self.dtype.itemsize - self.bits)
        shifted = ((lhs << unused).view(signed) >> unused.view(signed)) >> rhs.view(signed)
        return shifted.view(self.dtype)

    def divide(self, lhs: Any, rhs: Any) -> Any:
        """The quotient rounded toward zero; -1 (all bits set) for a divisor of zero, as XLA has it."""
        if not is_array(lhs) and not is_array(rhs):
            if not rhs:
                return ~self._zero
            quotient = lhs // rhs
            return quotient + self._one if quotient < 0 and quotient * rhs != lhs else quotient
        multiple = lhs - np.fmod(lhs, rhs) if self._is_signed else lhs
        return multiple // rhs - (rhs == 0)  # numpy's quotient by zero is zero

    def remainder(self, lhs: Any, rhs: Any) -> Any:
        """What is left of lhs after division; lhs itself for a divisor of zero, as XLA has it."""
        if not is_array(lhs) and not is_array(rhs):
            if not rhs:
                return lhs
            remainder = lhs % rhs
            return remainder - rhs if remainder and remainder ^ lhs < 0 else remainder
        remainder = np.fmod(lhs, rhs)
        return remainder if np.count_nonzero(rhs) == rhs.size else np.where(rhs == 0, lhs, remainder)

    def maximum(self, lhs: Any, rhs: Any) -> Any:
        if is_array(lhs) or is_array(rhs):
            return np.maximum(lhs, rhs)
        return lhs if lhs > rhs else rhs

    def minimum(self, lhs: Any, rhs: Any) -> Any:
        if is_array(lhs) or is_array(rhs):
            return np.minimum(lhs, rhs)
        return lhs if lhs < rhs else rhs

    def power(self, lhs: Any, rhs: Any) -> Any:
        """lhs^rhs modulo 2^bits; the quotient 1 / lhs^-rhs rounded toward zero for a negative exponent."""
        if not is_array(lhs) and not is_array(rhs) and rhs >= self._zero:
            return lhs**rhs
        if not self._is_signed:
            return np.power(lhs, rhs)
        is_negative = np.asarray(rhs < 0)
        if not np.count_nonzero(is_negative):
            return np.power(lhs, rhs)
        result = np.power(lhs, np.where(is_negative, self._zero, rhs))
        parity = np.where(rhs & self._one, lhs, self._one)
        inverse = np.where((lhs == 1) | (lhs == -1), parity, self._zero)
        return np.where(is_negative, inverse, result)[()]

    def sign(self, operand: Any) -> Any:
        return np.sign(operand)

    def _population(self, operand: Any) -> int:
        return (int(operand) & self._mask).bit_count()

    def _popcnt(self, operand: Any) -> Any:
        return self._scalar(np.bitwise_count(self._as_unsigned(operand)))

    def _leading_zeros_of_number(self, operand: Any) -> int:
        return self.bits - (int(operand) & self._mask).bit_length()

    def _leading_zeros(self, operand: Any) -> Any:
        """The number of zero bits above the highest one; the width for zero."""
        unsigned = self._as_unsigned(operand)
        if self.bits == 64:
            # Clearing the bit below each set bit keeps the highest one and the double from rounding up past it.
            unsigned = unsigned & ~(unsigned >> self._unsigned.type(1))
        doubles = np.asarray(unsigned).astype(np.float64)
        length = np.maximum((doubles.view(np.int64) >> 52) - 1022, 0)  # the double's exponent, 0 for zero
        return self._scalar(self.bits - length)
