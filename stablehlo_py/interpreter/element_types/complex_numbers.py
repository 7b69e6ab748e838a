"""Complex numbers of two floats or two doubles.

Sums and products are made of the parts' rounded sums and products, and `atan2` of functions in double precision. Both
parts of every other function are rounded correctly. The formulas in double precision give them at infinities, NaN and
poles, and the signs of zeros, by the C standard's Annex G.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...bindings.types import ElementType
from .arithmetic import Arithmetic, Operation
from .deciding import correctly_rounded_parts

WIDE = np.dtype(np.complex128)


class ComplexNumbers(Arithmetic):
    """complex<f32> and complex<f64>; ordered by real part, then by imaginary part."""

    add = staticmethod(operator.add)
    subtract = staticmethod(operator.sub)
    negate = staticmethod(operator.neg)

    def __init__(self, element_type: ElementType) -> None:
        super().__init__(element_type)
        self.part_dtype = np.dtype(f"f{self.dtype.itemsize // 2}")
        self.abs = correctly_rounded_parts("abs", self._modulus, self.part_dtype)
        self.atan2 = self._through_wide(self._atan2)
        self.cbrt = self._rounded("cbrt", _cbrt)
        self.cosine = self._rounded("cosine", np.cos)
        self.divide = self._rounded("divide", quotient)
        self.exponential = self._rounded("exponential", np.exp)
        self.exponential_minus_one = self._rounded("exponential_minus_one", _exponential_minus_one)
        self.log = self._rounded("log", np.log)
        self.log_plus_one = self._rounded("log_plus_one", _log_plus_one)
        self.logistic = self._rounded("logistic", lambda operand: _reciprocal(1 + np.exp(-operand)))
        self.power = self._rounded("power", np.power)
        self.rsqrt = self._rounded("rsqrt", lambda operand: _reciprocal(np.sqrt(operand)))
        self.sign = self._rounded("sign", _sign)
        self.sine = self._rounded("sine", np.sin)
        self.sqrt = self._rounded("sqrt", np.sqrt)
        self.tan = self._rounded("tan", np.tan)
        self.tanh = self._rounded("tanh", np.tanh)

    def _rounded(self, name: str, special: Operation) -> Operation:
        return correctly_rounded_parts(name, self._through_wide(special), self.part_dtype)

    def _through_wide(self, function: Operation) -> Operation:
        """`function` of complex numbers in double precision, its operands and result of this type."""
        narrow, wide = self.dtype.type, WIDE.type
        if self.dtype == WIDE:
            return function
        return lambda *operands: narrow(function(*map(wide, operands)))

    @staticmethod
    def real(operand: Any) -> Any:
        return operand.real[()]

    @staticmethod
    def imag(operand: Any) -> Any:
        return operand.imag[()]

    @staticmethod
    def _atan2(lhs: Any, rhs: Any) -> Any:
        """-i log((rhs + i lhs) / sqrt(rhs² + lhs²)), each step rounded in double precision."""
        log, divide, sqrt = [_wide(name, f) for name, f in (("log", np.log), ("divide", quotient), ("sqrt", np.sqrt))]
        direction = of_parts(rhs.real - lhs.imag, rhs.imag + lhs.real, WIDE)
        logarithm = log(divide(direction, sqrt(product(rhs, rhs, WIDE) + product(lhs, lhs, WIDE))))
        return of_parts(logarithm.imag, -logarithm.real, WIDE)

    def complex(self, lhs: Any, rhs: Any) -> Any:
        """lhs + rhs i."""
        return of_parts(lhs, rhs, self.dtype)

    def _modulus(self, operand: Any) -> Any:
        return self.part_dtype.type(np.hypot(np.float64(operand.real), np.float64(operand.imag)))

    def multiply(self, lhs: Any, rhs: Any) -> Any:
        return product(lhs, rhs, self.dtype)

    def maximum(self, lhs: Any, rhs: Any) -> Any:
        return np.where(_is_greater(lhs, rhs), lhs, rhs)[()]

    def minimum(self, lhs: Any, rhs: Any) -> Any:
        return np.where(_is_greater(rhs, lhs), lhs, rhs)[()]


def _sign(operand: Any) -> Any:
    """operand / |operand|. Zero stays zero; NaN in one part gives NaN in both."""
    result = np.where(operand == 0, 0, quotient(operand, np.abs(operand).astype(WIDE)))
    return np.where(np.isnan(operand), complex(np.nan, np.nan), result)[()]


def _wide(name: str, special: Operation) -> Operation:
    return correctly_rounded_parts(name, special, np.dtype(np.float64))


def _reciprocal(operand: Any) -> Any:
    return quotient(np.ones_like(operand), operand)


def of_parts(real: Any, imag: Any, dtype: np.dtype) -> Any:
    """The complex numbers with these parts, an array or a scalar as they are."""
    if isinstance(real, np.floating) and isinstance(imag, np.floating):
        return dtype.type(complex(real, imag))
    result = np.empty(real.shape if real.shape == imag.shape else np.broadcast_shapes(real.shape, imag.shape), dtype)
    result.real = real
    result.imag = imag
    return result[()]


def _is_greater(lhs: Any, rhs: Any) -> Any:
    return np.where(lhs.real == rhs.real, lhs.imag > rhs.imag, lhs.real > rhs.real)


def quotient(lhs: Any, rhs: Any) -> Any:
    """lhs / rhs by Smith's method (Algorithm 116, 1962), as C's run-time libraries divide."""
    a, b, c, d = lhs.real, lhs.imag, rhs.real, rhs.imag
    swap = np.abs(c) < np.abs(d)
    large, small = np.where(swap, d, c), np.where(swap, c, d)
    ratio = small / large
    denominator = small * ratio + large
    real = np.where(swap, a * ratio + b, b * ratio + a) / denominator
    imag = np.where(swap, b * ratio - a, b - a * ratio) / denominator
    lost = np.isnan(real) & np.isnan(imag)
    if lost.any():
        real, imag = _recovered(real, imag, lost, (a, b, c, d))
    return of_parts(real, imag, WIDE)


def _recovered(real: Any, imag: Any, lost: Any, parts: tuple[Any, Any, Any, Any]) -> tuple[Any, Any]:
    """Recover infinite and zero quotients from NaN + NaN i: a zero denominator, an infinite numerator, an infinite
    denominator. Annex G.5.1 of the C standard."""
    a, b, c, d = parts

    def boxed(part: Any) -> Any:
        return np.copysign(np.where(np.isinf(part), 1.0, 0.0), part)

    by_zero = lost & (c == 0) & (d == 0) & (~np.isnan(a) | ~np.isnan(b))
    infinite = np.copysign(np.inf, c)
    real, imag = np.where(by_zero, infinite * a, real), np.where(by_zero, infinite * b, imag)
    of_infinity = lost & ~by_zero & (np.isinf(a) | np.isinf(b)) & np.isfinite(c) & np.isfinite(d)
    e, f = boxed(a), boxed(b)
    real = np.where(of_infinity, np.inf * (e * c + f * d), real)
    imag = np.where(of_infinity, np.inf * (f * c - e * d), imag)
    by_infinity = lost & ~by_zero & (np.isinf(c) | np.isinf(d)) & np.isfinite(a) & np.isfinite(b)
    g, h = boxed(c), boxed(d)
    real = np.where(by_infinity, 0.0 * (a * g + b * h), real)
    imag = np.where(by_infinity, 0.0 * (b * g - a * h), imag)
    return real, imag


def product(lhs: Any, rhs: Any, dtype: np.dtype) -> Any:
    """(a + bi)(c + di) from four products; numpy's own may fuse a product with the sum that follows."""
    a, b, c, d = lhs.real, lhs.imag, rhs.real, rhs.imag
    return of_parts(a * c - b * d, a * d + b * c, dtype)


def _cbrt(operand: Any) -> Any:
    """The principal root: a third of the argument, the cubic root of the modulus."""
    angle = np.arctan2(operand.imag, operand.real) / 3
    modulus = np.cbrt(np.hypot(operand.real, operand.imag))
    return of_parts(modulus * np.cos(angle), modulus * np.sin(angle), WIDE)


def _is_far(operand: Any) -> bool:
    """Whether no number is so close to zero that one added to it, or taken from its exponential, loses digits."""
    is_far = abs(operand) >= 0.5
    return bool(is_far.all() if is_far.shape else is_far)


def _exponential_minus_one(operand: Any) -> Any:
    """e^operand - 1. For a small operand, the real part e^x cos y - 1 is (e^x - 1) cos y - 2 sin²(y / 2)."""
    exponential = np.exp(operand)
    if _is_far(operand):
        return of_parts(exponential.real - 1, exponential.imag, WIDE)
    x, y = operand.real, operand.imag
    close = np.expm1(x) * np.cos(y) - 2 * np.sin(y / 2) ** 2
    real = np.where(np.abs(operand) < 0.5, close, exponential.real - 1)
    return of_parts(real, exponential.imag, WIDE)


def _log_plus_one(operand: Any) -> Any:
    """log(1 + operand). For a small operand, the real part is half of log(1 + (2x + x² + y²))."""
    x, y = operand.real, operand.imag
    if _is_far(operand):
        return of_parts(np.log(1 + operand).real, np.arctan2(y, 1 + x), WIDE)
    close = np.log1p(2 * x + (x * x + y * y)) / 2
    real = np.where(np.abs(operand) < 0.5, close, np.log(1 + operand).real)
    return of_parts(real, np.arctan2(y, 1 + x), WIDE)
