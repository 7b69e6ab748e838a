"""Sizes that come to an op by calls, branches and loops: whatever is between, they are known."""

from __future__ import annotations

from itertools import product

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.library import library
from stablehlo_py.shapes.refinement.demand import Demand

T = "tensor<2xi32>"
# Each takes the sizes %{a} to %{b}, beside a float that nothing asks for.
ROUTES = {
    "an op": f"%{{b}} = stablehlo.add %{{a}}, %zero : {T}",
    "a call": f"%{{b}}f, %{{b}} = func.call @same(%x, %{{a}}) : (tensor<f32>, {T}) -> (tensor<f32>, {T})",
    "a call in a call": f"%{{b}} = func.call @outer(%{{a}}) : ({T}) -> {T}",
    "branches": f"""%{{b}}f, %{{b}} = "stablehlo.if"(%p) ({{{{
        stablehlo.return %x, %{{a}} : tensor<f32>, {T}
      }}}}, {{{{
        %s = stablehlo.maximum %{{a}}, %zero : {T}
        stablehlo.return %x, %s : tensor<f32>, {T}
      }}}}) : (tensor<i1>) -> (tensor<f32>, {T})""",
    "cases": f"""%{{b}}f, %{{b}} = "stablehlo.case"(%i) ({{{{
        %s = stablehlo.subtract %{{a}}, %zero : {T}
        stablehlo.return %x, %s : tensor<f32>, {T}
      }}}}, {{{{
        stablehlo.return %x, %{{a}} : tensor<f32>, {T}
      }}}}) : (tensor<i32>) -> (tensor<f32>, {T})""",
    "a loop": f"""%{{b}}f, %{{b}} = stablehlo.while(%f = %x, %s = %{{a}}) : tensor<f32>, {T}
      cond {{{{
        %c = stablehlo.compare LT, %f, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }}}} do {{{{
        %n = stablehlo.maximum %s, %{{a}} : {T}
        stablehlo.return %f, %n : tensor<f32>, {T}
      }}}}""",
}


def program(*routes: str) -> ir.Module:
    lines = [ROUTES[route].format(a=f"s{n}", b=f"s{n + 1}") for n, route in enumerate(routes)]
    body = "\n      ".join(lines)
    text = f"""func.func @main(%v: tensor<12xf32>, %x: tensor<f32>, %p: tensor<i1>, %i: tensor<i32>)
      -> tensor<?x?xf32> {{
      %zero = stablehlo.constant dense<0> : {T}
      %s0 = stablehlo.constant dense<[3, 4]> : {T}
      {body}
      %r = stablehlo.dynamic_reshape %v, %s{len(routes)} : (tensor<12xf32>, {T}) -> tensor<?x?xf32>
      return %r : tensor<?x?xf32>
    }}
    func.func private @same(%f: tensor<f32>, %s: {T}) -> (tensor<f32>, {T}) {{ return %f, %s : tensor<f32>, {T} }}
    func.func private @outer(%s: {T}) -> {T} {{
      %f = stablehlo.constant dense<1.0> : tensor<f32>
      %g, %r = func.call @same(%f, %s) : (tensor<f32>, {T}) -> (tensor<f32>, {T})
      return %r : {T}
    }}"""
    return ir.Module.parse(text, make_context())


@pytest.mark.parametrize("routes", list(product(ROUTES, repeat=2)), ids=", then ".join)
def test_sizes_are_known_behind_calls_branches_and_loops(routes: tuple[str, ...]) -> None:
    module = program(*routes)
    run_pipeline(module, "builtin.module(stablehlo-shape-refinement-pipeline)")
    (reshaped,) = [op for op in operations(module.operation) if op.name.endswith("reshape")]
    assert str(reshaped.results[0].type) == "tensor<3x4xf32>", str(module)


@pytest.mark.parametrize(
    ("route", "count"),
    # of a call also what another caller gives
    [("an op", 3), ("a call", 4), ("a call in a call", 5), ("branches", 4), ("cases", 4), ("a loop", 4)],
)
def test_what_sizes_come_from_is_asked_for_and_nothing_else(route: str, count: int) -> None:
    module = program(route)
    demand = Demand(module.operation, library())
    ops = list(operations(module.operation))
    arguments = [each for op in ops for region in op.regions for block in region for each in block.arguments]
    asked = [value for value in [*arguments, *[each for op in ops for each in op.results]] if value in demand]
    assert {str(value.type) for value in asked} == {T}
    assert len(asked) == count, [str(value) for value in asked]
