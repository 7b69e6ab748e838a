"""Arithmetic that differs by element type: the spec's semantics live here, once.

`arithmetic(element_type).add` is what `add` does to elements of that type, and so on for every elementwise op;
`converter(source, target)` is what `convert` does.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ...bindings.types import ElementType, Kind
from .arithmetic import Arithmetic
from .complex_numbers import ComplexNumbers
from .conversion import converter
from .floats import Floats
from .integers import Booleans, Integers
from .narrow import NarrowFloats, NarrowIntegers

__all__ = ["Arithmetic", "arithmetic", "converter"]


@cache
def arithmetic(element_type: ElementType) -> Arithmetic:
    """Return the operations on elements of this type. Operations of a quantized type are on its storage."""
    if element_type.kind is Kind.BOOLEAN:
        return Booleans(element_type)
    if element_type.kind is Kind.COMPLEX:
        return ComplexNumbers(element_type)
    if element_type.kind is Kind.FLOAT:
        return Floats(element_type) if element_type.bits > 8 else NarrowFloats(element_type)
    if np.issubdtype(element_type.dtype, np.integer):
        return Integers(element_type)
    return NarrowIntegers(element_type)
