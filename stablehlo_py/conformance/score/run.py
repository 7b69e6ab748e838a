"""Runs the kit in an engine: many cases in each of its processes, several processes at a time."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from ...artifacts.artifact import serialize
from ...bindings import ir, make_context
from ...engines import Engine, Limits, open_engine
from ...errors import ArtifactError, UsageError
from ...isolation.logs import add_to_log, read_log
from ..case import Case
from ..catalog import Choice, cases
from .scoring import Score, score, scored


class Kept:
    """A file with a line for each score, by the hash of all that its case consists of; the first line says of what.

    Several threads may add scores: a line is written at once.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        """Read the file at `path`, or begin it. Raises UsageError if it belongs to another run."""
        self._known: dict[tuple[str, str], dict[str, Any]] = {}
        self._path = path
        lines = read_log(path, _line)
        if not lines:
            add_to_log(path, about)
        elif lines[0] != about:
            found, own = [json.dumps(each, sort_keys=True) for each in (lines[0], about)]
            raise UsageError(f"'{path}' holds scores of {found}, and this run is of {own}")
        self._known.update({(entry["case"], entry["hash"]): entry for entry in lines[1:]})

    def score_of(self, case: Case) -> Score | None:
        """Return the score of a case, or None if it has no score or has changed since."""
        entry = self._known.get((case.name, case.digest()))
        return None if entry is None else scored(case, entry["verdict"], entry["message"], float(entry["ulp"]))

    def add(self, case: Case, score: Score) -> None:
        """Keep a score."""
        entry = {"case": case.name, "hash": case.digest(), "verdict": score.verdict, "ulp": str(score.ulp)}
        add_to_log(self._path, {**entry, "message": score.message})


def _line(value: Any) -> dict[str, Any]:
    """Return a line of a file of scores. Raises KeyError or TypeError for a line that is none."""
    if "engine" not in value:  # but for the first line
        itemgetter("case", "hash", "verdict", "ulp", "message")(value)
    return value


SECONDS = 20.0


@dataclass(frozen=True)
class Report:
    """The outcome of a run of the kit.

    Attributes:
        engine: The engine's name.
        versions: What the engine runs on.
        choice: Which cases were taken.
        target: The version of the artifacts that the engine got; empty for text.
        entries: The scores of the cases in the kit's order.
        seconds: How long it took.
    """

    engine: str
    versions: dict[str, str]
    choice: Choice
    target: str
    entries: tuple[Score, ...]
    seconds: float

    def count(self, verdict: str) -> int:
        """Return the number of cases with a verdict."""
        return sum(entry.verdict == verdict for entry in self.entries)


def artifact_of(case: Case, target: str, context: ir.Context) -> bytes | None:
    """Return the case's program as an artifact of a version; None where that version cannot say it."""
    try:
        return serialize(ir.Module.parse(case.module, context), target)
    except (ArtifactError, ir.MLIRError):
        return None


def _scored(case: Case, engine: Engine, kept: Kept | None, target: str, context: ir.Context) -> Score | None:
    """Return the score of a case, kept or of a run; None if its program cannot be said in the target."""
    known = None if kept is None else kept.score_of(case)
    program = case.module.encode() if not target else artifact_of(case, target, context)
    if known is not None or program is None:
        return known
    found = score(case, engine.run(program, case.inputs))
    if kept is not None:
        kept.add(case, found)
    return found


def run(
    engine: str,
    choice: Choice | None = None,
    *,
    target: str = "",
    jobs: int = 1,
    limits: Limits | None = None,
    work: Path | None = None,
    finished: Callable[[Score], None] | None = None,
) -> Report:
    """Run the kit in an engine, with some `jobs` at a time.

    With a `target`, programs are handed over as artifacts of that version, and only those that it has. Scores are kept
    in the file `work`: of what is there, only cases that have changed are run again.

    Raises:
        UsageError: The engine does not exist or does not start, or `work` holds the scores of another one.
    """
    started, chosen = time.monotonic(), Choice() if choice is None else choice
    bounds = Limits(SECONDS) if limits is None else limits
    engines = [open_engine(engine, bounds) for _ in range(jobs)]
    versions = engines[0].versions
    kept = None if work is None else Kept(work, {"engine": engine, "versions": versions, "target": target})
    pending, lock, found = iter(enumerate(cases(chosen))), threading.Lock(), dict[int, Score]()

    def next_case() -> tuple[int, Case] | None:
        with lock:
            return next(pending, None)

    def work_on(one: Engine) -> None:
        context = make_context()
        with one:
            while (taken := next_case()) is not None:
                entry = _scored(taken[1], one, kept, target, context)
                if entry is not None:
                    with lock:
                        found[taken[0]] = entry
                        if finished is not None:
                            finished(entry)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work_on, engines))
    entries = tuple([found[number] for number in sorted(found)])
    return Report(engine, versions, chosen, target, entries, time.monotonic() - started)
