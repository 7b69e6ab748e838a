"""Arithmetic of types of at most eight bits, which numpy lacks.

An operation is a table: of 256 results for one operand, of 65,536 for two. The tables are made
when first needed, by the same operation on a wider type, rounded once.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...bindings.types import ElementType, Kind, element_type
from .arithmetic import Arithmetic, Operation
from .deciding import decided
from .floats import Floats
from .integers import Integers
from .rounding import nearest
from .ulp import layout

_BYTE = np.dtype(np.uint8)
_ROW = np.uint16(256)
BINARY = frozenset(
    ["add", "and_", "atan2", "divide", "maximum", "minimum", "multiply", "or_", "power", "remainder", "shift_left"]
    + ["shift_right_arithmetic", "shift_right_logical", "subtract", "xor"]
)


class Narrow(Arithmetic):
    """Arithmetic by tables. `wide` is the arithmetic that fills them; subclasses say how values get there and back."""

    wide: Arithmetic

    def __init__(self, element_type: ElementType) -> None:
        super().__init__(element_type)
        self._values = np.arange(256, dtype=_BYTE).view(self.dtype)

    def _widen(self, values: np.ndarray) -> np.ndarray:
        """Return elements of this type as elements of the wide one."""
        raise NotImplementedError

    def _narrow(self, values: np.ndarray) -> np.ndarray:
        """Return results of the wide type as elements of this one."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        operation: Operation = getattr(self.wide, name)
        kernel = self._binary(operation, name) if name in BINARY else self._unary(operation, name)
        setattr(self, name, kernel)  # the next time, __getattr__ is not asked
        return kernel

    def comparison(self, direction: str, *, total_order: bool = False) -> Operation:
        compare = super().comparison(direction, total_order=total_order)
        table = compare(self._values[:, np.newaxis], self._values[np.newaxis, :]).reshape(-1)
        return _look_up_pairs(table)

    def _table(self, operation: Operation, name: str, *operands: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            results = operation(*operands)
            if results.dtype == np.bool_:
                return results
            from .exact import FUNCTIONS

            if name not in FUNCTIONS or self.element_type.kind is not Kind.FLOAT:
                return self._narrow(results)
            return decided(name, np.where(np.isnan(results), np.nan, results), operands, self.dtype)

    def _unary(self, operation: Operation, name: str = "") -> Operation:
        table = self._table(operation, name, self._widen(self._values))
        return lambda operand: table.take(operand.view(_BYTE))

    def _binary(self, operation: Operation, name: str = "") -> Operation:
        wide = self._widen(self._values)
        table = self._table(operation, name, wide[:, np.newaxis], wide[np.newaxis, :]).reshape(-1)
        return _look_up_pairs(table)


def _look_up_pairs(table: np.ndarray) -> Operation:
    """Return a function that looks up pairs of elements in a table of 65,536 results."""
    return lambda lhs, rhs: table.take(lhs.view(_BYTE) * _ROW | rhs.view(_BYTE))


class NarrowIntegers(Narrow):
    """Integers of two and four bits. Sums, differences and products are by ml_dtypes."""

    add = staticmethod(operator.add)
    subtract = staticmethod(operator.sub)
    multiply = staticmethod(operator.mul)

    def __init__(self, element_type: ElementType) -> None:
        super().__init__(element_type)
        self._wide_dtype = np.dtype(np.uint8 if element_type.kind is Kind.UNSIGNED else np.int8)
        self.wide = Integers(element_type, self._wide_dtype)

    def _widen(self, values: np.ndarray) -> np.ndarray:
        return values.astype(self._wide_dtype)

    def _narrow(self, values: np.ndarray) -> np.ndarray:
        return values.astype(self.dtype)


class NarrowFloats(Narrow):
    """Floats of four, six and eight bits."""

    def __init__(self, element_type_: ElementType) -> None:
        super().__init__(element_type_)
        self.wide = Floats(element_type("f64"))

    def _widen(self, values: np.ndarray) -> np.ndarray:
        return values.astype(np.float32).astype(np.float64)

    def _narrow(self, values: np.ndarray) -> np.ndarray:
        values = np.where(np.isnan(values), np.nan, values)  # of either sign: which one, hardware decides
        return nearest(values, self.dtype)

    def total_order_key(self, operand: Any) -> Any:
        bits = np.asarray(operand).view(_BYTE).astype(np.int16)
        if not self.element_type.has_sign:
            return bits[()]
        sign_bit = 1 << (self.element_type.bits - 1)
        return np.where(bits < sign_bit, bits, sign_bit - 1 - bits)[()]

    def reduce_precision(self, exponent_bits: int, mantissa_bits: int) -> Operation:
        own_exponent_bits, own_mantissa_bits, _ = layout(self.dtype)
        dropped = max(own_mantissa_bits - mantissa_bits, 0)
        sign_bit = 1 << (self.element_type.bits - 1) if self.element_type.has_sign else 1 << self.element_type.bits
        wide = self._widen(self._values)
        largest = np.flatnonzero(np.isfinite(wide[:sign_bit]))[-1]

        def reduce(values: np.ndarray) -> np.ndarray:
            magnitude = np.arange(256) & (sign_bit - 1)
            if dropped:
                last = (magnitude >> dropped) & 1
                magnitude = (magnitude + last + (1 << (dropped - 1)) - 1) & -(1 << dropped)
            reduced = np.where(magnitude > largest, np.inf, wide[magnitude % sign_bit])
            if exponent_bits < own_exponent_bits:
                reduced_bias = (1 << (exponent_bits - 1)) - 1
                reduced = np.where(reduced >= 2.0 ** (reduced_bias + 1), np.inf, reduced)
                reduced = np.where(reduced < 2.0 ** (1 - reduced_bias), 0.0, reduced)
            return np.where(np.isnan(values), np.nan if mantissa_bits else np.inf, np.copysign(reduced, values))

        return self._unary(reduce)
