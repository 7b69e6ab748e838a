"""The number of rounds of a loop, where its counter tells."""

from __future__ import annotations

import math

from ..bindings import ir
from ..bindings.attributes import enum_of, int_of
from ..bindings.build import DYNAMIC_SIZE
from ..bindings.elements import to_numpy
from ..bindings.walk import body_of, is_result, terminator_of


def trip_count(loop: ir.Operation) -> int | None:
    """Return how often the body of a `while` runs: a counter goes from a constant to a constant by a constant.

    That is the form in which JAX writes `scan` and `fori_loop`. None for other loops.
    """
    test = _defining(terminator_of(body_of(loop, 0)).operands[0])
    if test is None or test.name != "stablehlo.compare":
        return None
    counter, limit = test.operands
    if not _is_argument(counter, body_of(loop, 0)):
        return None
    number = ir.BlockArgument(counter).arg_number
    step = _step(loop, number)
    start, end = _constant(loop.operands[number]), _limit(loop, limit)
    direction = enum_of(test.attributes["comparison_direction"])
    if start is None or end is None or not step or direction not in ("LT", "LE", "GT", "GE"):
        return None
    if (direction in ("LT", "LE")) != (step > 0):
        return None
    distance = (end - start) * (1 if step > 0 else -1) + (direction in ("LE", "GE"))
    return max(math.ceil(distance / abs(step)), 0)


def _defining(value: ir.Value) -> ir.Operation | None:
    return ir.OpResult(value).owner.operation if is_result(value) else None


def _is_argument(value: ir.Value, block: ir.Block) -> bool:
    return not is_result(value) and value.owner == block


def _constant(value: ir.Value) -> int | None:
    """The number that a value always is: a constant or the size of a static dimension, converted to a wider type."""
    op = _defining(value)
    while op is not None and op.name == "stablehlo.convert" and _is_widening(op):
        op = _defining(op.operands[0])
    if op is None or _width(op.results[0]) is None:
        return None
    if op.name == "stablehlo.get_dimension_size":
        size = ir.RankedTensorType(op.operands[0].type).shape[int_of(op.attributes["dimension"])]
        return None if size == DYNAMIC_SIZE else size
    if op.name != "stablehlo.constant":
        return None
    number = int(to_numpy(op.attributes["value"]))
    return number if number >= 0 or op.results[0] == value else None  # an unsigned type has no negative ones


def _width(value: ir.Value) -> int | None:
    """The bits of a 0-d tensor of integers; None for any other value."""
    type_ = value.type
    is_integer = isinstance(type_, ir.RankedTensorType) and isinstance(type_.element_type, ir.IntegerType)
    return type_.element_type.width if is_integer and not type_.rank else None


def _is_widening(conversion: ir.Operation) -> bool:
    before, after = _width(conversion.operands[0]), _width(conversion.results[0])
    return before is not None and after is not None and before < after


def _limit(loop: ir.Operation, value: ir.Value) -> int | None:
    """A bound in the condition: a constant, or a value that the loop carries along unchanged."""
    if _is_argument(value, body_of(loop, 0)):
        number = ir.BlockArgument(value).arg_number
        passed = terminator_of(body_of(loop, 1)).operands[number]
        return _constant(loop.operands[number]) if passed == body_of(loop, 1).arguments[number] else None
    return _constant(value)


def _step(loop: ir.Operation, number: int) -> int | None:
    """By how much the body adds to the counter."""
    body = body_of(loop, 1)
    addition = _defining(terminator_of(body).operands[number])
    if addition is None or addition.name not in ("stablehlo.add", "stablehlo.subtract"):
        return None
    first, second = addition.operands
    if first != body.arguments[number]:
        first, second = second, first
        if addition.name == "stablehlo.subtract":
            return None
    if first != body.arguments[number]:
        return None
    step = _constant(second)
    return -step if step is not None and addition.name == "stablehlo.subtract" else step
