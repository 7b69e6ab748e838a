"""Additions to the bindings, made once a process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from .provider import dialect_registry, ir, register_type_caster

# The classes of locations, in releases that have some.
_LOCATIONS = ("UnknownLoc", "FileLineColLoc", "NameLoc", "CallSiteLoc", "FusedLoc")
HAS_ATTRIBUTE_LOOKUP = hasattr(ir.OpAttributeMap, "get")


@cache
def complete_bindings() -> None:
    """Make all attributes obtainable, give op attributes the methods of a dictionary, and add modules of dialects.

    Whenever an op, a type or an attribute becomes a Python object, the bindings import the module of its dialect. Where
    there is none they try again the next time: on a module of 10,000 VHLO ops that was 85 % of the time. So the folder
    `dialects` has those that the provider lacks.
    """
    _register_casters()
    if not HAS_ATTRIBUTE_LOOKUP:  # iteration gives the same as before, as others in the process may rely on it
        for name in ("get", "items", "keys", "values"):
            setattr(ir.OpAttributeMap, name, getattr(_Lookup, name))
    dialect_registry.append_dialect_search_prefix(f"{__package__}.dialects")


class _Lookup:
    """The methods of a dictionary; `self` is the bindings' object for the attributes of an op."""

    def get(self: Any, key: str, default: object = None) -> object:
        return dict(self.items()).get(key, default)

    def items(self: Any) -> list[tuple[str, ir.Attribute]]:
        named = (self[index] for index in range(len(self)))
        return [(attribute.name, attribute.attr) for attribute in named]

    def keys(self: Any) -> list[str]:
        return [name for name, _ in self.items()]

    def values(self: Any) -> list[ir.Attribute]:
        return [attribute for _, attribute in self.items()]


def _dense_elements(attribute: ir.Attribute) -> ir.Attribute:
    element_type = ir.ShapedType(attribute.type).element_type
    if isinstance(element_type, ir.IntegerType | ir.IndexType):
        return ir.DenseIntElementsAttr(attribute)
    if isinstance(element_type, ir.FloatType):
        return ir.DenseFPElementsAttr(attribute)
    return ir.DenseElementsAttr(attribute)


def _location(kind: Callable[[Any], Any], value: Any) -> Any:
    return kind(value) if isinstance(value, ir.Location) else value


def _register_casters() -> None:
    """Make dense attributes of every element type, and locations as attributes, obtainable.

    The bindings have a Python class for dense integer and for dense float attributes, and raise TypeError where they
    meet any other element type: a complex constant could be neither read nor parsed. Releases with a class for each
    kind of location raise it for a location that is the value of an attribute.
    """
    with ir.Context(), ir.Location.unknown():  # made by classes: what is parsed imports the dialect's Python module
        integer = ir.IntegerType.get_signless(32)
        example = ir.DenseElementsAttr.get_splat(ir.RankedTensorType.get([], integer), ir.IntegerAttr.get(integer, 0))
        register_type_caster(example.typeid, replace=True)(_dense_elements)
    for name in _LOCATIONS:
        kind = getattr(ir, name, None)
        if kind is not None:
            register_type_caster(kind.static_typeid, replace=True)(partial(_location, kind))


@cache
def takes_boolean_bytes() -> bool:
    """Whether a constant of booleans is made from a byte for each; before jaxlib 0.9.2 it is a bit."""
    with ir.Context(), ir.Location.unknown():
        booleans = ir.RankedTensorType.get([2], ir.IntegerType.get_signless(1))
        try:
            ir.DenseElementsAttr.get(memoryview(bytes([1, 0])).cast("?"), type=booleans)
        except ValueError:
            return False
    return True
