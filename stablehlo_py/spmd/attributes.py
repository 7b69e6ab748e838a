"""The attributes by which a program spreads its values over the devices, as Shardy prints them."""

from __future__ import annotations

from ..bindings import ir

SHARDING = "sdy.sharding"
_NAMES = ("out_sharding", "sharding", SHARDING)


def shardings_of(function: ir.Operation, kind: str, count: int) -> list[str]:
    """Shardy's text for the sharding of each argument (`arg_attrs`) or result (`res_attrs`); empty for none."""
    if kind not in function.attributes:
        return [""] * count
    found = []
    for one in ir.ArrayAttr(function.attributes[kind]):
        dictionary = ir.DictAttr(one)
        found.append(str(dictionary[SHARDING]) if SHARDING in dictionary else "")
    return found


def sharding_of(value: ir.Value) -> str:
    """Shardy's text for the sharding of an argument of a function or the only result of an op; empty for none."""
    if isinstance(value, ir.BlockArgument):
        function = value.owner.owner.operation
        if function.name != "func.func":
            return ""
        return shardings_of(function, "arg_attrs", len(value.owner.arguments))[value.arg_number]
    op = ir.OpResult(value).owner.operation
    if len(op.results) != 1:
        return ""
    return next((str(op.attributes[name]) for name in _NAMES if name in op.attributes), "")
