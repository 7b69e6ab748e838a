"""Activities: pieces of work that take turns in one thread, each going on until it has to wait for another one.

An activity is a greenlet. It can wait inside any nest of calls and regions, as a thread can, but takes a few kilobytes,
and a switch takes microseconds. So thousands fit into one interpreter. Activities run in the order of becoming ready,
which is the same in every run.
"""

from __future__ import annotations

import contextvars
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from greenlet import greenlet

STACK_BYTES = 1 << 15
"""About what an activity takes while it waits, apart from its values."""


class Event:
    """Something that comes about once, perhaps with a value, and the activities that wait for it."""

    def __init__(self) -> None:
        self.has_happened = False
        self.value: Any = None
        self.waiting: list[greenlet | None] = []


class Wait(NamedTuple):
    """A wait of an activity: who waits, and a function that tells what for, called where somebody wants to know."""

    owner: Any
    describe: Callable[[], str]


class Activities:
    """Activities that wait for each other, and the turns that they take.

    They run while whoever made this object waits, or is in `run`. `idle` is called when none of them can go on: it
    may let events happen, and returns whether it did. Where it did not, none ever will: the one that waited first is
    ended with what `stuck` returns for the waits of all.
    """

    def __init__(self, idle: Callable[[], bool], stuck: Callable[[list[Wait]], Exception]) -> None:
        self.waits: dict[greenlet | None, Wait] = {}
        self._ready: deque[greenlet] = deque()
        self._unfinished: dict[greenlet, None] = {}
        self._idle = idle
        self._stuck = stuck
        self._current: greenlet | None = None
        self._failure: Exception | None = None

    @property
    def has_ready(self) -> bool:
        """Whether an activity can go on."""
        return bool(self._ready)

    def start(self, work: Callable[[], object]) -> None:
        """Run `work` in an activity of its own, when its turn comes."""
        from greenlet import getcurrent, greenlet

        def activity() -> None:
            try:
                work()
            except Exception as error:
                self._failure = error

        made = greenlet(activity, getcurrent() if self._current is None else self._current.parent)
        made.gr_context = contextvars.copy_context()  # numpy's error state and the limit on memory come along
        self._unfinished[made] = None
        self._ready.append(made)

    def happen(self, event: Event, value: Any = None) -> None:
        """Let an event happen: those who wait for it can go on."""
        event.has_happened, event.value = True, value
        self._ready.extend([activity for activity in event.waiting if activity is not None])
        event.waiting.clear()

    def wait(self, event: Event, wait: Wait) -> Any:
        """Return the event's value once it has happened. Raises the error of another activity, or
        the result of `stuck` if nothing can happen any more."""
        if event.has_happened:
            return event.value
        event.waiting.append(self._current)
        self.waits[self._current] = wait
        try:
            hub = None if self._current is None else self._current.parent
            if hub is None:
                self._take_turns(lambda: event.has_happened)
            else:
                hub.switch()
        finally:
            self.waits.pop(self._current, None)
        return event.value

    def run(self) -> None:
        """Let all activities go on until they are done. Raises what the first one failed with."""
        self._take_turns(lambda: not self._unfinished)

    def _take_turns(self, is_over: Callable[[], bool]) -> None:
        try:
            while not is_over():
                if self._ready:
                    self._resume(self._ready.popleft())
                elif not self._idle():
                    error = self._stuck(list(self.waits.values()))
                    first = next(iter(self.waits))
                    if first is None:
                        raise error
                    self._resume(first, error)
                if self._failure is not None:
                    raise self._failure
        finally:
            self._current = None
            if not is_over():
                self._end()

    def _resume(self, activity: greenlet, error: Exception | None = None) -> None:
        """Give an activity its turn; with an error it ends."""
        self._current = activity
        if error is None:
            activity.switch()
        else:
            activity.throw(error)
        self._current = None
        if activity.dead:
            del self._unfinished[activity]

    def _end(self) -> None:
        """End the unfinished activities; their `finally` clauses run."""
        self._ready.clear()
        for activity in self._unfinished:
            self._current = activity
            if not activity.dead:
                activity.throw()
        self._current = None
        self._unfinished.clear()
        self.waits.clear()
