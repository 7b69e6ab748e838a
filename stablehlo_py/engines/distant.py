"""Engines whose runs are tasks of a pool: each worker starts the engine once, and runs what it is given."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..isolation.limits import Limits
from ..isolation.pool import Pool
from .catalog import open_engine
from .outcome import Outcome
from .process import Engine

_Task = tuple[bytes, tuple[np.ndarray, ...], float]


@dataclass(frozen=True)
class _Runs:
    """The work on modules: run them in the engine called `name`."""

    name: str
    memory: int | None
    folder: Path | None

    @contextmanager
    def open(self) -> Generator[Callable[[_Task], Outcome]]:
        with open_engine(self.name, Limits(memory_bytes=self.memory), self.folder) as engine:

            def perform(task: _Task) -> Outcome:
                module, arguments, seconds = task
                engine.limits = Limits(seconds, self.memory)
                return engine.run(module, arguments)

            yield perform

    def lost(self, _task: _Task, why: str) -> Outcome:
        return Outcome("crash", message=why)


@dataclass
class DistantEngine(Engine):
    """An engine that runs in the workers of `pool`; `folder` is where they keep outcomes."""

    pool: Pool = field(kw_only=True)
    folder: Path | None = field(default=None, kw_only=True)

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        """Return the outcome of a run, see `Engine.run`."""
        (outcome,) = self.runs(module, [arguments])
        return outcome

    def runs(self, module: bytes, sets: Sequence[Sequence[np.ndarray]]) -> Iterator[Outcome]:
        """Return the outcome for each set of arguments, which run at the same time."""
        work, seconds = _Runs(self.name, self.limits.memory_bytes, self.folder), self.seconds
        started = [self.pool.submit(work, (module, tuple(arguments), seconds)) for arguments in sets]
        return (outcome() for outcome in started)


def distant_engine(name: str, pool: Pool, limits: Limits, folder: Path | None = None) -> DistantEngine:
    """Return the engine called `name` in the workers of a pool, see `open_engine`."""
    engine = open_engine(name, limits)
    return DistantEngine(engine.name, engine.backend, engine.options, limits, engine.python, pool=pool, folder=folder)
