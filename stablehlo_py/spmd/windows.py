"""Slices and pads along a dimension that is cut, which need values of other devices and which Shardy's export refuses.

Such an operand is brought together along that dimension first, and the result is whole there.
"""

from __future__ import annotations

from ..bindings import ir
from ..bindings.attributes import ints_of
from ..bindings.shardings import with_whole_dimensions
from ..bindings.types import TensorType, TypeReader
from ..bindings.walk import operations
from .attributes import SHARDING, sharding_of


def gather_in_front_of_windows(function: ir.Operation) -> None:
    """Let every device hold whole what slices and pads in the function cut or extend."""
    types = TypeReader()
    for op in operations(function):
        if op.name not in ("stablehlo.slice", "stablehlo.pad"):
            continue
        type_ = types[op.operands[0].type]
        if not isinstance(type_, TensorType) or not type_.is_static:
            continue
        changed = _changed(op, type_.static_shape)
        if SHARDING in op.attributes:
            text = with_whole_dimensions(str(op.attributes[SHARDING]), [changed])
            op.attributes[SHARDING] = ir.Attribute.parse(text, op.context)
        sharding = sharding_of(op.operands[0])
        if sharding and changed:
            _reshard_operand(op, with_whole_dimensions(sharding, [changed]))


def _changed(op: ir.Operation, shape: tuple[int, ...]) -> set[int]:
    """The dimensions along which the result has other elements than the operand."""
    if op.name == "stablehlo.slice":
        starts, limits, strides = [
            ints_of(op.attributes[name]) for name in ("start_indices", "limit_indices", "strides")
        ]
        kept = zip(starts, limits, strides, shape, strict=True)
        return {d for d, (start, limit, stride, size) in enumerate(kept) if (start, limit, stride) != (0, size, 1)}
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    paddings = [ints_of(op.attributes[name]) for name in names]
    return {d for d in range(len(shape)) if any(padding[d] for padding in paddings)}


def _reshard_operand(op: ir.Operation, sharding: str) -> None:
    text = sharding.replace("#sdy.sharding_per_value<[<", "#sdy.sharding<").replace(">]>", ">")
    operand = op.operands[0]
    with op.context, op.location:
        op.operands[0] = ir.Operation.create(
            "sdy.reshard",
            [operand.type],
            [operand],
            {"sharding": ir.Attribute.parse(text)},
            ip=ir.InsertionPoint(op),
        ).results[0]
