"""Listeners that may learn of steps in groups, where a plan does not run step by step."""

from __future__ import annotations

import itertools
import operator
import time
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from .plan import Step

_HEAD = "  for "
"""How the head of a loop whose rounds are counted begins."""
_MOST_OF_SCALAR = 16
"""The bytes of the results of an expression of scalars."""
_ENDLESS = 1 << 62
"""The rounds that a counter of them has to give."""


class Place(NamedTuple):
    """The findings of a look at a line: expressions of scalars, and then the step that is seen there, if any.

    Python lets itself be looked at after calls, in kernels of arrays and at the head of a loop, so expressions of
    scalars are seen where the next of these is.
    """

    scalars: list[Step]
    seen: Step | None


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


def _places(lines: Sequence[str], steps: Sequence[Step | None]) -> list[Place]:
    """The place of each line."""
    places: list[Place] = []
    last = Place([], None)
    for text, step in zip(lines, steps, strict=True):
        if step is not None:
            scalars = [] if last.seen is not None else last.scalars
            if "(" in text or step.result_bytes > _MOST_OF_SCALAR:
                last = Place(scalars, step)
            else:
                scalars.append(step)
                last = Place(scalars, None)
        places.append(last)
    return [last if text.startswith(_HEAD) else place for text, place in zip(lines, places, strict=True)]


class Tally:
    """Counts of a compiled function while it is watched.

    `rounds` counts its runs, or for a loop those of its condition; `parts` are its steps, for a loop those of the
    condition and those of the body, and `places` has an entry for each line of its text.
    """

    def __init__(self, samplers: Sequence[Sampler]) -> None:
        self.rounds = itertools.repeat(None, _ENDLESS)
        self.samplers = samplers
        self.parts: list[list[Step]] = [[]]
        self.places: list[Place] = []
        self.begun = 0
        """Runs of the loop; of the last one, the number of its rounds or 0, all rounds before it, and the time."""
        self.trips = 0
        self.rounds_before = 0
        self.start = 0.0
        self._told = 0, 0

    def watch(self, filename: str, lines: Sequence[str], steps: Sequence[Step | None]) -> None:
        """The function has these lines, each of a step."""
        self.places = _places(lines, steps)
        for sampler in self.samplers:
            sampler.tallies[filename] = self

    def begin(self, trips: int = 0) -> None:
        """Begin a loop, after its first round. `trips` is the number of rounds to come, or 0 if unknown."""
        self.begun += 1
        self.trips = trips and trips + 1
        self.rounds_before, self.start = self.total - 1, time.perf_counter()

    @property
    def total(self) -> int:
        """Return the number of all rounds so far."""
        return _ENDLESS - operator.length_hint(self.rounds)

    def checked(self, step: Step, result: Any) -> Any:
        """Return the results of a step whose types do not tell their size, checked and seen by the samplers."""
        result = step.checked(result)
        for sampler in self.samplers:
            sampler.measure(step, result if len(step.results) > 1 else (result,))
        return result

    def settle(self) -> None:
        """Tell the samplers how often the steps have run since they were told last."""
        total, begun = self.total, self.begun
        runs, rounds = total - self._told[0], total - begun - (self._told[0] - self._told[1])
        self._told = total, begun
        for steps, count in zip(self.parts, (runs, rounds), strict=False):
            for sampler in self.samplers if count else ():
                sampler.ran(steps, count)
        lumps = {id(place): place for place in self.places if place.scalars and place.seen}
        for place in lumps.values() if runs else ():
            for sampler in self.samplers:
                sampler.part(place, runs)

    __del__ = settle
