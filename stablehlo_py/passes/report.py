"""Reports of the optimization passes: patterns fired, ops removed, bytes folded, what stayed and why.

A command line tool that wants a report runs its passes inside `collect()`; a pass describes its work with
`current_report()`, which costs next to nothing when nobody collects. Statistics of passes that are written in Python
hold the same, in the form of MLIR's own, whose managers count for C++ passes only.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..bindings import ir
from ..bindings.remarks import emit_remark

if TYPE_CHECKING:
    from .snapshot.parts import Op

_RULE = "===-" + "-" * 73 + "-==="


@dataclass(eq=False)
class PatternRecord:
    """The number of times that a pattern fired, and the seconds spent in it, attempts without a match included."""

    fired: int = 0
    seconds: float = 0.0


class PassReport:
    """The work of one run of one pass; sums over all functions that it ran on."""

    def __init__(self, pass_name: str = "") -> None:
        self.pass_name = pass_name
        self.ops_before = self.ops_after = 0
        self.ops_erased_as_dead = self.ops_folded = 0
        self.constant_bytes_created = self.constant_bytes_before = self.constant_bytes_after = 0
        self.seconds = 0.0
        self.patterns: dict[str, PatternRecord] = defaultdict(PatternRecord)
        self.kept: dict[tuple[str, str], int] = defaultdict(int)

    def keep(self, op_name: str, reason: str, location: ir.Location | None = None) -> None:
        """Note why an op of constant operands stays as it is, with a remark at its location."""
        self.kept[op_name, reason] += 1
        if location is not None:
            emit_remark(location, "MISSED", f"keep {op_name}", self.pass_name, reason)

    def fire(self, pattern: str, op: Op) -> None:
        """Note that a pattern changed the op."""
        self.patterns[pattern].fired += 1
        emit_remark(op.location, "PASSED", pattern, self.pass_name)

    def add(self, other: PassReport) -> None:
        """Add the work of another run."""
        for name, figure in vars(other).items():
            if isinstance(figure, int | float):
                setattr(self, name, getattr(self, name) + figure)
        for name, record in other.patterns.items():
            self.patterns[name].fired += record.fired
            self.patterns[name].seconds += record.seconds
        for reason, count in other.kept.items():
            self.kept[reason] += count

    def as_dict(self) -> dict[str, object]:
        """Return the report as plain data; see `to_json`."""
        return {
            "pass": self.pass_name,
            "ops_before": self.ops_before,
            "ops_after": self.ops_after,
            "ops_removed": self.ops_before - self.ops_after,
            "ops_erased_as_dead": self.ops_erased_as_dead,
            "ops_folded": self.ops_folded,
            "constant_bytes_created": self.constant_bytes_created,
            "constant_bytes_before": self.constant_bytes_before,
            "constant_bytes_after": self.constant_bytes_after,
            "seconds": round(self.seconds, 6),
            "patterns": [
                {"pattern": name, "fired": record.fired, "seconds": round(record.seconds, 6)}
                for name, record in self._by_use()
            ],
            "kept": [{"op": op, "reason": reason, "count": count} for (op, reason), count in sorted(self.kept.items())],
        }

    def _by_use(self) -> list[tuple[str, PatternRecord]]:
        return sorted(self.patterns.items(), key=lambda item: (-item[1].fired, -item[1].seconds, item[0]))

    def as_text(self) -> str:
        """Return the report as a few aligned lines; patterns that never fired are left out."""
        removed = self.ops_before - self.ops_after
        lines = [
            f"{self.pass_name}: {self.ops_before} ops -> {self.ops_after} ({removed} fewer) in {self.seconds:.3f} s",
            f"  folded {self.ops_folded} ops into {self.constant_bytes_created} bytes of constants, "
            f"erased {self.ops_erased_as_dead} dead ops",
            f"  constants: {self.constant_bytes_before} bytes -> {self.constant_bytes_after} bytes",
        ]
        fired = [(name, record) for name, record in self._by_use() if record.fired]
        width = max((len(name) for name, _ in fired), default=0)
        lines += [f"  {name:<{width}}  {record.fired:>7} x  {record.seconds:.4f} s" for name, record in fired]
        lines += [f"  kept {count} x {op}: {reason}" for (op, reason), count in sorted(self.kept.items())]
        return "\n".join(lines)


class ReportCollection:
    """Return the reports of a pipeline, in the order of its passes' first runs."""

    def __init__(self) -> None:
        self.reports: dict[str, PassReport] = {}

    def report_for(self, pass_name: str) -> PassReport:
        """Return the report that the runs of this pass add to."""
        if pass_name not in self.reports:
            self.reports[pass_name] = PassReport(pass_name)
        return self.reports[pass_name]

    def to_json(self) -> str:
        """Return a JSON list with an object for each pass."""
        import json

        return json.dumps([report.as_dict() for report in self.reports.values()], indent=2)

    def to_text(self) -> str:
        """Return a paragraph for each pass."""
        return "\n".join(report.as_text() for report in self.reports.values())


_collection: ContextVar[ReportCollection | None] = ContextVar("pass reports", default=None)


def start_collecting() -> ReportCollection:
    """Collect the passes' reports in the returned value, from here on in this context."""
    collection = ReportCollection()
    _collection.set(collection)
    return collection


@contextmanager
def collect() -> Generator[ReportCollection]:
    """Collect the reports of the passes that run inside the `with` block."""
    outer = _collection.get()
    try:
        yield start_collecting()
    finally:
        _collection.set(outer)


def current_report(pass_name: str) -> PassReport:
    """Return the report to add to: the collecting tool's, or one that is thrown away."""
    collection = _collection.get()
    return PassReport(pass_name) if collection is None else collection.report_for(pass_name)


@dataclass(eq=False)
class PassStatistics:
    """Statistics of the Python passes of one pipeline: a name, a number and a description for each pass."""

    of_pass: dict[str, dict[str, tuple[int, str]]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, pass_name: str, before: int, after: int) -> None:
        """Count a run of a pass on an op that held `before` ops, and `after` ops then."""
        known = self.of_pass[pass_name]
        for name, number, text in (
            ("ops-before", before, "Number of ops that the pass ran on"),
            ("ops-after", after, "Number of ops behind the pass"),
        ):
            known[name] = (known.get(name, (0, ""))[0] + number, text)

    def print(self, collection: ReportCollection, *, as_list: bool) -> None:
        """Write them, with the passes' reports, to standard error, in the order of the passes or sorted by name."""
        for pass_name, report in collection.reports.items():
            known = self.of_pass[pass_name]
            known["ops-folded"] = (report.ops_folded, "Number of ops folded into constants")
            known["ops-erased-as-dead"] = (report.ops_erased_as_dead, "Number of ops erased because nothing uses them")
            for name, record in report.patterns.items():
                if record.fired:
                    known[name] = (record.fired, "Number of times that the pattern fired")
        if not self.of_pass:
            return
        lines = [_RULE, "Pass statistics report: passes in Python".center(len(_RULE)).rstrip(), _RULE]
        for name in sorted(self.of_pass) if as_list else self.of_pass:
            width = max(len(str(number)) for number, _ in self.of_pass[name].values())
            found = self.of_pass[name].items()
            lines += [name, *(f"  (S) {number:>{width}} {title} - {text}" for title, (number, text) in found)]
        sys.stderr.write("\n".join([*lines, "", ""]))
