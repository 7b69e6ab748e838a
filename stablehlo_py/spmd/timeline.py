"""A time line of all processes of a run, as they would take their time on devices of their own.

Processes take turns in one thread. Each process has a clock that runs while it computes. A collective sets all clocks
of the group to the latest one. A receiver's clock is set to the sender's, if that is later. Transfers take no time.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Hashable, Sequence
from typing import Any

from ..interpreter.plan import Step
from ..interpreter.process_grid import Compute, Meeting, ProcessGrid, ProcessId, Rendezvous, current_process
from ..interpreter.values import Value

MOST_EVENTS = 1_000_000


class Timeline:
    """A listener that notes when each op of each process begins and ends; its grids note waits.

    At most `MOST_EVENTS` are kept, the first ones.
    """

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self._clocks: dict[ProcessId, float] = {}
        self._begun: dict[ProcessId, list[float]] = {}
        self._last: tuple[ProcessId, float] | None = None

    def before(self, step: Step, operands: Sequence[Value]) -> None:
        process = current_process().id
        self._begun.setdefault(process, []).append(self.clock(process))

    def after(self, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        process = current_process().id
        now = self.clock(process)
        begun = self._begun[process].pop()
        self._add("op", step.op.name, process, begun, now, {"location": step.op.location})

    def wait_until(self, process: ProcessId, arrived: float, end: float, what: str) -> None:
        """Note that a process waited from `arrived` to `end`, and set its clock."""
        self._last = (process, time.perf_counter())
        self._clocks[process] = end
        if end > arrived:
            self._add("wait", f"wait in {what}", process, arrived, end, {})

    def clock(self, process: ProcessId) -> float:
        """Return the time on the clock of a process, in seconds; it is the process whose turn it is."""
        now, clock = time.perf_counter(), self._clocks.get(process, 0.0)
        if self._last is not None and self._last[0] == process:
            clock += now - self._last[1]
        self._last = (process, now)
        self._clocks[process] = clock
        return clock

    def _add(self, kind: str, name: str, process: ProcessId, start: float, end: float, details: dict[str, str]) -> None:
        if len(self.events) < MOST_EVENTS:
            self.events.append(
                {
                    "ph": "X",
                    "cat": kind,
                    "name": name,
                    "pid": process.replica_id,
                    "tid": process.partition_id,
                    "ts": round(start * 1e6, 3),
                    "dur": round((end - start) * 1e6, 3),
                    "args": details,
                }
            )

    def make_grid(self, *sizes: Any) -> ProcessGrid:
        """Return a grid that notes waits here; for `Settings.make_grid`."""
        return _TimedGrid(self, *sizes)

    def as_json(self) -> str:
        """Return the events in Chrome's trace format, which chrome://tracing and Perfetto show."""
        names = [
            {"ph": "M", "name": kind, "pid": process.replica_id, "tid": process.partition_id, "args": {"name": title}}
            for process in self._clocks
            for kind, title in (
                ("process_name", f"replica {process.replica_id}"),
                ("thread_name", f"partition {process.partition_id}"),
            )
        ]
        return json.dumps({"displayTimeUnit": "ms", "traceEvents": names + self.events})


class _TimedGrid(ProcessGrid):
    """A grid of this interpreter that keeps the clocks of a time line in step."""

    def __init__(self, timeline: Timeline, *sizes: Any) -> None:
        super().__init__(*sizes)
        self._timeline = timeline
        self._arrivals: dict[int, tuple[Rendezvous, dict[ProcessId, float]]] = {}
        self._left: dict[int, int] = {}
        self._sent_at: dict[Hashable, deque[float]] = {}

    def _join(self, meeting: Meeting, value: Any, how: str, compute: Compute | None) -> Rendezvous:
        rendezvous = super()._join(meeting, value, how, compute)
        _, arrivals = self._arrivals.setdefault(id(rendezvous), (rendezvous, {}))
        arrivals[meeting.process] = self._timeline.clock(meeting.process)
        return rendezvous

    def _meet(self, meeting: Meeting, value: Any, how: str, compute: Compute | None) -> Rendezvous:
        rendezvous = super()._meet(meeting, value, how, compute)
        _, arrivals = self._arrivals[id(rendezvous)]
        self._timeline.wait_until(meeting.process, arrivals[meeting.process], max(arrivals.values()), meeting.op)
        self._left[id(rendezvous)] = self._left.get(id(rendezvous), 0) + 1
        if self._left[id(rendezvous)] == len(meeting.group):
            del self._arrivals[id(rendezvous)], self._left[id(rendezvous)]
        return rendezvous

    def send(self, channel: Hashable, values: tuple[Value, ...]) -> None:
        """Put values into a channel; they are received in the order of sending."""
        self._sent_at.setdefault(channel, deque()).append(self._timeline.clock(current_process().id))
        super().send(channel, values)

    def receive(self, process: ProcessId, channel: Hashable, what: str) -> tuple[Value, ...]:
        """The next values from a channel, once there are some."""
        arrived = self._timeline.clock(process)
        values = super().receive(process, channel, what)
        sent = self._sent_at[channel].popleft()
        self._timeline.wait_until(process, arrived, max(arrived, sent), what.partition(" at ")[0])
        return values
