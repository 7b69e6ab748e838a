"""The regions of an op as programs, with the arguments that they run on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...analysis.numbering import region_title
from ...bindings import ir
from ...bindings.attributes import CALLS, callee_of
from ...bindings.walk import body_of, functions
from ...engines import Engine
from .slices import Values
from .subject import Extract, Extractor

ITERATIONS = 10_000
_SAMPLED_ELEMENTS = 16
_BRANCHES = ("stablehlo.if", "stablehlo.case")


@dataclass(frozen=True)
class Body:
    """A region on its way through a run.

    Attributes:
        extract: The region as a program.
        code: The same as bytecode.
        arguments: What it runs on.
        title: Which region and iteration, for people.
        expected: What the reference's run gave; None where it was not run.
    """

    extract: Extract
    code: bytes
    arguments: list[np.ndarray]
    title: str
    expected: tuple[np.ndarray, ...] | None = None


def bodies(extractor: Extractor, reference: Engine, op: ir.Operation, values: Values) -> Iterator[Body]:
    """Run the regions of an op, or the function of a call, as the reference does.

    Yield the condition and the body of each iteration of a loop; the branch that is taken; the function of a call; or a
    body of scalars on elements drawn from the operands.
    """
    if op.name == "stablehlo.while":
        yield from _iterations(extractor, reference, op, values)
    elif op.name in CALLS:
        extract = extractor.region(functions(extractor.module.operation)[callee_of(op)], 0)
        yield Body(extract, extract.bytecode(), [values[operand] for operand in op.operands], "function")
    elif op.name in _BRANCHES:
        yield _branch(extractor, op, values)
    else:
        yield from _elements(extractor, op, values)


def _outside(extract: Extract, count: int, values: Values) -> list[np.ndarray]:
    """The values that a region captures; its own arguments are the first `count`."""
    return [values[value] for value in extract.inputs[count:]]


def _iterations(extractor: Extractor, reference: Engine, op: ir.Operation, values: Values) -> Iterator[Body]:
    """The condition and the body of each iteration."""
    condition, body = extractor.region(op, 0), extractor.region(op, 1)
    state = [values[operand] for operand in op.operands]
    captured = [_outside(part, len(state), values) for part in (condition, body)]
    codes = [part.bytecode() for part in (condition, body)]
    for iteration in range(ITERATIONS):
        arguments = [*state, *captured[0]]
        test = reference.run(codes[0], arguments)
        if not test.ok:
            return
        yield Body(condition, codes[0], arguments, f"{region_title(op.name, 0)}, iteration {iteration}", test.results)
        if not test.results[0]:
            return
        arguments = [*state, *captured[1]]
        after = reference.run(codes[1], arguments)
        if not after.ok:
            return
        yield Body(body, codes[1], arguments, f"{region_title(op.name, 1)}, iteration {iteration}", after.results)
        state = list(after.results)


def _branch(extractor: Extractor, op: ir.Operation, values: Values) -> Body:
    index = int(values[op.operands[0]])
    if op.name == "stablehlo.if":
        chosen = 0 if index else 1
    else:
        chosen = index if 0 <= index < len(op.regions) else len(op.regions) - 1
    extract = extractor.region(op, chosen)
    return Body(extract, extract.bytecode(), _outside(extract, 0, values), region_title(op.name, chosen))


def _elements(extractor: Extractor, op: ir.Operation, values: Values) -> Iterator[Body]:
    """A body on scalars, on elements drawn from the operands of the same types."""
    for index in range(len(op.regions)):
        extract = extractor.region(op, index)
        code = extract.bytecode()
        parameters = list(body_of(op, index).arguments)
        pools = [_pool(parameter.type, op, values) for parameter in parameters]
        if not all(pool.size for pool in pools):
            continue
        random = np.random.default_rng(0)
        for number in range(_SAMPLED_ELEMENTS):
            chosen = [np.asarray(pool.ravel()[random.integers(pool.size)]) for pool in pools]
            arguments = [*chosen, *_outside(extract, len(parameters), values)]
            yield Body(extract, code, arguments, f"{region_title(op.name, index)}, sample {number}")


def _pool(type_: ir.Type, op: ir.Operation, values: Values) -> np.ndarray:
    """Return all elements of the operands that have the element type of a region's parameter."""
    element = ir.RankedTensorType(type_).element_type
    found = [
        values[operand].ravel()
        for operand in op.operands
        if operand in values and ir.RankedTensorType(operand.type).element_type == element
    ]
    return np.concatenate(found) if found else np.empty(0)
