"""Complex numbers as two fingerprints, and their arithmetic by the formulas of their parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bindings.types import ElementType, element_type
from ..element_types import arithmetic
from ..element_types.arithmetic import Arithmetic, Operation
from .elements import FINGERPRINT, Fingerprinting, Fingerprints

COMPLEX = np.dtype([("real", FINGERPRINT), ("imag", FINGERPRINT)])


def of_parts(real: Any, imag: Any) -> Any:
    """Return complex numbers with these parts."""
    result = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), COMPLEX)
    result["real"], result["imag"] = real, imag
    return result[()]


def complex_values(operand: Any) -> Any:
    """Return the values of complex numbers."""
    array = np.asarray(operand)
    values = np.empty(array.shape, np.complex128)
    values.real, values.imag = array["real"]["value"], array["imag"]["value"]
    return values[()]


def _parts(operand: Any) -> tuple[Any, Any]:
    array = np.asarray(operand)
    return array["real"][()], array["imag"][()]


class ComplexFingerprints(Arithmetic):
    """complex<f32> and complex<f64>. Functions but `exponential`, `logistic` and `log` are hashes of both parts."""

    def __init__(self, element_type: ElementType, state: Fingerprinting) -> None:
        super().__init__(element_type)
        self.state, self.floats = state, Fingerprints(element_type, state)

    real = staticmethod(lambda operand: _parts(operand)[0])
    imag = staticmethod(lambda operand: _parts(operand)[1])
    complex = staticmethod(of_parts)

    def conjugate(self, operand: Any) -> Any:
        """Return the opposite imaginary part."""
        real, imag = _parts(operand)
        return of_parts(real, self.floats.negate(imag))

    def negate(self, operand: Any) -> Any:
        return of_parts(*map(self.floats.negate, _parts(operand)))

    def add(self, lhs: Any, rhs: Any) -> Any:
        return of_parts(*map(self.floats.add, _parts(lhs), _parts(rhs)))

    def subtract(self, lhs: Any, rhs: Any) -> Any:
        return of_parts(*map(self.floats.subtract, _parts(lhs), _parts(rhs)))

    def multiply(self, lhs: Any, rhs: Any) -> Any:
        (a, b), (c, d), multiply = _parts(lhs), _parts(rhs), self.floats.multiply
        real = self.floats.subtract(multiply(a, c), multiply(b, d))
        return of_parts(real, self.floats.add(multiply(a, d), multiply(b, c)))

    def divide(self, lhs: Any, rhs: Any) -> Any:
        """lhs times the conjugate of rhs, divided by |rhs|²."""
        size, product = self._square(rhs), self.multiply(lhs, self.conjugate(rhs))
        return of_parts(*[self.floats.divide(part, size) for part in _parts(product)])

    def abs(self, operand: Any) -> Any:
        return self.floats.sqrt(self._square(operand))

    def real_root(self, operand: Any) -> Any:
        """Return the square root of the real part."""
        return of_parts(self.floats.sqrt(self.real(operand)), self.floats.zero)

    def exponential(self, operand: Any) -> Any:
        floats, (real, imag) = self.floats, _parts(operand)
        size = floats.exponential(real)
        return of_parts(floats.multiply(size, floats.cosine(imag)), floats.multiply(size, floats.sine(imag)))

    def logistic(self, operand: Any) -> Any:
        one = of_parts(self.state.number(1.0), self.floats.zero)
        return self.divide(one, self.add(one, self.exponential(self.negate(operand))))

    def log(self, operand: Any) -> Any:
        return of_parts(self.floats.log(self.abs(operand)), self.floats.atan2(*reversed(_parts(operand))))

    def is_finite(self, operand: Any) -> Any:
        return np.isfinite(complex_values(operand))

    def comparison(self, direction: str, *, total_order: bool = False) -> Operation:
        """Equality of both parts."""
        compare = self.floats.comparison(direction)
        combine = np.logical_or if direction == "NE" else np.logical_and
        return lambda lhs, rhs: combine(*map(compare, _parts(lhs), _parts(rhs)))

    def __getattr__(self, name: str) -> Any:
        function = getattr(arithmetic(element_type("complex<f64>")), name)

        def hashed(*operands: Any) -> Any:
            found, parts = function(*map(complex_values, operands)), [p for each in operands for p in _parts(each)]
            values = (("real", np.real(found)), ("imag", np.imag(found)))
            return of_parts(*[self.state.hashed(f"{name} {which}", value, *parts) for which, value in values])

        return hashed

    def _square(self, operand: Any) -> Any:
        return self.floats.add(*[self.floats.multiply(part, part) for part in _parts(operand)])
