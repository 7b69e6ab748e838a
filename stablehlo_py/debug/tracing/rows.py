"""The findings of `trace`: a row for each op, and the text of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...bindings import ir
from ...syntax.tables import table
from ..allowed.measures import Difference, brief
from ..programs.subject import OpLocation

_MOST_CHANGES = 10  # that are shown
KINDS = ("local", "accumulated", "compiled")


@dataclass(frozen=True)
class Inner:
    """The op inside a region that is wrong, and by how much.

    Attributes:
        place: The op; its `path` tells the region and the iteration.
        difference: Its local error, None where the engine does not run it.
        module: The op alone, or the body in which it was found where the op alone does not show the error.
        arguments: What that was run on.
    """

    place: OpLocation
    difference: Difference | None
    module: ir.Module
    arguments: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class TraceRow:
    """One op, measured.

    Attributes:
        place: The op.
        local: Its largest local error over its results; None where it could not be measured.
        accumulated: Its largest accumulated error.
        compiled: Its error as compiled; measured for the ops at the cuts only.
        failure: Why the engine does not run it alone, or empty.
        wrong: Whether the op alone fails, or its local error is beyond what the op is allowed.
        inside: The op inside its regions that is wrong, where one was found.
        partner: The op of the other program that it was measured against, where there are two.
        sentence: Where it is said what the results may be, if they are not those of the reference.
        is_open: Whether the results differ where the spec leaves them to the implementation.
        growth: How many times larger its accumulated error is than that of its operands.
        differs_in_context: Whether the op is right alone, but not among the ops around it.
    """

    place: OpLocation
    local: Difference | None = None
    accumulated: Difference | None = None
    compiled: Difference | None = None
    failure: str = ""
    wrong: bool = False
    inside: Inner | None = None
    partner: OpLocation | None = None
    sentence: str = ""
    is_open: bool = False
    growth: float = 0.0
    differs_in_context: bool = False

    def __str__(self) -> str:
        spot = str(self.place if self.inside is None else self.inside.place)
        with_partner = spot if self.partner is None else f"{spot}, there #{self.partner.number}"
        return f"{with_partner}: {self.failure}" if self.failure else with_partner


@dataclass(frozen=True)
class Trace:
    """The outcome of `trace`.

    Attributes:
        engine: The engine that was measured.
        reference: The engine that it was measured against.
        rows: A row for each op that has results.
        first_nonfinite: The first op in the reference and in the engine whose result has NaN or infinities though its
            operands have none.
        note: Why the trace is not whole, or empty.
        matched: How many ops were matched, where two programs are measured against each other.
        changes: What one of two programs has other than the other, in program order.
        cause: The likeliest of them to be the cause of other results, or empty.
        apart: How the results of two programs differ, or empty.
        program: The first wrong op as a program of its own, or the body around it; None where no op is wrong.
        arguments: The arguments for `program`.
    """

    engine: str
    reference: str
    rows: tuple[TraceRow, ...]
    first_nonfinite: Mapping[str, OpLocation] = field(default_factory=dict[str, OpLocation])
    note: str = ""
    program: ir.Module | None = None
    arguments: tuple[np.ndarray, ...] = field(repr=False, default=())
    matched: str = ""
    changes: tuple[str, ...] = ()
    cause: str = ""
    apart: str = ""

    @property
    def exit_code(self) -> int:
        """1 where an op is wrong or two programs part, 2 where ops could not be measured, otherwise 0."""
        if self.first is not None or self.apart or (self.matched and self.parting is not None):
            return 1
        return 2 if self.note else 0

    @property
    def first(self) -> TraceRow | None:
        """The first op that is wrong by itself."""
        return next((row for row in self.rows if row.wrong), None)

    @property
    def culprit(self) -> OpLocation | None:
        """The first wrong op, or the one inside its regions."""
        if self.first is None:
            return None
        return self.first.place if self.first.inside is None else self.first.inside.place

    @property
    def parting(self) -> TraceRow | None:
        """Return the first op whose accumulated error is larger than rounding explains."""
        return self.first_by("accumulated")

    def first_by(self, kind: str) -> TraceRow | None:
        """Return the first op whose `local`, `accumulated` or `compiled` error is beyond its tolerance."""
        measured = ((row, getattr(row, kind)) for row in self.rows)
        return next((row for row, found in measured if found is not None and not found.same), None)

    def worst(self, kind: str = "local", count: int = 5) -> list[TraceRow]:
        """Return the rows with the largest `local`, `accumulated` or `compiled` error in ULP."""
        measured = [row for row in self.rows if getattr(row, kind) is not None and getattr(row, kind).max_ulp > 0]
        return sorted(measured, key=lambda row: -getattr(row, kind).max_ulp)[:count]

    def __str__(self) -> str:
        return trace_text(self)

    def _repr_html_(self) -> str:
        rows = [
            ("wrong" if row.wrong else "", _ulp(row.local), _ulp(row.accumulated), _ulp(row.compiled), row)
            for row in _worst(self)
        ]
        title = "no op is wrong by itself" if self.culprit is None else f"first wrong op: {self.culprit}"
        return table(title, ("", "local", "accumulated", "as compiled", "op (differences in ULP)"), rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the trace as JSON holds it."""

        def number(entry: TraceRow | None) -> int | None:
            return None if entry is None else entry.place.number

        def row(entry: TraceRow) -> dict[str, Any]:
            measured = {"local": entry.local, "accumulated": entry.accumulated, "as_compiled": entry.compiled}
            return {
                **vars(entry.place),
                "wrong": entry.wrong,
                **{kind: None if found is None else found.as_dict() for kind, found in measured.items()},
                "failure": entry.failure,
                "inside": None if entry.inside is None else vars(entry.inside.place),
                "partner": None if entry.partner is None else vars(entry.partner),
                "sentence": entry.sentence,
                "implementation_defined": entry.is_open,
            }

        return {
            "engine": self.engine,
            "reference": self.reference,
            "culprit": None if self.culprit is None else vars(self.culprit),
            "first": {kind: number(self.first_by(kind)) for kind in KINDS},
            "worst": {kind: number(next(iter(self.worst(kind, 1)), None)) for kind in KINDS},
            "first_nonfinite": {name: vars(found) for name, found in self.first_nonfinite.items()},
            "rows": [row(entry) for entry in self.rows],
            "matched": self.matched,
            "changes": list(self.changes),
            "cause": self.cause,
            "apart": self.apart,
            "note": self.note,
        }


def _ulp(found: Difference | None) -> str:
    return "-" if found is None else brief(found.amount)


def _line(row: TraceRow) -> str:
    columns = "".join(f"{_ulp(found):>12}" for found in (row.local, row.accumulated, row.compiled))
    mark = "!" if row.wrong else " "
    return f"{mark}{columns}  {row}"


def trace_text(found: Trace, *, show_all: bool = False) -> str:
    """Return a line for the worst ops of a trace, or for all, and the first wrong one."""
    head = f" {'local':>12}{'accumulated':>12}{'as compiled':>12}  op (differences in ULP)"
    chosen = list(found.rows) if show_all else _worst(found)
    lines = [f"{found.engine} measured against {found.reference}", head, *map(_line, chosen)]
    for kind, title in zip(KINDS, ("local", "accumulated", "as compiled"), strict=True):
        first = found.first_by(kind)
        if first is not None:
            lines.append(f"first beyond its tolerance, {title}: {first}")
    for engine, spot in found.first_nonfinite.items():
        lines.append(f"first NaN or infinity in {engine}: {spot}")
    lines += [f"note: {text}" for text in (found.matched, found.note) if text]
    shown = found.changes if show_all else found.changes[:_MOST_CHANGES]
    lines += [f"changed: {text}" for text in shown]
    if len(shown) < len(found.changes):
        lines.append(f"and {len(found.changes) - len(shown)} more changes, which --all shows")
    culprit = found.culprit
    lines.append("no op is wrong by itself" if culprit is None else f"first wrong op: {culprit}")
    lines += [found.apart] if found.apart else []
    return "\n".join([*lines, f"likeliest cause: {found.cause}"] if found.cause else lines)


def _worst(found: Trace) -> list[TraceRow]:
    """Return the first wrong ops and the worst ones of each kind, in program order."""
    wrong = [row for row in found.rows if row.wrong][:5]
    chosen = {id(row): row for kind in KINDS for row in found.worst(kind)}
    chosen |= {id(row): row for row in (*wrong, *filter(None, map(found.first_by, KINDS)))}
    return [row for row in found.rows if id(row) in chosen]
