"""Listeners that watch a run: a profile by kind of op and by source line, and progress."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np

from ..bindings import ir
from ..bindings.attributes import symbol_name
from ..bindings.walk import operations
from ..syntax.tables import short, table
from .plan import Step
from .sampler import Place, Sampler, Tally
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
_TRIALS = 1000
_SAMPLED = "times in bodies of loops and of other ops are sampled; counts and bytes are not"


@cache
def _seconds_of_scalar() -> float:
    """How long an expression of scalars takes."""
    one = np.float32(1)
    start = time.perf_counter()
    for _ in range(_TRIALS):
        _ = one * one
    return (time.perf_counter() - start) / _TRIALS


def _size(results: Sequence[Value]) -> int:
    return sum(result.nbytes for result in results if isinstance(result, (np.ndarray, np.generic)))


def _exclude(stack: list[list[float]], start: float, end: float) -> None:
    """State that this time is not that of the innermost op itself."""
    if stack:
        stack[-1][1] += end - start
        stack[-1][2] = max(stack[-1][2], end)


class Profile(Sampler):
    """Time and bytes of every op that ran, by its name, by its location, and by both.

    The first run of each body is timed op by op, and so are functions that are called from outside. Later runs of
    bodies are timed by looks at them; expressions of scalars are taken to last as long as one did in a trial.
    """

    def __init__(self) -> None:
        super().__init__()
        self._costs: dict[tuple[str, str, str, int], Cost] = defaultdict(Cost)
        """By location, name, function, and position in its text."""
        self._positions: dict[ir.Operation, tuple[str, int]] = {}
        self._of_step: dict[int, tuple[Step, Cost]] = {}
        """Where a step is counted, by its id, with the step, which keeps the id its own."""
        self._stacks: dict[int, list[list[float]]] = defaultdict(list)
        """The ops that each thread is in: when each began, the time of ops of its regions, and when that was known."""
        self._lock = threading.RLock()

    def before(self, step: Step, operands: Sequence[Value]) -> None:
        now = time.perf_counter()
        self._stacks[threading.get_ident()].append([now, 0.0, now])

    def after(self, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        stack = self._stacks[threading.get_ident()]
        with self._lock:
            now = time.perf_counter()
            start, inner, _ = stack.pop()
            _exclude(stack, start, now)
        self._add(step, 1, now - start - inner, _size(results))

    def ran(self, steps: Sequence[Step], count: int) -> None:
        for step in steps:
            self._add(step, count, 0.0, count * step.result_bytes)

    def measure(self, step: Step, results: Sequence[Value]) -> None:
        self._add(step, 0, 0.0, _size(results) - step.result_bytes)

    def look(self, thread: int, places: Sequence[tuple[Tally, int]], is_timed: bool, since: float, now: float) -> None:
        if is_timed or not places:
            return
        with self._lock:
            if stack := self._stacks[thread]:
                since = min(max(since, stack[-1][2]), now)  # an op may have begun or ended after the look
                _exclude(stack, since, now)
        tally, line = places[0]
        scalars, seen = tally.places[line - 1]
        found = scalars if seen is None else [seen]
        for step in found:
            self._add(step, 0, (now - since) / len(found), 0)

    def part(self, place: Place, count: int) -> None:
        if place.seen is None:
            return
        known = self._cost_of(place.seen).seconds
        each = min(count * _seconds_of_scalar(), known / (len(place.scalars) + 1))
        for step in place.scalars:
            self._add(step, 0, each, 0)
            self._add(place.seen, 0, -each, 0)

    def _add(self, step: Step, count: int, seconds: float, result_bytes: int) -> None:
        with self._lock:
            cost = self._cost_of(step)
            cost.count += count
            cost.seconds += seconds
            cost.result_bytes += result_bytes

    def _cost_of(self, step: Step) -> Cost:
        known = self._of_step.get(id(step))
        if known is None:
            start, op, stack = time.perf_counter(), step.op.operation, self._stacks[threading.get_ident()]
            if len(self._of_step) >= _MOST_STEPS:  # of many programs, which these keep alive
                self._of_step.clear()
                self._positions.clear()
            if op not in self._positions:
                function = step.op.function
                inside = [op] if function is None else operations(function)
                name = "" if function is None else symbol_name(function)
                self._positions |= {inner: (name, index) for index, inner in enumerate(inside)}
            known = self._of_step[id(step)] = step, self._costs[step.op.location, step.op.name, *self._positions[op]]
            _exclude(stack, start, time.perf_counter())
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
        self.settle()
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
        return "\n".join([*tables, "", f"note: {_SAMPLED}"]) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """The profile as JSON holds it, a row for each op; its index is the position in the text of its function."""
        self.settle()
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


class Progress(Sampler):
    """Tells how far a run is: `show(ops done, name of the current op, iteration of the loop or 0)` is called
    at most every `interval` seconds; of loops in loops, the outermost whose `total` is known, or the innermost.

    With an interval of 0 it is called before each op, none of which is compiled then. While it is called, `total` is
    the number of the loop's iterations, or 0, and `remaining` the seconds that the others will take, or None.
    """

    def __init__(self, show: Callable[[int, str, int], None], interval: float = 0.1) -> None:
        super().__init__()
        self.show = show
        self.interval = interval
        self.total = 0
        self.remaining: float | None = None
        self._done = 0
        self._loops: list[dict[int, int]] = []
        self._running: list[Step] = []

    @property
    def done(self) -> int:
        """The number of ops that have run."""
        self.settle()
        return self._done

    def before(self, step: Step, operands: Sequence[Value]) -> None:
        self._running.append(step)
        iteration = 0
        if self._loops:
            counts = self._loops[-1]
            iteration = counts[id(step)] = counts.get(id(step), 0) + 1
        if not self.interval:
            self.show(self._done, step.op.name, iteration)
        if step.op.name == "stablehlo.while":
            self._loops.append({})

    def after(self, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        self._done += 1
        self._running.pop()
        if step.op.name == "stablehlo.while":
            self._loops.pop()

    def ran(self, steps: Sequence[Step], count: int) -> None:
        self._done += len(steps) * count

    def look(self, thread: int, places: Sequence[tuple[Tally, int]], is_timed: bool, since: float, now: float) -> None:
        loops = [tally for tally, _ in places if tally.begun]
        loop = next((tally for tally in reversed(loops) if tally.trips), loops[0] if loops else None)
        iteration, self.total, self.remaining = 0, 0, None
        if loop is not None:
            iteration = loop.total - loop.rounds_before
            if loop.trips:
                self.total, rest = loop.trips, max(loop.trips - iteration, 0)
                self.remaining = (now - loop.start) / max(iteration - 1, 1) * rest
        running = self._running[-1:]
        if places and not is_timed:
            scalars, seen = places[0][0].places[places[0][1] - 1]
            running = [seen] if seen is not None else scalars if scalars else running
        if running:
            self.show(self.done, running[-1].op.name, iteration)
