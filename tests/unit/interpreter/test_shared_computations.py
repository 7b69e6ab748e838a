"""Processes with equal operands compute once, and get what they would have got by themselves."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from stablehlo_py.interpreter.fast import sharing
from stablehlo_py.interpreter.plan import Step
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.interpreter.values import Token
from stablehlo_py.syntax import parse

PROGRAM = """
func.func @main(%weights: tensor<4x4xf32>, %x: tensor<4xf32>, %bound: tensor<i32>) -> (tensor<4xf32>, tensor<ui32>) {
  %scaled = stablehlo.tanh %weights : tensor<4x4xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %more = stablehlo.compare LT, %i, %bound : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %product = stablehlo.dot_general %scaled, %v, contracting_dims = [1] x [0]
        : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %sum = "stablehlo.all_reduce"(%product) ({
      ^bb0(%left: tensor<f32>, %right: tensor<f32>):
        %both = stablehlo.add %left, %right : tensor<f32>
        stablehlo.return %both : tensor<f32>
      }) {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
      %sine = stablehlo.sine %sum : tensor<4xf32>
      %next = func.call @scale(%sine) : (tensor<4xf32>) -> tensor<4xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %next : tensor<i32>, tensor<4xf32>
    }
  %id = stablehlo.replica_id : tensor<ui32>
  %id_twice = stablehlo.add %id, %id : tensor<ui32>
  return %y#1, %id_twice : tensor<4xf32>, tensor<ui32>
}
func.func private @scale(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.cosine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def run(share, vectors, rounds=3):
    weights = np.random.default_rng(0).standard_normal((4, 4)).astype(np.float32)
    program = Program(parse(PROGRAM), Settings(share=share))
    return program.run_parallel([[weights.copy(), x, np.array(rounds, np.int32)] for x in vectors], num_replicas=4)


@pytest.fixture
def vectors():
    return [np.full(4, value, np.float32) for value in (1, 2, 1, 3)]


def test_results_are_the_same_bits_with_and_without(vectors):
    for shared, alone in zip(run(True, vectors), run(False, vectors), strict=True):
        assert [value.tobytes() for value in shared] == [value.tobytes() for value in alone]


@pytest.mark.parametrize("rounds", [3, 9])
def test_what_is_equal_is_computed_once(vectors, monkeypatch, rounds):
    runs = Counter()
    plain = sharing._segment

    def counted(plan, run, used_later):
        for step in run:
            step.kernel = counting(step)
        return plain(plan, run, used_later)

    def counting(step: Step):
        kernel = step.kernel

        def counts(*values):
            runs[step.op.name] += 1
            return kernel(*values)

        return counts

    monkeypatch.setattr(sharing, "_segment", counted)
    run(True, vectors, rounds)
    assert runs["stablehlo.tanh"] == 1  # of four equal weights
    # Replicas 0 and 2 bring equal vectors; after the first all_reduce each pair has the same.
    assert runs["stablehlo.dot_general"] == 3 + 2 * (rounds - 1)
    assert runs["stablehlo.sine"] == runs["stablehlo.cosine"] == rounds * 2


def test_values_that_processes_are_done_with_are_not_kept():
    big = sharing.RECENT_BYTES // 16
    text = f"""
    func.func @main(%x: tensor<{big}xf64>) -> tensor<f64> {{
      %zero = stablehlo.constant dense<0.0> : tensor<f64>
      %y = stablehlo.tanh %x : tensor<{big}xf64>
      %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<{big}xf64>, tensor<f64>) -> tensor<f64>
      %id = stablehlo.replica_id : tensor<ui32>
      %float = stablehlo.convert %id : (tensor<ui32>) -> tensor<f64>
      %r = stablehlo.add %s, %float : tensor<f64>
      return %r : tensor<f64>
    }}"""
    program = Program(parse(text))
    arguments = [[np.full(big, number / 8)] for number in range(8)]
    import tracemalloc

    tracemalloc.start()
    try:
        program.run_parallel(arguments, num_replicas=8)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * sharing.RECENT_BYTES


def test_equal_arrays_of_processes_become_one_and_other_values_stay() -> None:
    token, large = Token(), np.arange(1000, dtype=np.float32)
    almost = large.copy()
    almost[1] = 7  # between the elements that are looked at first
    turned = np.asfortranarray(large.reshape(10, 100))
    sets = [
        [large, token, np.float32(3), np.zeros(0, np.float32), large.view(np.int32), turned],
        [large.copy(), Token(), np.float32(3), np.zeros(0, np.float32), almost, turned.copy(order="C")],
        [large, None, large[:0], large[::-1], large, large.reshape(10, 100)],
    ]
    found = sharing.with_equal_ones_shared(sets)
    same = {(row, column) for row in range(3) for column in range(6) if found[row][column] is large}
    assert same == {(0, 0), (1, 0), (2, 0), (2, 4)}
    for given, kept in zip(sets, found, strict=True):
        for before, after in zip(given, kept, strict=True):
            if isinstance(before, np.ndarray) and before.size:
                assert (before.dtype, before.shape, before.tobytes()) == (after.dtype, after.shape, after.tobytes())
            else:
                assert after is before
