"""Sampling of compiled plans: their functions count their rounds, and a thread looks where the run is.

Replaces calls of a `Sampler` at each op. The first run of a plan goes step by step. Later runs are compiled, with a
counter in each function. Every `interval` seconds a thread looks at the running line, which belongs to a step. Gains:
`--profile` of `benchmarks/watching.py` 22 x.
"""

from __future__ import annotations

import itertools
import operator
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ..plan import Plan, Step
from ..sampler import Place, Sampler
from ..settings import Settings

_frames: Callable[[], dict[int, FrameType]] = vars(sys)["_current_frames"]
_HEAD = "  for "
"""How the head of a loop whose rounds are counted begins."""
_MOST_OF_SCALAR = 16
"""The bytes of the results of an expression of scalars."""
_ENDLESS = 1 << 62
"""The rounds that a counter of them has to give."""


def samplers_of(settings: Settings) -> tuple[Sampler, ...]:
    """Return the listeners that see compiled plans by looks from outside."""
    return tuple([one for one in settings.listeners if isinstance(one, Sampler) and one.interval])


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


def _see(sampler: Sampler, thread: int, since: float, now: float) -> None:
    """Let a sampler look at the frames of a thread."""
    frame = _frames().get(thread)
    places: list[tuple[Any, int]] = []
    is_timed = False
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith("<plan ") and (tally := sampler.tallies.get(code.co_filename)) is not None:
            places.append((tally, frame.f_lineno or 0))
        elif code is Plan.run_step.__code__ and not places:
            is_timed = True
        frame = frame.f_back
    sampler.look(thread, places, is_timed, since, now)


@contextmanager
def sampled(samplers: Sequence[Sampler]) -> Generator[None]:
    """Let samplers look at what this thread does while this lasts."""
    stop = threading.Event()
    thread = threading.get_ident()

    def look(sampler: Sampler) -> None:
        last = time.perf_counter()
        while not stop.wait(sampler.interval):
            now = time.perf_counter()
            _see(sampler, thread, last, now)
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
