"""The types that an op takes and returns, as the dialect describes them.

The bindings do not list the descriptions. But the diagnostic for a value of a wrong type contains one: an op's example
is given such a value in place of each operand and result, one after the other, and verified.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..bindings import ir
from ..bindings.build import create_value
from ..bindings.op_signatures import Group, op_signature
from ..bindings.walk import operations
from .catalog import Contract

_DESCRIPTION = re.compile(r"op (?:operand|result) #\d+ must be (?P<types>.*), but got 'none'")


@dataclass(frozen=True)
class ValueSpecification:
    """An operand or a result, or a variadic group of them; `types` is empty where the dialect takes any type."""

    name: str
    types: str


def operands(contract: Contract, context: ir.Context) -> tuple[ValueSpecification, ...]:
    """Return the operands of an op."""
    module, op = _example(contract, context)
    signature = op_signature(op.name)
    groups = signature.operands if signature is not None else ()
    with context, ir.Location.unknown(), ir.InsertionPoint(op):
        stranger = create_value("builtin.unrealized_conversion_cast", [], ir.NoneType.get())

    def types(position: int) -> str:
        before = op.operands[position]
        op.operands[position] = stranger
        said = _complaint(op)
        op.operands[position] = before
        return said

    found = [
        ValueSpecification(group.name, "" if at is None else types(at))
        for group, at in _placed(groups, len(op.operands))
    ]
    del module
    return tuple(found)


def results(contract: Contract, context: ir.Context) -> tuple[ValueSpecification, ...]:
    """Return the results of an op, or one that stands for all where the dialect does not name them."""
    module, op = _example(contract, context)
    signature = op_signature(op.name)
    groups = signature.results if signature is not None else ()
    if not groups:
        groups = (Group("results", variadic=True),)

    def types(position: int) -> str:
        result = op.results[position]
        before = result.type
        result.set_type(ir.NoneType.get(context))
        said = _complaint(op)
        result.set_type(before)
        return said

    found = [
        ValueSpecification(group.name, types(at)) for group, at in _placed(groups, len(op.results)) if at is not None
    ]
    del module
    return tuple(found)


def _placed(groups: Sequence[Group], count: int) -> Iterator[tuple[Group, int | None]]:
    """Yield the groups of an op's values, and the position of the first of each; groups of variable size are equal."""
    several, position = sum(group.variadic for group in groups), 0
    for group in groups:
        size = (count - (len(groups) - several)) // several if group.variadic else 1
        yield group, position if size else None
        position += size


def _example(contract: Contract, context: ir.Context) -> tuple[ir.Module, ir.Operation]:
    """Return the example and its op; the module must outlive the op."""
    module = ir.Module.parse(contract.example, context)
    name = f"stablehlo.{contract.op}"
    return module, next(op for op in operations(module.operation) if op.name == name)


def _complaint(op: ir.Operation) -> str:
    try:
        op.verify()
    except ir.MLIRError as error:
        for diagnostic in error.error_diagnostics:
            match = _DESCRIPTION.search(diagnostic.message)
            if match:
                return match["types"]
    return ""
