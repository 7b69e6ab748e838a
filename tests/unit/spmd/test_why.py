"""Each axis has the source that the program gave it, and what a proposal says is what partitioning again gives."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings.capabilities import has
from stablehlo_py.bindings.walk import functions
from stablehlo_py.errors import ProviderError
from stablehlo_py.spmd import Links, partition, simulate
from stablehlo_py.spmd import why as why_module
from stablehlo_py.spmd.attributes import set_shardings
from stablehlo_py.spmd.why import AxisOrigin, Explained, Why, why

pytestmark = pytest.mark.skipif(not has("partition"), reason="these bindings cannot partition")

PROGRAM = """sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(
  %a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4x16xf32>
) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %c = sdy.sharding_constraint %b <@mesh, [{}, {"y"}]> : tensor<4x16xf32> loc("model.py":1:1)
  %0 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32> loc("model.py":2:1)
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32> loc("model.py":3:1)
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32> loc("model.py":4:1)
  %n = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %n, %v = %2) : tensor<i32>, tensor<8x16xf32> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %i, %v : tensor<i32>, tensor<8x16xf32>
  } loc("model.py":5:1)
  return %r#1 : tensor<8x16xf32> loc("model.py":6:1)
}
"""


def found(text: str = PROGRAM, **options: object) -> Why:
    module, partitioned = stablehlo_py.parse(text), partial(partition, **options)
    try:
        return why(module, partitioned(module), partitioned)
    except ProviderError as error:
        if "keeps no notes" not in str(error):
            raise
        pytest.skip("this provider's Shardy keeps no notes of propagation")


def test_the_sources_of_axes() -> None:
    origins = {(each.name, each.location): {axis.axis: axis for axis in each.axes} for each in found().values}
    assert origins["argument 0", ""] == {"x": AxisOrigin("x", "given here")}
    assert origins["argument 1", ""]["y"].source == "the constraint at model.py:1:1"
    assert {axis.source for axis in origins["result 0", ""].values()} == {"argument 0", "given here"}
    for name, line in (("dot_general", 2), ("transpose", 3), ("transpose", 4), ("while", 5)):
        here = origins[f"stablehlo.{name}", f"model.py:{line}:1"]
        assert {axis: each.source for axis, each in here.items()} == {"x": "argument 0", "y": "result 0"}
    backwards = [origins["stablehlo.transpose", f"model.py:{line}:1"]["y"] for line in (4, 3)]
    assert [each.edge for each in backwards] == ["result 0", "result 0"]
    assert backwards[0].step < backwards[1].step
    forwards = [origins["stablehlo.transpose", f"model.py:{line}:1"]["x"] for line in (3, 4)]
    assert [each.edge for each in forwards] == ["operand 0", "operand 0"]
    assert forwards[0].step < forwards[1].step
    assert str(forwards[0]) == f"x from argument 0 (step {forwards[0].step}, by operand 0)"


def test_a_proposal_is_what_partitioning_gives_and_keeps_the_results() -> None:
    reasons = found()
    (gather,) = reasons.partition.collectives
    best = reasons.proposals[0]
    assert (best.given, best.instead) == ("result 0", '#sdy.sharding<@mesh, [{"x"}, {"y"}]>')
    assert (best.removes, best.bytes_sent) == ((gather,), 0)
    changed = stablehlo_py.parse(PROGRAM)
    set_shardings(functions(changed.operation)["main"], "result", 1, {0: None})
    again = partition(changed)
    assert again.bytes_sent == 0
    random = np.random.default_rng(0)
    arguments = [random.normal(size=shape).astype(np.float32) for shape in ((8, 4), (4, 16))]
    first, second = [simulate(each, arguments).results[0] for each in (reasons.partition, again)]
    np.testing.assert_array_equal(first, second)
    text = reasons.text(Links())
    assert f"({gather.bytes_sent} B, 1.0 us): needless without the sharding of result 0, which becomes #sdy" in text
    assert f"0 B a device in all, {gather.bytes_sent} B now" in text


def test_constraints_are_left_out_too() -> None:
    text = PROGRAM.replace('(tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})', "tensor<8x16xf32>")
    text = text.replace("return %r#1", "%e = sdy.sharding_constraint %r#1 <@mesh, [{}, {}]> : tensor<8x16xf32>"
                        ' loc("model.py":9:1)\n  return %e')  # fmt: skip
    reasons = found(text)
    assert len(reasons.partition.collectives) > 0
    best = reasons.proposals[0]
    assert (best.given, best.instead, best.bytes_sent) == ("the constraint at model.py:9:1", "", 0)


def test_shardings_of_the_caller_are_origins_and_no_proposals() -> None:
    text = PROGRAM.replace(' {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}', "")
    reasons = found(text, in_shardings={0: '[{"x"}, {}]'})
    assert reasons.values[0] == Explained("argument 0", "", (AxisOrigin("x", "given here"),))
    assert "argument 0" not in [each.given for each in reasons.proposals]


def test_the_number_of_tries_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(why_module, "_TRIES", 1)
    assert [each.given for each in found().proposals] == ["argument 0"]


def test_values_of_manual_computations_name_them() -> None:
    text = """sdy.mesh @mesh = <["x"=2]>
    func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"}
        (%b: tensor<4xf32>) {
        %1 = stablehlo.negate %b : tensor<4xf32>
        sdy.return %1 : tensor<4xf32>
      } : (tensor<8xf32>) -> tensor<8xf32>
      %2 = stablehlo.tanh %0 : tensor<8xf32>
      return %2 : tensor<8xf32>
    }"""
    sources = {each.name: each.axes[0].source for each in found(text).values}
    assert sources["argument 0"] == "argument 0 of manual computation 0"
    assert sources["stablehlo.tanh"] == "result 0 of manual computation 0"
