"""What differs between two programs: ops that were changed, inserted, removed or moved, whatever they are called.

Ops are matched by structure first: the same op on the same operands, as far as those match in turn. What is left is
matched by name and order, and told as a change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from ..bindings import ir
from ..bindings.build import attributes_of
from ..bindings.diagnostics import file_location
from ..bindings.walk import blocks, functions

Kind = Literal["changed", "inserted", "removed", "moved"]
_SHOWN_CHARACTERS = 160
# Beyond so many pairs of ops that could match, those between the first and the last change are not matched by name.
_MOST_PAIRS = 4_000_000
_SYMBOLS = ("sym_name", "sym_visibility")


@dataclass(frozen=True)
class Change:
    """One difference.

    Attributes:
        kind: `changed`, `inserted` (only in the second program), `removed` (only in the first) or `moved`.
        function: The function that it is in.
        path: The ops around it, the outermost first.
        op: The op's name in the program that has it.
        details: For a changed op, what is different: `attribute x: 1 -> 2`.
        first: The location in the first program, or empty.
        second: The location in the second program, or empty.
    """

    kind: Kind
    function: str
    path: tuple[str, ...]
    op: str
    details: tuple[str, ...] = ()
    first: str = ""
    second: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The change as JSON holds it."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in vars(self).items()}


def _shown(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"


class _Structure:
    """The digests of values and ops of a program: equal where names, types, attributes, operands and regions are."""

    def __init__(self) -> None:
        self.values: dict[ir.Value, str] = {}
        self.attributes: dict[ir.Attribute, str] = {}

    def block(self, block: ir.Block, label: str) -> list[str]:
        """The digest of every op of a block. `label` stands for the block in those of its arguments."""
        for argument in block.arguments:
            self.values[argument] = f"{label} {argument.arg_number} {argument.type}"
        return [self.op(op.operation) for op in block.operations]

    def op(self, op: ir.Operation) -> str:
        """The digest of an op, which those of its results contain."""
        found = hashlib.blake2b(digest_size=12)
        found.update(self.own(op).encode())
        for operand in op.operands:
            found.update(self.values.get(operand, "?").encode())
        for number, block in enumerate(blocks(op)):
            for digest in self.block(block, f"{op.name} {number}"):
                found.update(digest.encode())
        digest = found.hexdigest()
        self.values.update({result: f"{digest} {index}" for index, result in enumerate(op.results)})
        return digest

    def own(self, op: ir.Operation) -> str:
        """What an op says by itself: its name, types and attributes."""
        named = sorted(attributes_of(op).items())
        texts = [f"{name}={self.text(attribute)}" for name, attribute in named]
        return " ".join([op.name, *texts, *(str(result.type) for result in op.results)])

    def text(self, attribute: ir.Attribute) -> str:
        """The attribute's text, printed once: constants are large."""
        if attribute not in self.attributes:
            self.attributes[attribute] = str(attribute)
        return self.attributes[attribute]


class _Comparison:
    def __init__(self, function: str) -> None:
        self.function = function
        self.structures = _Structure(), _Structure()
        self.changes: list[Change] = []
        self.pairs: dict[ir.Value, ir.Value] = {}

    def blocks(self, first: ir.Block, second: ir.Block, path: tuple[str, ...], label: str) -> None:
        """Compare two blocks that correspond."""
        digests = self.structures[0].block(first, label), self.structures[1].block(second, label)
        ops = [op.operation for op in first.operations], [op.operation for op in second.operations]
        self.pairs.update(zip(first.arguments, second.arguments, strict=False))
        if digests[0] == digests[1]:
            self.match_all(ops[0], ops[1])
            return
        matches = _by_digest(digests[0], digests[1])
        self.match_all([ops[0][a] for a, _ in matches], [ops[1][b] for _, b in matches])
        self.moves(ops[0], ops[1], matches, path)
        rest = [sorted(set(range(len(side))) - {pair[n] for pair in matches}) for n, side in enumerate(ops)]
        self.remaining([ops[0][n] for n in rest[0]], [ops[1][n] for n in rest[1]], path)

    def match_all(self, first: Sequence[ir.Operation], second: Sequence[ir.Operation]) -> None:
        """Remember which results correspond."""
        for a, b in zip(first, second, strict=True):
            self.pairs.update(zip(a.results, b.results, strict=True))

    def moves(
        self, first: Sequence[ir.Operation], second: Sequence[ir.Operation], pairs: Sequence[tuple[int, int]], path: Any
    ) -> None:
        """Tell of ops that stand in another order among those that stayed the same."""
        kept = {pairs[n] for n in _longest_rising([b for _, b in pairs])}
        for a, b in pairs:
            if (a, b) not in kept:
                self.add("moved", path, first[a], first[a], second[b])

    def remaining(self, first: Sequence[ir.Operation], second: Sequence[ir.Operation], path: tuple[str, ...]) -> None:
        """Match what is left by name and order; what has no partner was inserted or removed."""
        names = [op.name for op in first], [op.name for op in second]
        start = _common(names[0], names[1])
        end = _common(names[0][start:][::-1], names[1][start:][::-1])
        stops = len(first) - end, len(second) - end
        alike = [*zip(first[:start], second[:start], strict=True)]
        removed, inserted = list(first[start : stops[0]]), list(second[start : stops[1]])
        if len(removed) * len(inserted) <= _MOST_PAIRS:
            matcher = SequenceMatcher(None, names[0][start : stops[0]], names[1][start : stops[1]], autojunk=False)
            runs = [(run.a, run.b, run.size) for run in matcher.get_matching_blocks()]
            alike += [(removed[a + n], inserted[b + n]) for a, b, size in runs for n in range(size)]
            for a, b, size in reversed(runs):
                del removed[a : a + size], inserted[b : b + size]
        for one, other in [*alike, *zip(first[stops[0] :], second[stops[1] :], strict=True)]:
            self.changed(one, other, path)
        for op in removed:
            self.add("removed", path, op, op, None)
        for op in inserted:
            self.add("inserted", path, op, None, op)

    def changed(self, first: ir.Operation, second: ir.Operation, path: tuple[str, ...]) -> None:
        """Tell what differs between two ops of one name, and go on inside their regions."""
        details = [
            *_attribute_changes(first, second),
            *_type_changes(first, second),
            *self.operand_changes(first, second),
        ]
        self.pairs.update(zip(first.results, second.results, strict=False))
        if details:
            self.add("changed", path, first, first, second, tuple(details))
        inner = (*path, first.name)
        for number, (a, b) in enumerate(zip(blocks(first), blocks(second), strict=False)):
            self.blocks(a, b, inner, f"{first.name} {number}")

    def operand_changes(self, first: ir.Operation, second: ir.Operation) -> Iterator[str]:
        if len(first.operands) != len(second.operands):
            yield f"{len(first.operands)} operands -> {len(second.operands)}"
            return
        for number, (a, b) in enumerate(zip(first.operands, second.operands, strict=True)):
            if a in self.pairs and self.pairs[a] != b:
                yield f"operand {number} is another value"

    def add(
        self,
        kind: Kind,
        path: tuple[str, ...],
        op: ir.Operation,
        first: ir.Operation | None,
        second: ir.Operation | None,
        details: tuple[str, ...] = (),
    ) -> None:
        places = ["" if one is None else file_location(one.location) for one in (first, second)]
        self.changes.append(Change(kind, self.function, path, op.name, details, *places))


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many entries two lists share at the beginning."""
    for number, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return number
    return min(len(first), len(second))


def _by_digest(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of places with equal digests, each place once, in order among equals."""
    places: dict[str, list[int]] = {}
    for number in reversed(range(len(second))):
        places.setdefault(second[number], []).append(number)
    return [(number, places[digest].pop()) for number, digest in enumerate(first) if places.get(digest)]


def _longest_rising(numbers: Sequence[int]) -> list[int]:
    """The places of a longest rising subsequence."""
    from bisect import bisect_left

    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        at = bisect_left(tails, number)
        before.append(ends[at - 1] if at else -1)
        tails[at : at + 1] = [number]
        ends[at : at + 1] = [place]
    found, place = [], ends[-1] if ends else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]


def _attribute_changes(first: ir.Operation, second: ir.Operation) -> Iterator[str]:
    a, b = attributes_of(first), attributes_of(second)
    for name in sorted({*a, *b} - set(_SYMBOLS)):
        if a.get(name) != b.get(name):
            old, new = (_shown(one[name]) if name in one else "absent" for one in (a, b))
            yield f"attribute {name}: {old} -> {new}"


def _type_changes(first: ir.Operation, second: ir.Operation) -> Iterator[str]:
    a, b = ([str(result.type) for result in op.results] for op in (first, second))
    if a != b:
        yield f"result type: {_shown(', '.join(a))} -> {_shown(', '.join(b))}"


def diff(first: ir.Module, second: ir.Module) -> list[Change]:
    """List what differs between two programs of one context.

    Args:
        first: A program.
        second: Another one.

    Returns:
        The differences, function by function; empty where the programs are the same up to the names of values and
        functions' order, and locations.
    """
    a, b = functions(first.operation), functions(second.operation)
    changes = [
        Change("removed", name, (), "func.func", (), file_location(a[name].location)) for name in a if name not in b
    ]
    changes += [
        Change("inserted", name, (), "func.func", (), "", file_location(b[name].location))
        for name in b
        if name not in a
    ]
    for name in a:
        if name in b:
            comparison = _Comparison(name)
            comparison.changed(a[name], b[name], ())
            changes += comparison.changes
    return changes
