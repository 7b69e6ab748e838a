"""Differences of two programs: ops that were changed, inserted, removed or moved, whatever their values are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from ..bindings import ir
from ..bindings.attributes import is_private, symbol_name
from ..bindings.diagnostics import file_location
from ..bindings.elements import to_numpy
from ..bindings.walk import blocks, children, functions, operations
from ..errors import StablehloError
from ..syntax.tables import shortened, table
from .matching import Matching, Side, outermost
from .symbols import Labels, attributes_without_names, pair_functions

Kind = Literal["changed", "inserted", "removed", "moved"]
_SHOWN_ELEMENTS = 3


@dataclass(frozen=True)
class Change:
    """One difference.

    Attributes:
        kind: `changed`, `inserted` (only in the second program), `removed` (only in the first) or `moved`.
        function: The function that it is in; empty for what stands beside functions.
        path: The ops around it, the outermost first.
        op: The op's name in the program that has it.
        details: For a changed op, what is different: `attribute x: 1 -> 2`.
        first: The location in the first program, or empty.
        second: The location in the second program, or empty.
        partner: The function of the second program; empty where it has none.
        indices: The positions in the texts of both functions, as `explain` has them, or None.
    """

    kind: Kind
    function: str
    path: tuple[str, ...]
    op: str
    details: tuple[str, ...] = ()
    first: str = ""
    second: str = ""
    partner: str = ""
    indices: tuple[int | None, int | None] = (None, None)

    def as_dict(self) -> dict[str, Any]:
        """The change as JSON holds it."""
        return {**vars(self), "path": list(self.path), "details": list(self.details), "indices": list(self.indices)}


class Diff(list[Change]):
    """The differences of two programs, function by function; empty if they are equal.

    `comparisons` has the functions that correspond, for those who want to show them side by side.
    """

    def __init__(self, changes: Sequence[Change] = (), comparisons: Sequence[FunctionPair] = ()) -> None:
        super().__init__(changes)
        self.comparisons = tuple(comparisons)

    def __repr__(self) -> str:
        counts = {kind: sum(change.kind == kind for change in self) for kind in get_args(Kind)}
        told = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        return f"<Diff: {told if told else 'the same program'}>"

    def _repr_html_(self) -> str:
        rows = [
            (change.kind, f"@{change.function}", change.op, "; ".join(change.details), change.first, change.second)
            for change in self
        ]
        return table(repr(self)[1:-1], ("what", "function", "op", "details", "first", "second"), rows)

    def as_dict(self) -> list[dict[str, Any]]:
        """The changes as JSON holds them."""
        return [change.as_dict() for change in self]


class FunctionPair:
    """Two functions that correspond."""

    def __init__(self, name: str, first: ir.Operation, second: ir.Operation, labels: tuple[Labels, Labels]) -> None:
        self.name, self.partner = name, symbol_name(second)
        self.labels = labels
        self.sides = Side(first, labels[0].own), Side(second, labels[1].own)
        self.matching = Matching(*self.sides)
        self.moved = self.matching.moved()
        self.details = {a: tuple(self._details(a, b)) for a, b in self.matching.pairs()}

    def changes(self) -> Iterator[Change]:
        """Yield the differences in the order of the first function; inserted ops come last."""
        partner, back = self.matching.partner
        removed = outermost([n for n, other in enumerate(partner) if other == -1], self.sides[0].parents)
        gone = set(removed)
        for number, other in enumerate(partner):
            if number in gone:
                yield self._change("removed", number, None)
            elif other != -1 and self.details[number]:
                yield self._change("changed", number, other)
            elif number in self.moved:
                yield self._change("moved", number, other)
        for number in outermost([n for n, other in enumerate(back) if other == -1], self.sides[1].parents):
            yield self._change("inserted", None, number)

    def _change(self, kind: Kind, first: int | None, second: int | None) -> Change:
        side, number = (1, second) if first is None else (0, first)
        locations = self._location(0, first), self._location(1, second)
        details = self.details[first] if kind == "changed" and first is not None else ()
        if kind == "changed" and first in self.moved:
            details = (*details, "moved")
        chosen = 0 if number is None else number
        within = len(operations(self.sides[side].ops[chosen])) - 1 if kind in ("removed", "inserted") else 0
        if within:
            details = (*details, f"with {within} ops inside")
        path, name = self._path(side, chosen), self.sides[side].ops[chosen].name
        partner = "" if second is None else self.partner
        return Change(kind, self.name, path, name, details, *locations, partner, (first, second))

    def _location(self, side: int, number: int | None) -> str:
        return "" if number is None else file_location(self.sides[side].ops[number].location)

    def _path(self, side: int, number: int) -> tuple[str, ...]:
        found: list[str] = []
        number = self.sides[side].parents[number]
        while number != -1:
            found.append(self.sides[side].ops[number].name)
            number = self.sides[side].parents[number]
        return tuple(found[::-1])

    def _details(self, first: int, second: int) -> Iterator[str]:
        """Yield the differences of two ops that are partners."""
        a, b = self.sides[0].ops[first], self.sides[1].ops[second]
        if self.sides[0].own[first] != self.sides[1].own[second]:
            yield from _attribute_changes(a, b, self.labels)
            types = [[str(result.type) for result in op.results] for op in (a, b)]
            if types[0] != types[1]:
                yield f"result type: {shortened(', '.join(types[0]))} -> {shortened(', '.join(types[1]))}"
        if len(a.regions) != len(b.regions):
            yield f"{len(a.regions)} regions -> {len(b.regions)}"
        for number, pair in enumerate(zip(blocks(a), blocks(b), strict=False)):
            types = [", ".join([str(argument.type) for argument in block.arguments]) for block in pair]
            if types[0] != types[1] and a.name != "func.func":  # a function's type says it
                yield f"arguments of block {number}: {shortened(types[0])} -> {shortened(types[1])}"
        operands, others = self.sides[0].operands[first], self.sides[1].operands[second]
        if len(operands) != len(others):
            yield f"{len(operands)} operands -> {len(others)}"
            return
        for number, (one, other) in enumerate(zip(operands, others, strict=True)):
            if not self.matching.same_value(one, other):
                yield f"operand {number} is another value"
                yield f"  {self._value(0, one)} -> {self._value(1, other)}"

    def _value(self, side: int, definition: tuple[int, int, int]) -> str:
        number, region, index = definition
        op = self.sides[side].ops[number]
        if region != -1:
            return f"argument {index} of {op.name}"
        location = file_location(op.location)
        return f"result {index} of {op.name}" + (f" at {location}" if location else "")


def _constant_change(first: ir.Attribute, second: ir.Attribute) -> str:
    """Return the number of elements in which two constants of one shape differ, and the index of the first; empty if
    none."""
    try:
        a, b = to_numpy(first), to_numpy(second)
    except (StablehloError, TypeError, ValueError):
        return ""
    if a.shape != b.shape or a.dtype != b.dtype or a.size < 2:
        return ""
    bits = [np.ascontiguousarray(each).view(np.uint8).reshape(*each.shape, each.itemsize) for each in (a, b)]
    indices = np.argwhere((bits[0] != bits[1]).any(axis=-1))
    if not len(indices):
        return ""
    shown = ", ".join(
        f"{index.tolist()}: {a[tuple(index)]} -> {b[tuple(index)]}" for index in indices[:_SHOWN_ELEMENTS]
    )
    return f" ({len(indices)} of {a.size} elements: {shown}{', …' if len(indices) > _SHOWN_ELEMENTS else ''})"


def _attribute_changes(first: ir.Operation, second: ir.Operation, labels: tuple[Labels, Labels]) -> Iterator[str]:
    a, b = attributes_without_names(first), attributes_without_names(second)
    for name in sorted({*a, *b}):
        texts = [known.text(one[name]) if name in one else "" for known, one in zip(labels, (a, b), strict=True)]
        if texts[0] == texts[1]:
            continue
        constants = _constant_change(a[name], b[name]) if name == "value" and name in a and name in b else ""
        old, new = (shortened(one[name]) if name in one else "absent" for one in (a, b))
        yield f"attribute {name}: {old} -> {new}{constants}"


def _alone(side: int, op: ir.Operation, function: str, details: tuple[str, ...] = ()) -> Change:
    """The change that an op is which only one program has."""
    location, index = file_location(op.location), 0 if function else None
    if side == 0:
        return Change("removed", function, (), op.name, details, location, indices=(index, None))
    return Change("inserted", function, (), op.name, details, "", location, function, (None, index))


def _beside_functions(first: ir.Module, second: ir.Module) -> Iterator[Change]:
    """Yield the differences in the attributes of the modules, and in symbols other than functions."""
    modules = first.operation, second.operation
    details = tuple(_attribute_changes(*modules, (Labels({}), Labels({}))))
    if details:
        locations = file_location(first.operation.location), file_location(second.operation.location)
        yield Change("changed", "", (), "builtin.module", details, *locations)
    others = [[op for op in children(module) if op.name != "func.func"] for module in modules]
    texts = [[str(op) for op in side] for side in others]
    for side in (0, 1):
        for op, text in zip(others[side], texts[side], strict=True):
            if text not in texts[1 - side]:
                yield _alone(side, op, "", (shortened(text),))


def diff(first: ir.Module, second: ir.Module) -> Diff:
    """List what differs between two programs of one context.

    Args:
        first: A program.
        second: Another one.

    Returns:
        The differences, function by function; empty where the programs are the same up to locations, the order of
        functions, and the names of values and of functions that only the program itself can call.
    """
    known = functions(first.operation), functions(second.operation)
    pairs = pair_functions(first, second)
    labels = Labels.of(known[0], pairs, 0), Labels.of(known[1], pairs, 1)
    changes = list(_beside_functions(first, second))
    for side in (0, 1):
        paired = {pair[side] for pair in pairs}
        changes += [_alone(side, function, name) for name, function in known[side].items() if name not in paired]
    comparisons = list[FunctionPair]()
    for one, other in pairs:
        comparison = FunctionPair(one, known[0][one], known[1][other], labels)
        if is_private(known[0][one]) != is_private(known[1][other]):
            sort = ["private" if is_private(known[side][name]) else "public" for side, name in enumerate((one, other))]
            changes.append(Change("changed", one, (), "func.func", (f"visibility: {sort[0]} -> {sort[1]}",),
                                  partner=other, indices=(0, 0)))  # fmt: skip
        changes += comparison.changes()
        comparisons.append(comparison)
    return Diff(changes, comparisons)
