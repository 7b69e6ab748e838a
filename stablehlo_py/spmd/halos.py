"""Halos: ranges of a dimension that reach into the parts of other devices, for windows, slices, pads and the like.

A part of the result needs a contiguous range of the operand. Its ends may lie in other parts, or outside the operand.
The range comes in pieces, one from each part that it meets. Pieces from the same distance are sent together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..bindings import ir
from ..bindings.attributes import ints_of
from ..bindings.elements import from_numpy, to_numpy

_MOST_PIECES = 16


class Piece(NamedTuple):
    """A piece of a range: each device gets it from the same distance.

    Attributes:
        length: Its size along the dimension.
        sources: The part that sends, by the part that receives.
        starts: Where the piece begins in the sender's part, by the part that sends.
        puts: Where it goes in the receiver's range, by the part that receives.
    """

    length: int
    sources: dict[int, int]
    starts: dict[int, int]
    puts: dict[int, int]

    @property
    def is_own(self) -> bool:
        """Whether every device has the piece itself."""
        return all(source == target for target, source in self.sources.items())


class HaloRange(NamedTuple):
    """The range of an operand's dimension for each part of the result; all ranges have the same size.

    Attributes:
        parts: The number of parts.
        size: The size of a part of the operand.
        first: Where the range of part 0 begins; negative numbers are padding.
        step: From there to the beginning of the next part's range.
        length: The size of the range.
        low: The padding of the local op before the range.
        high: The padding behind it.
    """

    parts: int
    size: int
    first: int
    step: int
    length: int
    low: int = 0
    high: int = 0

    @property
    def is_own(self) -> bool:
        """Whether each device has its range already."""
        return (self.first, self.step, self.length) == (0, self.size, self.size)

    @property
    def sent(self) -> int:
        """The size of all pieces that other devices send to a device."""
        return sum(piece.length for piece in self.pieces() if not piece.is_own)

    def words(self, dimension: int) -> str:
        """Return the ranges in words."""
        behind = self.first + self.length - self.size
        if self.step == self.size and self.first <= 0 <= behind:
            return f"{-self.first} before and {behind} behind each part of dimension {dimension}"
        sign = "-" if self.step < 0 else "+"
        return f"{self.length} of dimension {dimension} from {self.first} {sign} {abs(self.step)} x part on"

    @lru_cache(maxsize=256)  # noqa: B019 - of a tuple
    def pieces(self) -> tuple[Piece, ...]:
        """Return the pieces, one for each distance between sender and receiver."""
        sign, size = (-1 if self.step < 0 else 1), self.size
        met: dict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
        for part in range(self.parts):
            begin = self.first + part * self.step
            for source in range(max(0, begin // size), min(self.parts, -(-(begin + self.length) // size))):
                low, high = max(begin, source * size), min(begin + self.length, (source + 1) * size)
                met[source - sign * part].append((part, source, low - source * size, high - low))
        found = list[Piece]()
        for _, meetings in sorted(met.items()):
            length = max(each for *_, each in meetings)
            starts = {source: min(low, size - length) for _, source, low, _ in meetings}
            sources = {part: source for part, source, *_ in meetings}
            begins = {part: self.first + part * self.step for part in sources}
            puts = {part: sources[part] * size + starts[sources[part]] - begins[part] for part in sources}
            found.append(Piece(length, sources, starts, puts))
        return tuple(found)


class Halo(NamedTuple):
    """The windows of an operand's dimension, one for each element of the result's dimension.

    Attributes:
        size: The size of the operand's dimension.
        result: The size of the result's dimension.
        number: The dimension's number in the op's lists.
        start: Where the first window begins; negative numbers are padding.
        stride: From one window to the next.
        extent: The size of a window.
        dilation: From one element of the operand to the next.
        reversed: Whether the result has the elements in the opposite order.
    """

    size: int
    result: int
    number: int
    start: int = 0
    stride: int = 1
    extent: int = 1
    dilation: int = 1
    reversed: bool = False

    @property
    def is_own(self) -> bool:
        """Whether an element of the result depends on the element of the same number alone."""
        return not self.reversed and self[3:7] == (0, 1, 1, 1) and self.size == self.result

    def need(self, parts: int) -> HaloRange | None:
        """Return the ranges for this number of equal parts.

        None if the local op would differ between parts, or if there are more than `_MOST_PIECES` pieces.
        """
        size, result = self.size // parts, self.result // parts
        if self.reversed:
            return HaloRange(parts, size, self.size - size, -size, size)
        step, length = result * self.stride, (result - 1) * self.stride + self.extent
        if step % self.dilation and parts > 1:
            return None
        first, last = -(-self.start // self.dilation), (self.start + length - 1) // self.dilation
        low, high = first * self.dilation - self.start, self.start + length - 1 - last * self.dilation
        if last < first or last - first > step // self.dilation + _MOST_PIECES * size:
            return None
        found = HaloRange(parts, size, first, step // self.dilation, last - first + 1, low, high)
        return found if len(found.pieces()) <= _MOST_PIECES else None


def padding_of(op: ir.Operation, count: int) -> np.ndarray:
    """Return the padding of a window op: a row for each of its `count` dimensions."""
    return to_numpy(op.attributes["padding"]) if "padding" in op.attributes else np.zeros((count, 2), np.int64)


def local_window(op: ir.Operation, needs: Mapping[int, HaloRange]) -> dict[str, ir.Attribute]:
    """Return the attributes of an op that differ in the local one, which runs over ranges.

    Args:
        op: The op of the global program.
        needs: The ranges by the dimension's number in the op's lists.
    """
    if op.name in ("stablehlo.slice", "stablehlo.pad"):
        is_slice = op.name == "stablehlo.slice"
        names = ("start_indices", "limit_indices") if is_slice else ("edge_padding_low", "edge_padding_high")
        lists = [list(ints_of(op.attributes[name])) for name in names]
        for number, need in needs.items():
            lists[0][number], lists[1][number] = (0, need.length) if is_slice else (need.low, need.high)
        return {name: ir.DenseI64ArrayAttr.get(values) for name, values in zip(names, lists, strict=True)}
    if not needs or op.name not in ("stablehlo.reduce_window", "stablehlo.convolution"):
        return {}
    rank = ir.ShapedType(op.operands[0].type).rank
    padding = np.array(padding_of(op, rank if op.name == "stablehlo.reduce_window" else rank - 2))
    for number, need in needs.items():
        padding[number] = need.low, need.high
    return {"padding": from_numpy(padding)}
