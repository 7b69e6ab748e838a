"""Floats as fingerprints, and their arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...bindings.types import ElementType, element_type
from ..element_types import arithmetic
from ..element_types.arithmetic import Arithmetic, Operation
from .fields import Fields, fields

FINGERPRINT = np.dtype([("value", "f8"), ("residue", "f4"), ("exponent", "f4")])
"""A float: its value, its residue modulo p, and its residue modulo q, which it has as an exponent."""
DOUBLE = element_type("f64")
_CLOSE = 1e-11
"""Values that differ by no more than this, relative to their size, may differ in their rounding alone."""
_LARGEST_POWER, _MOST_DOUBTS = 64, 1 << 16
_RESIDUES_OF_NAN, _RESIDUES_OF_INFINITIES = 7.0, (11.0, 13.0)


class Parts(NamedTuple):
    """The parts of fingerprints, each an array of doubles."""

    value: Any
    residue: Any
    exponent: Any

    @staticmethod
    def of(fingerprints: Any) -> Parts:
        array = np.asarray(fingerprints)
        return Parts(array["value"], array["residue"].astype(np.float64), array["exponent"].astype(np.float64))

    def packed(self) -> Any:
        """Return the parts as fingerprints; a scalar if they are."""
        result = np.empty(np.broadcast_shapes(*map(np.shape, self)), FINGERPRINT)
        result["value"], result["residue"], result["exponent"] = self
        return result[()]


def values(fingerprints: Any) -> Any:
    """Return the values of fingerprints, a scalar for a scalar."""
    return np.asarray(fingerprints)["value"][()]


def _valued(fingerprints: Any, value: Any) -> Any:
    """Return fingerprints with values that are closer to the function's."""
    found = np.array(fingerprints)
    found["value"] = value
    return found[()]


class Fingerprinting:
    """The fields of a sample, and the doubts of a run: decisions that rounding may have made, by their operands."""

    def __init__(self, sample: int, keeps_rounding: bool) -> None:
        self.fields: Fields = fields(sample)
        self.keeps_rounding = keeps_rounding
        self.doubts = set[tuple[float, ...]]()

    def number(self, value: Any) -> Any:
        """Return the fingerprints of numbers. Infinities and NaN have residues of their own."""
        value = np.asarray(value, np.float64)
        is_finite = np.isfinite(value)
        mantissa, exponent = np.frexp(np.where(is_finite, value, 0))
        scaled, exponent = (mantissa * 2.0**53).astype(np.int64), exponent.astype(np.int64) - 53
        residues = [field.number(scaled, exponent) for field in (self.fields.main, self.fields.exponents)]
        if not is_finite.all():
            other = np.where(value > 0, *_RESIDUES_OF_INFINITIES)
            other = np.where(np.isnan(value), _RESIDUES_OF_NAN, other)
            residues = [np.where(is_finite, each, other) for each in residues]
        return Parts(value, *residues).packed()

    def is_number(self, fingerprints: Any) -> Any:
        """Whether each element is a number, in place of a function of arguments: it has its value's residues."""
        own, number = np.asarray(fingerprints), np.asarray(self.number(values(fingerprints)))
        return (own["residue"] == number["residue"]) & (own["exponent"] == number["exponent"])

    def argument(self, value: np.ndarray, number: int) -> Any:
        """Return random fingerprints for an argument with these values."""
        random, result = np.random.default_rng((self.fields.seed, number)), np.empty(value.shape, FINGERPRINT)
        result["value"] = value
        for name, field in (("residue", self.fields.main), ("exponent", self.fields.exponents)):
            result[name] = random.integers(1, field.modulus, value.shape, np.uint32)
        return result[()]

    def result(self, value: Any, residue: Any) -> Any:
        """Return the fingerprints of a function's results."""
        return Parts(value, residue, self.fields.exponents_of(residue)).packed()

    def hashed(self, name: str, value: Any, *operands: Any) -> Any:
        """Return the results of a function that is known by its values alone."""
        return self.result(value, self.fields.hashed(name, *[Parts.of(operand).residue for operand in operands]))

    def doubt(self, is_doubtful: Any, *decision: Any) -> None:
        """Note decisions that rounding may have made: the residues that were compared, and the outcome."""
        if np.any(is_doubtful) and len(self.doubts) < _MOST_DOUBTS:
            columns = np.broadcast_arrays(is_doubtful, *decision)
            self.doubts.update(zip(*[column[columns[0]].tolist() for column in columns[1:]], strict=True))

    def settled(self, lhs: Any, rhs: Any) -> tuple[Any, Any]:
        """Return values to compare: equal ones if residues are, so that rounding does not decide."""
        left, right = np.asarray(lhs), np.asarray(rhs)
        a, b = left["value"], right["value"]
        distance = np.abs(a - b)
        is_close = (distance <= _CLOSE * np.maximum(np.abs(a), np.abs(b))) & np.isfinite(distance)
        if is_close.any():
            is_equal = left["residue"] == right["residue"]
            self.doubt(is_close & ~is_equal, left["residue"], right["residue"], np.sign(a - b))
            b = np.where(is_close & is_equal, a, b)
        return a[()], b[()]

    def settled_numbers(self, operand: Any) -> Any:
        """Return values to round to integers: exact ones next to halves if residues say so."""
        a = values(operand)
        halves = np.rint(2 * a) / 2
        is_close = np.abs(a - halves) <= 1e-9 * (1 + np.abs(a))
        if not is_close.any():
            return a
        is_exact = np.asarray(operand)["residue"] == np.asarray(self.number(halves))["residue"]
        self.doubt(is_close & ~is_exact, np.asarray(operand)["residue"], np.sign(a - halves))
        return np.where(is_close & is_exact, halves, a)[()]


def _on_both_fields(of_values: Operation) -> Callable[..., Any]:
    """Return a sum, difference or product."""

    def compute(self: Fingerprints, lhs: Any, rhs: Any) -> Any:
        value, residue, exponent = map(of_values, Parts.of(lhs), Parts.of(rhs))
        return Parts(value, self.fields.main.reduced(residue), self.fields.exponents.reduced(exponent)).packed()

    return compute


def _extreme(precedes: Operation) -> Callable[..., Any]:
    """Return a function that chooses one of two operands, by their values."""

    def choose(self: Fingerprints, lhs: Any, rhs: Any) -> Any:
        a, b = self.state.settled(lhs, rhs)
        return np.where(precedes(a, b) | np.isnan(a), lhs, rhs)[()]

    return choose


def _rounded(name: str) -> Callable[..., Any]:
    """Return a function that rounds to integers, by the values."""
    of_values: Operation = getattr(arithmetic(DOUBLE), name)
    return lambda self, operand: self.state.number(of_values(self.state.settled_numbers(operand)))


class Fingerprints(Arithmetic):
    """Floats of all types. A function that others define has their residues, so that rewrites are seen through."""

    zero = np.zeros((), FINGERPRINT)
    add = _on_both_fields(np.add)
    subtract = _on_both_fields(np.subtract)
    multiply = _on_both_fields(np.multiply)
    maximum, minimum = _extreme(np.greater_equal), _extreme(np.less_equal)
    ceil, floor = _rounded("ceil"), _rounded("floor")
    round_nearest_afz, round_nearest_even = _rounded("round_nearest_afz"), _rounded("round_nearest_even")
    real = staticmethod(lambda operand: operand)
    imag = staticmethod(np.zeros_like)

    def __init__(self, element_type: ElementType, state: Fingerprinting) -> None:
        super().__init__(element_type)
        self.state, self.fields, self._one = state, state.fields, state.number(1.0)

    def negate(self, operand: Any) -> Any:
        return self.subtract(self.zero, operand)

    def divide(self, lhs: Any, rhs: Any) -> Any:
        a, b = Parts.of(lhs), Parts.of(rhs)
        main, exponents = self.fields.main, self.fields.exponents
        residue = main.reduced(a.residue * main.inverse(b.residue))
        exponent = exponents.reduced(a.exponent * exponents.inverse(b.exponent))
        return Parts(a.value / b.value, residue, exponent).packed()

    def abs(self, operand: Any) -> Any:
        return np.where(values(operand) < 0, self.negate(operand), operand)[()]

    def sign(self, operand: Any) -> Any:
        return self.state.number(np.sign(self.state.settled(operand, self.zero)[0]))

    def is_finite(self, operand: Any) -> Any:
        return np.isfinite(values(operand))

    def comparison(self, direction: str, *, total_order: bool = False) -> Operation:
        compare = arithmetic(DOUBLE).comparison(direction, total_order=total_order)
        return lambda lhs, rhs: compare(*self.state.settled(lhs, rhs))

    def total_order_key(self, operand: Any) -> Any:
        return arithmetic(DOUBLE).total_order_key(values(operand))

    def reduce_precision(self, exponent_bits: int, mantissa_bits: int) -> Operation:
        return lambda operand: operand

    def remainder(self, lhs: Any, rhs: Any) -> Any:
        """lhs - trunc(lhs / rhs) rhs; of numbers it is exact."""
        quotient = self.state.number(np.trunc(self.state.settled_numbers(self.divide(lhs, rhs))))
        return _valued(self.subtract(lhs, self.multiply(quotient, rhs)), np.fmod(values(lhs), values(rhs)))

    def exponential(self, operand: Any) -> Any:
        a = np.asarray(operand)
        residue = self.fields.exponential(a["exponent"])
        return self.state.result(np.exp(a["value"]), np.where(np.isneginf(a["value"]), 0, residue))

    def exponential_minus_one(self, operand: Any) -> Any:
        return _valued(self.subtract(self.exponential(operand), self._one), np.expm1(values(operand)))

    def logistic(self, operand: Any) -> Any:
        return self.divide(self._one, self.add(self._one, self.exponential(self.negate(operand))))

    def tanh(self, operand: Any) -> Any:
        """(e^2x - 1) / (e^2x + 1)."""
        power = self.exponential(self.add(operand, operand))
        return _valued(
            self.divide(self.subtract(power, self._one), self.add(power, self._one)), np.tanh(values(operand))
        )

    def log(self, operand: Any) -> Any:
        a = Parts.of(operand)
        residue = np.where(a.residue == 1, 0, self.fields.hashed("log", a.residue))
        return Parts(np.log(a.value), residue, self.fields.logarithm(a.residue)).packed()

    def log_plus_one(self, operand: Any) -> Any:
        return _valued(self.log(self.add(operand, self._one)), np.log1p(values(operand)))

    def sqrt(self, operand: Any) -> Any:
        """Half powers, and exact roots of numbers."""
        a = Parts.of(operand)
        half = self.fields.exponents.modulus // 2 + 1
        exponents = self.fields.exponents.reduced(self.fields.logarithm(a.residue) * half)
        root = np.sqrt(a.value)
        found = self.state.result(root, np.where(a.residue == 0, 0, self.fields.exponential(exponents)))
        is_exact = root * root == a.value
        if is_exact.any():
            is_exact &= self.state.is_number(operand)
            found = np.where(is_exact, self.state.number(root), found)[()]
        return found

    def rsqrt(self, operand: Any) -> Any:
        return self.divide(self._one, self.sqrt(operand))

    def cbrt(self, operand: Any) -> Any:
        """Return the only root: 3 does not divide p - 1."""
        a = np.asarray(operand)
        main = self.fields.main
        return self.state.result(np.cbrt(a["value"]), main.power(a["residue"], pow(3, -1, main.modulus - 1)))

    def power(self, lhs: Any, rhs: Any) -> Any:
        """Return products and quotients for small integers, else h^(l y)."""
        a, b = Parts.of(lhs), Parts.of(rhs)
        main, exponents = self.fields.main, self.fields.exponents
        value = np.power(a.value, b.value)
        general = exponents.reduced(self.fields.logarithm(a.residue) * b.exponent)
        found = self.state.result(value, np.where(a.residue == 0, b.residue == 0, self.fields.exponential(general)))
        is_whole = (b.value == np.trunc(b.value)) & (np.abs(b.value) < _LARGEST_POWER)
        if not is_whole.any():
            return found
        is_whole &= self.state.is_number(rhs)
        count = np.where(is_whole, np.abs(b.value), 0).astype(np.int64)
        residues = [main.power(a.residue, count), exponents.power(a.exponent, count)]
        fields_ = (main, exponents)
        residues = [np.where(b.value < 0, f.inverse(r), r) for f, r in zip(fields_, residues, strict=True)]
        return np.where(is_whole, Parts(value, *residues).packed(), found)[()]

    def atan2(self, lhs: Any, rhs: Any) -> Any:
        return self.state.hashed("atan2", np.arctan2(values(lhs), values(rhs)), lhs, rhs)

    def sine(self, operand: Any) -> Any:
        """Odd."""
        a = Parts.of(operand)
        opposite = self.fields.main.reduced(-a.residue)
        residue = self.fields.hashed("sine", np.minimum(a.residue, opposite))
        residue = np.where(a.residue <= opposite, residue, self.fields.main.reduced(-residue))
        return self.state.result(np.sin(a.value), np.where(a.residue == 0, 0, residue))

    def cosine(self, operand: Any) -> Any:
        """Even."""
        a = Parts.of(operand)
        residue = self.fields.hashed("cosine", np.minimum(a.residue, self.fields.main.reduced(-a.residue)))
        return self.state.result(np.cos(a.value), np.where(a.residue == 0, 1, residue))

    def tan(self, operand: Any) -> Any:
        return self.divide(self.sine(operand), self.cosine(operand))
