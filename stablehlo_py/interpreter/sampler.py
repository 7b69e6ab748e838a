"""Listeners that may learn of steps in groups, where a plan does not run step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol
from weakref import WeakValueDictionary


class Step(Protocol):
    """A step of a plan, as a sampler sees it."""

    op: Any
    results: tuple[int, ...]
    result_bytes: int


class Place(NamedTuple):
    """The findings of a look at a line: expressions of scalars, and then the step that is seen there, if any.

    Python lets itself be looked at after calls, in kernels of arrays and at the head of a loop, so expressions of
    scalars are seen where the next of these is.
    """

    scalars: list[Step]
    seen: Step | None


class Tally(Protocol):
    """A compiled function while it is watched.

    Attributes:
        places: The findings of a look at each line of its text.
        begun: The number of times that it began, for a loop.
        trips: The number of rounds of the loop that runs, or 0 if it is not known.
        rounds_before: The number of rounds before that loop.
        start: The time at which that loop began, in seconds of `time.perf_counter`.
    """

    places: list[Place]
    begun: int
    trips: int
    rounds_before: int
    start: float

    @property
    def total(self) -> int:
        """The number of all rounds so far."""
        ...

    def settle(self) -> None:
        """Tell the samplers how often the steps have run since they were told last."""
        ...


class Sampler:
    """A listener that sees each op that runs step by step, and of others what looks at a compiled function tell."""

    interval: float = 0.001
    """The seconds between two looks; 0 for a listener that has to see each op."""

    def __init__(self) -> None:
        self.tallies: WeakValueDictionary[str, Tally] = WeakValueDictionary()
        """The compiled functions, by the names of their files."""

    def settle(self) -> None:
        """Learn what has run so far."""
        for tally in list(self.tallies.values()):
            tally.settle()

    def ran(self, steps: Sequence[Step], count: int) -> None:
        """Take note that each of these steps has run `count` times."""
        raise NotImplementedError

    def part(self, place: Place, count: int) -> None:
        """Divide what was seen at a place, where each of the scalars was computed `count` times."""

    def measure(self, step: Step, results: Sequence[Any]) -> None:
        """Take note of the results of a step whose types do not tell their size."""

    def look(self, thread: int, places: Sequence[tuple[Tally, int]], is_timed: bool, since: float, now: float) -> None:
        """Take note that a thread is in these functions, at these lines, the innermost first.

        With `is_timed` it is in an op that `before` and `after` see. The last look was at the time `since`.
        """
        raise NotImplementedError
