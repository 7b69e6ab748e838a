"""Reports of the kit: a text for the terminal, JSON, JUnit, one HTML page, and tables in Markdown.

Failures may be known and accepted. A line of their file is a pattern of names of cases, such as `sort.i2.*`, and after
`#` the cause. Other lines are empty or comments.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ...analysis.page import make_page
from ...errors import InputError
from ...junit import JUnitCase, junit_report
from .run import Report
from .scoring import VERDICTS, Score

_FAILED = ("wrong", "crash", "timeout")


@dataclass(frozen=True)
class Known:
    """A pattern of names of cases and why they fail."""

    pattern: str
    cause: str


def read_known(path: str) -> list[Known]:
    """Read a file of accepted failures. Raises InputError."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read '{path}': {error}") from error
    lines = [[part.strip() for part in line.partition("#")] for line in text.splitlines()]
    return [Known(pattern, cause) for pattern, _, cause in lines if pattern]


def cause_of(entry: Score, known: Sequence[Known]) -> str | None:
    """Return the cause of the first accepted failure that a score is one of, or None."""
    return next((each.cause for each in known if fnmatchcase(entry.case, each.pattern)), None)


def failures(entries: Sequence[Score]) -> list[Score]:
    """Return the cases that an engine gets wrong or that end it, without unsupported ones."""
    return [entry for entry in entries if entry.verdict in _FAILED]


def regressions(report: Report, known: Sequence[Known]) -> list[Score]:
    """Return the failures that are not accepted."""
    return [entry for entry in failures(report.entries) if cause_of(entry, known) is None]


def mended(report: Report, known: Sequence[Known]) -> list[Known]:
    """Return the accepted failures whose cases all pass now."""
    done: list[Known] = []
    for each in known:
        matching = [entry for entry in report.entries if fnmatchcase(entry.case, each.pattern)]
        if matching and all(entry.verdict == "pass" for entry in matching):
            done.append(each)
    return done


_SHOWN = 20
_SHOWN_CHARACTERS = 200


def head(report: Report) -> str:
    versions = ", ".join(f"{key} {value}" for key, value in report.versions.items())
    target = f", artifacts of {report.target}" if report.target else ""
    return f"{report.engine} ({versions}){target}: level {report.choice.level}, seed {report.choice.seed}"


def _counts(entries: Sequence[Score]) -> dict[str, int]:
    found = Counter(entry.verdict for entry in entries)
    return {verdict: found[verdict] for verdict in VERDICTS}


def totals(report: Report) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in _counts(report.entries).items())


def by_op(report: Report) -> dict[str, list[Score]]:
    found: dict[str, list[Score]] = {}
    for entry in report.entries:
        found.setdefault(entry.op, []).append(entry)
    return found


def text(report: Report, known: Sequence[Known]) -> str:
    """Return a line for each op, then what fails."""
    lines = [head(report), f"{'op':28}" + "".join(f"{verdict:>12}" for verdict in VERDICTS) + f"{'ULP':>8}"]
    for op, entries in by_op(report).items():
        counts = _counts(entries)
        row = "".join(f"{counts[verdict] if counts[verdict] else '.':>12}" for verdict in VERDICTS)
        largest = max((entry.ulp for entry in entries if entry.verdict == "pass"), default=0.0)
        lines.append(f"{op:28}{row}{largest:>8.3g}")
    new = regressions(report, known)
    for entry in new[:_SHOWN]:
        lines.append(f"{entry.verdict}: {entry.case}: {entry.message[:_SHOWN_CHARACTERS]}")
    if len(new) > _SHOWN:
        lines.append(f"… and {len(new) - _SHOWN} more")
    accepted = len(failures(report.entries)) - len(new)
    lines.append(f"{len(report.entries)} cases in {report.seconds:.0f} s: {totals(report)}")
    lines.append(f"{len(new)} failures that are not known, {accepted} known")
    return "\n".join(lines)


def _record(entry: Score, cause: str | None) -> dict[str, Any]:
    """Return a score as JSON holds it."""
    return {
        **{name: getattr(entry, name) for name in ("case", "op", "type", "kind", "verdict")},
        "ulp": str(entry.ulp) if entry.ulp == float("inf") else entry.ulp,
        "message": entry.message,
        "expectation": entry.source,
        "spec": entry.reference,
        "known": "" if cause is None else cause,
    }


def as_json(report: Report, known: Sequence[Known]) -> bytes:
    """Everything, as JSON."""
    return json.dumps(
        {
            "engine": report.engine,
            "versions": report.versions,
            "level": report.choice.level,
            "seed": report.choice.seed,
            "target": report.target,
            "seconds": round(report.seconds, 3),
            "counts": _counts(report.entries),
            "cases": [_record(entry, cause_of(entry, known)) for entry in report.entries],
        },
        indent=1,
    ).encode()


def junit(report: Report, known: Sequence[Known]) -> bytes:
    """Return a report with a suite for each op; known failures and unsupported cases are skipped."""
    cases = list[JUnitCase]()
    for op, entries in by_op(report).items():
        for entry in entries:
            case, cause = JUnitCase(op, f"{op}.{entry.type}", entry.case), cause_of(entry, known)
            if entry.verdict != "pass":
                skipped = entry.verdict == "unsupported" or cause is not None
                message = entry.message if cause is None else f"known: {cause}"
                outcome = "skipped" if skipped else "failure" if entry.verdict == "wrong" else "error"
                case = case._replace(outcome=outcome, message=message)
            cases.append(case)
    return junit_report(f"stablehlo conformance {report.engine}", cases)


def cell(entries: Sequence[Score]) -> dict[str, Any] | None:
    """Return a cell of a table: how many of the cases pass, and the worst verdict; None where there is no case."""
    counts = _counts(entries)
    if not entries:
        return None
    worst = next(verdict for verdict in ("crash", "timeout", "wrong", "unsupported", "pass") if counts[verdict])
    title = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    return {"pass": counts["pass"], "all": len(entries), "worst": worst, "title": title}


def page(
    title: str, about: Sequence[str], columns: Sequence[str], rows: Sequence[Any], heading: str, causes: Sequence[Any]
) -> bytes:
    """Return a page of the kit.

    Args:
        title: The title.
        about: Lines above the table.
        columns: The heads of the table's columns.
        rows: Its rows: a name, a cell of each column, and rows of parts of it.
        heading: What stands above the causes.
        causes: Each a text and cases: a name, a verdict, a message, and for the spec a source and a reference.
    """
    about = [*about, "In each cell cases that pass of all cases."]
    data = {"title": title, "about": about, "columns": columns, "rows": rows, "heading": heading, "causes": causes}
    return make_page(title, "kit.html", ("common.js", "kit.js"), {**data, "verdicts": VERDICTS}).encoded()


def html(report: Report, known: Sequence[Known]) -> bytes:
    """Return one page: the table op x type, and by cause every failure with the expected values."""
    types = list(dict.fromkeys(entry.type for entry in report.entries))
    rows = [
        {"name": op, "cells": [cell([each for each in entries if each.type == type_]) for type_ in types], "parts": []}
        for op, entries in by_op(report).items()
    ]
    causes: dict[str, list[dict[str, str]]] = {}
    for entry in report.entries:
        if entry.verdict != "pass":
            cause = cause_of(entry, known)
            text = f"not known: {entry.verdict}, {entry.kind}" if cause is None else f"known: {cause}"
            causes.setdefault(text, []).append(
                {"name": entry.case, "verdict": entry.verdict, "message": entry.message, "source": entry.source,
                 "reference": entry.reference}
            )  # fmt: skip
    ordered = sorted(causes.items(), key=lambda item: -len(item[1]))
    title, about = f"StableHLO conformance: {report.engine}", (head(report), f"{totals(report)}.")
    groups = [{"cause": cause, "cases": cases} for cause, cases in ordered]
    return page(title, about, types, rows, "Cases that do not pass", groups)


def markdown(report: Report, known: Sequence[Known]) -> bytes:
    """Return the ops with failures by type, and the causes with how many cases each explains."""
    lines = [
        f"{head(report)}.",
        "",
        f"{len(report.entries)} cases: {totals(report)}.",
        "",
        "| op | pass | wrong | crash | timeout | unsupported | fails for |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    passing = list[str]()
    for op, entries in by_op(report).items():
        counts = _counts(entries)
        if counts["pass"] == len(entries):
            passing.append(op)
            continue
        bad = list(dict.fromkeys(entry.type for entry in failures(entries)))
        cells = [counts[name] for name in ("pass", "wrong", "crash", "timeout", "unsupported")]
        lines.append(f"| `{op}` | {' | '.join(map(str, cells))} | {', '.join(bad)} |")
    lines += ["", f"Every case passes: {', '.join(f'`{op}`' for op in passing)}.", "", "| cases | cause |", "|--:|---|"]
    causes: Counter[str] = Counter()
    for entry in failures(report.entries):
        found = cause_of(entry, known)
        causes[f"not explained: {entry.case}" if found is None else found] += 1
    lines += [f"| {count} | {cause} |" for cause, count in causes.most_common()]
    return ("\n".join(lines) + "\n").encode()
