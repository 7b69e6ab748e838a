"""What is found out about a result goes to that result, and messages name it; what loops carry keeps its type."""

from __future__ import annotations

import re

import pytest

import stablehlo_py
from stablehlo_py.errors import StablehloError
from stablehlo_py.shapes.evaluation.symbols import Expression, Number, interval, symbol
from stablehlo_py.shapes.refinement.op_evaluation import AbstractValues

REFINE, GUARD = "stablehlo-shape-refinement-pipeline", "stablehlo-insert-shape-guards"
V = "tensor<?xf32>"


def after(text: str, passes: str) -> str:
    """The program after some passes, or the error."""
    module = stablehlo_py.parse(text)
    try:
        stablehlo_py.run_passes(module, f"builtin.module({passes})")
    except StablehloError as error:
        return str(error)
    return str(module)


def sorted_(operands: list[str], types: list[str], results: list[str]) -> str:
    """A sort of vectors of floats, called `%r`."""
    arguments = ", ".join(f"%l{number}: tensor<f32>" for number in range(2 * len(operands)))
    return f"""%r:{len(operands)} = "stablehlo.sort"({", ".join(operands)}) ({{
      ^bb0({arguments}):
        %p = stablehlo.compare LT, %l0, %l1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }}) {{dimension = 0 : i64}} : ({", ".join(types)}) -> ({", ".join(results)})"""


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_a_guard_names_the_result_whose_type_it_checks(wrong: int) -> None:
    results = [V, V, V]
    results[wrong] = "tensor<4xf32>"
    text = f"""func.func @main(%a: {V}, %b: {V}, %c: {V}) -> {results[wrong]} {{
      {sorted_(["%a", "%b", "%c"], [V] * 3, results)}
      return %r#{wrong} : {results[wrong]}
    }}"""
    said = re.findall(r"dimension 0 of result (\d) is declared 4", after(text, GUARD))
    assert said == [str(wrong)]


@pytest.mark.parametrize("declared", [0, 4, 6])
@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_an_error_of_branches_names_the_result_whose_type_is_wrong(wrong: int, declared: int) -> None:
    results = [V, V, V]
    results[wrong] = f"tensor<{declared}xf32>"
    branch = f"stablehlo.return %d, %d, %d : {V}, {V}, {V}"
    text = f"""func.func @main(%p: tensor<i1>, %y: tensor<5xf32>) -> {results[wrong]} {{
      %d = stablehlo.convert %y : (tensor<5xf32>) -> {V}
      %r:3 = "stablehlo.if"(%p) ({{ {branch} }}, {{ {branch} }}) : (tensor<i1>) -> ({", ".join(results)})
      return %r#{wrong} : {results[wrong]}
    }}"""
    assert f"'stablehlo.if' op dimension 0 of result {wrong} is declared {declared}, it is 5" in after(text, REFINE)


MAKERS = {
    "a barrier": (f"%r:2 = stablehlo.optimization_barrier %d, %d : {V}, {V}", True),
    "an op with a shape function": (sorted_(["%d", "%d"], [V, V], [V, V]), False),
    "a branch": (
        f'%r:2 = "stablehlo.if"(%q) ({{ stablehlo.return %d, %d : {V}, {V} }}, '
        f"{{ stablehlo.return %d, %d : {V}, {V} }}) : (tensor<i1>) -> ({V}, {V})",
        True,
    ),
}


@pytest.mark.parametrize("steps", [False, True])
@pytest.mark.parametrize("carried", [0, 1])
@pytest.mark.parametrize("maker", MAKERS)
def test_what_a_growing_loop_takes_is_as_unknown_as_what_it_makes(maker: str, carried: int, steps: bool) -> None:
    """The value has that type from its op, or is reshaped where the types of that depend on others."""
    made, is_reshaped = MAKERS[maker]
    text = f"""func.func @main(%q: tensor<i1>, %y: tensor<4xf32>) -> ({V}, {V}) {{
      %d = stablehlo.convert %y : (tensor<4xf32>) -> {V}
      {made}
      %o = stablehlo.negate %r#{1 - carried} : {V}
      %w = stablehlo.while(%v = %r#{carried}) : {V} cond {{
        stablehlo.return %q : tensor<i1>
      }} do {{
        %t = stablehlo.concatenate %v, %v, dim = 0 : ({V}, {V}) -> {V}
        stablehlo.return %t : {V}
      }}
      return %o, %w : {V}, {V}
    }}"""
    found = after(text, f"{REFINE}{{steps=true}}" if steps else REFINE)
    assert "negate" in found, found
    assert re.search(r"negate %\S+ : tensor<4xf32>", found), found
    assert ("stablehlo.dynamic_reshape" in found) == is_reshaped, found
    assert re.search(r"-> \(tensor<4xf32>, tensor<\?xf32>\) \{", found), found


USERS = {
    "an op": (f"%u = stablehlo.negate %d : {V}", False),
    "a barrier": (f"%u = stablehlo.optimization_barrier %d : {V}", True),
    "a call": (f"%u = func.call @f(%d) : ({V}) -> {V}", True),
    "a composite": (f'%u = stablehlo.composite "a.b" %d {{decomposition = @f}} : ({V}) -> {V}', True),
}


@pytest.mark.parametrize("steps", [False, True])
@pytest.mark.parametrize("size", [0, 1, 4])
@pytest.mark.parametrize("user", USERS)
def test_what_a_growing_loop_takes_keeps_the_type_that_another_user_relies_on(
    user: str, size: int, steps: bool
) -> None:
    line, is_reshaped = USERS[user]
    text = f"""func.func private @f(%x: {V}) -> {V} {{
      %n = stablehlo.negate %x : {V}
      return %n : {V}
    }}
    func.func @main(%q: tensor<i1>, %y: tensor<{size}xf32>) -> ({V}, {V}) {{
      %d = stablehlo.convert %y : (tensor<{size}xf32>) -> {V}
      {line}
      %w = stablehlo.while(%v = %d) : {V} cond {{
        stablehlo.return %q : tensor<i1>
      }} do {{
        %e = stablehlo.constant dense<1.0> : tensor<1xf32>
        %t = stablehlo.concatenate %v, %e, dim = 0 : ({V}, tensor<1xf32>) -> {V}
        stablehlo.return %t : {V}
      }}
      return %u, %w : {V}, {V}
    }}"""
    found = after(text, f"{REFINE}{{steps=true}}" if steps else REFINE)
    assert re.search(rf"@main\(.*-> \(tensor<{size}xf32>, tensor<\?xf32>\) \{{", found), found
    assert ("stablehlo.dynamic_reshape" in found) == is_reshaped, found


@pytest.mark.parametrize(
    ("body", "is_known"),
    [
        ("%t = stablehlo.add %a, %b : tensor<i32>", True),
        ("%s = stablehlo.add %a, %b : tensor<i32> %t = stablehlo.add %s, %b : tensor<i32>", False),
        ("%s = stablehlo.add %a, %b : tensor<i32> %t = stablehlo.negate %s : tensor<i32>", False),
        ("%s = stablehlo.negate %a : tensor<i32> %t = stablehlo.add %s, %b : tensor<i32>", False),
    ],
)
def test_a_reduction_of_known_numbers_by_one_op_is_known(body: str, is_known: bool) -> None:
    text = f"""func.func @main() -> {V} {{
      %c = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
      %z = stablehlo.constant dense<0> : tensor<i32>
      %n = "stablehlo.reduce"(%c, %z) ({{
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        {body}
        stablehlo.return %t : tensor<i32>
      }}) {{dimensions = array<i64: 0>}} : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
      %l = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
      %r = stablehlo.dynamic_iota %l, dim = 0 : (tensor<1xi32>) -> {V}
      return %r : {V}
    }}"""
    assert ("tensor<5xf32>" in after(text, REFINE)) == is_known


def test_lists_are_taken_of_a_flat_one_by_their_lengths() -> None:
    flat, lengths, values = (7, 8, 9, 6), (2, 0, 1, 1), AbstractValues()
    found = [values.list_at(flat, lengths, index) for index in range(7)]
    assert found == [(7, 8), (), (9,), (6,), None, None, None]
    assert [values.list_at(*each, 0) for each in ((None, lengths), (flat, None), (flat, (2, None)))] == [None] * 3


@pytest.mark.parametrize(
    ("low", "divisor_low", "found"),
    [(0, 0, 0), (0, 1, 0), (3, 1, 0), (0, -1, None), (0, None, None), (-1, 1, None), (None, 1, None)],
)
def test_a_quotient_of_what_is_not_negative_is_not_negative(
    low: int | None, divisor_low: int | None, found: int | None
) -> None:
    def named(name: str, least: int | None) -> Number:
        return symbol("element", name, least)

    quotient = named("n", low) // named("m", divisor_low)
    assert isinstance(quotient, Expression)
    assert interval(quotient) == (found, None)


@pytest.mark.parametrize("steps", [False, True])
def test_known_numbers_of_an_unknown_size_are_no_constant(steps: bool) -> None:
    """The loop takes a vector of any size, so that is what the op makes, although the numbers are known."""
    v = "tensor<?xi32>"
    text = f"""func.func @main(%q: tensor<i1>) -> {v} {{
      %c = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
      %k = stablehlo.concatenate %c, %c, dim = 0 : (tensor<2xi32>, tensor<2xi32>) -> {v}
      %w = stablehlo.while(%v = %k) : {v} cond {{
        stablehlo.return %q : tensor<i1>
      }} do {{
        %t = stablehlo.concatenate %v, %v, dim = 0 : ({v}, {v}) -> {v}
        stablehlo.return %t : {v}
      }}
      return %w : {v}
    }}"""
    found = after(text, f"{REFINE}{{steps=true}}" if steps else REFINE)
    assert re.search(r"concatenate %c, %c, .* -> tensor<\?xi32>", found), found
