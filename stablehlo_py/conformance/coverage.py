"""The coverage of the kit: the element types, kinds of case and constraints that it tries of each op."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..contracts.catalog import constraints
from .case import Case


@dataclass
class Coverage:
    """What the cases of one op exercise.

    Attributes:
        op: The op.
        cases: How many cases.
        types: Element types, each with how many.
        kinds: Kinds of case, each with how many.
        constraints: Numbers of the spec's constraints that hold for some case: those about all instances, and those
            about quantized ones where there are such cases.
        open: The constraints about instances that the kit does not tell apart, with when they apply.
    """

    op: str
    cases: int = 0
    types: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    constraints: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)


def coverage(chosen: Iterable[Case]) -> list[Coverage]:
    """Count what cases exercise, op by op."""
    found: dict[str, Coverage] = {}
    for case in chosen:
        entry = found.setdefault(case.op, Coverage(case.op))
        entry.cases += 1
        entry.types[case.type] = entry.types.get(case.type, 0) + 1
        entry.kinds[case.kind] = entry.kinds.get(case.kind, 0) + 1
    for entry in found.values():
        for each in constraints().get(entry.op, ()):
            held = not each.when or ("quantized" in each.when and "quantized" in entry.types)
            (entry.constraints if held else entry.open).append(each.number if held else f"{each.number} ({each.when})")
    return list(found.values())


def text(found: Iterable[Coverage]) -> str:
    """The counts as Markdown."""
    lines = ["| op | cases | types | kinds | constraints | not told apart |", "|---|--:|--:|---|---|---|"]
    for each in found:
        kinds = ", ".join(f"{kind} {count}" for kind, count in each.kinds.items())
        cells = (f"`{each.op}`", each.cases, len(each.types), kinds, ", ".join(each.constraints), ", ".join(each.open))
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)
