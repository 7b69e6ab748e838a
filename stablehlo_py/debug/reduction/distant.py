"""Predicates that look at programs in the workers of a pool."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...engines import Limits
from ...isolation.pool import Pool
from .predicates import NOT_INTERESTING, Form, Predicate, alike

_Task = tuple[float, Form, Form | None]  # seconds that a run may take, a program, and another form of it


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
    def open(self) -> Generator[Callable[[_Task], str | bool | None]]:
        predicate = self.question.predicate(self.limits, tied=True)

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
        """The predicate's signature of the program, see `Predicate.signature`."""
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
