"""Attributes as plain data: numbers, names and lists."""

from __future__ import annotations

from .provider import ir


def int_of(attribute: ir.Attribute) -> int:
    """Return the number in an integer attribute."""
    return int(ir.IntegerAttr(attribute).value)


def ints_of(attribute: ir.Attribute) -> tuple[int, ...]:
    """A list of integers, whatever kind of attribute holds it: `array<i64>`, dense elements or an array of integers."""
    if isinstance(attribute, ir.ArrayAttr):
        return tuple(map(int_of, attribute))
    if isinstance(attribute, ir.DenseI64ArrayAttr):
        return tuple(attribute)
    from .elements import to_numpy

    return tuple(to_numpy(attribute).reshape(-1).tolist())


def string_of(attribute: ir.Attribute) -> str:
    """Return the text in a string attribute."""
    return ir.StringAttr(attribute).value


def symbol_of(attribute: ir.Attribute) -> str:
    """Return the name in a reference to a symbol, without the `@`."""
    return ir.FlatSymbolRefAttr(attribute).value


def symbol_rows(attribute: ir.Attribute) -> list[list[str]]:
    """The names in a list of lists of references, such as the programs of a grid's processes, replica by replica."""
    return [[symbol_of(name) for name in ir.ArrayAttr(row)] for row in ir.ArrayAttr(attribute)]


def enum_of(attribute: ir.Attribute) -> str:
    """Return the value in an attribute of an enumeration: `LT` of `#stablehlo<comparison_direction LT>`."""
    return str(attribute).rstrip(">").split()[-1].rpartition("<")[2]


def symbol_name(op: ir.Operation) -> str:
    """Return the name of the symbol that `op` defines, such as a function's."""
    return string_of(op.attributes["sym_name"])


def is_private(function: ir.Operation) -> bool:
    """Whether only the module's own calls can call a function."""
    visibility = function.attributes.get("sym_visibility")
    return visibility is not None and string_of(visibility) == "private"


CALLS = {"func.call": "callee", "stablehlo.composite": "decomposition"}  # ops by the attribute that names a function


def callee_of(op: ir.Operation) -> str:
    """Return the function that a call, or a composite, names; empty for another op."""
    name = CALLS.get(op.name)
    return "" if name is None else symbol_of(op.attributes[name])


def is_set(op: ir.Operation, name: str) -> bool:
    """Whether the boolean attribute `name` of `op` is present and true."""
    return name in op.attributes and ir.BoolAttr(op.attributes[name]).value
