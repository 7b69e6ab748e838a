"""Symbolic integers mean what they stand for: putting numbers in for the symbols gives what the numbers give."""

from __future__ import annotations

from operator import add, sub
from operator import floordiv as floor_divide
from operator import mul as multiply
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from stablehlo_py.shapes.evaluation import symbols
from stablehlo_py.shapes.evaluation.conditions import both, compare, either, learned, negate, replace
from stablehlo_py.shapes.evaluation.symbols import Expression, interval, maximum, minimum

NAMES = ("a", "b", "c")
EXTENTS = {name: symbols.symbol("size", name, 0) for name in NAMES}
SETTINGS = settings(max_examples=300, deadline=None, derandomize=True)
OPERATIONS = {
    "+": (add, lambda x, y: x + y),
    "-": (sub, lambda x, y: x - y),
    "*": (multiply, lambda x, y: x * y),
    "min": (minimum, min),
    "max": (maximum, max),
}
TREES = st.recursive(
    st.one_of(st.integers(-3, 6), st.sampled_from(NAMES)),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(sorted(OPERATIONS)), inner, inner),
        st.tuples(st.just("//"), inner, st.integers(1, 5)),
    ),
    max_leaves=8,
)
NUMBERS = st.fixed_dictionaries({name: st.integers(0, 9) for name in NAMES})


def symbolic(tree: Any) -> int | Expression:
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return EXTENTS[tree]
    operator, left, right = tree
    if operator == "//":
        return floor_divide(symbolic(left), right)
    return OPERATIONS[operator][0](symbolic(left), symbolic(right))


def concrete(tree: Any, numbers: dict[str, int]) -> int:
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return numbers[tree]
    operator, left, right = tree
    if operator == "//":
        return concrete(left, numbers) // right
    return OPERATIONS[operator][1](concrete(left, numbers), concrete(right, numbers))


def known(numbers: dict[str, int]) -> dict[symbols.Symbol, int | Expression]:
    return {next(EXTENTS[name].symbols()): value for name, value in numbers.items()}


@SETTINGS
@given(TREES, NUMBERS)
def test_substitution_gives_what_the_numbers_give(tree, numbers):
    assert symbols.substitute(symbolic(tree), known(numbers)) == concrete(tree, numbers)


@SETTINGS
@given(TREES, NUMBERS)
def test_the_interval_holds_the_value(tree, numbers):
    low, high = interval(symbolic(tree))
    value = concrete(tree, numbers)
    assert low is None or low <= value
    assert high is None or value <= high


@SETTINGS
@given(TREES, TREES, st.sampled_from(["eq", "ne", "slt", "sle", "sgt", "sge"]), NUMBERS)
def test_comparisons_decide_only_what_is_decided(left, right, predicate, numbers):
    a, b = concrete(left, numbers), concrete(right, numbers)
    expected = {"eq": a == b, "ne": a != b, "slt": a < b, "sle": a <= b, "sgt": a > b, "sge": a >= b}[predicate]
    condition = compare(predicate, symbolic(left), symbolic(right))
    assert replace(condition, known(numbers)) is expected
    assert replace(negate(condition), known(numbers)) is not expected


@SETTINGS
@given(TREES, TREES, NUMBERS)
def test_what_an_equation_teaches_holds_where_it_holds(left, right, numbers):
    if concrete(left, numbers) != concrete(right, numbers):
        return
    condition = compare("eq", symbolic(left), symbolic(right))
    for symbol, value in learned(condition).items():
        if symbol in known(numbers):
            assert symbols.substitute(value, known(numbers)) == known(numbers)[symbol]


@SETTINGS
@given(TREES, TREES, NUMBERS)
def test_and_and_or(left, right, numbers):
    first = compare("slt", symbolic(left), symbolic(right))
    second = compare("eq", symbolic(left), 2)
    values = replace(first, known(numbers)), replace(second, known(numbers))
    assert replace(both(first, second), known(numbers)) is (values[0] and values[1])
    assert replace(either(first, second), known(numbers)) is (values[0] or values[1])


def test_equal_expressions_compare_equal():
    a, b = EXTENTS["a"], EXTENTS["b"]
    assert multiply(add(a, 1), add(a, -1)) == sub(multiply(a, a), 1)
    assert floor_divide(multiply(multiply(4, a), b), multiply(2, b)) == multiply(2, a)
    assert floor_divide(multiply(add(a, 1), add(b, 3)), add(b, 3)) == add(a, 1)
    assert floor_divide(add(multiply(4, a), 7), 4) == add(a, 1)
    assert maximum(a, 0) == a


def test_text():
    a, b = EXTENTS["a"], EXTENTS["b"]
    assert str(sub(multiply(2, multiply(a, b)), 3)) == "2*a*b - 3"
    assert str(floor_divide(a, 2)) == "(a // 2)"
    assert str(compare("eq", a, add(b, 1))) == "a == b + 1"
