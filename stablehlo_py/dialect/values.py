"""The types that an op takes and returns, as the dialect describes them.

The bindings do not list the descriptions. But the diagnostic for a value of a wrong type contains one: an op's example
is given such a value in place of each operand and result, one after the other, and verified.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..bindings import ir
from ..bindings.build import create_value
from ..bindings.op_signatures import Group, op_signature
from ..bindings.walk import operations
from .catalog import Contract

_DESCRIPTION = re.compile(r"op (?:operand|result) #\d+ must be (?P<types>.*), but got 'none'")


@dataclass(frozen=True)
class Value:
    """An operand or a result, or a variadic group of them; `types` is empty where the dialect takes any type."""

    name: str
    types: str


def operands(contract: Contract, context: ir.Context) -> tuple[Value, ...]:
    """Return the operands of an op."""
    module, op = _example(contract, context)
    signature = op_signature(op.name)
    groups = signature.operands if signature is not None else ()
    found: list[Value] = []
    position = 0
    with context, ir.Location.unknown(), ir.InsertionPoint(op):
        stranger = create_value("builtin.unrealized_conversion_cast", [], ir.NoneType.get())
        for group, size in zip(groups, _sizes(groups, len(op.operands)), strict=True):
            if size:
                before = op.operands[position]
                op.operands[position] = stranger
                found.append(Value(group.name, _complaint(op)))
                op.operands[position] = before
            else:
                found.append(Value(group.name, ""))
            position += size
    del module
    return tuple(found)


def results(contract: Contract, context: ir.Context) -> tuple[Value, ...]:
    """Return the results of an op, or one that stands for all where the dialect does not name them."""
    module, op = _example(contract, context)
    signature = op_signature(op.name)
    groups = signature.results if signature is not None else ()
    if not groups and len(op.results):
        groups = (Group("results", variadic=True),)
    found: list[Value] = []
    position = 0
    for group, size in zip(groups, _sizes(groups, len(op.results)), strict=True):
        if size:
            result = op.results[position]
            before = result.type
            with context:
                result.set_type(ir.NoneType.get())
            found.append(Value(group.name, _complaint(op)))
            result.set_type(before)
        position += size
    del module
    return tuple(found)


def _sizes(groups: Sequence[Group], count: int) -> list[int]:
    """Return the sizes of an op's groups of values: all groups of variable size are equal."""
    several = sum(group.variadic for group in groups)
    rest = count - (len(groups) - several)
    return [rest // several if group.variadic else 1 for group in groups]


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
