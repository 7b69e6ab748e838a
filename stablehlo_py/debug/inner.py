"""Looks inside the regions of an op that is wrong: which iteration, which branch, which op of the body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..bindings import ir
from ..bindings.walk import body_of
from ..engines import Engine
from .extraction import Extract
from .measures import Difference
from .places import Place
from .program import Subject
from .slices import Values

ITERATIONS = 10_000
_SAMPLED_ELEMENTS = 16
_BRANCHES = ("stablehlo.if", "stablehlo.case")


@dataclass(frozen=True)
class Inner:
    """The op inside a region that is wrong, and by how much.

    Attributes:
        place: The op; its `path` tells the region and the iteration.
        difference: Its local error, None where the engine does not run it.
        module: The body in which it was found.
        arguments: What the body was run on.
    """

    place: Place
    difference: Difference | None
    module: ir.Module
    arguments: tuple[np.ndarray, ...]


class Walker(Protocol):
    """What looks for wrong ops in a program, and in the bodies that it is handed."""

    subject: Subject
    reference: Engine
    engine: Engine

    def wrong_in_body(self, body: Extract, arguments: Sequence[np.ndarray], path: tuple[str, ...]) -> Inner | None:
        """The first wrong op of a body on these arguments."""
        ...


def wrong_inside(tracer: Walker, op: ir.Operation, spot: Place, values: Values) -> Inner | None:
    """Find the op inside the regions of `op` that is wrong on its own, running the regions as the reference does.

    Returns:
        The innermost wrong op, or None where each op of the regions is right, and only the whole is wrong.
    """
    for extract, arguments, title in _bodies(tracer, op, values):
        found = tracer.wrong_in_body(extract, arguments, (*spot.path, f"#{spot.number} {op.name} {title}"))
        if found is not None:
            return found
    return None


def _bodies(tracer: Walker, op: ir.Operation, values: Values) -> Iterator[tuple[Extract, list[np.ndarray], str]]:
    """The regions that `op` runs, each with arguments that it runs on and a title."""
    if op.name == "stablehlo.while":
        yield from _iterations(tracer, op, values)
    elif op.name in _BRANCHES:
        yield from _branch(tracer, op, values)
    else:
        yield from _elements(tracer, op, values)


def _outside(extract: Extract, count: int, values: Values) -> list[np.ndarray]:
    """The values that a region captures; its own arguments are the first `count`."""
    return [values[value] for value in extract.inputs[count:]]


def _iterations(tracer: Walker, op: ir.Operation, values: Values) -> Iterator[tuple[Extract, list[np.ndarray], str]]:
    """The condition and the body of each iteration in which the engine's results differ from the reference's."""
    extractor = tracer.subject.extractor
    condition, body = extractor.region(op, 0), extractor.region(op, 1)
    state = [values[operand] for operand in op.operands]
    count = len(state)
    captured = [_outside(part, count, values) for part in (condition, body)]
    codes = [part.bytecode() for part in (condition, body)]
    for iteration in range(ITERATIONS):
        arguments = [*state, *captured[0]]
        test = tracer.reference.run(codes[0], arguments)
        if not test.ok:
            return
        if _differs(tracer, codes[0], arguments, test.results):
            yield condition, arguments, f"condition, iteration {iteration}"
        if not test.results[0]:
            return
        arguments = [*state, *captured[1]]
        after = tracer.reference.run(codes[1], arguments)
        if not after.ok:
            return
        if _differs(tracer, codes[1], arguments, after.results):
            yield body, arguments, f"body, iteration {iteration}"
        state = list(after.results)


def _differs(tracer: Walker, module: bytes, arguments: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> bool:
    """Whether the engine's results are not bit for bit the reference's."""
    given = tracer.engine.run(module, arguments)
    return not given.ok or any(a.tobytes() != b.tobytes() for a, b in zip(given.results, expected, strict=True))


def _branch(tracer: Walker, op: ir.Operation, values: Values) -> Iterator[tuple[Extract, list[np.ndarray], str]]:
    index = int(values[op.operands[0]])
    if op.name == "stablehlo.if":
        chosen, title = (0, "true branch") if index else (1, "false branch")
    else:
        chosen = index if 0 <= index < len(op.regions) else len(op.regions) - 1
        title = f"branch {chosen}"
    extract = tracer.subject.extractor.region(op, chosen)
    yield extract, _outside(extract, 0, values), title


def _elements(tracer: Walker, op: ir.Operation, values: Values) -> Iterator[tuple[Extract, list[np.ndarray], str]]:
    """A body on scalars, on elements drawn from the operands of the same types."""
    for index in range(len(op.regions)):
        extract = tracer.subject.extractor.region(op, index)
        parameters = list(body_of(op, index).arguments)
        pools = [_pool(parameter.type, op, values) for parameter in parameters]
        if not all(pool.size for pool in pools):
            continue
        random = np.random.default_rng(0)
        for number in range(_SAMPLED_ELEMENTS):
            chosen = [np.asarray(pool.ravel()[random.integers(pool.size)]) for pool in pools]
            yield extract, [*chosen, *_outside(extract, len(parameters), values)], f"region {index}, sample {number}"


def _pool(type_: ir.Type, op: ir.Operation, values: Values) -> np.ndarray:
    """All elements of the operands whose element type is that of a region's parameter."""
    element = ir.RankedTensorType(type_).element_type
    found = [
        values[operand].ravel()
        for operand in op.operands
        if operand in values and ir.RankedTensorType(operand.type).element_type == element
    ]
    return np.concatenate(found) if found else np.empty(0)
