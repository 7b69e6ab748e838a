"""Profiles and progress of plans that stay compiled: counts are exact, times add up, loops tell how far they are."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.interpreter.plan import Step
from stablehlo_py.interpreter.profile import Profile, Progress
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.sampler import Place
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.interpreter.values import Value

NESTED = """
func.func @main(%rows: tensor<i32>, %x: tensor<?xf32>) -> (tensor<i32>, tensor<f32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %r:3 = stablehlo.while(%i = %zero, %s = %half, %y = %x) : tensor<i32>, tensor<f32>, tensor<?xf32> cond {
    %p = stablehlo.compare LT, %i, %rows : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %t:2 = stablehlo.while(%j = %zero, %u = %s) : tensor<i32>, tensor<f32> cond {
      %q = stablehlo.compare LT, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %q : tensor<i1>
    } do {
      %k = stablehlo.add %j, %one : tensor<i32>
      %v = func.call @below(%u) : (tensor<f32>) -> tensor<f32>
      stablehlo.return %k, %v : tensor<i32>, tensor<f32>
    }
    %z = stablehlo.negate %y : tensor<?xf32>
    %m = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %m, %t#1, %z : tensor<i32>, tensor<f32>, tensor<?xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<i32>, tensor<f32>, tensor<?xf32>
}
func.func private @below(%a: tensor<f32>) -> tensor<f32> {
  %b = stablehlo.sine %a : tensor<f32>
  %c = stablehlo.multiply %b, %a : tensor<f32>
  return %c : tensor<f32>
}
"""
COUNTED = """
func.func @main() -> tensor<f32> {
  %x = stablehlo.constant dense<0.5> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %count = stablehlo.constant dense<ROUNDS> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<f32> cond {
    %p = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.sine %a : tensor<f32>
    stablehlo.return %j, %b : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
"""


class Watcher:
    """A listener that wants to see each op."""

    def before(self, step: Step, operands: Sequence[Value]) -> None: ...

    def after(self, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None: ...


def step_of(function: ir.Operation, name: str) -> Any:
    """A step of the first op of that name in a function."""
    op = next(op for op in operations(function) if op.name == name)
    return SimpleNamespace(op=SimpleNamespace(operation=op, name=name, location="-", function=function), result_bytes=4)


def profiled(rounds: int, *others: Watcher, runs: int = 2) -> Profile:
    profile = Profile()
    module = ir.Module.parse(NESTED, make_context())
    program = Program(module, Settings(listeners=(profile, *others)))
    for _ in range(runs):
        program.run([np.array(rounds, np.int32), np.ones(3, np.float32)])
    return profile


@pytest.mark.parametrize("rounds", [0, 1, 2, 7])
def test_counts_and_bytes_are_those_of_plans_that_run_op_by_op(
    rounds: int,
) -> None:
    found, expected = profiled(rounds), profiled(rounds, Watcher())
    assert {place: (cost.count, cost.result_bytes) for place, cost in found.by_place.items()} == {
        place: (cost.count, cost.result_bytes) for place, cost in expected.by_place.items()
    }


def test_times_in_loops_add_up_to_that_of_the_run() -> None:
    start = time.perf_counter()
    profile = profiled(500, runs=1)
    elapsed = time.perf_counter() - start
    by_op = profile.by_op
    assert all(cost.seconds >= 0 for cost in by_op.values())
    assert 0 < sum(cost.seconds for cost in by_op.values()) < elapsed
    assert by_op["stablehlo.sine"].seconds > by_op["stablehlo.negate"].seconds
    assert by_op["stablehlo.multiply"].seconds > 0
    assert "sampled" in profile.report()


def test_no_time_counts_twice_where_a_look_covers_an_op_that_was_timed() -> None:
    module = ir.Module.parse(NESTED, make_context())
    function = module.body.operations[0].operation
    profile, outer, step = Profile(), step_of(function, "stablehlo.while"), step_of(function, "stablehlo.compare")
    tally: Any = SimpleNamespace(places=[Place([], step)])
    start = time.perf_counter()
    profile.before(outer, [])
    profile.before(step, [])
    time.sleep(0.002)
    profile.after(step, [], [])
    profile.look(threading.get_ident(), [(tally, 1)], is_timed=False, since=start, now=time.perf_counter())
    profile.after(outer, [], [])
    elapsed = time.perf_counter() - start
    costs = profile.by_op
    assert min(cost.seconds for cost in costs.values()) >= 0
    assert sum(cost.seconds for cost in costs.values()) <= elapsed


def test_progress_of_counted_loops_tells_the_total_and_the_time_left() -> None:
    shown = []
    progress = Progress(lambda *state: shown.append((*state, progress.total, progress.remaining)), interval=0.001)
    rounds = 300_000
    program = Program(
        ir.Module.parse(COUNTED.replace("ROUNDS", str(rounds)), make_context()), Settings(listeners=(progress,))
    )
    program.run([])
    assert progress.done == 5 + 2 * rounds + rounds + 1
    within = [state for state in shown if state[3]]
    assert {(op, total) for _, op, _, total, _ in within} == {("stablehlo.sine", rounds)}
    for done, _, iteration, _, remaining in within:
        assert 0 < iteration <= rounds
        assert remaining is not None
        assert remaining >= 0
        assert done >= 3 * iteration - 3
    assert [state[2] for state in within] == sorted(state[2] for state in within)


def test_progress_of_other_loops_counts() -> None:
    shown = []
    progress = Progress(lambda *state: shown.append((*state, progress.total)), interval=0.001)
    module = ir.Module.parse(NESTED.replace("compare LT", "compare NE"), make_context())
    Program(module, Settings(listeners=(progress,))).run([np.array(500, np.int32), np.ones(3, np.float32)])
    assert max(iteration for _, _, iteration, _ in shown) > 1
    assert {total for *_, total in shown} == {0}
