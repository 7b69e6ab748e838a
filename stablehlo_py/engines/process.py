"""The parent's side of an engine: a child process that is started when needed, and again after it has died."""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np

from ..errors import UsageError
from ..isolation.commands import python_command
from ..isolation.limits import Limits
from ..isolation.outcome import Outcome as IsolationOutcome
from ..isolation.outcome import describe_crash
from ..isolation.worker import Worker
from .framing import pack, unpack
from .outcome import Outcome

_PACKAGE_PARENT = Path(__file__).resolve().parents[2]
START_SECONDS = 120.0
RUN_SECONDS = 600.0  # of a run without another limit
_SHOWN_CHARACTERS = 2000
_NO_MEMORY = ("MemoryError", "bad_alloc", "out of memory")
WORKER = "stablehlo_py.engines.worker"


@dataclass
class Engine:
    """An engine that runs modules.

    Attributes:
        name: How the user named it, such as `reference:f64`.
        backend: `module:function`, called in the child with `options`; it returns a `worker.Backend`.
        options: What stands behind the name's colon.
        limits: Limits of each run.
        python: The interpreter that runs the child; another one brings another jaxlib.
        waiting: Makes a context that lasts as long as an exchange with the child.
        say: Called with what the engine notes on a program; by default, a warning.
    """

    name: str
    backend: str
    options: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    python: str = sys.executable
    waiting: Callable[[], AbstractContextManager[None]] = field(default=nullcontext, kw_only=True)
    say: Callable[[str], object] = field(default=warnings.warn, kw_only=True)
    _worker: Worker | None = None
    _hello: dict[str, Any] = field(default_factory=dict[str, Any])
    _known: set[str] = field(default_factory=set[str])

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        """Run a module's `main` function.

        Args:
            module: MLIR text, bytecode, or a portable artifact (which an engine of another version needs).
            arguments: An array of each parameter's shape and data type.

        Returns:
            The outcome, whatever the engine did.

        Raises:
            UsageError: There is no such option, or no such interpreter.
        """
        missing = self._start()
        if missing is not None:
            return missing
        digest = hashlib.sha256(module).hexdigest()
        request = {
            "digest": digest,
            "module": None if digest in self._known else module,
            "arguments": [pack(np.asarray(argument)) for argument in arguments],
        }
        answer = self._exchange(request)
        if answer.get("status") == "unknown program":  # it was forgotten for later ones
            answer = self._exchange({**request, "module": module})
        if answer["status"] == "ok":
            self._known.add(digest)
            answer["results"] = tuple(map(unpack, answer["results"]))
            for note in answer.pop("notes"):
                self.say(f"engine {self.name}: {note}")
        return Outcome(**answer)

    def runs(self, module: bytes, sets: Sequence[Sequence[np.ndarray]]) -> Iterator[Outcome]:
        """Return the outcome for each set of arguments, see `run`."""
        return (self.run(module, arguments) for arguments in sets)

    @property
    def seconds(self) -> float:
        """The limit of time of each run."""
        return RUN_SECONDS if self.limits.seconds is None else self.limits.seconds

    @property
    def versions(self) -> dict[str, str]:
        """The versions of the `engine` and of its `provider`, `stablehlo` and `python`; empty if it does not start."""
        self._start()
        return dict(self._hello.get("versions", {}))

    def close(self) -> None:
        """End the child process."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _start(self) -> Outcome | None:
        """Start the child unless it runs; return the outcome of every run if it does not start. Raises UsageError."""
        if self._worker is None:
            self._worker = Worker(python_command("-m", WORKER, python=self.python), child_environment())
        self._worker.waiting = self.waiting
        try:
            if not self._worker.start():
                return None
        except OSError as error:
            raise UsageError(f"engine {self.name}: cannot start {self.python}: {error.strerror}") from None
        self._known.clear()
        hello = {
            "backend": self.backend,
            "options": self.options,
            "memory_bytes": self.limits.memory_bytes,
        }
        answer = self._exchange(hello, START_SECONDS)
        if answer["status"] == "ready":
            self._hello = answer
            return None
        self.close()
        if answer["status"] == "misused":
            raise UsageError(f"engine {self.name} does not start: {answer['message']}")
        return Outcome(answer["status"], message=f"does not start: {answer['message']}")

    def _exchange(self, message: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Return the child's answer, or the outcome of a run that brought none."""
        limit = self.seconds if seconds is None else seconds
        outcome = cast(Worker, self._worker).ask(message, limit)
        if not outcome.cause:
            return outcome.value
        status, text = how_it_ended(outcome, limit)
        return {"status": status, "message": text}


def child_environment() -> dict[str, str]:
    """Return the variables of a child process that is to find this package."""
    path = os.pathsep.join(filter(None, [str(_PACKAGE_PARENT), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path}


def how_it_ended(outcome: IsolationOutcome, seconds: float) -> tuple[str, str]:
    """Return the status and the message of a child process that ended within `seconds` without an answer."""
    if outcome.cause == "timeout":
        return "timeout", f"did not end within {seconds:g} s"
    printed = outcome.printed.decode("utf-8", "replace").strip()[-_SHOWN_CHARACTERS:]
    how = describe_crash(outcome.code) or f"exit code {outcome.code}"
    no_memory = outcome.cause == "memory" or any(text in printed for text in _NO_MEMORY)
    reason = "\n".join(outcome.notes) if outcome.notes else printed
    said = f": {reason}" if reason else ""
    return "memory" if no_memory else "crash", f"ended with {how}{said}"
