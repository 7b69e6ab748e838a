"""Makes the attributes that the bindings refuse to hand out available in Python.

The bindings have a Python class for dense integer and for dense float attributes, and raise TypeError where they meet
any other element type: a complex constant could be neither read nor parsed. How an attribute of the C++ side becomes
a Python object can be replaced, per attribute kind and process; here it is, by the base class for the other types.
"""

from __future__ import annotations

from functools import cache

from .provider import ir, register_type_caster


def _dense_elements(attribute: ir.Attribute) -> ir.Attribute:
    element_type = ir.ShapedType(attribute.type).element_type
    if isinstance(element_type, ir.IntegerType | ir.IndexType):
        return ir.DenseIntElementsAttr(attribute)
    if isinstance(element_type, ir.FloatType):
        return ir.DenseFPElementsAttr(attribute)
    return ir.DenseElementsAttr(attribute)


@cache
def register_casters() -> None:
    """Makes dense attributes of every element type obtainable, once a process."""
    with ir.Context(), ir.Location.unknown():  # made by classes: what is parsed imports the dialect's Python module
        integer = ir.IntegerType.get_signless(32)
        example = ir.DenseElementsAttr.get_splat(ir.RankedTensorType.get([], integer), ir.IntegerAttr.get(integer, 0))
    register_type_caster(example.typeid, replace=True)(_dense_elements)
