"""Listeners that watch a run: a profile by kind of op and by source line, and progress."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..tables import short, table
from .settings import ObservedStep
from .values import Value


@dataclass
class Cost:
    """The cost of some ops: how often they ran, for how long (seconds, without the ops in their regions), and how
    many bytes of results they made."""

    count: int = 0
    seconds: float = 0.0
    result_bytes: int = 0


_MOST_STEPS = 1 << 16


class _Stacks(threading.local):
    """The ops that a thread is in: when each began, and the time spent in ops of its regions so far."""

    def __init__(self) -> None:
        self.starts: list[float] = []
        self.inner: list[float] = []


def _size(results: Sequence[Value]) -> int:
    return sum(result.nbytes for result in results if isinstance(result, (np.ndarray, np.generic)))


@dataclass
class Profile:
    """Time and bytes of every op that ran, by its name, by its location, and by both."""

    by_op: dict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    by_location: dict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    by_place: dict[tuple[str, str], Cost] = field(default_factory=lambda: defaultdict(Cost))
    _stacks: _Stacks = field(default_factory=_Stacks)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _of_step: dict[int, tuple[ObservedStep, tuple[Cost, ...]]] = field(default_factory=dict)
    """Where a step is counted, by its id, with the step, which keeps the id its own."""

    def before(self, step: ObservedStep, operands: Sequence[Value]) -> None:
        self._stacks.inner.append(0.0)
        self._stacks.starts.append(time.perf_counter())

    def after(self, step: ObservedStep, operands: Sequence[Value], results: Sequence[Value]) -> None:
        elapsed = time.perf_counter() - self._stacks.starts.pop()
        inner = self._stacks.inner
        own, size = elapsed - inner.pop(), _size(results)
        if inner:
            inner[-1] += elapsed
        with self._lock:
            known = self._of_step.get(id(step))
            for cost in self._costs_of(step) if known is None else known[1]:
                cost.count += 1
                cost.seconds += own
                cost.result_bytes += size

    def _costs_of(self, step: ObservedStep) -> tuple[Cost, ...]:
        name, location = step.op.name, step.op.location
        costs = self.by_op[name], self.by_location[location], self.by_place[location, name]
        if len(self._of_step) >= _MOST_STEPS:  # of many programs, which these keep alive
            self._of_step.clear()
        self._of_step[id(step)] = step, costs
        return costs

    def report(self, lines: int = 20) -> str:
        """Two tables, the most expensive first, at most `lines` rows each."""
        return "\n".join([*_table("op", self.by_op, lines), "", *_table("location", self.by_location, lines)]) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """The profile as JSON holds it, a row for each op of each location."""
        rows = [{"location": place, "op": op, **vars(cost)} for (place, op), cost in self.by_place.items()]
        return {"profile": rows}

    def __repr__(self) -> str:
        count = sum(cost.count for cost in self.by_op.values())
        seconds = sum(cost.seconds for cost in self.by_op.values())
        return f"<Profile of {count:,} ops in {seconds * 1e3:.3f} ms>"

    def _repr_html_(self) -> str:
        ordered = sorted(self.by_place.items(), key=lambda item: -item[1].seconds)
        rows = [
            (op, f"{cost.seconds * 1e3:.3f}", cost.count, short(cost.result_bytes, "B"), place)
            for (place, op), cost in ordered
        ]
        return table(repr(self)[1:-1], ("op", "ms", "count", "bytes of results", "place"), rows)


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


@dataclass
class Progress:
    """Tells how far a run is: `show(ops done, name of the current op, iteration of the innermost loop or 0)` is called
    at most every `interval` seconds."""

    show: Callable[[int, str, int], None]
    interval: float = 0.1
    done: int = 0
    _next: float = 0.0
    _loops: list[dict[int, int]] = field(default_factory=list)

    def before(self, step: ObservedStep, operands: Sequence[Value]) -> None:
        iteration = 0
        if self._loops:
            counts = self._loops[-1]
            iteration = counts[id(step)] = counts.get(id(step), 0) + 1
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self.interval
            self.show(self.done, step.op.name, iteration)
        if step.op.name == "stablehlo.while":
            self._loops.append({})

    def after(self, step: ObservedStep, operands: Sequence[Value], results: Sequence[Value]) -> None:
        self.done += 1
        if step.op.name == "stablehlo.while":
            self._loops.pop()
