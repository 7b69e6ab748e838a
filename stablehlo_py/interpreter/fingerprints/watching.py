"""Plans whose results are seen, and may be replaced, by a watcher."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..plan import Plan, Step
from ..values import Value

Watcher = Callable[[Step, Sequence[Value], Sequence[Value]], tuple[Value, ...]]
"""Takes a step, its operands and its results; returns the results to go on with."""


@dataclass(eq=False)
class WatchedPlan(Plan):
    """A plan that shows the results of its steps, except in regions that run on whole arrays."""

    watch: Watcher = lambda step, operands, results: tuple(results)

    def run_step(
        self, step: Step, operands: list[Value], environment: list[Any], *, is_checked: bool
    ) -> tuple[Value, ...]:
        results = super().run_step(step, operands, environment, is_checked=is_checked)
        return self.watch(step, operands, results) if is_checked else results
