"""Limits of a run apart from memory: steps, time, and the depth of calls."""

from __future__ import annotations

import sys
import threading
import time
from contextvars import ContextVar

from ..errors import ResourceError
from .op import Op

MAX_CALL_DEPTH = 1000
_FRAMES = 60_000
"""The number of Python's frames that the deepest calls, with regions in regions between them, can need."""


class StepCounter:
    """Counts the ops run by all plans of one program against the limit of its settings."""

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self.steps = 0

    def start(self) -> None:
        """A run begins."""
        self.steps = 0

    def count(self, op: Op | None) -> None:
        """Count a run of an op, or of a region without any. Raises `ResourceError` at the first one past the limit."""
        self.steps += 1
        if self.limit is not None and self.steps > self.limit:
            raise ResourceError(
                f"would be op number {self.steps} to run, past the limit of {self.limit}",
                op=op.name if op is not None else "",
                location=op.location if op is not None else "",
                notes=["--max-steps=N (max_steps in the API) moves the limit"],
            )


class Clock:
    """Ends a program that runs for longer than `timeout` seconds: asked while planning, before every block,
    after every op, and at the end."""

    def __init__(self, timeout: float | None) -> None:
        self.timeout = timeout
        self._end = float("inf")

    def start(self) -> None:
        """The time runs from now on."""
        self._end = float("inf") if self.timeout is None else time.monotonic() + self.timeout

    def check(self) -> None:
        """Raise `ResourceError` when the time is over."""
        if time.monotonic() > self._end:
            notes = ["--timeout=SECONDS (timeout in the API) moves the limit"]
            raise ResourceError(f"ran for longer than the limit of {self.timeout:g} s", notes=notes)


_calls: ContextVar[int] = ContextVar("calls", default=0)


def enter_call() -> None:
    """Count a call of this activity that is not finished. Raises `ResourceError` when calls go too deep."""
    calls = _calls.get()
    if calls >= MAX_CALL_DEPTH:
        raise ResourceError(f"calls go too deep: {MAX_CALL_DEPTH} are not finished")
    _calls.set(calls + 1)


def leave_call() -> None:
    """End what `enter_call` began."""
    _calls.set(_calls.get() - 1)


class _DeepStack:
    """While it lasts, the depth of regions and calls is limited by `MAX_CALL_DEPTH` and not by Python's stack."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._usual = 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._users:
                self._usual = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._usual, _FRAMES))
            self._users += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                sys.setrecursionlimit(self._usual)


deep_stack = _DeepStack()
