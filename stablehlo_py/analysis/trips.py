"""The number of rounds of a loop, where its counter tells."""

from __future__ import annotations

from ..bindings import ir
from ..bindings.attributes import int_of
from ..bindings.build import DYNAMIC_SIZE
from ..bindings.elements import to_numpy
from ..bindings.walk import body_of, terminator_of
from ..dialect.loops import counter_of, definer


def trip_count(loop: ir.Operation) -> int | None:
    """Return how often the body of a `while` runs: a counter goes from a constant to a constant by a constant; None
    for other loops."""
    counter = counter_of(loop)
    if counter is None:
        return None
    start, limit = _constant(loop.operands[counter.index]), _limit(loop, counter.test.operands[1])
    step = _constant(counter.addition.operands[counter.step_index])
    if start is None or limit is None or step is None:
        return None
    rounds = counter.rounds(start, limit, step)
    return None if rounds is None else (rounds.stop - rounds.start) // rounds.step


def _constant(value: ir.Value) -> int | None:
    """The number that a value always is: a constant or the size of a static dimension, converted to a wider type."""
    op = definer(value)
    while op is not None and op.name == "stablehlo.convert" and _is_widening(op):
        op = definer(op.operands[0])
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
    if value.owner != body_of(loop, 0):
        return _constant(value)
    number = ir.BlockArgument(value).arg_number
    passed = terminator_of(body_of(loop, 1)).operands[number]
    return _constant(loop.operands[number]) if passed == body_of(loop, 1).arguments[number] else None
