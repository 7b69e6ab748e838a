"""Reports of the kit: a text for the terminal, JSON, JUnit, one HTML page, and tables in Markdown."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from xml.etree import ElementTree

from .known import Known, cause_of, failures, regressions
from .run import Entry, Report
from .scoring import VERDICTS

_SHOWN = 20
_SHOWN_CHARACTERS = 200
_STYLE = """body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}
td,th{border:1px solid #ccc;padding:2px 5px;font-size:12px;text-align:center}th.op{text-align:left}
thead th{position:sticky;top:0;background:#fff}.pass{background:#c6efce}.wrong{background:#ffb3a7}
.unsupported{background:#eee;color:#777}.crash,.timeout{background:#d9a6ff}
details{margin:.3em 0}code{white-space:pre-wrap}"""


def _head(report: Report) -> str:
    versions = ", ".join(f"{key} {value}" for key, value in report.versions.items())
    target = f", artifacts of {report.target}" if report.target else ""
    return f"{report.engine} ({versions}){target}: level {report.choice.level}, seed {report.choice.seed}"


def _counts(entries: Sequence[Entry]) -> dict[str, int]:
    found = Counter(entry.score.verdict for entry in entries)
    return {verdict: found[verdict] for verdict in VERDICTS}


def _totals(report: Report) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in _counts(report.entries).items())


def _by_op(report: Report) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in report.entries:
        found.setdefault(entry.op, []).append(entry)
    return found


def largest_ulp(entries: Sequence[Entry]) -> float:
    """The largest distance in ULP among cases that pass."""
    return max((entry.score.ulp for entry in entries if entry.score.verdict == "pass"), default=0.0)


def text(report: Report, known: Sequence[Known]) -> str:
    """A line for each op, then what fails."""
    lines = [_head(report), f"{'op':28}" + "".join(f"{verdict:>12}" for verdict in VERDICTS) + f"{'ULP':>8}"]
    for op, entries in _by_op(report).items():
        counts = _counts(entries)
        row = "".join(f"{counts[verdict] if counts[verdict] else '.':>12}" for verdict in VERDICTS)
        lines.append(f"{op:28}{row}{largest_ulp(entries):>8.3g}")
    new = regressions(report, known)
    for entry in new[:_SHOWN]:
        lines.append(f"{entry.score.verdict}: {entry.score.case}: {entry.score.message[:_SHOWN_CHARACTERS]}")
    if len(new) > _SHOWN:
        lines.append(f"… and {len(new) - _SHOWN} more")
    accepted = len(failures(report.entries)) - len(new)
    lines.append(f"{len(report.entries)} cases in {report.seconds:.0f} s: {_totals(report)}")
    lines.append(f"{len(new)} failures that are not known, {accepted} known")
    return "\n".join(lines)


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
            "cases": [
                {
                    "case": entry.score.case,
                    "op": entry.op,
                    "type": entry.type,
                    "kind": entry.kind,
                    "verdict": entry.score.verdict,
                    "ulp": str(entry.score.ulp) if entry.score.ulp == float("inf") else entry.score.ulp,
                    "message": entry.score.message,
                    "expectation": entry.source,
                    "spec": entry.reference,
                    "known": _cause(entry, known),
                }
                for entry in report.entries
            ],
        },
        indent=1,
    ).encode()


def _cause(entry: Entry, known: Sequence[Known]) -> str:
    found = cause_of(entry, known)
    return "" if found is None else found.cause


def junit(report: Report, known: Sequence[Known]) -> bytes:
    """Return a test suite for each op; known failures and unsupported cases are skipped."""
    root = ElementTree.Element("testsuites", name=f"stablehlo conformance {report.engine}")
    for op, entries in _by_op(report).items():
        suite = ElementTree.SubElement(root, "testsuite", name=op, tests=str(len(entries)))
        tallies: Counter[str] = Counter()
        for entry in entries:
            test = ElementTree.SubElement(suite, "testcase", classname=f"{op}.{entry.type}", name=entry.score.case)
            verdict = entry.score.verdict
            if verdict == "pass":
                continue
            accepted = cause_of(entry, known)
            tag = "skipped" if verdict == "unsupported" or accepted else "failure" if verdict == "wrong" else "error"
            tallies[tag] += 1
            message = entry.score.message if accepted is None else f"known: {accepted.cause}"
            ElementTree.SubElement(test, tag, message=_printable(message))
        for tag, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            suite.set(attribute, str(tallies[tag]))
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _printable(message: str) -> str:
    """A message without the characters that XML cannot hold."""
    return "".join(character if character.isprintable() or character == "\n" else "?" for character in message)


def matrix(report: Report) -> tuple[list[str], dict[str, dict[str, Mapping[str, int]]]]:
    """The element types, and for each op the counts of verdicts by type."""
    types = list(dict.fromkeys(entry.type for entry in report.entries))
    rows: dict[str, dict[str, Mapping[str, int]]] = {}
    for op, entries in _by_op(report).items():
        rows[op] = {
            element: _counts([entry for entry in entries if entry.type == element])
            for element in types
            if any(entry.type == element for entry in entries)
        }
    return types, rows


def worst(counts: Mapping[str, int]) -> str:
    """The verdict that a cell of a table shows."""
    order = ("crash", "timeout", "wrong", "unsupported", "pass")
    return next(verdict for verdict in order if counts[verdict])


def html(report: Report, known: Sequence[Known]) -> bytes:
    """Return one page: the table op x type, and every failure with the expected values."""
    types, rows = matrix(report)
    header = "".join(f"<th>{escape(element)}</th>" for element in types)
    body = list[str]()
    for op, cells in rows.items():
        line = list[str]()
        for element in types:
            counts = cells.get(element)
            if counts is None:
                line.append("<td></td>")
                continue
            title = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
            line.append(f'<td class="{worst(counts)}" title="{title}">{counts["pass"]}/{sum(counts.values())}</td>')
        body.append(f'<tr><th class="op">{escape(op)}</th>{"".join(line)}</tr>')
    details = [_detail(entry, _cause(entry, known)) for entry in report.entries if entry.score.verdict != "pass"]
    title = f"StableHLO conformance: {escape(report.engine)}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f"<h1>{title}</h1><p>{escape(_head(report))}</p>"
        f"<p>{_totals(report)}; in each cell cases that pass of all cases.</p>"
        f"<table><thead><tr><th></th>{header}</tr></thead><tbody>{''.join(body)}</tbody></table>"
        f"<h2>Cases that do not pass</h2>{''.join(details)}</html>\n"
    ).encode()


def _detail(entry: Entry, cause: str) -> str:
    """A case that does not pass, to be opened."""
    verdict = entry.score.verdict
    note = f"<p>Known: {escape(cause)}</p>" if cause else ""
    return (
        f'<details><summary class="{verdict}">{escape(entry.score.case)}: {verdict}</summary>{note}'
        f"<code>{escape(entry.score.message)}</code><p>Expectation: {escape(entry.source)}. "
        f'<a href="{entry.reference}">Specification</a></p></details>'
    )


def markdown(report: Report, known: Sequence[Known]) -> bytes:
    """The ops with failures by type, and the causes with how many cases each explains."""
    lines = [
        f"{_head(report)}.",
        "",
        f"{len(report.entries)} cases: {_totals(report)}.",
        "",
        "| op | pass | wrong | crash | timeout | unsupported | fails for |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for op, entries in _by_op(report).items():
        counts = _counts(entries)
        if counts["pass"] == len(entries):
            continue
        bad = list(dict.fromkeys(entry.type for entry in failures(entries)))
        cells = [counts[name] for name in ("pass", "wrong", "crash", "timeout", "unsupported")]
        lines.append(f"| `{op}` | {' | '.join(map(str, cells))} | {', '.join(bad)} |")
    passing = [op for op, entries in _by_op(report).items() if _counts(entries)["pass"] == len(entries)]
    lines += ["", f"Every case passes: {', '.join(f'`{op}`' for op in passing)}.", "", "| cases | cause |", "|--:|---|"]
    causes: Counter[str] = Counter()
    for entry in failures(report.entries):
        found = cause_of(entry, known)
        causes[found.cause if found is not None else f"not explained: {entry.score.case}"] += 1
    lines += [f"| {count} | {cause} |" for cause, count in causes.most_common()]
    return ("\n".join(lines) + "\n").encode()
