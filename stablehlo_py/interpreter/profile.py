"""Listeners that watch a run: a profile by kind of op and by source line, and progress."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ..bindings import ir
from ..bindings.attributes import symbol_name
from ..bindings.walk import operations
from ..dialect.loops import LoopCounter, counter_of
from ..syntax.tables import short, table
from .plan import Step
from .values import Value


@dataclass
class Cost:
    """The cost of some ops: how often they ran, for how long (seconds, without the ops in their regions), and how
    many bytes of results they made."""

    count: int = 0
    seconds: float = 0.0
    result_bytes: int = 0


_Key = TypeVar("_Key")
_MOST_STEPS = 1 << 16
_PLAIN = "a run with a profile is neither compiled nor fused: it goes op by op, which takes longer"


def _size(results: Sequence[Value]) -> int:
    return sum(result.nbytes for result in results if isinstance(result, (np.ndarray, np.generic)))


class _Running(threading.local):
    """The ops that a thread is in, and the end of the time that has been charged to them."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.since = 0.0


class Profile:
    """A listener that counts time and bytes of every op that ran, by its name, by its location, and by both.

    The time from one op's beginning or end to the next is charged to the innermost op in between.
    """

    def __init__(self) -> None:
        self._costs: dict[tuple[str, str, str, int], Cost] = defaultdict(Cost)
        """By location, name, function, and position in its text."""
        self._positions: dict[ir.Operation, tuple[str, int]] = {}
        self._of_step: dict[int, tuple[Step, Cost]] = {}
        """The cost that a step adds to, by its id, with the step, which keeps the id its own."""
        self._running = _Running()
        self._lock = threading.Lock()

    def before(self, step: Step, operands: Sequence[Value]) -> None:
        now, running = time.perf_counter(), self._running
        if running.steps:
            self._add(running.steps[-1], 0, now - running.since, 0)
        running.steps.append(step)
        running.since = time.perf_counter()

    def after(self, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        now, running = time.perf_counter(), self._running
        self._add(step, 1, now - running.since, _size(results))
        running.steps.remove(step)  # not always the last: processes of a grid take turns
        running.since = time.perf_counter()

    def _add(self, step: Step, count: int, seconds: float, result_bytes: int) -> None:
        with self._lock:
            cost = self._cost_of(step)
            cost.count += count
            cost.seconds += seconds
            cost.result_bytes += result_bytes

    def _cost_of(self, step: Step) -> Cost:
        known = self._of_step.get(id(step))
        if known is None:
            op = step.op.operation
            if len(self._of_step) >= _MOST_STEPS:  # of many programs, which these keep alive
                self._of_step.clear()
                self._positions.clear()
            if op not in self._positions:
                function = step.op.function
                inside = [op] if function is None else operations(function)
                name = "" if function is None else symbol_name(function)
                self._positions |= {inner: (name, index) for index, inner in enumerate(inside)}
            known = self._of_step[id(step)] = step, self._costs[step.op.location, step.op.name, *self._positions[op]]
        return known[1]

    @property
    def by_place(self) -> dict[tuple[str, str], Cost]:
        """The costs by location and name of the op."""
        return self._summed(lambda location, op: (location, op))

    @property
    def by_op(self) -> dict[str, Cost]:
        """The costs by the op's name."""
        return self._summed(lambda _, op: op)

    @property
    def by_location(self) -> dict[str, Cost]:
        """The costs by the op's location."""
        return self._summed(lambda location, _: location)

    def _summed(self, key: Callable[[str, str], _Key]) -> dict[_Key, Cost]:
        sums: dict[_Key, Cost] = defaultdict(Cost)
        for (location, op, _, _), cost in self._costs.items():
            total = sums[key(location, op)]
            total.count += cost.count
            total.seconds += cost.seconds
            total.result_bytes += cost.result_bytes
        return sums

    def report(self, lines: int = 20) -> str:
        """Two tables, the most expensive first, at most `lines` rows each."""
        tables = [*_table("op", self.by_op, lines), "", *_table("location", self.by_location, lines)]
        return "\n".join([*tables, "", f"note: {_PLAIN}"]) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """The profile as JSON holds it, a row for each op; its index is the position in the text of its function."""
        rows = [{"location": location, "op": op, "function": function, "index": index, **vars(cost)}
                for (location, op, function, index), cost in self._costs.items()]  # fmt: skip
        return {"profile": rows}

    def __repr__(self) -> str:
        costs = self.by_place.values()
        count, seconds = sum(cost.count for cost in costs), sum(cost.seconds for cost in costs)
        return f"<Profile of {count:,} ops in {seconds * 1e3:.3f} ms>"

    def _repr_html_(self) -> str:
        ordered = sorted(self.by_place.items(), key=lambda item: -item[1].seconds)
        rows = [
            (op, f"{cost.seconds * 1e3:.3f}", cost.count, short(cost.result_bytes, "B"), place)
            for (place, op), cost in ordered
        ]
        return table(repr(self)[1:-1], ("op", "ms", "count", "bytes of results", "location"), rows)


def _table(title: str, costs: dict[str, Cost], lines: int) -> list[str]:
    total = sum(cost.seconds for cost in costs.values())
    rows = [f"{'time':>12} {'share':>6} {'count':>8} {'result bytes':>14}  {title}"]
    ordered = sorted(costs.items(), key=lambda item: -item[1].seconds)
    for name, cost in ordered[:lines]:
        share = cost.seconds / total if total else 0.0
        rows.append(f"{cost.seconds * 1e3:9.3f} ms {share:6.1%} {cost.count:8} {cost.result_bytes:14,}  {name}")
    if len(ordered) > lines:
        rows.append(f"… and {len(ordered) - lines} more")
    return rows


class _Loop:
    """A loop that is running: how far it is, and how far it will go if a counter tells."""

    def __init__(self, step: Step) -> None:
        self.iteration = 0
        self.total = 0
        self.start = time.monotonic()
        self._counter: LoopCounter | None = counter_of(step.op.operation)
        self._first = next((inner for region in step.regions for inner in region.plan.steps), None)
        self._tested: Sequence[Value] = ()

    def see(self, step: Step, operands: Sequence[Value]) -> None:
        """Take note of a step, perhaps of this loop."""
        self.iteration += step is self._first
        if self._counter is None:
            return
        if step.op.operation == self._counter.test:
            self._tested = operands
        elif step.op.operation == self._counter.addition:
            values = [np.asarray(value) for value in (*self._tested, operands[self._counter.step_index])]
            if all(np.issubdtype(value.dtype, np.integer) for value in values):
                start, limit, added = map(int, values)
                rounds = self._counter.rounds(start, limit, added)
                self.total = 0 if rounds is None else (rounds.stop - rounds.start) // rounds.step
            self._counter = None


class Progress:
    """A listener that tells how far a run is: `show(ops done, name of the current op, iteration of the loop or 0)` is
    called at most every `interval` seconds, before an op; of loops in loops, the outermost whose `total` is known, or
    the innermost.

    While it is called, `total` is the number of the loop's iterations that its first one has announced, or 0, and
    `remaining` the seconds that the others will take, or None.
    """

    def __init__(self, show: Callable[[int, str, int], None], interval: float = 0.1) -> None:
        self.show = show
        self.interval = interval
        self.total = 0
        self.remaining: float | None = None
        self.done = 0
        """The number of ops that have run."""
        self._loops: dict[Step, _Loop] = {}
        self._next = 0.0

    def before(self, step: Step, operands: Sequence[Value]) -> None:
        for loop in self._loops.values():
            loop.see(step, operands)
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self.interval
            self._show(step.op.name, now)
        if step.op.name == "stablehlo.while":
            self._loops[step] = _Loop(step)

    def after(self, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        self.done += 1
        self._loops.pop(step, None)

    def _show(self, op: str, now: float) -> None:
        loops = list(self._loops.values())
        loop = next((loop for loop in loops if loop.total), loops[-1] if loops else None)
        iteration, self.total, self.remaining = 0, 0, None
        if loop is not None:
            iteration, self.total = loop.iteration, loop.total
            if loop.total:
                iteration = min(iteration, loop.total)  # the condition is evaluated once more
                self.remaining = (now - loop.start) / max(iteration - 1, 1) * (loop.total - iteration)
        self.show(self.done, op, iteration)
