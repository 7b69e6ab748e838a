"""Two programs side by side, with their differences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..bindings import ir
from ..bindings.walk import functions, operations
from .diff import Diff, FunctionPair, diff
from .listing import listing
from .matching import longest_rising
from .page import Page, make_page

Row = list[Any]  # kind, line of the first program, line of the second, details
_SCRIPTS = ("common.js", "sides.js", "diff.js")


class _Lines:
    """Return the line of text of each op of a program; None if it shares the line of the op around it."""

    def __init__(self, module: ir.Module) -> None:
        found = listing(module)
        ops = operations(module.operation)
        self.numbers = {op: number for number, op in enumerate(ops)}
        self.texts: list[str | None] = []
        before = -1
        for line in found.line_numbers:
            self.texts.append(None if line == before else found.lines[line])
            before = line

    def of(self, function: ir.Operation) -> list[str | None]:
        """Return lines of a function and its ops."""
        start = self.numbers[function]
        return self.texts[start : start + len(operations(function))]


def _rows(comparison: FunctionPair, lines: tuple[_Lines, _Lines]) -> Iterator[Row]:
    """Yield the ops of two functions in one order, partners beside each other where both orders allow it."""
    first, second = (side.of(one.function) for side, one in zip(lines, comparison.sides, strict=True))
    partner, back = comparison.matching.partner
    pairs = [pair for pair in comparison.matching.pairs() if pair[0] not in comparison.moved]
    pairs = [pairs[position] for position in longest_rising([other for _, other in pairs])]
    at, beside = 0, 0
    for one, other in [*pairs, (len(first), len(second))]:
        gone = [number for number in range(at, one) if first[number] is not None]
        new = [number for number in range(beside, other) if second[number] is not None]
        removed, inserted = [n for n in gone if partner[n] == -1], [n for n in new if back[n] == -1]
        replaced = dict(zip(removed, inserted, strict=False))
        for number in gone:
            kind = "moved" if partner[number] != -1 else "replaced" if number in replaced else "removed"
            yield [kind, first[number], second[replaced[number]] if number in replaced else None, []]
        shown = set(replaced.values())
        for number in [n for n in new if n not in shown]:
            yield ["inserted" if back[number] == -1 else "moved", None, second[number], []]
        if one < len(first) and (first[one] is not None or second[other] is not None):
            details = list(comparison.details[one])
            yield ["changed" if details else "same", first[one], second[other], details]
        at, beside = one + 1, other + 1


def side_by_side(first: ir.Module, second: ir.Module, names: tuple[str, str], found: Diff | None = None) -> Page:
    """Make a page with two programs side by side.

    Args:
        first: A program.
        second: Another one, of the same context.
        names: What they are called.
        found: Their differences, where they are known already.

    Returns:
        The page; nothing in it is fetched from anywhere.
    """
    title = f"{names[0]} and {names[1]}"
    sides = sides_of(first, second, diff(first, second) if found is None else found)
    return make_page(title, "diff.html", _SCRIPTS, {"title": title, "names": names, **sides})


def sides_of(first: ir.Module, second: ir.Module, changes: Diff) -> dict[str, Any]:
    """Return what a page shows of the differences of two programs: a summary, and the lines of each function."""
    lines = _Lines(first), _Lines(second)
    parts = [{"name": comparison.name, "rows": list(_rows(comparison, lines))} for comparison in changes.comparisons]
    paired = [{one.sides[side].function for one in changes.comparisons} for side in (0, 1)]
    for side, (module, kind) in enumerate(((first, "removed"), (second, "inserted"))):
        for name, function in functions(module.operation).items():
            if function not in paired[side]:
                texts = [text for text in lines[side].of(function) if text is not None]
                rows: list[list[Any]] = [[kind, None, text, []] if side else [kind, text, None, []] for text in texts]
                parts.append({"name": name, "rows": rows})
    beside = [f"{each.kind} {each.op}: {'; '.join(each.details)}" for each in changes if not each.function]
    return {"summary": repr(changes)[1:-1], "beside": beside, "functions": parts}
