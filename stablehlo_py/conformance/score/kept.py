"""Scores that are kept while the kit runs: a run that was stopped goes on, and one of a changed kit is short."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..case import Case
from .scoring import Score, scored


class Kept:
    """A file with a line for each score, by the hash of all that its case consists of; the first line says of what.

    Several threads may add scores: a line is written at once.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        """Read the file at `path`, or begin it. Raises UsageError if it belongs to another run."""
        self._known: dict[tuple[str, str], dict[str, Any]] = {}
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        lines = text[: text.rfind("\n") + 1].splitlines()  # a line may have been cut off when a run was killed
        head = json.dumps(about, sort_keys=True)
        if lines and lines[0] != head:
            raise UsageError(f"'{path}' holds scores of {lines[0]}, and this run is of {head}")
        for line in lines[1:]:
            entry = json.loads(line)
            self._known[entry["case"], entry["hash"]] = entry
        path.write_text("".join(f"{line}\n" for line in (lines if lines else [head])), encoding="utf-8")
        self._path = path

    def score_of(self, case: Case) -> Score | None:
        """Return the score of a case, or None if it has no score or has changed since."""
        entry = self._known.get((case.name, case.digest()))
        return None if entry is None else scored(case, entry["verdict"], entry["message"], float(entry["ulp"]))

    def add(self, case: Case, score: Score) -> None:
        """Keep a score."""
        entry = {"case": case.name, "hash": case.digest(), "verdict": score.verdict, "ulp": str(score.ulp)}
        line = json.dumps({**entry, "message": score.message})
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
