"""Manual computations inside of others, of nothing, and one after another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

X = np.arange(16, dtype=np.int32).reshape(4, 4)
NESTED = """sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%x: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %r = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}, {"b"}]>] out_shardings=[<@mesh, [{"a"}, {"b"}]>]
      manual_axes={"a"} (%part: tensor<2x4xi32>) {
    BEFORE
    %s = sdy.manual_computation(%part) in_shardings=[<@mesh, [{}, {"b"}]>] out_shardings=[<@mesh, [{}, {"b"}]>]
        manual_axes={"b"} (%inner: tensor<2x2xi32>) {
      %id = stablehlo.partition_id : tensor<ui32>
      %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
      %j = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
      %t = stablehlo.add %inner, %j : tensor<2x2xi32>
      sdy.return %t : tensor<2x2xi32>
    } : (tensor<2x4xi32>) -> tensor<2x4xi32>
    sdy.return %s : tensor<2x4xi32>
  } : (tensor<4x4xi32>) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}"""
NUMBERED = X + np.repeat(np.repeat([[0, 1], [2, 3]], 2, 0), 2, 1)  # with the number of the device of each quarter
NOTHING = "sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () { BODY sdy.return } : () -> ()"
FAILS = """%expected = stablehlo.constant dense<NUMBER> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%e, %expected) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()"""
SUM_AT_THE_SIDE = """%f = "stablehlo.async_start"(%part) ({
      ^bb0(%v: tensor<2x4xi32>):
        %w = "stablehlo.all_reduce"(%v) ({
        ^bb1(%l: tensor<i32>, %m: tensor<i32>):
          %n = stablehlo.add %l, %m : tensor<i32>
          stablehlo.return %n : tensor<i32>
        }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids,
            channel_handle = #stablehlo.channel_handle<handle = CHANNEL, type = 1>}
            : (tensor<2x4xi32>) -> tensor<2x4xi32>
        stablehlo.return %w : tensor<2x4xi32>
      }) : (tensor<2x4xi32>) -> !stablehlo.future<tensor<2x4xi32>>"""
AWAITED = """%odd = stablehlo.constant dense<1> : tensor<ui32>
      %id0 = stablehlo.partition_id : tensor<ui32>
      %is_odd = stablehlo.and %id0, %odd : tensor<ui32>
      %p = stablehlo.compare EQ, %is_odd, %odd : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      %h = "stablehlo.if"(%p) ({ stablehlo.return %part : tensor<2x4xi32> }, {
        %g = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2x4xi32>>) -> tensor<2x4xi32>
        stablehlo.return %g : tensor<2x4xi32>
      }) : (tensor<i1>) -> tensor<2x4xi32>"""


def nested(before: str) -> str:
    return NESTED.replace("BEFORE", before)


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("channel", [1, 2])
def test_a_computation_in_a_computation_joins_its_parts_on_no_channel_of_the_program(channel: int, fast: bool) -> None:
    """One device awaits a collective of the same devices before it gets there, and the other one does not."""
    text = nested(SUM_AT_THE_SIDE.replace("CHANNEL", str(channel)) + AWAITED)
    (found,) = Program(parsed(text), Settings(fast=fast)).run([X])
    np.testing.assert_array_equal(found, NUMBERED)
    summed = text.replace("sdy.return %s", "sdy.return %h")
    (found,) = Program(parsed(summed), Settings(fast=fast)).run([X])
    np.testing.assert_array_equal(found, 2 * X)  # of the first devices along b, which hold the same


@pytest.mark.parametrize("fast", [True, False])
def test_a_computation_of_nothing_runs_alone_and_inside_of_another(fast: bool) -> None:
    empty = NOTHING.replace("BODY", "%e = stablehlo.constant dense<1> : tensor<i32>")
    (found,) = Program(parsed(nested(empty)), Settings(fast=fast)).run([X])
    np.testing.assert_array_equal(found, NUMBERED)
    alone_there = f"func.func @main() {{ {empty.replace('BODY', '')} return }}"
    assert Program(parsed(alone_there), Settings(fast=fast)).run([]) == []
    failing = "%e = stablehlo.constant dense<1> : tensor<i32> " + FAILS.replace("NUMBER", "2")
    with pytest.raises(InterpreterError, match=r"1 \(actual\) vs 2 \(expected\)"):
        Program(parsed(nested(NOTHING.replace("BODY", failing))), Settings(fast=fast)).run([X])


def test_a_computation_is_one_of_its_own_after_one_that_failed_or_ended() -> None:
    """Meshes of different sizes, one after another, with a failure between them."""
    text = """sdy.mesh @two = <["a"=2]>
    sdy.mesh @four = <["a"=4]>
    sdy.mesh @eight = <["a"=8]>
    func.func @main(%x: tensor<8xi32>) -> (RESULTS) {
      BODY
      return NAMES : RESULTS
    }"""
    one = """%r# = sdy.manual_computation(%x) in_shardings=[<@MESH, [{"a"}]>] out_shardings=[<@MESH, [{"a"}]>]
      manual_axes={"a"} (%p: tensor<SIZExi32>) {
        %id = stablehlo.partition_id : tensor<ui32>
        %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
        %b = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<SIZExi32>
        CHECK
        sdy.return %b : tensor<SIZExi32>
      } : (tensor<8xi32>) -> tensor<8xi32>"""
    meshes: Sequence[tuple[str, int]] = [("two", 2), ("eight", 8), ("four", 4)]

    def program(check: str) -> Program:
        bodies = [
            one.replace("#", str(index)).replace("MESH", name).replace("SIZE", str(8 // size)).replace("CHECK", check)
            for index, (name, size) in enumerate(meshes)
        ]
        names, results = ", ".join(f"%r{i}" for i in range(3)), ", ".join(["tensor<8xi32>"] * 3)
        return Program(
            parsed(text.replace("BODY", "\n".join(bodies)).replace("NAMES", names).replace("RESULTS", results))
        )

    good, bad = program(""), program(FAILS.replace("%e", "%n").replace("NUMBER", "0"))
    for _ in range(2):
        found = good.run([np.zeros(8, np.int32)])
        assert [each.tolist() for each in found] == [np.repeat(range(size), 8 // size).tolist() for _, size in meshes]
        with pytest.raises(InterpreterError, match=r"1 \(actual\) vs 0 \(expected\)") as raised:
            bad.run([np.zeros(8, np.int32)])
        assert "in process (replica 0, partition 1)" in raised.value.notes
