"""Sampling of compiled plans: their functions count their rounds, and a thread looks where the run is.

Replaces calls of a `Sampler` at each op. The first run of a plan goes step by step. Later runs are compiled, with a
counter in each function. Every `interval` seconds a thread looks at the running line, which belongs to a step. Gains:
`--profile` of `benchmarks/watching.py` 22 x.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ..plan import Plan
from ..sampler import Sampler
from ..settings import Settings

_frames: Callable[[], dict[int, FrameType]] = vars(sys)["_current_frames"]


def samplers_of(settings: Settings) -> tuple[Sampler, ...]:
    """Return the listeners that see compiled plans by looks from outside."""
    return tuple([one for one in settings.listeners if isinstance(one, Sampler) and one.interval])


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
