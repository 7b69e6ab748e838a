"""Predicates that look at programs in the workers of a pool."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..engines import Limits
from ..workers import Pool
from .predicates import NOT_INTERESTING, Predicate

_Task = tuple[bytes, tuple[np.ndarray, ...], float]


class Question(Protocol):
    """The question that a program is interesting for; it can be pickled, and compares by value."""

    def predicate(self, bounds: Limits, *, tied: bool) -> Predicate:
        """Return what looks at programs under limits; `tied` as engines take it."""
        ...


@dataclass(frozen=True)
class _Looks:
    """The work on programs: each worker looks at them with a predicate of its own."""

    question: Question
    limits: Limits
    search: str

    @contextmanager
    def open(self) -> Generator[Callable[[_Task], str]]:
        predicate = self.question.predicate(self.limits, tied=True)

        def perform(task: _Task) -> str:
            module, arguments, seconds = task
            predicate.limit(seconds)
            return predicate.signature(module, arguments)

        try:
            yield perform
        finally:
            predicate.close()

    def lost(self, _task: _Task, _why: str) -> str:
        return NOT_INTERESTING


@dataclass
class DistantPredicate:
    """Asks in a worker of `pool`, under limits; `search` tells apart what different searches ask."""

    pool: Pool
    question: Question
    limits: Limits
    search: str
    seconds: float = float("inf")

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        """The predicate's signature of the program, see `Predicate.signature`."""
        task = module, tuple(arguments), self.seconds
        return self.pool.submit(_Looks(self.question, self.limits, self.search), task)()

    def limit(self, seconds: float) -> None:
        """Let runs from now on take so long at most."""
        self.seconds = min(self.seconds, seconds)

    def close(self) -> None:
        """End nothing: the processes belong to the workers."""
