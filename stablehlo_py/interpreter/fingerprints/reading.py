"""Fingerprints as the reading of a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...bindings.elements import constant_value
from ...bindings.types import ElementType, Kind, ValueType, element_type
from ..element_types import arithmetic, converter
from ..element_types.arithmetic import Arithmetic, Operation
from ..op import Kernel, Op
from ..ops.steps import Steps
from ..plan import Plan, Step
from ..reading import Reading
from ..registry import MakeKernel
from ..values import Value, ValueTypes
from .complex_elements import COMPLEX, ComplexFingerprints, of_parts
from .elements import DOUBLE, FINGERPRINT, Fingerprinting, Fingerprints, Parts, values
from .kernels import kernel
from .storage import FingerprintTypes, argument, as_values, is_read, numbers

_BLOCK = 1 << 21
"""The number of elements of a matrix that are multiplied at a time."""
Watcher = Callable[[Step, Sequence[Value], Sequence[Value]], tuple[Value, ...]]
"""Takes a step, its operands and its results; returns the results for the next steps."""


@dataclass(eq=False)
class WatchedPlan(Plan):
    """A plan that shows the results of its steps, except in regions that run on whole arrays."""

    watch: Watcher = lambda step, operands, results: tuple(results)

    def run_step(
        self, step: Step, operands: list[Value], environment: list[Any], *, is_checked: bool
    ) -> tuple[Value, ...]:
        results = super().run_step(step, operands, environment, is_checked=is_checked)
        return self.watch(step, operands, results) if is_checked else results


Run = Callable[["FingerprintReading"], list[Any]]
"""Runs a program by a reading, and returns its results."""


class FingerprintReading(Reading):
    """The reading of one run, with the fields of a sample. A watcher may replace the results of steps.

    With `keeps_rounding`, conversions to narrower floats and `reduce_precision` are functions, not the identity.
    """

    def __init__(self, sample: int = 0, watch: Watcher | None = None, *, keeps_rounding: bool = False) -> None:
        self.state, self._watch = Fingerprinting(sample, keeps_rounding), watch

    def arguments_of(self, values: Sequence[Any], types: Sequence[ValueType]) -> list[Any]:
        """Return the arguments of a program with these values: random residues for floats."""
        pairs = enumerate(zip(values, types, strict=True))
        return [argument(self.state, value, type_, number) for number, (value, type_) in pairs]

    def plan(self, plan: Plan, *, is_function: bool, shares: bool) -> Plan:
        return plan if self._watch is None else WatchedPlan(**vars(plan), watch=self._watch)

    def types(self) -> ValueTypes:
        return FingerprintTypes()

    def constant(self, op: Op) -> np.ndarray:
        return numbers(self.state, constant_value(op.operation), op.tensor_result().element_type)

    def kernel(self, op: Op, make_kernel: MakeKernel) -> Kernel:
        return kernel(self.state, op, make_kernel)

    def arithmetic(self, element_type: ElementType) -> Arithmetic:
        if element_type.dtype == FINGERPRINT:
            return Fingerprints(element_type, self.state)
        return ComplexFingerprints(element_type, self.state) if is_read(element_type) else arithmetic(element_type)

    def converter(self, source: ElementType, target: ElementType) -> Operation:
        if not is_read(source):
            if not is_read(target):
                return converter(source, target)
            to_double = converter(source, element_type("complex<f64>") if source.kind is Kind.COMPLEX else DOUBLE)
            return lambda operand: numbers(self.state, to_double(operand), target)
        if source.dtype == COMPLEX and target.dtype != COMPLEX:
            to_target = self.converter(replace(target, dtype=FINGERPRINT, kind=Kind.FLOAT), target)
            return lambda operand: to_target(np.asarray(operand)["real"][()])
        if source.dtype == target.dtype:
            return lambda operand: operand
        if target.dtype == COMPLEX:
            return lambda operand: of_parts(operand, np.zeros((), FINGERPRINT))
        convert = converter(DOUBLE, target)
        if target.kind is Kind.FLOAT or target.kind is Kind.BOOLEAN:
            return lambda operand: convert(values(operand))
        return lambda operand: convert(self.state.settled_numbers(operand))

    def sum(self, elements: ElementType, operand: Any, dimensions: tuple[int, ...]) -> Any:
        if not is_read(elements):
            return super().sum(elements, operand, dimensions)
        parts = [part.sum(axis=dimensions) for part in Parts.of(operand)]
        fields = self.state.fields
        return Parts(parts[0], fields.main.reduced(parts[1]), fields.exponents.reduced(parts[2])).packed()

    def steps(self, op: Op) -> Steps:
        elements = op.arithmetic()
        steps = (elements.divide, elements.multiply, elements.subtract)
        if isinstance(elements, ComplexFingerprints):
            root, conjugate = elements.real_root, elements.conjugate
        else:
            root, conjugate = elements.sqrt, np.asarray
        return Steps(*steps, root, conjugate, lambda pivot: np.real(as_values(pivot)) > 0)

    def matmul(self, lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype, in_order: bool) -> np.ndarray:
        if lhs.dtype == FINGERPRINT:
            return self._product(lhs, rhs)
        if lhs.dtype != COMPLEX:
            return super().matmul(lhs, rhs, dtype, in_order)
        (a, b), (c, d) = [(side["real"], side["imag"]) for side in (lhs, rhs)]
        floats = Fingerprints(DOUBLE, self.state)
        real = floats.subtract(self._product(a, c), self._product(b, d))
        return of_parts(real, floats.add(self._product(a, d), self._product(b, c)))

    def _product(self, lhs: Any, rhs: Any) -> Any:
        """Return lhs @ rhs, batches of matrices of fingerprints, some columns at a time."""
        fields, columns = self.state.fields, rhs.shape[-1]
        multiplications = (("value", np.matmul), ("residue", fields.main.matmul), ("exponent", fields.exponents.matmul))
        result = np.empty((*lhs.shape[:-1], columns), FINGERPRINT)
        step = max(_BLOCK * columns // max(rhs.size, 1), 64)
        for name, multiply in multiplications:
            left = np.ascontiguousarray(lhs[name], np.float64)
            for start in range(0, columns, step):
                right = np.ascontiguousarray(rhs[name][..., start : start + step], np.float64)
                result[name][..., start : start + step] = multiply(left, right)
        return result
