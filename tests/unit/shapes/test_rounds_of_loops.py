"""How many rounds of a loop are looked at, entry for entry, and what is known of the sizes it carries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import Diagnostic
from stablehlo_py.passes.pipeline import run_pipeline

V = "tensor<?xf32>"


@pytest.fixture(scope="module", autouse=True)
def context() -> Iterator[ir.Context]:
    with make_context() as made:
        yield made


def refined(text: str, limit: int, steps: bool = False) -> tuple[ir.Module, list[str]]:
    said: list[Diagnostic] = []
    module = ir.Module.parse(text)
    options = f"max-iterations={limit} steps={str(steps).lower()}"
    run_pipeline(module, f"builtin.module(stablehlo-shape-refinement-pipeline{{{options}}})", sink=said.append)
    assert module.operation.verify()
    return module, [each.message for each in said]


def loop(name: str, carried: list[str], inner: str, yielded: list[str]) -> str:
    """A loop with vectors that it carries, which are %NAME0, %NAME1, … inside and %NAME#0, … outside."""
    types = ", ".join([V] * len(carried))
    arguments = ", ".join(f"%{name}{n}: {V}" for n in range(len(carried)))
    return f"""%{name}:{len(carried)} = "stablehlo.while"({", ".join(carried)}) ({{
      ^bb0({arguments.replace(f"%{name}", f"%{name}c")}):
        "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }}, {{
      ^bb0({arguments}):
        {inner}
        "stablehlo.return"({", ".join(yielded)}) : ({types}) -> ()
    }}) : ({types}) -> ({types})"""


def program(body: str, result: str) -> str:
    return f"""func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>, %p: tensor<i1>) -> {V} {{
      %a = stablehlo.negate %x : (tensor<2xf32>) -> {V}
      %b = stablehlo.negate %y : (tensor<3xf32>) -> {V}
      {body}
      return {result} : {V}
    }}"""


def shifted(count: int) -> str:
    """A loop that hands vectors on from place to place, with another size coming in at the first one."""
    return program(loop("w", ["%a"] * count, "", ["%b", *[f"%w{n}" for n in range(count - 1)]]), f"%w#{count - 1}")


@pytest.mark.parametrize("steps", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_loop_is_given_up_after_as_many_rounds_as_are_allowed(count: int, steps: bool) -> None:
    """One more place changes in each round."""
    for limit in range(1, count + 3):
        module, said = refined(shifted(count), limit, steps)
        assert said == [f"refinement stopped after {limit} iterations of a loop"] * (limit <= count), limit
        (while_,) = [op for op in operations(module.operation) if op.name == "stablehlo.while"]
        assert [str(result.type) for result in while_.results] == [V] * count
        assert "dynamic_reshape" not in str(module), "the initial value gets the type that it had"


def nested(count: int) -> str:
    """In each round of the outer loop one more vector has another size. The inner loop hands each on in two rounds."""
    places = range(count)
    carried = [part for n in places for part in (f"%o{n}", "%a", "%a")]
    inner = loop("i", carried, "", [f"%i{3 * n + m}" for n in places for m in (0, 0, 1)])
    outer = loop("o", ["%a"] * count, inner, ["%b", *[f"%o{n}" for n in range(count - 1)]])
    return program(outer, f"%o#{count - 1}")


@pytest.mark.parametrize("count", [2, 3, 5])
def test_rounds_are_counted_anew_each_time_that_a_loop_is_entered(count: int) -> None:
    """All rounds of the inner one are twice as many as those of the outer one."""
    for limit in (count, count + 1, 2 * count):
        _, said = refined(nested(count), limit)
        assert said == [f"refinement stopped after {limit} iterations of a loop"] * (limit == count), limit


@pytest.mark.parametrize("passes", ["shape-refinement-pipeline", "insert-shape-guards"])
def test_ten_rounds_are_allowed(passes: str) -> None:
    for count, warnings in ((9, 0), (10, 1)):
        said: list[Diagnostic] = []
        run_pipeline(ir.Module.parse(shifted(count)), f"builtin.module(stablehlo-{passes})", sink=said.append)
        assert [each.message for each in said] == ["refinement stopped after 10 iterations of a loop"] * warnings


KNOWN = f"""func.func @main(%x: tensor<2xf32>, %p: tensor<i1>, %n: tensor<1xi32>) -> ({V}, {V}) {{
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %a = stablehlo.negate %x : (tensor<2xf32>) -> {V}
  %r:2 = "stablehlo.while"(%a, %two) ({{
  ^bb0(%v: {V}, %s: tensor<1xi32>):
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }}, {{
  ^bb0(%v: {V}, %s: tensor<1xi32>):
    %i = "stablehlo.while"(%s) ({{
    ^bb0(%t: tensor<1xi32>):
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }}, {{
    ^bb0(%t: tensor<1xi32>):
      %seen = stablehlo.dynamic_iota %t, dim = 0 : (tensor<1xi32>) -> {V}
      %q = stablehlo.custom_call @seen(%seen) {{has_side_effect = true}} : ({V}) -> tensor<f32>
      "stablehlo.return"(%t) : (tensor<1xi32>) -> ()
    }}) : (tensor<1xi32>) -> tensor<1xi32>
    "stablehlo.return"(%v, NEXT) : ({V}, tensor<1xi32>) -> ()
  }}) : ({V}, tensor<1xi32>) -> ({V}, tensor<1xi32>)
  %o = stablehlo.dynamic_iota %r#1, dim = 0 : (tensor<1xi32>) -> {V}
  return %r#0, %o : {V}, {V}
}}"""


@pytest.mark.parametrize(("following", "size"), [("%s", "2"), ("%i", "2"), ("%two", "2"), ("%n", "?")])
def test_numbers_that_a_loop_takes_in_are_known_in_it_where_they_stay(following: str, size: str) -> None:
    module, said = refined(KNOWN.replace("NEXT", following), 10)
    found = [str(op.results[0].type) for op in operations(module.operation) if op.name == "stablehlo.dynamic_iota"]
    assert found == [f"tensor<{size}xf32>"] * 2, str(module)
    function = module.body.operations[0]
    assert f"-> (tensor<2xf32>, tensor<{size}xf32>)" in str(function).partition("{")[0]
    assert said == []
