"""Reductions and sorts that do less than they say: what a body has to be for them to go, and what is left of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from one_pattern import applied

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(), ir.Location.unknown():
        yield


OVER_NOTHING = """func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {{
  %i = stablehlo.constant dense<{init}> : tensor<f32>
  %j = stablehlo.constant dense<-0.0> : tensor<f32>
  %0:2 = "stablehlo.reduce"(%x, %y, %i, %j) ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %s = stablehlo.{op} {operands} : tensor<f32>
    %t = stablehlo.add %b, %d : tensor<f32>
    stablehlo.return %s, %t : tensor<f32>, tensor<f32>
  }}) {{dimensions = array<i64>}}
    : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}}"""


@pytest.mark.parametrize(
    ("op", "operands", "init", "is_exact"),
    [
        ("add", "%a, %c", "-0.0", True),
        ("add", "%c, %a", "-0.0", True),
        ("add", "%a, %c", "0.0", False),
        ("add", "%a, %c", "1.0", False),
        ("add", "%a, %a", "-0.0", False),
        ("add", "%c, %c", "-0.0", False),
        ("add", "%a, %b", "-0.0", False),
        ("add", "%a, %d", "-0.0", False),
        ("add", "%b, %d", "-0.0", False),
        ("add", "%a, %i", "-0.0", False),
        ("multiply", "%a, %c", "1.0", True),
        ("multiply", "%a, %c", "-0.0", False),
        ("maximum", "%c, %a", "0xFF800000", True),
        ("maximum", "%c, %a", "0x7F800000", False),
        ("minimum", "%c, %a", "0x7F800000", True),
        ("negate", "%a", "-0.0", False),
    ],
)
def test_a_reduction_over_nothing_gives_its_inputs_where_they_are_the_only_result(
    op: str, operands: str, init: str, is_exact: bool
) -> None:
    text = OVER_NOTHING.format(op=op, operands=operands, init=init)
    module, fires = applied(text, "reduce_over_no_dimension", optimize_float=False)
    assert fires == is_exact, module
    assert ("return %arg0, %arg1" in str(module)) == is_exact
    assert applied(text, "reduce_over_no_dimension", optimize_float=True)[1]


SIZES = {"2x3": True, "0x3": False, "2x0": True, "0x0": False, "?x3": False, "2x?": True}


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("pattern", ["reduce_gives_outer_values", "reduce_gives_constants"])
def test_a_body_that_may_not_run_gives_nothing(pattern: str, shape: str) -> None:
    """The reduction is along the first dimension."""
    rest = shape.partition("x")[2]
    is_outer = pattern == "reduce_gives_outer_values"
    made = "" if is_outer else "%c = stablehlo.constant dense<2.0> : tensor<f32>"
    line, rest_known = f"{made} stablehlo.return {'%o' if is_outer else '%c'} : tensor<f32>", is_outer or rest != "?"
    kind = "" if is_outer else f"{rest}x"
    operand = f"tensor<{shape}xf32>" if kind else f"tensor<{shape.partition('x')[0]}xf32>"
    text = f"""func.func @main(%x: {operand}, %i: tensor<f32>, %o: tensor<f32>) -> tensor<{kind}f32> {{
      %0 = "stablehlo.reduce"(%x, %i) ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        {line}
      }}) {{dimensions = array<i64: 0>}} : ({operand}, tensor<f32>) -> tensor<{kind}f32>
      return %0 : tensor<{kind}f32>
    }}"""
    module, fires = applied(text, pattern)
    assert fires == (SIZES[shape] and rest_known), module


THREE = """func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<4xi32>) -> ({types}) {{
  %i = stablehlo.constant dense<1> : tensor<i32>
  %j = stablehlo.constant dense<2> : tensor<i32>
  %k = stablehlo.constant dense<3> : tensor<i32>
  %0:3 = "stablehlo.reduce"(%x, %y, %z, %i, %j, %k) ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>, %e: tensor<i32>, %f: tensor<i32>):
    %s = stablehlo.add %a, %d : tensor<i32>
    %t = stablehlo.maximum %b, %e : tensor<i32>
    {third}
    stablehlo.return %s, %t, %u : tensor<i32>, tensor<i32>, tensor<i32>
  }}) {{dimensions = array<i64: 0>}} : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>,
    tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
  return {results} : {types}
}}"""
OF_ANOTHER = "%u = stablehlo.maximum %b, %e : tensor<i32>"
ALONE = "%u = stablehlo.subtract %c, %f : tensor<i32>"
OF_ALL = "%w = stablehlo.add %c, %f : tensor<i32> %u = stablehlo.add %w, %t : tensor<i32>"
CHOSEN = """%p = stablehlo.compare LT, %c, %f : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %u = "stablehlo.if"(%p) ({ stablehlo.return %c : tensor<i32> }, { stablehlo.return %f : tensor<i32> })
      : (tensor<i1>) -> tensor<i32>"""


@pytest.mark.parametrize("third", [ALONE, OF_ALL, OF_ANOTHER, CHOSEN], ids=["alone", "of all", "of another", "chosen"])
@pytest.mark.parametrize("used", [(0,), (1,), (2,), (0, 1), (0, 2), (2, 0), (1, 2), (0, 1, 2)])
def test_inputs_that_no_used_result_needs_are_dropped(used: tuple[int, ...], third: str) -> None:
    types = ", ".join(["tensor<i32>"] * len(used))
    text = THREE.format(third=third, types=types, results=", ".join(f"%0#{number}" for number in used))
    arrays = [np.int32([5, 6, 7, 8]), np.int32([4, -1, 0, 2]), np.int32([9, 3, 1, 2])]
    before = stablehlo_py.interpret(ir.Module.parse(text), arrays)
    module, fires = applied(text, "reduce_of_unused_results")
    of_third = {OF_ALL: {1, 2}, OF_ANOTHER: {1}}.get(third, {2})
    needed = set[int]().union(*[of_third if number == 2 else {number} for number in used])
    is_copied = 2 not in used or third != CHOSEN
    assert fires == (needed == set(used) and len(used) < 3 and is_copied), module
    for found, wanted in zip(stablehlo_py.interpret(module, arrays), before, strict=True):
        np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))
    (reduction,) = (op for op in operations(module.operation) if op.name == "stablehlo.reduce")
    assert len(reduction.operands) == (2 * len(used) if fires else 6)


@pytest.mark.parametrize("compared", ["%a, %b", "%c, %d", "%a, %d", "%d, %e", "%f, %b"])
@pytest.mark.parametrize("used", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2)])
def test_a_sort_keeps_what_is_compared_or_used(used: tuple[int, ...], compared: str) -> None:
    types = ", ".join(["tensor<4xi32>"] * len(used))
    text = f"""func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<4xi32>) -> ({types}) {{
      %0:3 = "stablehlo.sort"(%x, %y, %z) ({{
      ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>, %e: tensor<i32>, %f: tensor<i32>):
        %p = stablehlo.compare LT, {compared} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }}) {{dimension = 0 : i64, is_stable = true}}
        : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
      return {", ".join(f"%0#{number}" for number in used)} : {types}
    }}"""
    kept = {*used, *("abcdef".index(name) // 2 for name in compared.replace("%", "").split(", "))}
    module, fires = applied(text, "sort_without_unused")
    assert fires == (len(kept) < 3), module
    (sort,) = (op for op in operations(module.operation) if op.name == "stablehlo.sort")
    assert len(sort.operands) == len(kept)
    assert ir.BoolAttr(sort.attributes["is_stable"]).value
    if compared in ("%a, %b", "%c, %d"):  # which orders rows
        arrays = [np.int32([5, 6, 7, 8]), np.int32([4, -1, 0, 2]), np.int32([9, 3, 1, 2])]
        before = stablehlo_py.interpret(ir.Module.parse(text), arrays)
        for found, wanted in zip(stablehlo_py.interpret(module, arrays), before, strict=True):
            np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))


def test_arguments_that_stay_have_their_locations() -> None:
    text = """func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>, %i: tensor<i32>) -> tensor<i32> {
      %0:2 = "stablehlo.reduce"(%x, %y, %i, %i) ({
      ^bb0(%a: tensor<i32> loc("first"), %b: tensor<i32> loc("second"), %c: tensor<i32> loc("third"),
          %d: tensor<i32> loc("fourth")):
        %s = stablehlo.add %a, %c : tensor<i32>
        %t = stablehlo.maximum %b, %d : tensor<i32> loc("largest")
        stablehlo.return %s, %t : tensor<i32>, tensor<i32>
      }) {dimensions = array<i64: 0>}
        : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) loc("whole")
      return %0#1 : tensor<i32>
    }"""
    module, fires = applied(text, "reduce_of_unused_results")
    assert fires
    (reduction,) = (op for op in operations(module.operation) if op.name == "stablehlo.reduce")
    (block,) = reduction.regions[0].blocks
    locations = [str(argument.location) for argument in block.arguments]
    assert locations == ['loc("second")', 'loc("fourth")']
    assert [str(each.location) for each in (reduction, block.operations[0])] == ['loc("whole")', 'loc("largest")']
