"""What refinement learns holds where it was learned, and no longer; what cannot be is refused with its numbers."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import PassError
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.errors import LibraryError
from stablehlo_py.shapes.evaluation.attributes import read_attribute
from stablehlo_py.shapes.evaluation.conditions import compare
from stablehlo_py.shapes.evaluation.evaluator import Evaluator
from stablehlo_py.shapes.evaluation.symbols import Expression, Number, Symbol, substitute, symbol
from stablehlo_py.shapes.functions.shared import broadcast_along
from stablehlo_py.shapes.refinement.knowledge import Knowledge
from stablehlo_py.shapes.refinement.symbol_writing import SymbolWriter

V = "tensor<?xf32>"
STEPS = pytest.mark.parametrize("options", ["", "{steps=true}"])


@pytest.fixture(scope="module", autouse=True)
def context() -> Iterator[ir.Context]:
    with make_context() as made:
        yield made


def refined(text: str, options: str = "") -> ir.Module:
    module = ir.Module.parse(text)
    run_pipeline(module, f"builtin.module(stablehlo-shape-refinement-pipeline{options})", sink=lambda _: None)
    return module


def types(module: ir.Module, name: str) -> list[str]:
    return [str(op.results[0].type) for op in operations(module.operation) if op.name == f"stablehlo.{name}"]


LEARNING = f"""func.func @main(%x: {V}, %y: {V}, %two: tensor<2xf32>, %p: tensor<i1>) -> ({V}, {V}) {{
  %start = stablehlo.negate %two : (tensor<2xf32>) -> {V}
  %r = "stablehlo.while"(%start) ({{
  ^bb0(%v: {V}):
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }}, {{
  ^bb0(%v: {V}):
    %e = stablehlo.exponential %x : {V}
    %s = stablehlo.add %v, %x : {V}
    %c = stablehlo.cosine %x : {V}
    %n = NEXT
    "stablehlo.return"(%n) : ({V}) -> ()
  }}) : ({V}) -> {V}
  %t = stablehlo.tanh %x : {V}
  return %r, %t : {V}, {V}
}}"""


@STEPS
@pytest.mark.parametrize(
    ("following", "size"),
    [
        (f"stablehlo.negate %v : {V}", "2"),
        (f"stablehlo.concatenate %v, %v, dim = 0 : ({V}, {V}) -> {V}", "?"),
        (f"stablehlo.negate %y : {V}", "?"),
    ],
)
def test_what_a_first_round_teaches_is_forgotten_where_another_can_be_different(
    following: str, size: str, options: str
) -> None:
    """The sum has the sizes of the carried vector, which is of two numbers in the first round."""
    module = refined(LEARNING.replace("NEXT", following), options)
    found = {name: types(module, name) for name in ("exponential", "add", "cosine", "tanh")}
    kept = [f"tensor<{size}xf32>"]
    assert found == {"exponential": [V], "add": kept, "cosine": kept, "tanh": [V]}, str(module)


@STEPS
@pytest.mark.parametrize("first", ["", f"%e = stablehlo.exponential %y : {V}"])
def test_what_the_first_op_of_a_loop_teaches_holds_in_each_round(first: str, options: str) -> None:
    """Nothing that the sum reads changes from round to round, so it is looked at once; the product is, twice."""
    grown = f"stablehlo.concatenate %v, %y, dim = 0 : ({V}, {V}) -> {V}"
    text = LEARNING.replace(f"%e = stablehlo.exponential %x : {V}", first).replace("%v, %x :", "%two, %x :")
    text = text.replace(f"add %two, %x : {V}", f"add %two, %x : (tensor<2xf32>, {V}) -> {V}")
    product = f"%c = stablehlo.dot_general %v, %x, contracting_dims = [] x [] : ({V}, {V}) -> tensor<?x?xf32>"
    text = text.replace(f"%c = stablehlo.cosine %x : {V}", product).replace("NEXT", grown)
    assert types(refined(text, options), "dot_general") == ["tensor<?x2xf32>"]


@STEPS
def test_what_an_inner_block_teaches_anew_does_not_hide_what_is_forgotten_behind_it(options: str) -> None:
    inner = f"%z = stablehlo.add %v, %y : {V} stablehlo.return %z : {V}"
    branches = f"({{ {inner} }}, {{ stablehlo.return %v : {V} }}) : (tensor<i1>) -> {V}"
    text = LEARNING.replace("%c =", f'%i = "stablehlo.if"(%p) {branches}\n    %c =')
    module = refined(text.replace("NEXT", f"stablehlo.concatenate %v, %v, dim = 0 : ({V}, {V}) -> {V}"), options)
    assert [types(module, name) for name in ("add", "cosine")] == [[V, V], [V]], str(module)


def test_chains_of_replacements_are_resolved() -> None:
    """Each symbol stands for a sum of later ones, the last ones for numbers; they are learned in any order."""
    for seed in range(30):
        chance = random.Random(seed)
        names = [symbol("size", f"n{n}", 0) for n in range(6)]
        (keys,) = [[next(one.symbols()) for one in names]]
        values: list[Number] = []
        numbers: list[int] = [0] * 6
        for n in reversed(range(6)):
            later = chance.sample(range(n + 1, 6), k=min(2, 5 - n)) if chance.random() < 0.8 else []
            offset = chance.randint(1, 5)
            values.insert(0, sum([names[m] for m in later], start=offset))  # type: ignore[misc]
            numbers[n] = offset + sum(numbers[m] for m in later)
        knowledge = Knowledge()
        order = chance.sample(range(6), k=6)
        for node, n in enumerate(order):
            knowledge.enter(node, 99)
            knowledge.learn({keys[n]: values[n]})
        assert [knowledge[key] for key in keys] == numbers, (seed, order, values)
        whole = sum(names[1:], start=names[0])
        assert substitute(whole, knowledge) == sum(numbers)
        knowledge.go_back(3)
        assert {key for key in keys if key in knowledge} == {keys[n] for n in order[:3]}
        for n in order[:3]:
            left = substitute(values[n], knowledge)
            assert knowledge[keys[n]] == left, (seed, n)


@STEPS
@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("kind", ["if", "case"])
def test_branches_of_different_sizes_are_refused(kind: str, number: int, options: str) -> None:
    ways = [["%a", "%a"], ["%a", "%a"]]
    ways[1][number] = "%b"
    regions = ", ".join(f'{{ "stablehlo.return"({", ".join(way)}) : ({V}, {V}) -> () }}' for way in ways)
    text = f"""func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>, %p: tensor<{"i1" if kind == "if" else "i32"}>) {{
      %a = stablehlo.negate %x : (tensor<2xf32>) -> {V}
      %b = stablehlo.negate %y : (tensor<3xf32>) -> {V}
      %r:2 = "stablehlo.{kind}"(%p) ({regions}) : (tensor<{"i1" if kind == "if" else "i32"}>) -> ({V}, {V})
      return
    }}"""
    with pytest.raises(PassError) as raised:
        refined(text, options)
    assert f"branches return 2 and 3 for dimension 0 of result {number}" in str(raised.value)
    refined(text.replace("(%b, ", "(%a, ").replace(", %b)", ", %a)"), options)


ASSERTED = """func.func @main(%x: tensor<2xf32>, %n: tensor<i32>) {
  %a = stablehlo.negate %x : (tensor<2xf32>) -> tensor<?xf32>
  %d = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %w = stablehlo.constant dense<WANTED> : tensor<i32>
  %c = stablehlo.compare EQ, %d, %w : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%c, %d, %w) {MESSAGEhas_side_effect = true}
    : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return
}"""


@STEPS
@pytest.mark.parametrize(
    ("message", "said"),
    [("", "a shape assertion fails"), ('error_message = "{0}, not {1}", ', "2, not 3")],
)
def test_assertions_of_the_program_that_fail_say_why(message: str, said: str, options: str) -> None:
    text = ASSERTED.replace("MESSAGE", message)
    with pytest.raises(PassError) as raised:
        refined(text.replace("WANTED", "3"), options)
    assert said in str(raised.value)
    refined(text.replace("WANTED", "2"), options)


def test_a_guard_in_a_loop_names_what_the_loop_carries() -> None:
    text = LEARNING.replace("NEXT", f"stablehlo.concatenate %v, %y, dim = 0 : ({V}, {V}) -> {V}")
    module = ir.Module.parse(text)
    run_pipeline(module, "builtin.module(stablehlo-insert-shape-guards)", sink=lambda _: None)
    (message,) = [str(op.attributes["error_message"]) for op in operations(module.operation)
                  if op.name == "stablehlo.custom_call"]  # fmt: skip
    assert "dimension 0 of argument 0 is {" in message
    assert message.count("argument") == 1, message
    assert "dimension 0 of while.1 is {" in message, message


def test_a_quotient_rounds_down_apart_only_where_it_may_be_negative() -> None:
    module = stablehlo_py.parse("func.func @f(%a: tensor<?xf32>) { %0 = stablehlo.negate %a : tensor<?xf32> return }")
    negate = next(op for op in operations(module.operation) if op.name == "stablehlo.negate")
    algebra: Any = SimpleNamespace(integer=str, binary=lambda *parts: parts, size=lambda *_: "n")
    for low, operator in ((None, "floor"), (-1, "floor"), (0, "//"), (1, "//")):
        part = Symbol("size", "n", (), low)
        facts: Any = SimpleNamespace(sizes=lambda _, part=part: (Expression({(part,): 1}),),
                                     symbol_names=SimpleNamespace(origin=lambda _: None))  # fmt: skip
        assert SymbolWriter(algebra, facts, negate).number(Expression({(part,): 1}) // 3) == (operator, "n", "3"), low


def test_quotients_of_products_are_written_in_parentheses() -> None:
    a, b = symbol("size", "a", 0), symbol("size", "b", 0)
    texts = {str(left // right) for left, right in ((a, b), (a * b, b + 1), (a, b * b), (a + 1, b), (a, 2), (a * 3, 2))}
    assert texts == {"(a // b)", "((a*b) // (b + 1))", "(a // (b*b))", "((a + 1) // b)", "(a // 2)", "((3*a) // 2)"}


def test_truths_of_attributes() -> None:
    texts = {"true": True, "false": False, "unit": True, "1 : i64": True}
    assert {text: read_attribute(ir.Attribute.parse(text), "bool") for text in texts} == texts
    assert read_attribute(None, "bool") is False
    assert read_attribute(None, "bool | None") is False
    assert read_attribute(None, "int | None") is None


@pytest.mark.parametrize(
    ("text", "annotation", "value"),
    [
        ("7 : i64", "int", 7),
        ("-12 : i32", "int", -12),
        *[(f"#stablehlo.channel_handle<handle = {n}, type = {t}>", "int", n) for n in (0, 7, 12, 345) for t in (0, 1)],
        ('"text"', "str", "text"),
        ("#stablehlo<comparison_direction GE>", "str", "GE"),
        ("array<i64: 3, -1, 4>", "list[int]", [3, -1, 4]),
        ("dense<[5, 6]> : tensor<2xi64>", "list[int]", [5, 6]),
        ("dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>", "list[list[int]]", [[1, 2, 3], [4, 5, 6]]),
        ("dense<[[1], [2], [3]]> : tensor<3x1xi64>", "list[list[int]]", [[1], [2], [3]]),
        ("dense<[1, 2, 3]> : tensor<3xi64>", "list[list[int]]", [[1], [2], [3]]),
        ("dense<> : tensor<0x2xi64>", "list[list[int]]", []),
        ("dense<> : tensor<2x0xi64>", "list[list[int]]", []),
    ],
)
def test_attributes_are_values_of_python(text: str, annotation: str, value: Any) -> None:
    for optional in ("", " | None"):
        assert read_attribute(ir.Attribute.parse(text), annotation + optional) == value


def test_lists_of_nothing_known_stay_so_whatever_was_learned() -> None:
    environment: Any = None
    evaluator = Evaluator(environment)
    n = symbol("size", "n", 0)
    assert [evaluator.settled(value) for value in (None, n, (n, 1), True)] == [None, n, (n, 1), True]
    evaluator.check(compare("eq", n, 4), "it")
    truth = compare("sle", n, 3)
    assert [evaluator.settled(value) for value in (None, n, (n, 1), (), True, truth)] == [
        None,
        4,
        (4, 1),
        (),
        True,
        False,
    ]


def test_what_one_way_teaches_is_unknown_on_the_other() -> None:
    environment: Any = None
    evaluator = Evaluator(environment)
    n, m = symbol("size", "n", 0), symbol("size", "m", 0)
    way = compare("eq", m, 0)

    class Body:
        """A procedure that asserts something and returns the number."""

        instructions = (lambda evaluator, frame: evaluator.check(compare("eq", n, 4), "n is {0}"),)
        yields = (0,)

    body: Any = Body()
    assert evaluator.way(way, body, [n]) == (4,)
    assert (evaluator.path, evaluator.known) == (True, {})
    (assertion,) = evaluator.assertions
    assert "m != 0" in str(assertion.condition)
    assert "n == 4" in str(assertion.condition)
    evaluator.inputs = (n,)
    evaluator.check(compare("eq", n, 4), "n is {0}")
    evaluator.check(compare("eq", m, 4), "m is four")
    assert [each.inputs for each in evaluator.assertions] == [(), (n,), ()]
    assert evaluator.settled((n, m)) == (4, 4)


def test_products_are_the_same_in_any_order() -> None:
    names = [symbol("size", name, 0) for name in "abc"]
    for first, second, third in itertools.permutations(names):
        assert first * second == second * first
        assert str(first * second * third) == str(third * (first * second)) == "a*b*c"
        assert (first + second) * (first - second) == first * first - second * second
        assert compare("eq", first * (second + third), third * first + second * first) is True


@STEPS
@pytest.mark.parametrize("indices", [*itertools.permutations(range(3), 2)])
def test_operands_of_a_custom_call_that_are_shapes_of_its_results(indices: tuple[int, int], options: str) -> None:
    sizes = [2, 3, 4]
    constants = "\n".join(f"%s{n} = stablehlo.constant dense<{size}> : tensor<1xi64>" for n, size in enumerate(sizes))
    listed = ", ".join(map(str, indices))
    text = f"""func.func @main() -> ({V}, {V}) {{
      {constants}
      %r:2 = stablehlo.custom_call @it(%s0, %s1, %s2) {{indices_of_shape_operands = dense<[{listed}]> : tensor<2xi64>}}
        : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> ({V}, {V})
      return %r#0, %r#1 : {V}, {V}
    }}"""
    found = str(refined(text, options))
    assert f"-> (tensor<{sizes[indices[0]]}xf32>, tensor<{sizes[indices[1]]}xf32>)" in found, found
    wrong = text.replace(f"-> ({V}, {V})\n      return", f"-> ({V}, tensor<9xf32>)\n      return")
    wrong = wrong.replace(f": {V}, {V}\n", f": {V}, tensor<9xf32>\n").replace(
        f"-> ({V}, {V}) {{", f"-> ({V}, tensor<9xf32>) {{"
    )
    with pytest.raises(PassError) as raised:
        refined(wrong, options)
    assert f"dimension 0 of result 1 is declared 9, it is {sizes[indices[1]]}" in str(raised.value)


@pytest.mark.parametrize(
    ("text", "annotation", "message"),
    [
        (None, "int", "an attribute of type int is missing"),
        ("1 : i64", "float", "library functions have no attributes of type float"),
        ("1 : i64", "float | None", "library functions have no attributes of type float"),
        ('"x"', "int", 'cannot read "x" as int: '),
        ('"x"', "list[int]", 'cannot read "x" as list[int]: '),
    ],
)
def test_attributes_that_are_no_such_value_are_refused(text: str | None, annotation: str, message: str) -> None:
    with pytest.raises(LibraryError) as raised:
        read_attribute(None if text is None else ir.Attribute.parse(text), annotation)
    assert raised.value.message.startswith(message)
    assert message.endswith(": ") or raised.value.message == message


@pytest.mark.parametrize(
    ("left", "right", "dimensions", "message"),
    [
        ([2, 3], [4], None, "sizes 3 and 4 cannot be broadcast"),
        ([4], [2, 3], None, "sizes 4 and 3 cannot be broadcast"),
        ([2, 3], [4], [1], "sizes 3 and 4 cannot be broadcast"),
        ([4], [2, 3], [0], "sizes 2 and 4 cannot be broadcast"),
        ([5, 6], [5, 7], [0, 1], "sizes 6 and 7 cannot be broadcast"),
        ([2, 3], [4], [0, 1], "2 broadcast dimensions are given for rank 1"),
    ],
)
def test_sizes_that_cannot_be_broadcast_are_told_in_order(
    left: list[int], right: list[int], dimensions: list[int] | None, message: str
) -> None:
    with pytest.raises(AssertionError) as raised:
        broadcast_along(left, right, dimensions)
    assert str(raised.value) == message


@STEPS
@pytest.mark.parametrize("type_", ["!stablehlo.token", "tuple<tensor<2xf32>>"])
def test_results_that_are_no_tensors_have_no_sizes(type_: str, options: str) -> None:
    text = f"""func.func @main() -> {V} {{
      %s = stablehlo.constant dense<5> : tensor<1xi64>
      %r:2 = stablehlo.custom_call @it(%s, %s) {{indices_of_shape_operands = dense<[0, 1]> : tensor<2xi64>}}
        : (tensor<1xi64>, tensor<1xi64>) -> ({type_}, {V})
      return %r#1 : {V}
    }}"""
    assert f"-> ({type_}, tensor<5xf32>)" in str(refined(text, options))
