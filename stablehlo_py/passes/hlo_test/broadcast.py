"""`hlo-test-broadcast`: broadcasts operands to a common shape as numpy does, bounded dimensions included, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...bindings import ir
from ...bindings.build import create, create_value, tensor_type
from ...bindings.types import bounds_of
from .base import Answer, QuestionPass


@dataclass(frozen=True)
class BroadcastSize:
    """A dimension: its size, or the bound of its size and then the value and dimension where the size is found."""

    size: int
    bounded_by: ir.Value | None = None
    dimension: int = 0


class BroadcastError(Exception):
    """A lack of a common shape of operands; `culprit` is the operand that does not fit, or None."""

    def __init__(self, message: str, culprit: ir.Value | None = None) -> None:
        super().__init__(message)
        self.culprit = culprit


def sizes(value: ir.Value) -> list[BroadcastSize]:
    """Return the dimensions of a ranked tensor. Raises `BroadcastError` for any other value."""
    if not isinstance(value.type, ir.RankedTensorType):
        raise BroadcastError("expected ranked tensor type for broadcast inputs", value)
    tensor = ir.RankedTensorType(value.type)
    found: list[BroadcastSize] = []
    bounds = bounds_of(tensor)
    for dimension, size in enumerate(tensor.shape):
        bound = bounds[dimension] if bounds else None
        found.append(BroadcastSize(size) if bound is None else BroadcastSize(bound, value, dimension))
    return found


def _common(lhs: BroadcastSize, rhs: BroadcastSize, rhs_operand: ir.Value) -> BroadcastSize:
    if lhs.size == 1:
        return rhs
    if rhs.size == 1:
        return lhs
    if lhs.size != rhs.size:
        raise BroadcastError(f"incompatible shapes for broadcasting {lhs.size} and {rhs.size}", rhs_operand)
    if (lhs.bounded_by is None) != (rhs.bounded_by is None):
        raise BroadcastError("cannot mix bounded and static dimensions in broadcast", rhs_operand)
    return lhs


def common_shape(operands: Sequence[ir.Value]) -> list[BroadcastSize]:
    """Return the common shape of all operands, aligned at the last dimension.

    Raises:
        BroadcastError: There is no such shape.
    """
    if not operands:
        raise BroadcastError("requires at least one operand to broadcast")
    shape = sizes(operands[0])
    for operand in operands[1:]:
        other = sizes(operand)
        rank = max(len(shape), len(other))
        shape, other = ([BroadcastSize(1)] * (rank - len(s)) + s for s in (shape, other))
        shape = [_common(lhs, rhs, operand) for lhs, rhs in zip(shape, other, strict=True)]
    return shape


def _tensor_type(shape: Sequence[BroadcastSize], element_type: ir.Type) -> ir.Type:
    bounds = [None if size.bounded_by is None else size.size for size in shape]
    sizes = [size.size if size.bounded_by is None else None for size in shape]
    return tensor_type(sizes, element_type, bounds)


def _padded(size: BroadcastSize, target: BroadcastSize) -> BroadcastSize:
    """Return one dimension after the broadcast: a static one is broadcast to the bound of its target."""
    return BroadcastSize(target.size) if size.bounded_by is None else target


def broadcast(operand: ir.Value, shape: Sequence[BroadcastSize]) -> ir.Value:
    """Return `operand`, broadcast at the current insertion point to its common shape with others; itself if it has
    that shape already.

    A dimension that becomes bounded is filled up to its bound first, then given the size of the dimension that it
    follows."""
    element_type = ir.RankedTensorType(operand.type).element_type
    if operand.type == _tensor_type(shape, element_type):
        return operand
    own = sizes(operand)
    added = len(shape) - len(own)
    padded = [BroadcastSize(target.size) for target in shape[:added]] + list(map(_padded, own, shape[added:]))
    dimensions = ir.DenseI64ArrayAttr.get(range(added, len(shape)))
    result = _tensor_type(padded, element_type)
    value = create_value("stablehlo.broadcast_in_dim", [operand], result, {"broadcast_dimensions": dimensions})
    i64 = ir.IntegerType.get_signless(64)
    for position, (filled, target) in enumerate(zip(padded, shape, strict=True)):
        if filled.bounded_by is None and target.bounded_by is not None:
            of_source = {"dimension": ir.IntegerAttr.get(i64, target.dimension)}
            size = create_value("stablehlo.get_dimension_size", [target.bounded_by], attributes=of_source)
            of_value = {"dimension": ir.IntegerAttr.get(i64, position)}
            value = create_value("stablehlo.set_dimension_size", [value, size], attributes=of_value)
    return value


def _rewrite(op: Any, rewriter: Any) -> bool:
    """Replace the op by a custom call on broadcast operands, which no pattern matches again; true means no match."""
    try:
        shape = common_shape(list(op.operands))
    except BroadcastError as error:
        where = op.location if error.culprit is None else error.culprit.location
        where.emit_error(str(error))
        return True
    with rewriter.ip, op.location:
        attributes = {
            "call_target_name": ir.StringAttr.get("numpy_broadcasted"),
            "has_side_effect": ir.BoolAttr.get(True),
        }
        operands = [broadcast(operand, shape) for operand in op.operands]
        call = create("stablehlo.custom_call", operands, [result.type for result in op.results], attributes)
    rewriter.replace_op(op, call)
    return False


@dataclass(frozen=True)
class HloTestBroadcast(QuestionPass):
    """Replace `hlo_test_broadcast.numpy_broadcast` by a custom call whose operands have been broadcast."""

    name: ClassVar[str] = "hlo-test-broadcast"
    summary: ClassVar[str] = "Broadcasts the operands of hlo_test_broadcast ops as numpy does, bounds included"
    answers: ClassVar[Mapping[str, Answer]] = {"hlo_test_broadcast.numpy_broadcast": _rewrite}
