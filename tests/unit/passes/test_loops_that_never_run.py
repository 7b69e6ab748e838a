"""Loops whose condition is false on entry go, as far as constants tell it; so do reductions of no elements."""

from __future__ import annotations

import pytest

import stablehlo_py
from stablehlo_py.bindings.walk import operations
from stablehlo_py.passes.pipeline import run_pipeline

LOOP = """func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<i32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %many = stablehlo.constant dense<[5, 6, 7, 8, 9]> : tensor<5xi32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4xf32>
  cond {
    CONDITION
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %v : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}"""
COMPARE = "%p = stablehlo.compare {}, %i, {} : (tensor<i32>, tensor<i32>) -> tensor<i1>"
LAST = """%s = stablehlo.slice %many [4:5] : (tensor<5xi32>) -> tensor<1xi32>
    %l = stablehlo.reshape %s : (tensor<1xi32>) -> tensor<i32>
    """
SORTED = """%s = "stablehlo.sort"(%many) ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %q = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %q : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<5xi32>) -> tensor<5xi32>
    %t = stablehlo.slice %s [0:1] : (tensor<5xi32>) -> tensor<1xi32>
    %l = stablehlo.reshape %t : (tensor<1xi32>) -> tensor<i32>
    """
ADDED = f"""%b = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %d = stablehlo.add %b, %many : tensor<5xi32>
    {LAST.replace("%many", "%d")}"""
TWICE = f"%d = stablehlo.add %many, %many : tensor<5xi32>\n    {LAST.replace('%many', '%d')}"


@pytest.mark.parametrize(
    ("condition", "limit", "stays"),
    [
        ("%p = stablehlo.constant dense<false> : tensor<i1>", 9, False),
        ("%p = stablehlo.constant dense<true> : tensor<i1>", 9, True),
        (COMPARE.format("LT", "%zero"), 9, False),
        (COMPARE.format("LE", "%zero"), 9, True),
        (COMPARE.format("LT", "%n"), 9, True),  # which is not known
        (LAST + COMPARE.format("GT", "%l"), 9, False),
        (LAST + COMPARE.format("LT", "%l"), 9, True),
        (TWICE + COMPARE.format("GT", "%l"), 5, False),
        (TWICE + COMPARE.format("GT", "%l"), 4, True),  # a result of five elements is too large
        (ADDED + COMPARE.format("GT", "%l"), 5, False),
        (ADDED + COMPARE.format("GT", "%l"), 4, True),
        (SORTED + COMPARE.format("GT", "%l"), 9, False),
    ],
)  # fmt: skip
def test_a_loop_goes_where_its_condition_is_known_to_be_false(condition: str, limit: int, stays: bool) -> None:
    module = stablehlo_py.parse(LOOP.replace("CONDITION", condition))
    stablehlo_py.run_passes(
        module, f"builtin.module(func.func(stablehlo-aggressive-folder{{fold-op-element-limit={limit}}}))"
    )
    names = [op.name for op in operations(module.operation)]
    assert ("stablehlo.while" in names) == stays, str(module)


UNUSED = """func.func private @unknown()
func.func @main(%x: tensor<i32>, %n: tensor<i32>, %t: !stablehlo.token) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r = stablehlo.while(%i = %one) : tensor<i32>
  cond {
    %p = stablehlo.compare LT, %i, LIMIT : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    EFFECT
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  return %x : tensor<i32>
}"""
CALL = "func.call @unknown() : () -> ()"
OUT = '%o = "stablehlo.outfeed"(%x, %t) : (tensor<i32>, !stablehlo.token) -> !stablehlo.token'


@pytest.mark.parametrize("is_pure", [False, True])
@pytest.mark.parametrize("effect", [CALL, OUT], ids=["call", "outfeed"])
@pytest.mark.parametrize("limit", ["%one", "%n", "%x"])
def test_an_unused_loop_with_effects_goes_if_it_never_runs_and_declares_none(limit: str, effect: str, is_pure: bool):
    """That calls have none is said by an option."""
    module = stablehlo_py.parse(UNUSED.replace("LIMIT", limit).replace("EFFECT", effect))
    options = f"assume-no-undeclared-side-effects={str(is_pure).lower()}"
    stablehlo_py.run_passes(module, f"builtin.module(func.func(stablehlo-aggressive-folder{{{options}}}))")
    goes = is_pure and effect == CALL and limit == "%one"
    assert ("stablehlo.while" not in [op.name for op in operations(module.operation)]) == goes, str(module)


def test_a_branch_that_is_taken_out_hands_on_nothing_to_what_stays_for_its_effect() -> None:
    module = stablehlo_py.parse("""func.func @main(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
      %p = stablehlo.constant dense<true> : tensor<i1>
      %r:2 = "stablehlo.if"(%p) ({
        %a = stablehlo.abs %x : tensor<2xf32>
        stablehlo.return %a, %t : tensor<2xf32>, !stablehlo.token
      }, {
        %b = stablehlo.custom_call @f(%x) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
        stablehlo.return %b, %t : tensor<2xf32>, !stablehlo.token
      }) : (tensor<i1>) -> (tensor<2xf32>, !stablehlo.token)
      return %r#0 : tensor<2xf32>
    }""")
    run_pipeline(module, "builtin.module(func.func(stablehlo-aggressive-folder))")
    assert module.operation.verify()
    ops = operations(module.operation)
    choice = next(op for op in ops if op.name == "stablehlo.if")
    assert len(choice.regions[0].blocks[0].operations) == 1, "nothing is left in the branch"
    returned = [operand.owner.name for operand in choice.regions[0].blocks[0].operations[0].operands]
    assert returned == ["stablehlo.constant", "stablehlo.after_all"]
    (end,) = (op for op in ops if op.name == "func.return")
    assert [operand.owner.name for operand in end.operands] == ["stablehlo.abs"]
    assert not any(list(result.uses) for result in choice.results)


@pytest.mark.parametrize("one", ["f32", "f64"])
@pytest.mark.parametrize("other", ["f32", "f64"])
def test_a_reduction_of_nothing_in_another_type_stays(one: str, other: str) -> None:
    """Its initial values are of f32, as its operands; each of the two is reduced in a type of its own."""
    results = f"tensor<2x{one}>, tensor<2x{other}>"
    module = stablehlo_py.parse(f"""func.func @main(%a: tensor<2x0xf32>, %i: tensor<f32>) -> ({results}) {{
      %0:2 = "stablehlo.reduce"(%a, %a, %i, %i) ({{
      ^bb0(%p: tensor<{one}>, %q: tensor<{other}>, %r: tensor<{one}>, %s: tensor<{other}>):
        %u = stablehlo.add %p, %r : tensor<{one}>
        %v = stablehlo.add %q, %s : tensor<{other}>
        stablehlo.return %u, %v : tensor<{one}>, tensor<{other}>
      }}) {{dimensions = array<i64: 1>}}
        : (tensor<2x0xf32>, tensor<2x0xf32>, tensor<f32>, tensor<f32>) -> ({results})
      return %0#0, %0#1 : {results}
    }}""")
    run_pipeline(module, "builtin.module(func.func(stablehlo-aggressive-simplification{optimize-float=false}))")
    assert module.operation.verify()
    assert ("stablehlo.reduce" in str(module)) == ((one, other) != ("f32", "f32"))
