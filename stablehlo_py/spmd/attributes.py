"""Shardings of a program's values, as attributes in Shardy's print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..bindings import ir
from ..bindings.diagnostics import file_location
from ..bindings.walk import body_of, terminator_of
from ..errors import InputError

SHARDING, SHARDING_RULE = "sdy.sharding", "sdy.sharding_rule"

_LISTS = {"argument": "arg_attrs", "result": "res_attrs"}


class Signed(NamedTuple):
    """An argument or a result of a function (its kind), the value in the function, and Shardy's text for its sharding,
    empty for none."""

    kind: str
    number: int
    value: ir.Value
    sharding: str


def signature(function: ir.Operation) -> list[Signed]:
    """Return the arguments of the function, then its results."""
    block = body_of(function)
    values = {"argument": list(block.arguments), "result": list(terminator_of(block).operands)}
    return [
        Signed(kind, number, value, str(own[SHARDING]) if SHARDING in own else "")
        for kind in _LISTS
        for number, (value, own) in enumerate(
            zip(values[kind], dictionaries_of(function, kind, len(values[kind])), strict=True)
        )
    ]


def set_shardings(function: ir.Operation, kind: str, count: int, shardings: Mapping[int, ir.Attribute]) -> None:
    """Set the shardings of the function's `count` arguments or results, by number."""
    dictionaries = dictionaries_of(function, kind, count)
    for number, sharding in shardings.items():
        dictionaries[number][SHARDING] = sharding
    with function.context:
        function.attributes[_LISTS[kind]] = ir.ArrayAttr.get([ir.DictAttr.get(one) for one in dictionaries])


def add_mesh(module: ir.Module, axes: Mapping[str, int], ids: Sequence[int] = ()) -> str:
    """Put a mesh into a module that has none, and return its name; `ids` are the devices in its order. Raises
    `InputError` for sizes or names of axes that cannot be."""
    order = f", device_ids={list(ids)}" if list(ids) != list(range(len(ids))) else ""
    sizes = ", ".join([f'"{name}"={size}' for name, size in axes.items()])
    try:
        made = ir.Operation.parse(f"sdy.mesh @mesh = <[{sizes}]{order}>", context=module.context)
    except ir.MLIRError:
        raise InputError(f"not an attribute of Shardy's: #sdy.mesh<[{sizes}]{order}>") from None
    ir.InsertionPoint.at_block_begin(module.body).insert(made)
    return "mesh"


def parsed(op: ir.Operation, name: str, text: str) -> ir.Attribute:
    """Parse the attribute of this name. Raises `InputError`."""
    try:
        return ir.Attribute.parse(text, op.context)
    except ir.MLIRError:
        raise InputError(f"cannot read {name} = {text}", location=file_location(op.location)) from None


def dictionaries_of(function: ir.Operation, kind: str, count: int) -> list[dict[str, ir.Attribute]]:
    """Return the attributes of each of the function's `count` arguments or results."""
    if _LISTS[kind] not in function.attributes:
        return [{} for _ in range(count)]
    lists = ir.ArrayAttr(function.attributes[_LISTS[kind]])
    return [{one.name: one.attr for one in ir.DictAttr(each)} for each in lists]
