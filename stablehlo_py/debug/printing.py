"""Comparisons and traces as text for terminals and as tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .compare import Comparison, ResultComparison
    from .measures import Difference
    from .trace import Row, Trace


def comparison_text(comparison: Comparison) -> str:
    """What differs in a comparison, and the verdict."""
    lines = []
    for number, sample in enumerate(comparison.outcomes):
        for name, outcome in zip(comparison.engines, sample, strict=True):
            if not outcome.ok:
                lines.append(f"sample {number}: {name}: {outcome}")
    for entry in comparison.results:
        if entry.verdict != "same":
            lines += _result_lines(entry)
    counts = len(comparison.results), sum(entry.verdict == "same" for entry in comparison.results)
    lines.append(f"{comparison.verdict}: {counts[1]} of {counts[0]} results agree with {comparison.engines[0]}")
    largest = max(
        (entry.difference.max_ulp for entry in comparison.results if entry.difference is not None), default=0.0
    )
    lines.append(f"largest difference: {largest:.4g} ULP")
    return "\n".join(lines)


def _result_lines(entry: ResultComparison) -> list[str]:
    found = entry.difference
    head = f"sample {entry.sample}, result {entry.result} {entry.type}: {entry.engine} {entry.verdict}"
    if found is None:
        return [f"{head}: it is of another shape"]
    lines = [
        f"{head} (allowed: {entry.tolerance})",
        f"  {found.mismatches} of {found.count} elements; largest difference {found.max_absolute:.4g} absolute, "
        f"{found.max_relative:.4g} relative, {found.max_ulp:.4g} ULP",
        f"  ULP at 50, 90, 99, 100 %: {', '.join(f'{value:.4g}' for value in found.quantiles)}",
    ]
    if any(found.nans) or any(found.infinities):
        lines.append(f"  NaN: {found.nans[0]}, expected {found.nans[1]}; "
                     f"infinities: {found.infinities[0]}, expected {found.infinities[1]}")  # fmt: skip
    lines += [f"  {list(index)}: {first}, expected {second}" for index, first, second in found.worst]
    lines += [f"  the spec leaves it open: {reason}" for reason in entry.open_ops]
    return lines


def _ulp(found: Difference | None) -> str:
    return "-" if found is None else f"{found.max_ulp:.4g}"


def _line(row: Row) -> str:
    columns = "".join(f"{_ulp(found):>12}" for found in (row.local, row.accumulated, row.compiled))
    mark = "!" if row.wrong else " "
    return f"{mark}{columns}  {row.place if not row.failure else f'{row.place}: {row.failure}'}"


def trace_text(found: Trace, *, show_all: bool = False) -> str:
    """A line for the worst ops of a trace, or for all, and the first wrong one."""
    head = f" {'local':>12}{'accumulated':>12}{'as compiled':>12}  op (differences in ULP)"
    chosen = list(found.rows) if show_all else _worst(found)
    lines = [f"{found.engine} measured against {found.reference}", head, *map(_line, chosen)]
    for engine, spot in found.first_nonfinite.items():
        lines.append(f"first NaN or infinity in {engine}: {spot}")
    if found.note:
        lines.append(f"note: {found.note}")
    culprit = found.culprit
    lines.append("no op is wrong by itself" if culprit is None else f"first wrong op: {culprit}")
    return "\n".join(lines)


def _worst(found: Trace) -> list[Row]:
    """The first wrong ops and the worst ones of each kind, in program order."""
    wrong = [row for row in found.rows if row.wrong][:5]
    chosen = {id(row): row for kind in ("local", "accumulated", "compiled") for row in found.worst(kind)}
    chosen |= {id(row): row for row in wrong}
    return [row for row in found.rows if id(row) in chosen]


def comparison_table(comparison: Comparison) -> str:
    """A comparison as HTML, a row for each result."""
    rows = [
        (entry.sample, entry.result, entry.type, entry.engine, entry.verdict, _ulp(entry.difference))
        for entry in comparison.results
    ]
    headers = ("sample", "result", "type", "engine", "verdict", "largest difference in ULP")
    return _table(f"{comparison.verdict}: {', '.join(comparison.engines)}", headers, rows)


def trace_table(found: Trace) -> str:
    """The worst ops of a trace as HTML."""
    rows = [
        ("wrong" if row.wrong else "", _ulp(row.local), _ulp(row.accumulated), _ulp(row.compiled), row.place)
        for row in _worst(found)
    ]
    title = "no op is wrong by itself" if found.culprit is None else f"first wrong op: {found.culprit}"
    return _table(title, ("", "local", "accumulated", "as compiled", "op (differences in ULP)"), rows)


def _table(title: str, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    def line(cells: Sequence[object], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"

    body = "".join([line(headers, "th"), *(line(row, "td") for row in rows)])
    return f"<table><caption>{escape(title)}</caption>{body}</table>"
