"""Runs a program slice by slice in engines, so that every value can be looked at and few are held at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...bindings import ir
from ...bindings.types import TypeReader
from ...engines import Engine, Outcome
from ...interpreter.plan import byte_size
from .subject import Extract, Extractor, Subject, is_small_constant, needed

Values = dict[ir.Value, np.ndarray]
Progress = Callable[[int, int], None]

_OPS_IN_A_SLICE = 200


@dataclass(frozen=True)
class Slice:
    """Ops in a row, the number of the first, and the values that nothing after them uses."""

    first: int
    ops: tuple[ir.Operation, ...]
    dying: tuple[ir.Value, ...]

    @property
    def observed(self) -> list[ir.Value]:
        """The results that can be compared: tensors of static shape."""
        return [result for op in self.ops for result in op.results if is_observable(result)]


def is_observable(value: ir.Value) -> bool:
    """Whether a value can be returned from a program of its own and compared."""
    return isinstance(value.type, ir.RankedTensorType) and value.type.has_static_shape


def last_uses(ops: Sequence[ir.Operation], kept: Sequence[ir.Value]) -> dict[ir.Value, int]:
    """The number of the last op that uses each value; for those `kept` to the end the number of ops."""
    last_use: dict[ir.Value, int] = {}
    for number, op in enumerate(ops):
        last_use.update(dict.fromkeys((*op.results, *needed(op)), number))
    last_use.update(dict.fromkeys(kept, len(ops)))
    return last_use


def slices(ops: Sequence[ir.Operation], kept: Sequence[ir.Value], cap: int) -> Iterator[Slice]:
    """Cut the ops of a block into slices whose results take at most `cap` bytes, or one op where that alone takes more.

    The values in `kept` stay alive to the end.
    """
    types = TypeReader()
    deaths: dict[int, list[ir.Value]] = {}
    for value, number in last_uses(ops, kept).items():
        deaths.setdefault(number, []).append(value)
    start = total = 0
    for number, op in enumerate(ops):
        size = sum(byte_size(types[result.type]) for result in op.results)
        if number > start and (total + size > cap or number - start >= _OPS_IN_A_SLICE):
            yield _slice(ops, start, number, deaths)
            start, total = number, 0
        total += size
    if len(ops) > start:
        yield _slice(ops, start, len(ops), deaths)


def _slice(ops: Sequence[ir.Operation], start: int, end: int, deaths: dict[int, list[ir.Value]]) -> Slice:
    dying = [value for number in range(start, end) for value in deaths.get(number, ())]
    return Slice(start, tuple(ops[start:end]), tuple(dying))


def run_extract(engine: Engine, extract: Extract, values: Values) -> Outcome:
    """Run a cut-out program on the values of its inputs."""
    return engine.run(extract.bytecode(), [values[value] for value in extract.inputs])


def run_until(engine: Engine, subject: Subject, number: int, arguments: Sequence[np.ndarray]) -> Outcome:
    """Run a program up to its op `number`, whose results are all that it returns."""
    return run_extract(engine, until(subject, number), dict(zip(subject.block.arguments, arguments, strict=True)))


def until(subject: Subject, number: int) -> Extract:
    """The program up to its op `number`, whose results are all that it returns."""
    outputs = [result for result in subject.ops[number].results if is_observable(result)]
    return subject.extractor.ops(subject.ops[: number + 1], outputs)


def run_ops(
    engine: Engine, extractor: Extractor, ops: Sequence[ir.Operation], values: Values, *, isolated: bool
) -> tuple[Values, dict[ir.Operation, Outcome]]:
    """Run ops of one block on known values, and find those that the engine cannot run.

    Return the results, and the outcome of each op that failed, alone. Ops that use what failed have no results;
    `isolated` ops get all operands from `values`.
    """
    made: Values = {}
    failures: dict[ir.Operation, Outcome] = {}
    pending = [list(ops)]
    while pending:
        group = pending.pop()
        known = values if isolated else {**values, **made}
        group = _runnable(group, known, isolated)
        if not group:
            continue
        outputs = [result for op in group for result in op.results if is_observable(result)]
        extract = extractor.ops(group, outputs, isolated=isolated)
        outcome = run_extract(engine, extract, known)
        if outcome.ok:
            made.update(zip(extract.outputs, outcome.results, strict=True))
        elif len(group) == 1:
            failures[group[0]] = outcome
        else:
            half = len(group) // 2
            pending += [group[half:], group[:half]]
    return made, failures


def _runnable(ops: Sequence[ir.Operation], known: Values, isolated: bool) -> list[ir.Operation]:
    """The ops whose operands are known, or computed by others of them."""
    available: set[ir.Value] = set()
    chosen = list[ir.Operation]()
    for op in ops:
        if all(value in known or value in available or is_small_constant(value) for value in needed(op)):
            chosen.append(op)
            if not isolated:
                available.update(op.results)
    return chosen
