"""The questions that a search asks of programs, here or in workers: do engines differ, does one or a command fail?"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np

from ...bindings.bytecode import bytecode_of
from ...engines import Engine, Limits, Outcome, open_engine
from ...engines.process import RUN_SECONDS
from ...errors import UsageError
from ...isolation.commands import filled
from ...isolation.pool import Pool, open_pool
from ..allowed.measures import Tolerance, read_tolerances
from .predicates import NOT_INTERESTING, Command, Disagreement, Failure, Form, Predicate, alike
from .reduce import Reduction

_LAST_RUNS = 12


@dataclass(frozen=True)
class EnginePair:
    """The options of a pair of engines: their names, and the difference that their values may have, as text."""

    reference: str
    engine: str
    amount: str | None

    @property
    def tolerance(self) -> Tolerance | None:
        """The tolerance, or None for the default."""
        return read_tolerance(self.amount)


def read_tolerance(text: str | None) -> Tolerance | None:
    """Return the tolerance that an option gives, or None."""
    if text is None:
        return None
    found = read_tolerances([text])
    if "" not in found:
        raise UsageError(f"--tolerance takes one amount for all values, not '{text}'")
    return found[""]


@dataclass(frozen=True)
class Question:
    """The question that the options ask of programs."""

    pair: EnginePair
    fails: bool
    script: str | None
    exit_code: str
    pattern: str

    def predicate(self, bounds: Limits) -> Predicate:
        """Return a predicate with processes of its own."""
        if self.script is not None:
            seconds = RUN_SECONDS if bounds.seconds is None else bounds.seconds
            return Command(self.script, self.exit_code, self.pattern, seconds)
        engine = open_engine(self.pair.engine, bounds)
        if self.fails:
            return Failure(engine, pattern=self.pattern)
        reference = open_engine(self.pair.reference, bounds)
        return Disagreement(reference, engine, self.pair.tolerance)

    def folder(self, work: str | None) -> Path | None:
        """Return the folder of verdicts, apart from those on other questions."""
        digest = hashlib.sha256(repr(astuple(self)).encode()).hexdigest()[:12]
        return None if work is None else Path(work) / f"reduce-{digest}"

    def command(self, program: str, archive: str) -> str:
        """Return the command that shows the error of a program on the arguments in an archive."""
        if self.script is not None:
            return filled(self.script, module=program, inputs=archive)
        if self.fails:
            return shlex.join(["stablehlo", "run", program, f"--engine={self.pair.engine}", f"--inputs={archive}"])
        names = f"--engine={self.pair.reference}", f"--engine={self.pair.engine}"
        if not any("," in name for name in (self.pair.reference, self.pair.engine)):
            names = (f"--engines={self.pair.reference},{self.pair.engine}",)
        allowed = [] if self.pair.amount is None else [f"--tolerance={self.pair.amount}"]
        return shlex.join(["stablehlo", "compare", program, *names, *allowed, f"--inputs={archive}"])


_Task = tuple[float, Form, Form | None]  # seconds that a run may take, a program, and another form of it


@dataclass(frozen=True)
class _Looks:
    """The work on programs: each worker looks at them with a predicate of its own."""

    question: Question
    limits: Limits
    search: str

    @contextmanager
    def open(self) -> Generator[Callable[[_Task], str | bool | None]]:
        predicate = self.question.predicate(self.limits)

        def perform(task: _Task) -> str | bool | None:
            seconds, form, other = task
            predicate.limit(seconds)
            return predicate.signature(*form) if other is None else alike(predicate, form, other)

        try:
            yield perform
        finally:
            predicate.close()

    def lost(self, task: _Task, _why: str) -> str | bool | None:
        return NOT_INTERESTING if task[2] is None else False


@dataclass
class DistantPredicate:
    """Asks in a worker of `pool`, under limits; `search` tells apart what different searches ask."""

    pool: Pool
    question: Question
    limits: Limits
    search: str
    seconds: float = float("inf")

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        """Return the predicate's signature of the program, see `Predicate.signature`."""
        return str(self._ask((module, tuple(arguments)), None))

    def alike(self, first: Form, second: Form) -> bool | None:
        """Whether two forms of a program show one error, see `predicates.alike`."""
        found = self._ask(first, second)
        return None if found is None else bool(found)

    def _ask(self, form: Form, other: Form | None) -> str | bool | None:
        return self.pool.submit(_Looks(self.question, self.limits, self.search), (self.seconds, form, other))()

    def limit(self, seconds: float) -> None:
        """Let runs from now on take so long at most."""
        self.seconds = min(self.seconds, seconds)

    def close(self) -> None:
        """End nothing: the processes belong to the workers."""


@contextmanager
def predicates_of(question: Question, bounds: Limits, jobs: int, cluster: str) -> Generator[Sequence[Predicate]]:
    """The predicates, one for each program that is tested at a time."""
    with ExitStack() as opened:
        if cluster:
            pool = opened.enter_context(open_pool(cluster, jobs))
            search = uuid4().hex
            yield [DistantPredicate(pool, question, bounds, search) for _ in range(pool.size)]
            return
        predicates = [question.predicate(bounds) for _ in range(jobs)]
        for predicate in predicates:
            opened.callback(predicate.close)
        yield predicates


@dataclass(frozen=True)
class LastRuns:
    """The runs of a reduced program in each engine.

    Attributes:
        outcomes: Of each engine the first outcome, of the one that is wrong the first that shows the error.
        versions: The versions of each engine.
        notes: How many of the runs show the error, where not all do or an engine is not deterministic.
    """

    outcomes: dict[str, Outcome]
    versions: dict[str, dict[str, str]]
    notes: tuple[str, ...] = ()


def last_runs(question: Question, found: Reduction, bounds: Limits) -> LastRuns:
    """Run the reduced program in each engine as often as tells whether the error shows in every run."""
    if question.script is not None:
        return LastRuns({}, {})
    form, names = (bytecode_of(found.program), found.arguments), (question.pair.reference, question.pair.engine)
    with ExitStack() as opened:
        engines = {name: opened.enter_context(open_engine(name, bounds)) for name in names}
        runs = {name: _repeated(engine, form) for name, engine in engines.items()}
        versions = {name: engine.versions for name, engine in engines.items()}
    (expected, *_), tried = (runs[name] for name in names)
    reference, engine = (engines[name] for name in names)
    told = Disagreement(reference, engine, question.pair.tolerance).told
    showing = [one for one in tried if (not one.ok if question.fails else told(form, expected, one))]
    notes = [f"{name} is not deterministic" for name, several in runs.items() if len(set(map(_content, several))) > 1]
    if notes or len(showing) < len(tried):
        below = ", the values below are of the first of these" if showing else ""
        notes.append(f"{len(showing)} of {len(tried)} runs in {names[1]} show the error{below}")
    outcomes = {name: several[0] for name, several in runs.items()}
    return LastRuns(outcomes | ({names[1]: showing[0]} if showing else {}), versions, tuple(notes))


def _repeated(engine: Engine, form: Form) -> list[Outcome]:
    """Return the outcomes of several runs, none after one that took too long."""
    runs = [engine.run(*form)]
    while len(runs) < _LAST_RUNS and runs[-1].status != "timeout":
        runs.append(engine.run(*form))
    return runs


def _content(outcome: Outcome) -> tuple[str, ...]:
    return outcome.status, *(result.tobytes().hex() for result in outcome.results)


def shown_outcome(outcome: Outcome) -> str:
    """Return results, or why there are none."""
    return "\n".join(str(result.tolist()) for result in outcome.results) if outcome.ok else str(outcome)
