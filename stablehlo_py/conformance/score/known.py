"""Failures that are known and accepted: patterns of cases, each with its cause.

A line of the file is a pattern of names of cases, such as `sort.i2.*`, and after `#` the cause. Other lines are empty
or comments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from ...errors import InputError
from .run import Report
from .scoring import Score

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
    """The cause of the first accepted failure that a score is one of, or None."""
    return next((each.cause for each in known if fnmatchcase(entry.case, each.pattern)), None)


def failures(entries: Sequence[Score]) -> list[Score]:
    """Return the cases that an engine gets wrong or that end it, without unsupported ones."""
    return [entry for entry in entries if entry.verdict in _FAILED]


def regressions(report: Report, known: Sequence[Known]) -> list[Score]:
    """The failures that are not accepted."""
    return [entry for entry in failures(report.entries) if cause_of(entry, known) is None]


def mended(report: Report, known: Sequence[Known]) -> list[Known]:
    """Return the accepted failures whose cases all pass now."""
    done: list[Known] = []
    for each in known:
        matching = [entry for entry in report.entries if fnmatchcase(entry.case, each.pattern)]
        if matching and all(entry.verdict == "pass" for entry in matching):
            done.append(each)
    return done
