"""All cases of the kit, and choices among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from ..bindings import make_context
from ..dialect.facts import facts
from .case import Case, one_by_one
from .registry import Draw, families

_ONE_BY_ONE = ("ordinary", "special values", "denormals", "ties", "wrap-around", "shift past the width", "total order")
_SCALARS = 16
Level = Literal["smoke", "full"]


@dataclass(frozen=True)
class Choice:
    """Which cases to take.

    Attributes:
        ops: Ops, without the dialect; all where it is empty.
        types: Element types; all where it is empty.
        level: `smoke` takes the first case of each op and kind, for a few element types.
        seed: What the inputs are drawn from.
    """

    ops: Collection[str] = ()
    types: Collection[str] = ()
    level: Level = "full"
    seed: int = 0


def cases(choice: Choice | None = None) -> Iterator[Case]:
    """Generate the chosen cases, op by op, always in the same order and with the same names."""
    chosen = Choice() if choice is None else choice
    draw = Draw(chosen.seed, tuple(chosen.types), chosen.level == "smoke")
    context = make_context()
    for op, several in families().items():
        known = context.is_registered_operation(f"stablehlo.{op}")  # bindings of earlier releases lack the newest ops
        if known and (not chosen.ops or op in chosen.ops):
            yield from _chosen(
                _numbered(_with_scalars(chain.from_iterable(family(op, draw) for family in several))), chosen
            )


def _with_scalars(found: Iterable[Case]) -> Iterator[Case]:
    """Yield the cases; after each case of an elementwise op, the same on single elements."""
    for case in found:
        yield case
        if facts(f"stablehlo.{case.op}").is_elementwise and case.kind in _ONE_BY_ONE and len(case.expected) == 1:
            alone = one_by_one(case, _SCALARS)
            if alone is not None:
                yield alone


def _numbered(found: Iterable[Case]) -> Iterator[Case]:
    counts: Counter[tuple[str, str]] = Counter()
    for case in found:
        number = counts[case.type, case.kind]
        counts[case.type, case.kind] += 1
        yield case.numbered(number)


def _chosen(found: Iterator[Case], choice: Choice) -> Iterator[Case]:
    if choice.level == "full":
        yield from (case for case in found if not choice.types or case.type in choice.types)
        return
    seen: set[tuple[str, str]] = set()
    for case in found:
        if (case.type, case.kind) not in seen and (not choice.types or case.type in choice.types):
            seen.add((case.type, case.kind))
            yield case
