"""Arithmetic that differs by element type: the spec's semantics live here, once.

`arithmetic(element_type).add` is what `add` does to elements of that type, and so on for every elementwise op;
`converter(source, target)` is what `convert` does.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ...bindings.types import ElementType, Kind
from .. import few
from . import conversion
from .arithmetic import Arithmetic, Operation
from .complex_numbers import ComplexNumbers
from .floats import Floats
from .integers import Booleans, Integers
from .narrow import NarrowFloats, NarrowIntegers
from .number_conversions import converter_with_numbers
from .numbers import with_numbers

__all__ = ["Arithmetic", "arithmetic", "converter"]


def arithmetic(element_type: ElementType) -> Arithmetic:
    """The operations on elements of this type. Those of a quantized type are on its storage."""
    return _arithmetic(element_type, few.ENABLED)


def converter(source: ElementType, target: ElementType) -> Operation:
    """The conversion of elements of one type to another. Spec: convert."""
    return (converter_with_numbers if few.ENABLED else conversion.converter)(source, target)


@cache
def _arithmetic(element_type: ElementType, has_numbers: bool) -> Arithmetic:
    arrays = array_arithmetic(element_type)
    return with_numbers(arrays) if has_numbers else arrays


def array_arithmetic(element_type: ElementType) -> Arithmetic:
    """The operations without number functions."""
    if element_type.kind is Kind.BOOLEAN:
        return Booleans(element_type)
    if element_type.kind is Kind.COMPLEX:
        return ComplexNumbers(element_type)
    if element_type.kind is Kind.FLOAT:
        return Floats(element_type) if element_type.bits > 8 else NarrowFloats(element_type)
    if np.issubdtype(element_type.dtype, np.integer):
        return Integers(element_type)
    return NarrowIntegers(element_type)
