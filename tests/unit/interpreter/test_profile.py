"""Profiles and progress of runs that go op by op: counts are exact, times add up, loops tell how far they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.interpreter import progress as bars
from stablehlo_py.interpreter.profile import Cost, Profile, Progress
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

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
WAITING = """
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %b = stablehlo.negate %a : tensor<2xf32>
  %c = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  %d = stablehlo.sine %c : tensor<2xf32>
  return %d : tensor<2xf32>
}
"""


def profiled(rounds: int, *, fast: bool = True) -> dict[str, Cost]:
    profile = Profile()
    program = Program(parsed(NESTED), Settings(listeners=(profile,), fast=fast))
    for _ in range(2):
        program.run([np.array(rounds, np.int32), np.ones(3, np.float32)])
    return profile.by_op


@pytest.mark.parametrize("rounds", [0, 1, 2, 7])
def test_counts_and_bytes_are_those_of_the_definitions(rounds: int) -> None:
    found, expected = profiled(rounds), profiled(rounds, fast=False)
    inner = 2 * sum(range(rounds))
    assert found["stablehlo.sine"].count == inner if inner else "stablehlo.sine" not in found
    assert {op: (cost.count, cost.result_bytes) for op, cost in found.items()} == {
        op: (cost.count, cost.result_bytes) for op, cost in expected.items()
    }


def test_processes_of_a_grid_that_wait_for_each_other_count_no_time_twice() -> None:
    profile = Profile()
    program = Program(parsed(WAITING), Settings(listeners=(profile,)))
    start = time.perf_counter()
    program.run_parallel([[np.ones(2, np.float32)]] * 8, num_replicas=8)
    elapsed = time.perf_counter() - start
    assert {op: cost.count for op, cost in profile.by_op.items()} == {
        "stablehlo.negate": 8, "stablehlo.all_reduce": 8, "stablehlo.add": 7, "stablehlo.sine": 8,
    }  # fmt: skip
    assert 0 < sum(cost.seconds for cost in profile.by_op.values()) < elapsed


def test_progress_of_counted_loops_tells_the_total_and_the_time_left() -> None:
    shown = []
    progress = Progress(lambda *state: shown.append((*state, progress.total, progress.remaining)), interval=0.0)
    rounds = 300
    program = Program(parsed(COUNTED.replace("ROUNDS", str(rounds))), Settings(listeners=(progress,)))
    program.run([])
    assert progress.done == 5 + 2 * rounds + rounds + 1
    within = [state for state in shown if state[3]]
    assert {(op, total) for _, op, _, total, _ in within} == {
        (f"stablehlo.{op}", rounds) for op in ("compare", "add", "sine")
    }
    for done, _, iteration, _, remaining in within:
        assert 0 < iteration <= rounds + 1
        assert remaining is not None
        assert remaining >= 0
        assert done >= 3 * iteration - 3
    assert [state[2] for state in within] == sorted(state[2] for state in within)


def test_progress_of_other_loops_counts() -> None:
    shown = []
    progress = Progress(lambda *state: shown.append((*state, progress.total)), interval=0.0)
    module = parsed(NESTED.replace("compare LT", "compare NE"))
    Program(module, Settings(listeners=(progress,))).run([np.array(5, np.int32), np.ones(3, np.float32)])
    assert max(iteration for _, _, iteration, _ in shown) == 6
    assert {total for *_, total in shown} == {0}


def test_progress_is_shown_once_an_interval() -> None:
    shown = []
    progress = Progress(lambda *state: shown.append(state), interval=1000.0)
    module = parsed(NESTED)
    Program(module, Settings(listeners=(progress,))).run([np.array(5, np.int32), np.ones(3, np.float32)])
    assert shown == [(0, "stablehlo.constant", 0)]


def test_a_bar_is_told_the_state_of_a_run_and_only_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[Any]()

    @contextmanager
    def bar(stderr: bool) -> Generator[Callable[..., None]]:
        told.append(stderr)
        yield lambda **fields: told.append(fields)

    monkeypatch.setattr(bars, "_bar", bar)
    module = parsed(COUNTED.replace("ROUNDS", "3"))
    for delay in (1000.0, 0.0):
        monkeypatch.setattr(bars, "_DELAY", delay)
        with bars.watch(stderr=True) as listener:
            listener.interval = 0.0
            Program(module, Settings(listeners=(listener,))).run([])
        assert bool(told) == (delay == 0)
    assert told[0] is True
    assert told.count(True) == 1
    assert {fields["completed"] for fields in told[1:]} == {0, 1, 2, 3}
    assert {fields["total"] for fields in told[1:]} == {None, 3}
    assert all(fields["description"] for fields in told[1:])
