"""One task: a check of a module in a child process, under limits, tried again where the machine may be to blame."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial

from ...artifacts.versions import resolve_version
from ...engines import open_engine
from ...engines.process import START_SECONDS, child_environment, how_it_ended
from ...errors import UsageError
from ...isolation.worker import Worker
from ...syntax.spelling import hint
from .checks import Verdict
from .results import Row

# The default options of a check; None for a check without options.
CHECKS = {
    "verify": None,
    "roundtrip": "current",
    "interpret": None,
    "compare": "reference,xla",
    "judge": "reference,xla",
    "passes": "canonicalize,cse",
}
_SECONDS_TO_START = 30.0
_COMMAND = "from stablehlo_py.debug.corpus.checks import main; main()"
_GREETING = "verify", b"module {}"  # its answer tells that the child has loaded all
_WORTH_ANOTHER_TRY = frozenset(("crash", "timeout", "memory"))


def read_check(text: str) -> str:
    """Return a check in full, `roundtrip:current` for `roundtrip`. Raises UsageError if it is impossible."""
    name, colon, options = text.partition(":")
    if name not in CHECKS:
        raise UsageError(f"unknown check '{name}'{hint(name, CHECKS)}", notes=[f"the checks are {', '.join(CHECKS)}"])
    default = CHECKS[name]
    if default is None:
        if colon:
            raise UsageError(f"the check {name} has no options, found '{options}'")
        return name
    chosen = [option for option in (options if options else default).split(",") if option]
    if name == "roundtrip":
        chosen = [str(resolve_version(target)) for target in chosen]
    elif name in ("compare", "judge"):
        if len(chosen) < 2:
            raise UsageError("two or more engines are needed for a comparison")
        for engine in chosen:
            open_engine(engine)
    return f"{name}:{','.join(chosen)}"


@dataclass(frozen=True)
class TaskLimits:
    """The limits of a task: `seconds` for each run, `memory` in bytes (None: any), and how often it is tried again
    after a crash or a limit that was reached."""

    seconds: float = 60.0
    memory: int | None = None
    retries: int = 1


@dataclass(frozen=True)
class Task:
    """A check of a module, as a worker gets it: with the contents, since the file may be on another machine."""

    module: str
    data: bytes
    check: str

    def row(self, status: str, message: str = "", attempts: int = 1, seconds: float = 0.0) -> Row:
        """The row of this task."""
        digest = hashlib.sha256(self.data).hexdigest()
        return Row(self.module, digest, len(self.data), self.check, status, message, attempts, seconds)


@dataclass(frozen=True)
class Checking:
    """The work on tasks: a row for each, even where its module ends the child process."""

    limits: TaskLimits

    @contextmanager
    def open(self) -> Generator[Callable[[Task], Row]]:
        """Prepare the child process, which the first task starts."""
        memory = "" if self.limits.memory is None else str(self.limits.memory)
        command = [sys.executable, "-c", _COMMAND, str(self.limits.seconds), memory]
        with closing(Worker(command, child_environment())) as child:
            yield partial(self._row, child)

    def lost(self, task: Task, why: str) -> Row:
        """The row of a task whose workers ended."""
        return task.row("lost", why)

    def _row(self, child: Worker, task: Task) -> Row:
        # Engines that are compared have limits of their own, and are started first.
        engines = 1 + task.check.count(",") if task.check.startswith(("compare:", "judge:")) else 0
        seconds = self.limits.seconds + engines * (self.limits.seconds + _SECONDS_TO_START)
        began, attempts = time.perf_counter(), 0
        while True:
            attempts += 1
            status, message = _verdict(child, task, seconds)
            if status not in _WORTH_ANOTHER_TRY or attempts > self.limits.retries:
                return task.row(status, message, attempts, round(time.perf_counter() - began, 3))


def _verdict(child: Worker, task: Task, seconds: float) -> Verdict:
    if child.start():
        greeted = child.ask(_GREETING, START_SECONDS)
        if greeted.cause:
            return how_it_ended(greeted, START_SECONDS)
    outcome = child.ask((task.check, task.data), seconds)
    return how_it_ended(outcome, seconds) if outcome.cause else outcome.value
