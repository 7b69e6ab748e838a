"""The coverage of the kit: the element types, kinds of case and constraints that it tries of each op."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..dialect.catalog import constraints
from .case import Case
from .edges import edges


@dataclass
class Coverage:
    """The types, kinds of case and constraints that the cases of one op exercise.

    Attributes:
        op: The op.
        cases: How many cases.
        types: Element types, each with how many.
        kinds: Kinds of case, each with how many.
        constraints: Numbers of the spec's constraints that the first cases of each type and kind are at the edge of.
        others: Numbers of those that hold and are nowhere at their edge.
    """

    op: str
    cases: int = 0
    types: dict[str, int] = field(default_factory=dict[str, int])
    kinds: dict[str, int] = field(default_factory=dict[str, int])
    constraints: list[str] = field(default_factory=list[str])
    others: list[str] = field(default_factory=list[str])


def coverage(chosen: Iterable[Case]) -> list[Coverage]:
    """Count what cases exercise, op by op."""
    found: dict[str, Coverage] = {}
    first: dict[str, list[Case]] = {}
    for case in chosen:
        entry = found.setdefault(case.op, Coverage(case.op))
        entry.cases += 1
        if case.type not in entry.types or case.kind not in entry.kinds:
            first.setdefault(case.op, []).append(case)
        entry.types[case.type] = entry.types.get(case.type, 0) + 1
        entry.kinds[case.kind] = entry.kinds.get(case.kind, 0) + 1
    for entry in found.values():
        broken = edges(first[entry.op])
        for each in constraints().get(entry.op, ()):
            (entry.constraints if each.number in broken else entry.others).append(each.number)
    return list(found.values())


def text(found: Iterable[Coverage]) -> str:
    """The counts as Markdown."""
    lines = ["| op | cases | types | kinds | at the edge of | other constraints |", "|---|--:|--:|---|---|---|"]
    at_edge = total = 0
    for each in found:
        kinds = ", ".join(f"{kind} {count}" for kind, count in each.kinds.items())
        numbers = [", ".join(part) for part in (each.constraints, each.others)]
        lines.append(f"| `{each.op}` | {each.cases} | {len(each.types)} | {kinds} | {' | '.join(numbers)} |")
        at_edge += len(each.constraints)
        total += len(each.constraints) + len(each.others)
    lines += ["", f"{at_edge} of {total} constraints have a case at their edge: one step further breaks them."]
    return "\n".join([*lines, "docs/constraints.md lists the programs of tests/lit/verify on both sides of each."])
