"""Sizes that come to an op by calls, branches and loops: whatever is between, what is known of them is."""

from __future__ import annotations

from itertools import product

import pytest
from parsed import parsed

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import operations
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.library import library
from stablehlo_py.shapes.refinement.demand import Demand

T = "tensor<2xi32>"
# The elements are the first size of %v, which is not known, and 4.
SIZES = f"""%zero = stablehlo.constant dense<0> : {T}
      %four = stablehlo.constant dense<4> : tensor<1xi32>
      %d = stablehlo.get_dimension_size %v, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
      %e = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
      %s0 = stablehlo.concatenate %e, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> {T}"""
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
    text = f"""func.func @main(%v: tensor<?x4xf32>, %x: tensor<f32>, %p: tensor<i1>, %i: tensor<i32>)
      -> tensor<?x?xf32> {{
      {SIZES}
      {body}
      %r = stablehlo.dynamic_reshape %v, %s{len(routes)} : (tensor<?x4xf32>, {T}) -> tensor<?x?xf32>
      return %r : tensor<?x?xf32>
    }}
    func.func private @same(%f: tensor<f32>, %s: {T}) -> (tensor<f32>, {T}) {{ return %f, %s : tensor<f32>, {T} }}
    func.func private @outer(%s: {T}) -> {T} {{
      %f = stablehlo.constant dense<1.0> : tensor<f32>
      %g, %r = func.call @same(%f, %s) : (tensor<f32>, {T}) -> (tensor<f32>, {T})
      return %r : {T}
    }}"""
    return parsed(text)


@pytest.mark.parametrize("routes", list(product(ROUTES, repeat=2)), ids=", then ".join)
def test_sizes_are_known_behind_calls_branches_and_loops(routes: tuple[str, ...]) -> None:
    module = program(*routes)
    run_pipeline(module, "builtin.module(stablehlo-shape-refinement-pipeline)")
    (reshaped,) = [op for op in operations(module.operation) if op.name == "stablehlo.dynamic_reshape"]
    assert str(reshaped.results[0].type) == "tensor<?x4xf32>", str(module)


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
    types = [str(value.type) for value in asked]
    assert set(types) == {T, "tensor<i32>", "tensor<1xi32>"}
    assert types.count(T) == count, [str(value) for value in asked]


LOOP = f"""func.func @main(%v: tensor<?x4xf32>, %x: tensor<f32>) -> tensor<?x?xf32> {{
  {SIZES}
  %fixed = stablehlo.constant dense<[3, 4]> : {T}
  %f, %s = stablehlo.while(%g = %x, %t = %s0) : tensor<f32>, {T}
  cond {{
    %c = stablehlo.compare LT, %g, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %n = NEXT : {T}
    %i = stablehlo.dynamic_reshape %v, %t : (tensor<?x4xf32>, {T}) -> tensor<?x?xf32>
    stablehlo.custom_call @seen(%i) {{has_side_effect = true}} : (tensor<?x?xf32>) -> ()
    stablehlo.return %g, %n : tensor<f32>, {T}
  }}
  %o = stablehlo.dynamic_reshape %v, OUT : (tensor<?x4xf32>, {T}) -> tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}}"""


@pytest.mark.parametrize(
    ("out", "following", "inner", "outer"),
    [
        ("%fixed", "stablehlo.add %t, %zero", "?x4", "3x4"),  # the block argument is asked for, and not the result
        ("%fixed", "stablehlo.add %t, %t", "?x?", "3x4"),
        ("%s", "stablehlo.add %s0, %zero", "?x4", "?x4"),
        ("%s", "stablehlo.add %s0, %s0", "?x?", "?x?"),
    ],
)
def test_sizes_of_a_loop_are_those_of_its_start_and_of_each_round(
    out: str, following: str, inner: str, outer: str
) -> None:
    module = parsed(LOOP.replace("NEXT", following).replace("OUT", out))
    run_pipeline(module, "builtin.module(stablehlo-shape-refinement-pipeline)")
    reshaped = [
        str(op.results[0].type) for op in operations(module.operation) if op.name == "stablehlo.dynamic_reshape"
    ]
    assert reshaped == [f"tensor<{inner}xf32>", f"tensor<{outer}xf32>"], str(module)


def test_ops_behind_one_without_a_rank_are_wrapped_too() -> None:
    text = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = stablehlo.add %x, %x : tensor<?xf32>
      %u = stablehlo.custom_call @unranked(%0) : (tensor<?xf32>) -> tensor<*xf32>
      %1 = stablehlo.custom_call @ranked(%u) : (tensor<*xf32>) -> tensor<?xf32>
      %2 = stablehlo.add %1, %0 : tensor<?xf32>
      %3 = stablehlo.negate %2 : tensor<?xf32>
      return %3 : tensor<?xf32>
    }"""
    module = parsed(text)
    run_pipeline(module, "builtin.module(stablehlo-reify-shape-calculations)")
    wrapped = [op for op in operations(module.operation) if "stablehlo.calculate" in op.attributes]
    inside = [next(each.name for each in operations(op) if each.name.startswith("stablehlo.")) for op in wrapped]
    assert inside == ["stablehlo.add", "stablehlo.add", "stablehlo.negate"]


CHOSEN = f"""func.func @main(%v: tensor<?x4xf32>, %x: tensor<f32>, %p: tensor<i1>) -> {T} {{
  %start = stablehlo.constant dense<[3, 4]> : {T}
  %f, %s = stablehlo.while(%g = %x, %t = %start) : tensor<f32>, {T}
  cond {{
    %c = stablehlo.compare LT, %g, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    CHOICE
    %i = stablehlo.dynamic_reshape %v, %n : (tensor<?x4xf32>, {T}) -> tensor<?x?xf32>
    stablehlo.custom_call @seen(%i) {{has_side_effect = true}} : (tensor<?x?xf32>) -> ()
    %m = stablehlo.add %n, %start : {T}
    stablehlo.return %g, %m : tensor<f32>, {T}
  }}
  return %s : {T}
}}
func.func private @same(%s: {T}) -> {T} {{ return %s : {T} }}"""


@pytest.mark.parametrize(
    "choice",
    [
        f"""%n = "stablehlo.if"(%p) ({{ stablehlo.return %t : {T} }}, {{ stablehlo.return %t : {T} }})
            : (tensor<i1>) -> {T}""",
        f"%n = func.call @same(%t) : ({T}) -> {T}",
        f"""%k, %n = stablehlo.while(%g2 = %g, %u = %t) : tensor<f32>, {T}
            cond {{ %c = stablehlo.compare LT, %g2, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
                    stablehlo.return %c : tensor<i1> }}
            do {{ stablehlo.return %g2, %u : tensor<f32>, {T} }}""",
    ],
    ids=["branches", "a call", "a loop"],
)
def test_what_is_known_in_a_first_round_alone_is_forgotten_in_the_next(choice: str) -> None:
    module = parsed(CHOSEN.replace("CHOICE", choice))
    run_pipeline(module, "builtin.module(stablehlo-shape-refinement-pipeline)")
    (reshaped,) = [op for op in operations(module.operation) if op.name == "stablehlo.dynamic_reshape"]
    assert str(reshaped.results[0].type) == "tensor<?x?xf32>", str(module)


@pytest.mark.parametrize(("returned", "guards"), [("%d, %d", 0), ("%d, %one", 1), ("%k, %k", 1)])
def test_a_number_that_each_round_computes_anew_is_the_one_that_goes_in(returned: str, guards: int) -> None:
    """The sizes that are added are equal if the loop returns twice the size of %x, in whatever round it ends."""
    v, i = "tensor<?xf32>", "tensor<i32>"
    text = f"""func.func @main(%x: {v}, %p: tensor<i1>) -> {v} {{
      %one = stablehlo.constant dense<1> : {i}
      %d = stablehlo.get_dimension_size %x, dim = 0 : ({v}) -> {i}
      %e = stablehlo.add %d, %d : {i}
      %r = "stablehlo.while"(%e) ({{ ^bb0(%k: {i}): "stablehlo.return"(%p) : (tensor<i1>) -> () }}, {{
        ^bb0(%k: {i}):
        %n = stablehlo.add {returned} : {i}
        "stablehlo.return"(%n) : ({i}) -> () }}) : ({i}) -> {i}
      %s = stablehlo.reshape %r : ({i}) -> tensor<1xi32>
      %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> {v}
      %c = stablehlo.concatenate %x, %x, dim = 0 : ({v}, {v}) -> {v}
      %a = stablehlo.add %i, %c : {v}
      return %a : {v} }}"""
    module = parsed(text)
    run_pipeline(module, "builtin.module(stablehlo-insert-shape-guards)")
    said = [str(op.attributes.get("error_message", "")) for op in operations(module.operation)]
    assert sum("stablehlo.add" in message for message in said) == guards, str(module)


@pytest.mark.parametrize("options", ["", "{steps=true}"])
@pytest.mark.parametrize("kept", [False, True])
def test_what_stands_in_for_an_argument_stays_where_its_type_is_needed(kept: bool, options: str) -> None:
    """An op of another dialect may need the type that it has."""
    v = "tensor<?xf32>"
    cast = f"%v = builtin.unrealized_conversion_cast %u : {v} to tensor<?xi32>" if kept else ""
    text = f"""func.func @main(%x: tensor<4xf32>) -> {v} {{
      %g = stablehlo.constant dense<4> : tensor<1xi64>
      %u = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%x, %g)
        {{indices_of_shape_operands = dense<1> : tensor<1xi64>}} : (tensor<4xf32>, tensor<1xi64>) -> {v}
      {cast}
      %w = stablehlo.negate %u : {v}
      return %w : {v} }}"""
    module = parsed(text)
    run_pipeline(module, f"builtin.module(stablehlo-shape-refinement-pipeline{options})")
    assert module.operation.verify()
    names = [op.name for op in operations(module.operation)]
    assert ("stablehlo.custom_call" in names) == kept, str(module)
    (cast_from,) = [str(op.operands[0].type) for op in operations(module.operation)
                    if op.name == "builtin.unrealized_conversion_cast"] or [v]  # fmt: skip
    assert cast_from == v
    assert "-> tensor<4xf32> {" in str(module)


@pytest.mark.parametrize("options", ["", "{steps=true}"])
def test_an_op_of_another_dialect_gets_the_type_that_it_says(options: str) -> None:
    v = "tensor<?xf32>"
    text = f"""func.func @main(%x: tensor<4xf32>) -> {v} {{
      %a = stablehlo.negate %x : (tensor<4xf32>) -> {v}
      %b = builtin.unrealized_conversion_cast %a : {v} to tensor<?xi32>
      %c = stablehlo.abs %a : {v}
      %d:2 = "stablehlo.sort"(%a, %c) <{{dimension = 0 : i64}}> ({{
        ^bb0(%l: tensor<f32>, %r: tensor<f32>, %m: tensor<f32>, %n: tensor<f32>):
        %p = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1> }}) : ({v}, {v}) -> ({v}, {v})
      %e = builtin.unrealized_conversion_cast %d#1 : {v} to tensor<?xi32>
      return %d#0 : {v} }}"""
    module = parsed(text)
    run_pipeline(module, f"builtin.module(stablehlo-shape-refinement-pipeline{options})")
    assert module.operation.verify()
    ops = operations(module.operation)
    taken = [str(op.operands[0].type) for op in ops if op.name == "builtin.unrealized_conversion_cast"]
    made = [str(result.type) for op in ops for result in op.results if op.name in ("stablehlo.abs", "stablehlo.sort")]
    assert taken == [v, v], str(module)
    assert made == ["tensor<4xf32>", "tensor<4xf32>", v], str(module)


@pytest.mark.parametrize("kinds", [["shape", "dtype"], ["dtype", "shape"], ["dtype", "dtype", "shape", "shape"]])
def test_functions_of_each_kind_are_put_next_to_an_op_once(kinds: list[str]) -> None:
    module = parsed("""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.negate %x : tensor<4xf32>
        %1 = stablehlo.add %0, %x : tensor<4xf32>
        return %1 : tensor<4xf32> }""")
    run_pipeline(module, f"builtin.module({','.join(f'stablehlo-reify-{kind}-calculations' for kind in kinds)})")
    ops = [op for op in operations(module.operation) if op.name == "scf.execute_region"]
    found = [str(op.attributes["stablehlo.calculation"]).strip('"') for op in ops
             if "stablehlo.calculation" in op.attributes]  # fmt: skip
    assert found == [*dict.fromkeys(kinds)] * 2, str(module)
