"""Where axes come from in programs with branches and manual computations, and how Shardy's notes are read."""

from __future__ import annotations

import pytest
from installed import needs

import stablehlo_py
from stablehlo_py.errors import Diagnostic, PassError
from stablehlo_py.spmd import Links, partition
from stablehlo_py.spmd import why as reasons

LINKS = Links(1e6, 1e-5)


def traced(text: str) -> list[tuple[str, str, list[tuple[str, str, int | None, str]]]]:
    """The values that are cut, with their lines, and the origins of their axes."""
    module = stablehlo_py.parse(text)
    _, why = reasons.why(lambda after: partition(module, after_step=after), LINKS)
    return [(one.name, one.location, [tuple(each) for each in one.origins]) for one in why.values]


def both(source: str, step: int | None, carried: str) -> list[tuple[str, str, int | None, str]]:
    return [("x", source, step, carried), ("y", source, step, carried)]


BRANCHES = """sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32>, %b: tensor<8x4xf32> , %p: tensor<i32>)
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %1:2 = "stablehlo.case"(%p) ({
    %0 = stablehlo.sine %a : tensor<8x4xf32> loc("f.py":1:1)
    stablehlo.return %b, %0 : tensor<8x4xf32>, tensor<8x4xf32> loc("f.py":2:1)
  }, {
    %0 = stablehlo.cosine %b : tensor<8x4xf32> loc("f.py":3:1)
    stablehlo.return %a, %0 : tensor<8x4xf32>, tensor<8x4xf32> loc("f.py":4:1)
  }) : (tensor<i32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) loc("f.py":5:1)
  return %1#1 : tensor<8x4xf32> loc("f.py":8:1)
}"""


@needs("sharding-origins")
def test_axes_go_from_the_result_of_a_case_into_each_of_its_branches() -> None:
    untold = both("result 0", None, "")
    assert traced(BRANCHES) == [
        ("argument 0", "", both("result 0", 2, "from result 0 to operand 0 of stablehlo.sine f.py:1:1")),
        ("argument 1", "", both("result 0", 3, "from result 0 to operand 0 of stablehlo.cosine f.py:3:1")),
        ("result 0", "", untold),
        ("stablehlo.sine", "f.py:1:1", both("result 0", 1, "from result 0 to operand 0 of stablehlo.case f.py:5:1")),
        ("stablehlo.cosine", "f.py:3:1", both("result 0", 1, "from result 0 to operand 1 of stablehlo.case f.py:5:1")),
        ("stablehlo.case", "f.py:5:1", both("result 0", 4, "from operand 0 to result 0 of stablehlo.case f.py:5:1")),
        ("stablehlo.case", "f.py:5:1", untold),
    ]


MANUAL = """sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32>)
    -> tensor<8x4xf32> {
  %0 = stablehlo.sine %a : tensor<8x4xf32> loc("f.py":1:1)
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>]
      manual_axes={"x"} (%c: tensor<4x4xf32>) {
    %5 = stablehlo.cosine %c : tensor<4x4xf32> loc("f.py":2:1)
    sdy.return %5 : tensor<4x4xf32> loc("f.py":4:1)
  } : (tensor<8x4xf32>) -> tensor<8x4xf32> loc("f.py":5:1)
  %3 = stablehlo.add %1, %b : tensor<8x4xf32> loc("f.py":7:1)
  return %3 : tensor<8x4xf32> loc("f.py":8:1)
}"""


@needs("sharding-origins")
def test_a_manual_computation_gives_axes_itself() -> None:
    loop, add = "sdy.manual_computation f.py:5:1", "stablehlo.add f.py:7:1"
    found = {name: origins for name, _, origins in traced(MANUAL)}
    assert found["stablehlo.sine"] == [
        ("x", "argument 0", 0, "from operand 0 to result 0 of stablehlo.sine f.py:1:1"),
    ]
    assert found["argument 0 of sdy.manual_computation"] == [("x", f"argument 0 of {loop}", None, "")]
    assert found["sdy.manual_computation"] == [("x", loop, None, "")]
    assert found["stablehlo.add"] == [("x", f"result 0 of {loop}", 1, f"from operand 0 to result 0 of {add}")]
    assert found["argument 1"] == [("x", f"result 0 of {loop}", 1, f"from operand 0 to operand 1 of {add}")]


ENDLESS = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %p: tensor<i1>) -> tensor<8xf32> {
  "stablehlo.while"() ({
    stablehlo.return %p : tensor<i1>
  }, {
    stablehlo.custom_call @effect() {has_side_effect = true} : () -> ()
    stablehlo.return
  }) : () -> ()
  %0 = stablehlo.negate %a : tensor<8xf32> loc("f.py":1:1)
  return %0 : tensor<8xf32>
}"""


@needs("sharding-origins")
def test_a_loop_without_values_carries_no_axis() -> None:
    assert [name for name, *_ in traced(ENDLESS)] == ["argument 0", "result 0", "stablehlo.negate"]


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_notes_of_edges_are_left_out_if_shardy_rejects_them(failing: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()

    def run(_module: object, pipeline: str) -> None:
        asked.append(pipeline)
        if len(asked) <= failing:
            raise PassError([Diagnostic("error", "", f"failure {len(asked)}")])

    monkeypatch.setattr(reasons, "run_guarded_pipeline", run)
    module = stablehlo_py.parse("func.func @main() { return }")
    if failing == 2:
        with pytest.raises(PassError, match="failure 2"):
            reasons._with_notes(module)
    else:
        assert str(reasons._with_notes(module)) == str(module)
    assert len(asked) == min(failing + 1, 2)
    assert len({*asked}) == len(asked), "the second time without edges"
