"""One task: a check of a module in a child process, under limits, tried again where the machine may be to blame."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...artifacts.versions import resolve_version
from ...engines import Engine, Limits, open_engine
from ...errors import UsageError
from .checks import verdict_of
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
_WORTH_ANOTHER_TRY = frozenset(("crash", "timeout", "memory"))


def read_check(text: str) -> str:
    """Return a check in full, `roundtrip:current` for `roundtrip`. Raises UsageError if it is impossible."""
    name, colon, options = text.partition(":")
    if name not in CHECKS:
        raise UsageError(f"unknown check '{name}'", notes=[f"the checks are {', '.join(CHECKS)}"])
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
        """Start the child process."""
        seconds, memory = self.limits.seconds, self.limits.memory
        options = str(seconds), "" if memory is None else str(memory)
        with Engine("checks", "stablehlo_py.debug.corpus.checks:backend", options, Limits(seconds, memory)) as child:
            yield partial(self._row, child)

    def lost(self, task: Task, why: str) -> Row:
        """The row of a task whose workers ended."""
        return task.row("lost", why)

    def _row(self, child: Engine, task: Task) -> Row:
        limits = self.limits
        # Engines that are compared have limits of their own, and are started first.
        engines = 1 + task.check.count(",") if task.check.startswith(("compare:", "judge:")) else 0
        child.limits = Limits(limits.seconds + engines * (limits.seconds + _SECONDS_TO_START), limits.memory)
        began, attempts = time.perf_counter(), 0
        while True:
            attempts += 1
            status, message = verdict_of(child.run(task.data, [np.frombuffer(task.check.encode(), np.uint8)]))
            if status not in _WORTH_ANOTHER_TRY or attempts > limits.retries:
                return task.row(status, message, attempts, round(time.perf_counter() - began, 3))
