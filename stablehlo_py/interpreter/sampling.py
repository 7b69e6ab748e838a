"""Watching compiled plans at little cost: their functions count their rounds, and a thread looks where the run is.

The first run of a plan goes step by step, and listeners see each op. A `Sampler` is a listener that asks for no more:
later runs are compiled, with a counter in each function, and every `interval` seconds a thread looks at which line of
which function is being run, as a line belongs to a step.
"""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from types import CodeType, FrameType


_frames: Callable[[], dict[int, FrameType]] = vars(sys)["_current_frames"]
_HEAD = "  for "
"""How the head of a loop whose rounds are counted begins."""
_MOST_OF_SCALAR = 16
"""The bytes of the results of an expression of scalars."""


class Step(Protocol):
    """What is asked of a step of a plan."""

    op: Any
    results: tuple[int, ...]
    result_bytes: int

    def checked(self, result: Any) -> Any: ...


class Place(NamedTuple):
    """What a look at a line may have found: expressions of scalars, and then the step that is seen there, if any.

    Python lets itself be looked at after calls, in kernels of arrays and at the head of a loop, so expressions of
    scalars are seen where the next of these is.
    """

    scalars: list[Step]
    seen: Step | None


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
    """What is known of a compiled function while it is watched.

    `rounds` counts its runs, or for a loop those of its condition; `parts` are its steps, for a loop those of the
    condition and those of the body, and `places` has an entry for each line of its text.
    """

    def __init__(self, samplers: Sequence[Sampler]) -> None:
        self.rounds = itertools.count()
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
        """A loop begins, after its first round, with so many more to come where that is known."""
        self.begun += 1
        self.trips = trips and trips + 1
        self.rounds_before, self.start = self.total - 1, time.perf_counter()

    @property
    def total(self) -> int:
        """All rounds so far. The counter tells it nobody but `repr`."""
        return int(repr(self.rounds)[len("count(") : -1])

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


class Sampler:
    """A listener that sees each op of the first run of a plan, and of later ones what a look at them tells."""

    interval: float = 0.001
    """The seconds between two looks."""

    def __init__(self) -> None:
        self.tallies: WeakValueDictionary[str, Tally] = WeakValueDictionary()
        """The compiled functions, by the names of their files."""

    def settle(self) -> None:
        """Learn what has run so far."""
        for tally in list(self.tallies.values()):
            tally.settle()

    def ran(self, steps: Sequence[Step], count: int) -> None:
        """Each of these steps has run so many times."""
        raise NotImplementedError

    def part(self, place: Place, count: int) -> None:
        """What was seen here is to be parted: each of the scalars was computed so many times."""

    def measure(self, step: Step, results: Sequence[Any]) -> None:
        """A step whose types do not tell the size of its results gave these."""

    def look(self, thread: int, places: Sequence[tuple[Tally, int]], is_timed: bool, since: float, now: float) -> None:
        """A thread is in these functions, at these lines, the innermost first; or in an op that `before` and `after`
        see, where `is_timed`. The last look was at the time `since`."""
        raise NotImplementedError

    def see(self, thread: int, stepping: CodeType, since: float, now: float) -> None:
        """Look where a thread is."""
        frame = _frames().get(thread)
        places: list[tuple[Tally, int]] = []
        is_timed = False
        while frame is not None:
            code = frame.f_code
            if code.co_filename.startswith("<plan ") and (tally := self.tallies.get(code.co_filename)) is not None:
                places.append((tally, frame.f_lineno or 0))
            elif code is stepping and not places:
                is_timed = True
            frame = frame.f_back
        self.look(thread, places, is_timed, since, now)


@contextmanager
def sampled(samplers: Sequence[Sampler], stepping: CodeType) -> Generator[None]:
    """Let samplers look at what this thread does while this lasts. `stepping` is the code that runs a single step."""
    stop = threading.Event()
    thread = threading.get_ident()

    def look(sampler: Sampler) -> None:
        last = time.perf_counter()
        while not stop.wait(sampler.interval):
            now = time.perf_counter()
            sampler.see(thread, stepping, last, now)
            last = now

    threads = [threading.Thread(target=look, args=(sampler,), daemon=True) for sampler in samplers]
    for one in threads:
        one.start()
    try:
        yield
    finally:
        stop.set()
        for one in threads:
            one.join()
