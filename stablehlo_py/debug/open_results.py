"""Results that the spec leaves to the implementation: no engine is wrong where they differ.

Some ops are open whatever they are given. Others are on some operands alone, such as an integer division by zero; these
are looked at where results differ. Whether the order of a sum matters is found out by adding up the other way round.

`cholesky` returns one triangle of a matrix; the values in the other are open. Where results differ, the program is run
once more with zeros in all such triangles. The spec says the same of `triangular_solve`, but its result is a whole
matrix: a difference counts there, or errors in half of a solution would pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..bindings import ir
from ..bindings.attributes import is_set
from ..bindings.build import create_value, tensor_type
from ..bindings.bytecode import bytecode_of, copy_of
from ..bindings.elements import build_constant
from ..bindings.types import TensorType, TypeReader
from ..bindings.walk import insertion_point_after, operations
from ..engines import Engine, Limits, Outcome, open_engine, with_options
from ..passes.folding.limits import reason_to_keep
from ..passes.snapshot.program import Snapshot
from .extraction import needed
from .measures import Difference, Tolerance, difference
from .program import Subject
from .slices import Values, is_observable, run_extract
from .tolerances import SUMS

# Ops whose results the spec leaves to the implementation, in whole or in part.
_ALWAYS = {
    "stablehlo.rng": "draws random numbers as the implementation likes",
    "stablehlo.rng_bit_generator": "uses the implementation's own algorithm",
    "stablehlo.sort": "is not stable: elements that compare equal come in any order",
    "stablehlo.custom_call": "is a custom call",
}
_ON_OPERANDS = ("stablehlo.divide", "stablehlo.remainder", "stablehlo.convert", "stablehlo.scatter")
ORDER = "the order of a sum is open, and the other way round it differs as much"
TRIANGLE = "cholesky leaves the other triangle open, and only that differs"


def _is_open(op: ir.Operation) -> bool:
    if op.name == "stablehlo.rng_bit_generator":
        return "DEFAULT" in str(op.attributes["rng_algorithm"])
    if op.name == "stablehlo.sort":
        return not is_set(op, "is_stable")
    return op.name in _ALWAYS


def _ops_behind(result: ir.Value) -> list[ir.Operation]:
    """The ops of `main` that a value is computed from."""
    pending, seen, found = [result], {result}, dict[ir.Operation, None]()
    while pending:
        owner = pending.pop().owner
        if isinstance(owner, ir.Block):
            continue
        found[owner.operation] = None
        for value in needed(owner.operation):
            if value not in seen:
                seen.add(value)
                pending.append(value)
    return list(found)


def open_ops(result: ir.Value) -> tuple[str, ...]:
    """The ops that a result depends on and that are open whatever they are given, each with the reason."""
    parts = (part for op in _ops_behind(result) for part in operations(op) if _is_open(part))
    return tuple(dict.fromkeys(f"{part.name} {_ALWAYS[part.name]}" for part in parts))


def open_on_operands(
    subject: Subject, result: ir.Value, arguments: Sequence[np.ndarray], engine: Engine
) -> tuple[str, ...]:
    """The ops that a result depends on and that are open on the operands that they have here, each with the reason."""
    ops = [op for op in _ops_behind(result) if op.name in _ON_OPERANDS and all(map(is_observable, op.operands))]
    wanted = list(dict.fromkeys(operand for op in ops for operand in op.operands))
    values: Values = dict(zip(subject.block.arguments, arguments, strict=True))
    computed = [value for value in wanted if value not in values]
    if computed:
        outcome = run_extract(engine, subject.extractor.ops(subject.ops, computed), values)
        if not outcome.ok:
            return ()
        values.update(zip(computed, outcome.results, strict=True))
    reasons = dict[str, None]()
    for op in ops:
        operands = [values[operand] for operand in op.operands]
        if op.name == "stablehlo.scatter":
            reason = _duplicates(op, operands)
        else:
            reason = reason_to_keep(Snapshot(op).root, operands, keep_suspicious=False)
        if reason:
            reasons[f"{op.name}: {reason}"] = None
    return tuple(reasons)


def _duplicates(op: ir.Operation, operands: Sequence[np.ndarray]) -> str:
    """The reason why a scatter that promises different indices is open; empty where it keeps the promise."""
    if not is_set(op, "unique_indices"):
        return ""
    indices = operands[(len(operands) - 1) // 2]
    rows = indices.reshape(-1, indices.shape[-1]) if indices.ndim > 1 else indices.reshape(-1, 1)
    return "" if len(np.unique(rows, axis=0)) == len(rows) else "unique_indices is promised, but indices repeat"


class SumOrder:
    """Tells whether results depend on the order in which floats are added up, by a run the other way round."""

    def __init__(self, subject: Subject, arguments: Sequence[np.ndarray], name: str, limits: Limits) -> None:
        self.subject, self.arguments, self.limits = subject, arguments, limits
        self.name = name if name.partition("@")[0].partition(":")[0] == "reference" else "reference"

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """The outcomes of the program in the usual order and in the other one."""
        found = list[Outcome]()
        for name in (self.name, with_options(self.name, ["reverse"])):
            with open_engine(name, self.limits) as engine:
                found.append(engine.run(self.subject.bytecode(), self.arguments))
        return found

    def explains(self, number: int, found: Difference, tolerance: Tolerance) -> bool:
        """Whether the other order changes as many elements of a result, and by as much, as they differ by."""
        result = self.subject.results[number]
        if not any(op.name in SUMS and _sums_floats(op) for op in _ops_behind(result)):
            return False
        if not all(outcome.ok for outcome in self.outcomes):
            return False
        usual, other = (outcome.results[number] for outcome in self.outcomes)
        changed = difference(other, usual, tolerance)
        return changed.mismatches >= found.mismatches > 0 and changed.max_ulp >= found.max_ulp / 2


def _sums_floats(op: ir.Operation) -> bool:
    types = (value.type for value in op.results)
    return any(isinstance(t, ir.RankedTensorType) and isinstance(t.element_type, (ir.FloatType, ir.ComplexType))
               for t in types)  # fmt: skip


def with_closed_triangles(subject: Subject) -> bytes | None:
    """The program with zeros in all triangles that are open; None where there are none."""
    module = copy_of(subject.module)
    closed = [_close(op) for op in operations(module.operation) if op.name == "stablehlo.cholesky"]
    return bytecode_of(module) if any(closed) else None


def _close(op: ir.Operation) -> bool:
    """Put zeros into the open triangle of an op's result; False where its shape or element type is not static."""
    result = op.results[0]
    type_ = TypeReader()[result.type]
    if not isinstance(type_, TensorType) or not type_.is_static or type_.dtype.kind not in "fcV":
        return False
    keep = np.tril if is_set(op, "lower") else np.triu
    mask = np.broadcast_to(keep(np.ones(type_.static_shape[-2:], bool)), type_.static_shape)
    users = [(use.owner.operation, use.operand_number) for use in result.uses]
    with op.location, insertion_point_after(op):
        mask_type = tensor_type(type_.static_shape, ir.IntegerType.get_signless(1))
        zeros = np.zeros(type_.static_shape, type_.dtype)
        kept, zero = build_constant(mask, mask_type), build_constant(zeros, result.type)
        closed = create_value("stablehlo.select", [kept, result, zero], result.type)
    for user, number in users:
        user.operands[number] = closed
    return True


def explained_by_triangles(
    code: bytes | None,
    arguments: Sequence[np.ndarray],
    engines: tuple[Engine, Engine],
    number: int,
    tolerance: Tolerance,
) -> bool:
    """Whether engines agree on a result of the program `code`, whose open triangles are closed."""
    if code is None:
        return False
    expected, given = (engine.run(code, arguments) for engine in engines)
    if not (expected.ok and given.ok):
        return False
    return difference(given.results[number], expected.results[number], tolerance).same
