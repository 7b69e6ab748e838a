"""Makes the attributes that the bindings refuse to hand out available in Python.

The bindings have a Python class for dense integer and for dense float attributes, and raise TypeError where they meet
any other element type: a complex constant could be neither read nor parsed. Releases with a class for each kind of
location raise it for a location that is the value of an attribute. How an attribute of the C++ side becomes a Python
object can be replaced, per attribute kind and process; here it is, by the base class for the other types.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from .provider import ir, register_type_caster

# The classes of locations, in releases that have some.
_LOCATIONS = ("UnknownLoc", "FileLineColLoc", "NameLoc", "CallSiteLoc", "FusedLoc")


def _dense_elements(attribute: ir.Attribute) -> ir.Attribute:
    element_type = ir.ShapedType(attribute.type).element_type
    if isinstance(element_type, ir.IntegerType | ir.IndexType):
        return ir.DenseIntElementsAttr(attribute)
    if isinstance(element_type, ir.FloatType):
        return ir.DenseFPElementsAttr(attribute)
    return ir.DenseElementsAttr(attribute)


def _location(kind: Callable[[Any], Any], value: Any) -> Any:
    return kind(value) if isinstance(value, ir.Location) else value


@cache
def register_casters() -> None:
    """Makes dense attributes of every element type and locations as attributes obtainable, once a process."""
    with ir.Context(), ir.Location.unknown():  # made by classes: what is parsed imports the dialect's Python module
        integer = ir.IntegerType.get_signless(32)
        example = ir.DenseElementsAttr.get_splat(ir.RankedTensorType.get([], integer), ir.IntegerAttr.get(integer, 0))
        register_type_caster(example.typeid, replace=True)(_dense_elements)
    for name in _LOCATIONS:
        kind = getattr(ir, name, None)
        if kind is not None:
            register_type_caster(kind.static_typeid, replace=True)(partial(_location, kind))
