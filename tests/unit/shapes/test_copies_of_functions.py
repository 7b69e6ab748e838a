"""A function that is called in several ways becomes what as many functions become that are called in one way each."""

from __future__ import annotations

import pytest
from parsed import parsed

from stablehlo_py.bindings.walk import functions
from stablehlo_py.passes.pipeline import run_pipeline

V, M = "tensor<?xf32>", "tensor<?x?xf32>"

BODIES = {
    "numbers": f"""
      %d = stablehlo.get_dimension_size %x, dim = 0 : ({V}) -> tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %e = stablehlo.multiply %d, %two : tensor<i32>
      %s = stablehlo.reshape %e : (tensor<i32>) -> tensor<1xi32>
      %t = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> {V}
      %both = stablehlo.concatenate %s, %s, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %r = stablehlo.dynamic_broadcast_in_dim %t, %both, dims = [1] : ({V}, tensor<2xi32>) -> {M}
      %u = stablehlo.custom_call @use(%e, %r) : (tensor<i32>, {M}) -> {V}""",
    "guards": f"""
      %a = stablehlo.custom_call @open(%x) : ({V}) -> {V}
      %b = stablehlo.custom_call @other(%x) : ({V}) -> {V}
      %c = stablehlo.add %a, %b : {V}
      %t = stablehlo.subtract %x, %c : {V}
      %u = stablehlo.concatenate %a, %b, %t, dim = 0 : ({V}, {V}, {V}) -> {V}
      %w = stablehlo.custom_call @third(%u) : ({V}) -> {V}
      %y = stablehlo.add %w, %u : {V}""",
    "loops": f"""
      %u:2 = "stablehlo.while"(%x, %i) ({{
        ^bb0(%v: {V}, %k: tensor<i32>):
        %p = stablehlo.custom_call @more(%v) : ({V}) -> tensor<i1>
        "stablehlo.return"(%p) : (tensor<i1>) -> ()
      }}, {{
        ^bb0(%v: {V}, %k: tensor<i32>):
        %n = stablehlo.negate %v : {V}
        %q = "stablehlo.if"(%flag) ({{ "stablehlo.return"(%n) : ({V}) -> () }}, {{
          %z = stablehlo.abs %x : {V}
          "stablehlo.return"(%z) : ({V}) -> () }}) : (tensor<i1>) -> {V}
        %k1 = stablehlo.add %k, %k : tensor<i32>
        "stablehlo.return"(%q, %k1) : ({V}, tensor<i32>) -> ()
      }}) : ({V}, tensor<i32>) -> ({V}, tensor<i32>)""",
    "calls": f"""
      %y = func.call @inner(%x) : ({V}) -> {V}
      %z = stablehlo.concatenate %y, %x, dim = 0 : ({V}, {V}) -> {V}
      %u = func.call @inner(%z) : ({V}) -> {V}""",
    "assertions": f"""
      %d = stablehlo.get_dimension_size %o, dim = 0 : ({V}) -> tensor<i32>
      %e = stablehlo.get_dimension_size %x, dim = 0 : ({V}) -> tensor<i32>
      %c = stablehlo.compare EQ, %d, %e : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.custom_call @shape_assertion(%c, %d, %e) {{has_side_effect = true, error_message = "{{0}}, {{1}}"}}
        : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
      %u = stablehlo.add %o, %x : {V}""",
    "stand-ins": f"""
      %g = stablehlo.constant dense<7> : tensor<1xi64>
      %u = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%x, %g)
        {{indices_of_shape_operands = dense<1> : tensor<1xi64>}} : ({V}, tensor<1xi64>) -> {V}""",
}
BODIES["loops"] = "%i = stablehlo.constant dense<3> : tensor<i32>\n" + BODIES["loops"]
RESULTS = {"guards": "%y", "loops": "%u#0"}
SIZES = [2, 3, 2, 5]
PASSES = [
    "stablehlo-shape-refinement-pipeline",
    "stablehlo-shape-refinement-pipeline{steps=true dtypes=true}",
    "stablehlo-insert-shape-guards",
    "stablehlo-reify-shape-calculations,stablehlo-insert-shape-guards",
    "stablehlo-reify-shape-calculations,stablehlo-simplify-shape-calculations",
    "stablehlo-reify-shape-calculations,stablehlo-inline-calculations,stablehlo-simplify-shape-calculations",
]


def program(kind: str, names: dict[int, str]) -> str:
    """A program that calls a function with a vector of each size, each size's function by its name."""
    calls = [
        f"""%x{number} = stablehlo.constant dense<1.0> : tensor<{size}xf32>
        %o{number} = stablehlo.negate %x{number} : (tensor<{size}xf32>) -> {V}
        %r{number} = func.call @{names[size]}(%o{number}, %open, %flag) : ({V}, {V}, tensor<i1>) -> {V}"""
        for number, size in enumerate(SIZES)
    ]
    result = RESULTS.get(kind, "%u")
    each = [
        f"""func.func private @{name}(%x: {V}, %o: {V}, %flag: tensor<i1>) -> {V} {{
          {BODIES[kind]}
          return {result} : {V}
        }}"""
        for name in dict.fromkeys(names.values())
    ]
    returned = ", ".join(f"%r{number}" for number in range(len(SIZES)))
    return "\n".join(
        [
            f"func.func @main(%open: {V}, %flag: tensor<i1>) -> ({', '.join([V] * len(SIZES))}) {{",
            *calls,
            f"return {returned} : {', '.join([V] * len(SIZES))} }}",
            *each,
            f"func.func private @inner(%x: {V}) -> {V} {{ %y = stablehlo.abs %x : {V}\n return %y : {V} }}",
        ]
    )


def made(text: str, passes: str) -> tuple[dict[str, str], list[str]]:
    """The functions that passes make, by name, and what is said on the way."""
    said: list[str] = []
    module = parsed(text)
    run_pipeline(module, f"builtin.module({passes})", sink=lambda each: said.append(each.message))
    assert module.operation.verify()
    return {name: str(op) for name, op in functions(module.operation).items()}, said


@pytest.mark.parametrize("passes", PASSES)
@pytest.mark.parametrize("kind", BODIES)
def test_each_way_to_call_a_function_gives_what_a_function_of_its_own_gives(kind: str, passes: str) -> None:
    found, said = made(program(kind, dict.fromkeys(SIZES, "f")), passes)
    alone, also = made(program(kind, {2: "f", 3: "f_0", 5: "f_1"}), passes)
    assert said == also
    assert found == alone
