"""Tensor types made more precise."""

from __future__ import annotations

from collections.abc import Sequence

from ...bindings import ir, stablehlo_extension
from ..evaluation.op_arguments import DYNAMIC_SIZE
from .value_facts import Number, bounds_of


def refined_type(type_: ir.Type, extents: Sequence[Number]) -> ir.RankedTensorType:
    """The tensor type with the known extents put in; a bound stays where its extent is still unknown."""
    tensor = ir.RankedTensorType(type_)
    shape = [extent if isinstance(extent, int) else DYNAMIC_SIZE for extent in extents]
    encoding = tensor.encoding
    if encoding is not None and stablehlo_extension.TypeExtensions.isinstance(encoding):
        old = bounds_of(tensor)
        bounds = [bound if size == DYNAMIC_SIZE else None for size, bound in zip(shape, old, strict=True)]
        encoding = None
        if any(bound is not None for bound in bounds):
            numbers = [DYNAMIC_SIZE if bound is None else bound for bound in bounds]
            encoding = stablehlo_extension.TypeExtensions.get(numbers, tensor.context)
    with ir.Location.unknown(tensor.context):
        return ir.RankedTensorType.get(shape, tensor.element_type, encoding)
