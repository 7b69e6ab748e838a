"""The driver of patterns: figures of several functions, how often patterns may fire, constants of closed regions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import StablehloError
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.passes.report import PassReport, collect
from stablehlo_py.passes.rewriting import Pattern, RewriteOptions, Rewriter, apply_patterns
from stablehlo_py.passes.snapshot.parts import Op


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(), ir.Location.unknown():
        yield


FUNCTION = """func.func @{name}(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi32>, tensor<2xi32>) {{
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %c = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
  %unused = stablehlo.negate %x : tensor<2xf32>
  %n = stablehlo.negate %x : tensor<2xf32>
  %m = stablehlo.negate %n : tensor<2xf32>
  %s = stablehlo.add %m, %a : tensor<2xf32>
  %t = stablehlo.add %b, %c : tensor<2xi32>
  %d = stablehlo.divide %b, %c : tensor<2xi32>
  return %s, %t, %d : tensor<2xf32>, tensor<2xi32>, tensor<2xi32>
}}"""
PASSES = ("aggressive-folder", "aggressive-simplification", "target-independent-optimization", "fold-constants")


@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_each_figure_is_a_sum_over_functions(name: str, count: int) -> None:
    def figures(count: int) -> dict[str, object]:
        module = ir.Module.parse("\n".join(FUNCTION.format(name=f"f{number}") for number in range(count)))
        with collect() as collection:
            run_pipeline(module, f"builtin.module(func.func(stablehlo-{name}))")
        found = collection.report_for(f"stablehlo-{name}").as_dict()
        return {**found, "patterns": {each["pattern"]: each["fired"] for each in found["patterns"]}}

    one, several = figures(1), figures(count)
    for key, figure in one.items():
        if isinstance(figure, int):
            assert several[key] == figure * count, key
    if count:
        assert several["patterns"] == {key: fired * count for key, fired in one["patterns"].items()}
        assert several["kept"] == [{**each, "count": each["count"] * count} for each in one["kept"]]
    assert one["ops_before"] == 10 - (one["pass"] == "")
    assert one["constant_bytes_before"] == 24


@pytest.mark.parametrize(("ops", "times", "ends"), [(1, 9_000, True), (1, 20_000, False), (60, 20_000, True)])
def test_a_short_program_may_be_rewritten_as_often_as_one_of_fifty_more_ops(ops: int, times: int, ends: bool) -> None:
    """Two hundred times for each op."""
    lines = "\n".join(f"%{number} = stablehlo.abs %x : tensor<f32>" for number in range(ops))
    module = ir.Module.parse(f"func.func @main(%x: tensor<f32>) {{ {lines} return }}")
    left = [times]

    def again(op: Op, rewriter: Rewriter) -> bool:
        if left[0] == 0:
            return False
        left[0] -= 1
        rewriter.push(op)
        return True

    def run() -> None:
        patterns = [Pattern("again", ("stablehlo.abs",), again)]
        apply_patterns(module.operation, patterns, RewriteOptions(), PassReport(), tidies=False)

    if ends:
        run()
    else:
        with pytest.raises(StablehloError, match="do not come to an end; the last was again"):
            run()


CONSTANTS = "%{0} = stablehlo.constant dense<1.0> : tensor<f32> %{1} = stablehlo.constant dense<1.0> : tensor<f32>"
REDUCE = f"""%r = "stablehlo.reduce"(%x, %z) ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    {CONSTANTS.format("c", "d")}
    %t = stablehlo.add %s, %c : tensor<f32>
    %u = stablehlo.multiply %t, %d : tensor<f32>
    stablehlo.return %u : tensor<f32>
  }}) {{dimensions = array<i64: 0>}} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>"""
IF = """%y = "stablehlo.if"(%p) ({{
    {0}
    stablehlo.return %r : tensor<f32>
  }}, {{
    stablehlo.return %z : tensor<f32>
  }}) : (tensor<i1>) -> tensor<f32>"""


@pytest.mark.parametrize("is_nested", [False, True])
def test_constants_in_the_body_of_a_reduction_stay_there_and_are_one(is_nested: bool) -> None:
    body = IF.format(REDUCE) if is_nested else REDUCE.replace("%r =", "%y =")
    text = f"""func.func @main(%x: tensor<4xf32>, %z: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {{
      {body}
      return %y : tensor<f32>
    }}"""
    module = ir.Module.parse(text)
    apply_patterns(module.operation, [], RewriteOptions(), PassReport())
    (reduce,) = (op for op in operations(module.operation) if op.name == "stablehlo.reduce")
    inside = [op.name.removeprefix("stablehlo.") for op in operations(reduce)[1:]]
    assert inside == ["constant", "add", "add", "multiply", "return"], module


@pytest.mark.parametrize("tidies", [True, False])
def test_whether_anything_changed_is_told_for_all_rounds(tidies: bool) -> None:
    text = (
        "func.func @main(%x: tensor<f32>) -> tensor<f32> { %0 = stablehlo.abs %x : tensor<f32> return %0 : tensor<f32>}"
    )
    fired = Pattern("to_sine", ("stablehlo.abs",), lambda op, rewriter: rewriter.rewrite_as(op, "sine", op.operands))
    never = Pattern("never", ("stablehlo.abs",), lambda op, rewriter: False)
    for pattern, changes in ((fired, True), (never, False)):
        module = ir.Module.parse(text)
        found = apply_patterns(module.operation, [pattern], RewriteOptions(), PassReport(), tidies=tidies)
        assert found == changes == ("sine" in str(module))
