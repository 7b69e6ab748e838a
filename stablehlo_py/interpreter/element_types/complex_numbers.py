"""Complex numbers of two floats or two doubles.

Sums and products are made of the parts' rounded sums and products, and `atan2` of functions in double precision. Both
parts of every other function are rounded correctly.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...bindings.types import ElementType
from .arithmetic import Arithmetic
from .deciding import correctly_rounded_parts, of_parts
from .special_values import FUNCTIONS

WIDE = np.dtype(np.complex128)
_DOUBLE = np.dtype(np.float64)


class ComplexNumbers(Arithmetic):
    """complex<f32> and complex<f64>; ordered by real part, then by imaginary part."""

    add = staticmethod(operator.add)
    subtract = staticmethod(operator.sub)
    negate = staticmethod(operator.neg)

    def __init__(self, element_type: ElementType) -> None:
        super().__init__(element_type)
        self.part_dtype = np.dtype(f"f{self.dtype.itemsize // 2}")
        for name, special in FUNCTIONS.items():
            setattr(self, name, correctly_rounded_parts(name, special, self.part_dtype))

    @staticmethod
    def real(operand: Any) -> Any:
        return operand.real[()]

    @staticmethod
    def imag(operand: Any) -> Any:
        return operand.imag[()]

    def atan2(self, lhs: Any, rhs: Any) -> Any:
        """-i log((rhs + i lhs) / sqrt(rhs² + lhs²)), each step rounded in double precision."""
        lhs, rhs = WIDE.type(lhs), WIDE.type(rhs)
        log, divide, sqrt = [
            correctly_rounded_parts(name, FUNCTIONS[name], _DOUBLE) for name in ("log", "divide", "sqrt")
        ]
        direction = of_parts(rhs.real - lhs.imag, rhs.imag + lhs.real, WIDE)
        logarithm = log(divide(direction, sqrt(product(rhs, rhs, WIDE) + product(lhs, lhs, WIDE))))
        return of_parts(logarithm.imag, -logarithm.real, self.dtype)

    def complex(self, lhs: Any, rhs: Any) -> Any:
        """lhs + rhs i."""
        return of_parts(lhs, rhs, self.dtype)

    def multiply(self, lhs: Any, rhs: Any) -> Any:
        return product(lhs, rhs, self.dtype)

    def maximum(self, lhs: Any, rhs: Any) -> Any:
        return np.where(_is_greater(lhs, rhs), lhs, rhs)[()]

    def minimum(self, lhs: Any, rhs: Any) -> Any:
        return np.where(_is_greater(rhs, lhs), lhs, rhs)[()]


def _is_greater(lhs: Any, rhs: Any) -> Any:
    return np.where(lhs.real == rhs.real, lhs.imag > rhs.imag, lhs.real > rhs.real)


def product(lhs: Any, rhs: Any, dtype: np.dtype) -> Any:
    """(a + bi)(c + di) from four products; numpy's own may fuse a product with the sum that follows."""
    a, b, c, d = lhs.real, lhs.imag, rhs.real, rhs.imag
    return of_parts(a * c - b * d, a * d + b * c, dtype)
