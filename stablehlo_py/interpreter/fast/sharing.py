"""One evaluation for all processes of a grid whose operands are equal.

Replaces a run of each process's own, unless `Settings.share` says no. Gains: `python benchmarks/scaling.py`, whose 64
processes take the time of about one.

The steps of a plan between two that concern processes (collectives, channels, ids, calls) are a segment. Its results
depend on its inputs alone. So while the results of one process live, another process with the same inputs gets them.
Entries hold weak references; only the latest results, up to `RECENT_BYTES`, are kept alive for later processes. Inputs
are the same objects after a collective. `with_equal_ones_shared` makes equal arguments the same object.

A plan with a limit on steps stays whole, so that the steps of every process count.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...dialect.facts import facts
from ..plan import Step, note_last_uses
from ..process_grid import current_process
from ..registry import is_users
from ..values import Value
from .plans import FastPlan

_DIALECTS_OF_VALUES = frozenset({"arith", "stablehlo"})
_CALLS = frozenset({"stablehlo.async_done", "stablehlo.async_start", "stablehlo.composite", "stablehlo.custom_call"})
_OF_PROCESSES = ("channel_handle", "replica_groups", "source_target_pairs")
_SAMPLE = 64
RECENT_BYTES = 1 << 25
"""The bytes of the latest results that are kept alive in a run."""
_MOST_RECENT = 1 << 14


class _SegmentStep(Step):
    """A segment as a step of the plan around it; its own steps are checked as they run."""

    __slots__ = ()

    @property
    def is_dynamic(self) -> bool:
        return False

    def check(self, results: Sequence[Value]) -> None:
        return None


def concerns_processes(step: Step) -> bool:
    """Whether the step can give another result, or do something else, in another process with the same operands."""
    known = facts(step.op.name)
    return (
        known.dialect not in _DIALECTS_OF_VALUES
        or bool(known.effect)
        or known.per_process
        or step.op.name in _CALLS
        or is_users(step.op.name)
        or any(map(step.op.has, _OF_PROCESSES))
        or any(concerns_processes(inner) for region in step.regions for inner in region.plan.steps)
    )


def in_segments(plan: FastPlan) -> FastPlan:
    """The plan with each run of steps that do not concern processes as one step, which processes share."""
    if plan.counts_steps:
        return plan
    runs: list[list[Step]] = [[]]
    for step in plan.steps:
        if concerns_processes(step):
            runs += [[step], []]
        else:
            runs[-1].append(step)
    used_later = set(plan.returns)
    steps: list[Step] = []
    for index, run in reversed(list(enumerate(runs))):
        steps += reversed([_segment(plan, run, used_later)] if run and index % 2 == 0 else run)
        used_later.update(*[_reads(step) for step in run])
    steps.reverse()
    note_last_uses(steps, plan.inputs, plan.returns)
    return replace(plan, steps=tuple(steps))


def _reads(step: Step) -> set[int]:
    return set(step.operands).union(*[region.captures for region in step.regions])


def _segment(plan: FastPlan, run: list[Step], used_later: set[int]) -> Step:
    made: set[int] = set()
    inputs: dict[int, None] = {}
    for step in run:
        inputs.update(dict.fromkeys(sorted(_reads(step) - made)))
        made.update(step.results)
    results = tuple(sorted(made & used_later))
    dead = note_last_uses(run, tuple(inputs), results)
    inner = replace(plan, inputs=tuple(inputs), steps=tuple(run), returns=results, dies_at_entry=dead)
    return _SegmentStep(run[0].op, _shared(inner), tuple(inputs), results, (), (), 0)


def _shared(segment: FastPlan) -> Callable[..., Any]:
    """A kernel that runs the segment where no process with the same operands has results of it that live."""
    count = len(segment.returns)

    def kernel(*operands: Value) -> Any:
        grid = current_process().grid
        shared = grid.kept
        if shared is None:
            shared = grid.kept = _Shared()
        known = shared.entries.setdefault(id(segment), {})
        key = tuple(map(_identity, operands))
        found = known.get(key)
        results = None if found is None else found.results_for(operands)
        if results is None:
            results = segment.run(*operands)
            if len(known) >= 2 * grid.num_processes:  # each process has at most one that lives
                del known[next(iter(known))]
            known[key] = _Entry(operands, results)
            shared.keep(results)
        return results[0] if count == 1 else results

    return kernel


def _identity(value: Value) -> Hashable:
    """A key of a value: equal keys mean the same object, or for a numpy scalar the same bits."""
    return (value.dtype, value.tobytes()) if isinstance(value, np.generic) else id(value)


class _Shared:
    """Entries that the processes of a grid share: by segment and operands, and the latest results."""

    def __init__(self) -> None:
        self.entries: dict[int, dict[Hashable, _Entry]] = {}
        self._recent: deque[tuple[int, Sequence[Value]]] = deque()
        self._bytes = 0

    def keep(self, results: Sequence[Value]) -> None:
        """Keep these results alive until as much as is kept has come after them."""
        size = sum([result.nbytes for result in results if isinstance(result, np.ndarray)])
        self._recent.append((size, results))
        self._bytes += size
        while self._recent and (self._bytes > RECENT_BYTES or len(self._recent) > _MOST_RECENT):
            self._bytes -= self._recent.popleft()[0]


class _Entry:
    """Operands and results of a run of a segment, as long as somebody else holds them."""

    __slots__ = ("_operands", "_results")

    def __init__(self, operands: Sequence[Value], results: Sequence[Value]) -> None:
        self._operands = [_reference(value) for value in operands]
        self._results = [_reference(value) for value in results]

    def results_for(self, operands: Sequence[Value]) -> tuple[Value, ...] | None:
        """Return the results for these operands, whose identities match the entry, or None if some have been freed."""
        same = all(
            isinstance(value, np.generic) or reference() is value
            for value, reference in zip(operands, self._operands, strict=True)
        )
        results = tuple([reference() for reference in self._results])
        return results if same and not any(result is None for result in results) else None


def _reference(value: Value) -> Callable[[], Any]:
    return weakref.ref(value) if isinstance(value, np.ndarray) else lambda: value


def with_equal_ones_shared(sets: Sequence[Sequence[Value]]) -> list[list[Value]]:
    """The arguments of all processes, with equal arrays as one object."""
    known: dict[Hashable, list[np.ndarray]] = {}
    seen: dict[int, Value] = {}

    def one(value: Value) -> Value:
        if not isinstance(value, np.ndarray) or value.nbytes == 0:
            return value
        if id(value) not in seen:
            candidates = known.setdefault(_fingerprint(value), [])
            same = next((other for other in candidates if _is_same(value, other)), None)
            if same is None:
                candidates.append(value)
            seen[id(value)] = value if same is None else same
        return seen[id(value)]

    return [[one(value) for value in values] for values in sets]


def _fingerprint(value: np.ndarray) -> Hashable:
    step = max(value.size // _SAMPLE, 1)
    return value.dtype, value.shape, value.reshape(-1)[::step].tobytes() if value.flags.c_contiguous else None


def _is_same(left: np.ndarray, right: np.ndarray) -> bool:
    one, other = [np.ascontiguousarray(array).reshape(-1).view(np.uint8) for array in (left, right)]
    return np.array_equal(one, other)
