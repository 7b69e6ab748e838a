"""The values that live at a time, the bytes that each op finds and adds, and the number of rounds of loops."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from ..bindings import ir
from ..bindings.attributes import int_of
from ..bindings.build import DYNAMIC_SIZE
from ..bindings.elements import to_numpy
from ..bindings.types import element_type
from ..bindings.walk import blocks, body_of, operations, terminator_of
from ..dialect.facts import facts
from ..dialect.loops import counter_of, definer
from .sizes import Amount, Sizes


@dataclass(frozen=True)
class Visit:
    """One op of a function, as it runs when the function is called once.

    Attributes:
        op: The op.
        number: Its position in the function, in the order of the text.
        runs: How often it runs: more than once in loops.
        live: The bytes of the values that live before it, the function's arguments included.
        results: The bytes of its results.
        dying: The bytes of operands that nothing uses later.
        trips: How often its body runs in one run, where it is a loop; None where that is not known.
    """

    op: ir.Operation
    number: int
    runs: int
    live: Amount
    results: Amount
    dying: Amount
    trips: int | None = 1

    @property
    def peak(self) -> Amount:
        """The bytes that live while it runs. The carried values of a loop take the memory of the operands that end
        there."""
        added = self.results - self.dying if self.op.name == "stablehlo.while" else self.results
        return self.live + added


class Liveness:
    """Walks a function, the ops of loops and branches included; both branches of an `if` are taken to run."""

    def __init__(self, function: ir.Operation, sizes: Sizes) -> None:
        self.function = function
        self.sizes = sizes
        self.numbers: dict[ir.Operation, int] = {}
        self.last_use: dict[ir.Value, int] = {}
        for number, op in enumerate(operations(function)):
            self.numbers[op] = number
            self.last_use.update(dict.fromkeys(op.operands, number))

    def visits(self) -> Iterator[Visit]:
        """Return every op that runs, without terminators; ops of regions come after the block around them."""
        pending: list[tuple[ir.Block, int, Amount]] = [(body_of(self.function), 1, 0)]
        while pending:
            for visit in self._block(*pending.pop()):
                yield visit
                pending += reversed(list(self._regions(visit)))

    def _block(self, block: ir.Block, runs: int, below: Amount) -> Iterator[Visit]:
        """Visit the ops of a block that runs `runs` times, while `below` bytes live outside it."""
        ops = [op.operation for op in block.operations]
        starts = [self.numbers[op] for op in ops]
        ends = self._ends(list(block.arguments), starts)
        total = below + sum(map(self.sizes.bytes, block.arguments))
        for position, op in enumerate(ops[:-1]):
            results: Amount = sum(map(self.sizes.bytes, op.results))
            for result in op.results:
                used = self.last_use.get(result, starts[position])
                ends.setdefault(bisect_right(starts, used) - 1, []).append(result)
            dead, own = ends.pop(position, []), set(op.results)
            freed: Amount = sum(map(self.sizes.bytes, dead))
            dying: Amount = sum([self.sizes.bytes(value) for value in dead if value not in own])
            trips: int | None = 1
            if op.name == "stablehlo.while":  # what its regions capture lives while they run
                operands, trips = set(op.operands), trip_count(op)
                dying = sum([self.sizes.bytes(value) for value in dead if value in operands])
            yield Visit(op, starts[position], runs, total, results, dying, trips)
            total = total + results - freed

    def _ends(self, values: list[ir.Value], starts: list[int]) -> dict[int, list[ir.Value]]:
        """Return the values that end with each op of a block, by the op's position in it."""
        ends: dict[int, list[ir.Value]] = {}
        for value in values:
            used = self.last_use.get(value)
            position = 0 if used is None else bisect_right(starts, used) - 1
            ends.setdefault(position, []).append(value)
        return ends

    def _regions(self, visit: Visit) -> Iterator[tuple[ir.Block, int, Amount]]:
        """Yield the blocks that an op runs, how often, and the bytes that live outside them."""
        op = visit.op
        if op.name == "stablehlo.while":
            trips = 1 if visit.trips is None else visit.trips
            below = visit.live - visit.dying
            yield body_of(op, 0), visit.runs * (trips + 1), below
            yield body_of(op, 1), visit.runs * trips, below
        elif facts(op.name).is_control_flow:
            for block in blocks(op):
                yield block, visit.runs, visit.live


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
    least, greatest = element_type(str(ir.RankedTensorType(loop.operands[counter.index].type).element_type)).bounds
    if rounds is None or not least <= rounds.stop <= greatest:  # the counter wraps around
        return None
    return (rounds.stop - rounds.start) // rounds.step


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
    """Return the bits of a 0-d tensor of integers; None for any other value."""
    type_ = value.type
    is_integer = isinstance(type_, ir.RankedTensorType) and isinstance(type_.element_type, ir.IntegerType)
    return type_.element_type.width if is_integer and not type_.rank else None


def _is_widening(conversion: ir.Operation) -> bool:
    before, after = _width(conversion.operands[0]), _width(conversion.results[0])
    return before is not None and after is not None and before < after


def _limit(loop: ir.Operation, value: ir.Value) -> int | None:
    """Return a bound in the condition: a constant, or a value that the loop carries along unchanged."""
    if value.owner != body_of(loop, 0):
        return _constant(value)
    number = ir.BlockArgument(value).arg_number
    passed = terminator_of(body_of(loop, 1)).operands[number]
    return _constant(loop.operands[number]) if passed == body_of(loop, 1).arguments[number] else None
