"""Replacements of symbols by node, the limit on steps of library functions, texts of assertions, numbers passed on."""

from __future__ import annotations

import itertools
import operator
import random
from typing import Any

import pytest
from parsed import parsed

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import body_of, functions
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.errors import LimitError
from stablehlo_py.shapes.evaluation.evaluator import STEP_LIMIT, Assertion, Evaluator, Procedure
from stablehlo_py.shapes.evaluation.symbols import (
    Expression,
    Symbol,
    hull,
    interval,
    maximum,
    minimum,
    substitute,
    symbol,
)
from stablehlo_py.shapes.refinement.knowledge import Knowledge
from stablehlo_py.shapes.refinement.value_facts import ValueFacts, small_integer_count

A, B, C = (symbol("size", name) for name in "abc")


def only(expression: Expression) -> Symbol:
    (found,) = expression.symbols()
    return found


def known(knowledge: Knowledge) -> dict[str, str]:
    """What is known of A, B and C."""
    return {str(one): str(knowledge[only(one)]) for one in (A, B, C) if only(one) in knowledge}


def test_a_step_back_forgets_the_node_itself_and_all_after_it() -> None:
    for back, expected in (
        (2, {"a": "1"}),
        (3, {"a": "1"}),
        (4, {"a": "1", "b": "2"}),
        (5, {"a": "1", "b": "2", "c": "3"}),
    ):
        knowledge = Knowledge()
        for node, one, value in ((1, A, 1), (3, B, 2), (4, C, 3)):
            knowledge.enter(node, 9)
            knowledge.learn({only(one): value})
        knowledge.go_back(back)
        assert known(knowledge) == expected, back
        assert len(knowledge) == len(expected)


def test_replacements_come_again_when_their_node_is_passed_and_end_with_its_block() -> None:
    knowledge = Knowledge()
    knowledge.enter(1, 3)
    knowledge.learn({only(A): 1})
    knowledge.enter(3, 9)
    assert known(knowledge) == {"a": "1"}
    knowledge.enter(4, 9)
    assert known(knowledge) == {}
    knowledge.go_back(1)
    assert known(knowledge) == {}
    knowledge.enter(2, 9)
    assert known(knowledge) == {"a": "1"}
    assert knowledge.replacements_at(1) == {only(A): 1}
    assert knowledge.forgotten_at(1) == {only(A): 1}
    assert (knowledge.replacements_at(1), knowledge.forgotten_at(1)) == ({}, {})


@pytest.mark.parametrize("ends", [(5, 2, 2, 5, 4, 5), (0, 5, 3, 3, 5, 5), (5, 5, 5, 5, 5, 5), (1, 1, 4, 3, 4, 5)])
def test_what_a_node_teaches_holds_to_the_end_of_its_block_wherever_the_next_step_goes(ends: tuple[int, ...]) -> None:
    """From any node back to an earlier one or on to a later one; nodes between are not looked at again. Nobody goes
    back into the middle of a block that has ended."""
    names = [only(symbol("size", f"n{node}")) for node in range(6)]
    for last, back in itertools.product(range(6), repeat=2):
        if any(back <= end < last for end in ends[:back]):
            continue
        for then in range(back, 7):
            knowledge = Knowledge()
            for node in range(last + 1):
                knowledge.enter(node, ends[node])
                knowledge.learn({names[node]: node})
                assert {name for name in names if name in knowledge} == {
                    names[before] for before in range(node + 1) if ends[before] >= node
                }
            knowledge.go_back(back)
            knowledge.enter(then, 6)
            held = {names[node] for node in range(min(last + 1, then)) if ends[node] >= then}
            assert {name for name in names if name in knowledge} == held, (last, back, then)
            assert len(knowledge) == len(held)


def test_replacements_are_resolved_and_the_first_one_stays() -> None:
    knowledge = Knowledge()
    knowledge.enter(1, 9)
    knowledge.learn({only(A): B + C, only(B): C})
    knowledge.learn({only(A): 7})
    assert str(knowledge[only(A)]) == str(C + C)
    knowledge.enter(2, 9)
    knowledge.learn({only(C): 5})
    assert [knowledge[only(one)] for one in (A, B, C)] == [10, 5, 5]
    knowledge.go_back(2)
    assert [str(knowledge[only(one)]) for one in (A, B)] == [str(C + C), str(C)]


@pytest.mark.parametrize(
    ("steps", "instructions", "ends"),
    [(STEP_LIMIT - 1, 0, True), (STEP_LIMIT, 0, False), (STEP_LIMIT - 3, 2, True), (STEP_LIMIT - 2, 2, False)],
)
def test_library_functions_end_within_the_limit_on_steps(steps: int, instructions: int, ends: bool) -> None:
    ran = list[int]()
    environment: Any = None
    evaluator = Evaluator(environment, steps=steps)
    instruction: Any = lambda *_: ran.append(1)  # noqa: E731
    procedure = Procedure([None], (0,), [instruction] * instructions, (0,))
    if ends:
        assert evaluator.run(procedure, [5]) == (5,)
        assert (len(ran), evaluator.steps) == (instructions, STEP_LIMIT)
        return
    with pytest.raises(LimitError, match=f"does not end within {STEP_LIMIT} steps"):
        evaluator.run(procedure, [5])
    assert ran == []


def test_numbers_are_put_into_the_text_of_an_assertion() -> None:
    assert Assertion(True, "{1} differs from {0}, not from {2}", (3, A)).text == "a differs from 3, not from {2}"


def test_the_least_and_the_greatest_of_two_numbers() -> None:
    bounds = [(low, high) for low in (None, 0, 3) for high in (None, 3, 9)]
    numbers: list[Expression | int] = [symbol("size", f"s{n}", low, high) for n, (low, high) in enumerate(bounds)]
    for left, (a, b) in zip([*numbers, 5], [*bounds, (5, 5)], strict=True):
        for right, (c, d) in zip([*numbers, 5], [*bounds, (5, 5)], strict=True):
            expected = None if None in (a, c) else min(a, c), None if None in (b, d) else max(b, d)
            assert hull(left, right) == expected, (left, right)


@pytest.mark.parametrize("seed", range(20))
def test_numbers_computed_from_symbols_are_within_their_bounds(seed: int) -> None:
    chance = random.Random(seed)
    ranges = [tuple(sorted(chance.choices(range(-4, 9), k=2))) for _ in range(3)]
    names = [symbol("size", f"s{n}", low, high) for n, (low, high) in enumerate(ranges)]
    ops = [operator.add, operator.sub, operator.mul, maximum, minimum]
    pairs: list[tuple[Any, Any]] = []
    values = [chance.randint(low, high) for low, high in ranges]
    pairs += zip(names, values, strict=True)
    for _ in range(12):
        (one, first), (other, second) = chance.choices(pairs, k=2)
        if chance.random() < 0.25:
            by = chance.choice([-3, -1, 1, 2, 5])
            pairs.append((one // by, first // by))
        else:
            op = chance.choice(ops)
            plain = {maximum: max, minimum: min}.get(op, op)
            pairs.append((op(one, other), plain(first, second)))
        made, value = pairs[-1]
        low, high = interval(made)
        assert low is None or low <= value, (str(made), low, value, ranges)
        assert high is None or high >= value, (str(made), high, value, ranges)
        known = dict(zip(map(only, names), values, strict=True))
        replaced = substitute(made, known)
        assert interval(replaced)[0] is None or interval(replaced) == (value, value), (str(made), str(replaced), value)


@pytest.mark.parametrize(
    ("type_", "count"),
    [
        ("tensor<256xi32>", 256),
        ("tensor<257xi32>", None),
        ("tensor<16x16xui8>", 256),
        ("tensor<17x16xi64>", None),
        ("tensor<i1>", 1),
        ("tensor<0x1000xi32>", 0),
        ("tensor<3xindex>", 3),
        ("tensor<?xi32>", None),
        ("tensor<1xf32>", None),
        ("tensor<1x!quant.uniform<i8:f32, 0.5>>", None),
        ("tensor<*xi32>", None),
        ("i32", None),
    ],
)
def test_tensors_of_few_integers_have_elements_that_are_known(type_: str, count: int | None) -> None:
    context = make_context()
    assert small_integer_count(ir.Type.parse(type_, context)) == count


def test_what_symbols_stand_for_moves_with_a_copy_of_a_function() -> None:
    text = "func.func @NAME(%a: tensor<?x3x?xf32>, %b: tensor<2xi32>) { return }"
    module = parsed("\n".join(text.replace("NAME", name) for name in "fg"))
    old, new = [list(function.regions[0].blocks[0].arguments) for function in module.body.operations]
    facts = ValueFacts()
    symbols = [only(each) for each in (*(facts.sizes(old[0]) or ()), *(facts.elements(old[1]) or ()))
               if isinstance(each, Expression)]  # fmt: skip
    places = [(0, 0), (0, 2), (1, 0), (1, 1)]
    assert [facts.symbol_names.origin(one) for one in symbols] == [(old[index], place) for index, place in places]
    moved = facts.moved(dict(zip(old, new, strict=True)))
    assert [facts.symbol_names.origin(one) for one in symbols] == [(new[index], place) for index, place in places]
    assert [moved.sizes(new[0]), moved.elements(new[1])] == [facts.sizes(old[0]), facts.elements(old[1])]
    assert [moved.name(each) for each in new] == [facts.name(each) for each in old] == [".arg0", ".arg1"]


WRAPPER = "stablehlo.shape_refinement_operand_wrapper"


@pytest.mark.parametrize(
    "line",
    [
        "%b = stablehlo.optimization_barrier %s : tensor<2xi32>",
        "%a, %b = stablehlo.optimization_barrier %r, %s : tensor<2xi32>, tensor<2xi32>",
        "%b, %a = stablehlo.optimization_barrier %s, %r : tensor<2xi32>, tensor<2xi32>",
        f"%b = stablehlo.custom_call @{WRAPPER}(%s, %n) {{indices_of_shape_operands = dense<1> : tensor<1xi64>}} : "
        "(tensor<2xi32>, tensor<1xi64>) -> tensor<2xi32>",
        "%b = func.call @same(%s) : (tensor<2xi32>) -> tensor<2xi32>",
    ],
)
def test_numbers_that_ops_pass_on_are_known(line: str) -> None:
    module = stablehlo_py.parse(f"""func.func @main(%x: tensor<6xf32>) -> tensor<?x?xf32> {{
      %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
      %r = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
      %n = stablehlo.constant dense<2> : tensor<1xi64>
      {line}
      %0 = stablehlo.dynamic_reshape %x, %b : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    }}
    func.func private @same(%x: tensor<2xi32>) -> tensor<2xi32> {{ return %x : tensor<2xi32> }}""")
    run_pipeline(module, "builtin.module(stablehlo-shape-refinement-pipeline)")
    assert str(body_of(functions(module.operation)["main"]).operations[-1].operands[0].type) == "tensor<2x3xf32>"


@pytest.mark.parametrize("shape", ["stablehlo.constant dense<[2, 3]>", "stablehlo.custom_call @some()"])
@pytest.mark.parametrize("result", ["tensor<?x?xf32>", "tensor<*xf32>", "!stablehlo.token"])
def test_a_shape_of_a_result_refines_what_has_a_rank(shape: str, result: str) -> None:
    type_ = " : tensor<2xi32>" if "constant" in shape else " : () -> tensor<2xi32>"
    module = stablehlo_py.parse(f"""func.func @main() -> {result} {{
      %s = {shape}{type_}
      %0 = stablehlo.custom_call @made(%s) {{indices_of_shape_operands = dense<0> : tensor<1xi64>}}
        : (tensor<2xi32>) -> {result}
      return %0 : {result}
    }}""")
    run_pipeline(module, "builtin.module(stablehlo-shape-refinement-pipeline)")
    found = "tensor<2x3xf32>" if "constant" in shape and "?" in result else result
    assert str(body_of(functions(module.operation)["main"]).operations[-1].operands[0].type) == found
