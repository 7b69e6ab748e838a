"""The types that an op takes and returns, as the dialect describes them.

The bindings do not list the descriptions. But the diagnostic for a value of a wrong type contains one: an op's example
is given such a value in place of each operand and result, one after the other, and verified.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..bindings import ir
from ..bindings.build import create_value
from ..bindings.op_signatures import op_signature
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
    names = [operand.name for operand in signature.operands] if signature is not None else []
    found: list[Value] = []
    position = 0
    with context, ir.Location.unknown(), ir.InsertionPoint(op):
        stranger = create_value("builtin.unrealized_conversion_cast", [], ir.NoneType.get())
        for name in names:
            size = len(op.operands) if len(names) == 1 else _size(getattr(op.opview, name, None))
            if size:
                before = op.operands[position]
                op.operands[position] = stranger
                found.append(Value(name, _complaint(op)))
                op.operands[position] = before
            else:
                found.append(Value(name, ""))
            position += size
    del module
    return tuple(found)


def results(contract: Contract, context: ir.Context) -> tuple[Value, ...]:
    """Return the results of an op, or one that stands for all where the dialect does not name them."""
    module, op = _example(contract, context)
    found: list[Value] = []
    position = 0
    for name in _result_names(op):
        size = _size(getattr(op.opview, name, None))
        if size:
            result = op.results[position]
            before = result.type
            with context:
                result.set_type(ir.NoneType.get())
            found.append(Value(name, _complaint(op)))
            result.set_type(before)
        position += size
    del module
    return tuple(found)


def _example(contract: Contract, context: ir.Context) -> tuple[ir.Module, ir.Operation]:
    """Return the example and its op; the module must outlive the op."""
    module = ir.Module.parse(contract.example, context)
    name = f"stablehlo.{contract.op}"
    return module, next(op for op in operations(module.operation) if op.name == name)


def _size(values: object) -> int:
    """Return the number of values in a group."""
    if values is None:
        return 0
    return 1 if isinstance(values, ir.Value) else len(list(values))  # pyright: ignore[reportArgumentType]


def _complaint(op: ir.Operation) -> str:
    try:
        op.verify()
    except ir.MLIRError as error:
        for diagnostic in error.error_diagnostics:
            match = _DESCRIPTION.search(diagnostic.message)
            if match:
                return match["types"]
    return ""


def _result_names(op: ir.Operation) -> list[str]:
    """The properties of the op's class that give results; only new bindings say so in their annotations."""
    properties = [name for name, member in vars(type(op.opview)).items() if isinstance(member, property)]
    names = [name for name in properties if _are_results(getattr(op.opview, name), op)]
    return names or (["results"] if len(op.results) else [])


def _are_results(values: object, op: ir.Operation) -> bool:
    if isinstance(values, ir.Value):
        return values in list(op.results)
    return isinstance(values, ir.OpResultList)
