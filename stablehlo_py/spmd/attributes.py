"""Shardings of a program's values, as attributes in Shardy's print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..bindings import ir
from ..bindings.walk import body_of, terminator_of

SHARDING = "sdy.sharding"

_LISTS = {"argument": "arg_attrs", "result": "res_attrs"}


class Signed(NamedTuple):
    """An argument or a result of a function (its kind), the value in the function, and Shardy's text for its sharding,
    empty for none."""

    kind: str
    number: int
    value: ir.Value
    sharding: str


def signature(function: ir.Operation) -> list[Signed]:
    """The arguments of the function, then its results."""
    block = body_of(function)
    values = {"argument": list(block.arguments), "result": list(terminator_of(block).operands)}
    return [
        Signed(kind, number, value, text)
        for kind, attribute in _LISTS.items()
        for number, (value, text) in enumerate(
            zip(values[kind], shardings_of(function, attribute, len(values[kind])), strict=True)
        )
    ]


def set_shardings(function: ir.Operation, kind: str, count: int, shardings: Mapping[int, ir.Attribute]) -> None:
    """Set the shardings of the function's `count` arguments or results, by number."""
    name = _LISTS[kind]
    dictionaries: list[dict[str, ir.Attribute]] = [{} for _ in range(count)]
    if name in function.attributes:
        dictionaries = [
            {one.name: one.attr for one in ir.DictAttr(each)} for each in ir.ArrayAttr(function.attributes[name])
        ]
    for number, sharding in shardings.items():
        dictionaries[number][SHARDING] = sharding
    with function.context:
        function.attributes[name] = ir.ArrayAttr.get([ir.DictAttr.get(one) for one in dictionaries])


def shardings_of(function: ir.Operation, kind: str, count: int) -> list[str]:
    """Shardy's text for the sharding of each argument (`arg_attrs`) or result (`res_attrs`); empty for none."""
    if kind not in function.attributes:
        return [""] * count
    found = list[str]()
    for one in ir.ArrayAttr(function.attributes[kind]):
        dictionary = ir.DictAttr(one)
        found.append(str(dictionary[SHARDING]) if SHARDING in dictionary else "")
    return found
