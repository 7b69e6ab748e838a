"""Complex numbers as two fingerprints, and their arithmetic by the formulas of their parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bindings.types import ElementType
from ..element_types.arithmetic import Arithmetic, Operation
from .elements import FINGERPRINT, Fingerprinting, Fingerprints, values

COMPLEX = np.dtype([("real", FINGERPRINT), ("imag", FINGERPRINT)])
_HASHED = {
    "cbrt": lambda z: z ** (1 / 3),
    "cosine": np.cos,
    "log_plus_one": np.log1p,
    "rsqrt": lambda z: 1 / np.sqrt(z),
    "sine": np.sin,
    "sqrt": np.sqrt,
    "tan": np.tan,
}


def of_parts(real: Any, imag: Any) -> Any:
    """Return complex numbers with these parts."""
    result = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), COMPLEX)
    result["real"], result["imag"] = real, imag
    return result[()]


def complex_values(operand: Any) -> Any:
    """Return the values of complex numbers."""
    array = np.asarray(operand)
    return (array["real"]["value"] + 1j * array["imag"]["value"])[()]


class ComplexFingerprints(Arithmetic):
    """complex<f32> and complex<f64>."""

    def __init__(self, element_type: ElementType, state: Fingerprinting) -> None:
        super().__init__(element_type)
        self.state, self.floats = state, Fingerprints(element_type, state)

    def real(self, operand: Any) -> Any:
        return np.asarray(operand)["real"][()]

    def imag(self, operand: Any) -> Any:
        return np.asarray(operand)["imag"][()]

    def complex(self, lhs: Any, rhs: Any) -> Any:
        return of_parts(lhs, rhs)

    def conjugate(self, operand: Any) -> Any:
        """The opposite imaginary part."""
        return of_parts(self.real(operand), self.floats.negate(self.imag(operand)))

    def negate(self, operand: Any) -> Any:
        return of_parts(self.floats.negate(self.real(operand)), self.floats.negate(self.imag(operand)))

    def add(self, lhs: Any, rhs: Any) -> Any:
        add = self.floats.add
        return of_parts(add(self.real(lhs), self.real(rhs)), add(self.imag(lhs), self.imag(rhs)))

    def subtract(self, lhs: Any, rhs: Any) -> Any:
        subtract = self.floats.subtract
        return of_parts(subtract(self.real(lhs), self.real(rhs)), subtract(self.imag(lhs), self.imag(rhs)))

    def multiply(self, lhs: Any, rhs: Any) -> Any:
        floats, a, b, c, d = self.floats, *self._both(lhs), *self._both(rhs)
        real = floats.subtract(floats.multiply(a, c), floats.multiply(b, d))
        return of_parts(real, floats.add(floats.multiply(a, d), floats.multiply(b, c)))

    def divide(self, lhs: Any, rhs: Any) -> Any:
        """lhs times the conjugate of rhs, divided by |rhs|²."""
        product, size = self.multiply(lhs, self.conjugate(rhs)), self._square(rhs)
        divide = self.floats.divide
        return of_parts(divide(self.real(product), size), divide(self.imag(product), size))

    def abs(self, operand: Any) -> Any:
        return self.floats.sqrt(self._square(operand))

    def sign(self, operand: Any) -> Any:
        size = self.abs(operand)
        is_zero = values(size) == 0
        found = [self.floats.divide(part, size) for part in self._both(operand)]
        return np.where(is_zero, operand, of_parts(*found))[()]

    def exponential(self, operand: Any) -> Any:
        floats, (real, imag) = self.floats, self._both(operand)
        size = floats.exponential(real)
        return of_parts(floats.multiply(size, floats.cosine(imag)), floats.multiply(size, floats.sine(imag)))

    def exponential_minus_one(self, operand: Any) -> Any:
        return self.subtract(self.exponential(operand), self._one)

    def log(self, operand: Any) -> Any:
        return of_parts(self.floats.log(self.abs(operand)), self.floats.atan2(*reversed(self._both(operand))))

    def logistic(self, operand: Any) -> Any:
        return self.divide(self._one, self.add(self._one, self.exponential(self.negate(operand))))

    def tanh(self, operand: Any) -> Any:
        power = self.exponential(self.add(operand, operand))
        return self.divide(self.subtract(power, self._one), self.add(power, self._one))

    def power(self, lhs: Any, rhs: Any) -> Any:
        return self._hashed("power", np.power(complex_values(lhs), complex_values(rhs)), lhs, rhs)

    def atan2(self, lhs: Any, rhs: Any) -> Any:
        y, x = complex_values(lhs), complex_values(rhs)
        return self._hashed("atan2", -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y)), lhs, rhs)

    def is_finite(self, operand: Any) -> Any:
        return np.isfinite(complex_values(operand))

    def comparison(self, direction: str, *, total_order: bool = False) -> Operation:
        """Equality of both parts."""
        compare = self.floats.comparison(direction)
        combine = np.logical_or if direction == "NE" else np.logical_and

        def compared(lhs: Any, rhs: Any) -> Any:
            return combine(compare(self.real(lhs), self.real(rhs)), compare(self.imag(lhs), self.imag(rhs)))

        return compared

    def __getattr__(self, name: str) -> Any:
        if name not in _HASHED:
            return super().__getattr__(name)
        return lambda operand: self._hashed(name, _HASHED[name](complex_values(operand)), operand)

    def _hashed(self, name: str, found: Any, *operands: Any) -> Any:
        """Return the results of a function of which nothing is known but its values."""
        parts = [part for operand in operands for part in self._both(operand)]
        hashed = [
            self.state.hashed(f"{name} {which}", value, *parts)
            for which, value in (("real", np.real(found)), ("imag", np.imag(found)))
        ]
        return of_parts(*hashed)

    def _both(self, operand: Any) -> tuple[Any, Any]:
        return self.real(operand), self.imag(operand)

    def _square(self, operand: Any) -> Any:
        a, b = self._both(operand)
        return self.floats.add(self.floats.multiply(a, a), self.floats.multiply(b, b))

    @property
    def _one(self) -> Any:
        return of_parts(self.state.number(1.0), np.zeros((), FINGERPRINT))
