"""Several engines' runs of the kit on one page, from the files that `--json` wrote."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...errors import InputError
from ..catalog import Choice
from . import reports
from .run import Report
from .scoring import VERDICTS, Score

_SHOWN_CHARACTERS = 200


def read_report(path: str) -> Report:
    """Return the report in a file. Raises InputError for a file that `--json` did not write."""
    try:
        found: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
        entries = [
            Score(case["op"], case["type"], case["kind"], case["expectation"], case["spec"], case["case"],
                  case["verdict"], case["message"], float(case["ulp"]))
            for case in found["cases"]
        ]  # fmt: skip
        choice = Choice(level=found["level"], seed=found["seed"])
        return Report(found["engine"], found["versions"], choice, found["target"], tuple(entries), found["seconds"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"'{path}' is no report of stablehlo conformance --json: {error}") from None


def fail_everywhere(found: Sequence[Report]) -> list[tuple[Score, ...]]:
    """Return the cases that every engine ran and none passed, in the first one's order, with the scores by engine.

    Such a case may be the kit's fault, or the specification's.
    """
    scores = [{entry.case: entry for entry in report.entries} for report in found]
    rows = [tuple([each[case] for each in scores]) for case in scores[0] if all(case in each for each in scores)]
    bad = ("wrong", "crash", "timeout")
    return [row for row in rows if len(row) > 1 and all(entry.verdict in bad for entry in row)]


def text(found: Sequence[Report]) -> str:
    """Return a line for each engine, and the cases that none of them passes."""
    width = max(len(report.engine) for report in found)
    lines = [f"{'engine':{width}}{'cases':>8}" + "".join(f"{verdict:>12}" for verdict in VERDICTS)]
    for report in found:
        counts = "".join(f"{report.count(verdict):>12}" for verdict in VERDICTS)
        lines.append(f"{report.engine:{width}}{len(report.entries):>8}{counts}")
    alike = fail_everywhere(found)
    lines += ["", f"{len(alike)} cases that every engine runs and none passes"]
    for row in alike:
        lines.append(f"{row[0].case}: {', '.join(entry.verdict for entry in row)}")
        lines += [
            f"  {report.engine}: {entry.message[:_SHOWN_CHARACTERS]}" for report, entry in zip(found, row, strict=True)
        ]
    return "\n".join(lines)


def html(found: Sequence[Report]) -> bytes:
    """Return a page: ops by engines, each op to be opened for its types, and the cases that no engine passes."""
    by_op = [reports.by_op(report) for report in found]
    rows = list[dict[str, Any]]()
    for op in dict.fromkeys(op for each in by_op for op in each):
        entries = [each.get(op, []) for each in by_op]
        types = dict.fromkeys(entry.type for each in entries for entry in each)
        parts = [
            {"name": type_, "cells": [reports.cell([one for one in each if one.type == type_]) for each in entries]}
            for type_ in types
        ]
        rows.append({"name": op, "cells": list(map(reports.cell, entries)), "parts": parts})
    cases = [
        {
            "name": row[0].case,
            "verdict": ", ".join(entry.verdict for entry in row),
            "message": "\n".join(f"{one.engine}: {entry.message}" for one, entry in zip(found, row, strict=True)),
            "source": row[0].source,
            "reference": row[0].reference,
        }
        for row in fail_everywhere(found)
    ]
    about = [f"{reports.head(report)}: {reports.totals(report)}." for report in found]
    heading, engines = "Cases that every engine runs and none passes", [report.engine for report in found]
    causes = [{"cause": "the kit's fault, the spec's, or all engines'", "cases": cases}] if cases else []
    return reports.page("StableHLO conformance", about, engines, rows, heading, causes)
