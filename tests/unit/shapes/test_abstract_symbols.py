"""Symbolic integers mean what they stand for: putting numbers in for the symbols gives what the numbers give."""

from __future__ import annotations

from operator import add, sub
from operator import floordiv as floor_divide
from operator import mul as multiply
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import examples

from stablehlo_py.shapes.evaluation import symbols
from stablehlo_py.shapes.evaluation.conditions import both, choose, compare, either, learned, negate, replace
from stablehlo_py.shapes.evaluation.symbols import Expression, interval, maximum, minimum
from stablehlo_py.shapes.refinement.symbol_writing import SymbolWriter

NAMES = ("a", "b", "c")
EXTENTS = {name: symbols.symbol("size", name, 0) for name in NAMES}
SETTINGS = settings(max_examples=examples(100, 300), deadline=None, derandomize=True)
OPERATIONS = {
    "+": (add, lambda x, y: x + y),
    "-": (sub, lambda x, y: x - y),
    "*": (multiply, lambda x, y: x * y),
    "min": (minimum, min),
    "max": (maximum, max),
}
TREES = st.recursive(
    st.one_of(st.integers(-3, 6), st.sampled_from([*NAMES, 2**31 - 1, -(2**31)])),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(sorted(OPERATIONS)), inner, inner),
        st.tuples(st.just("//"), inner, st.integers(-5, 5).filter(bool)),
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


@pytest.mark.parametrize("predicate", ["sle", "slt", "sge", "sgt"])
@pytest.mark.parametrize("limit", [0, 1, 4])
def test_a_comparison_teaches_the_tightest_bound(predicate, limit):
    holds = {"sle": int.__le__, "slt": int.__lt__, "sge": int.__ge__, "sgt": int.__gt__}[predicate]
    condition = compare(predicate, EXTENTS["a"], limit)
    value = next(iter(learned(condition).values()), EXTENTS["a"])
    those = [number for number in range(9) if holds(number, limit)]
    if not those or isinstance(condition, bool):
        assert condition is bool(those)
    else:
        assert interval(value) == (min(those), max(those) if predicate in ("sle", "slt") else None)


@SETTINGS
@given(TREES, TREES, TREES, NUMBERS)
def test_a_choice_gives_what_the_condition_chooses(left, first, second, numbers):
    condition = compare("sle", symbolic(left), 2)
    chosen = replace(choose(condition, symbolic(first), symbolic(second)), known(numbers))
    assert isinstance(chosen, Expression) or chosen == concrete(
        first if concrete(left, numbers) <= 2 else second, numbers
    )


class InNumbers(SymbolWriter):
    """Writes with Python's integers, where `//` rounds to zero as StableHLO's divide does."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self._algebra, self._numbers = self, numbers  # type: ignore[assignment]

    def _plain(self, part: symbols.Symbol) -> Any:
        return self._numbers[part.name]

    def integer(self, value: int) -> int:
        return value

    def boolean(self, value: bool) -> bool:
        return value

    def binary(self, operator: str, left: int, right: int) -> int:
        if operator == "//":
            return int(abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1))
        return {"+": add, "*": multiply, "min": min, "max": max, "floor": floor_divide}[operator](left, right)

    def compare(self, predicate: str, left: int, right: int) -> bool:
        return {"eq": left == right, "ne": left != right, "le": left <= right}[predicate]

    def logical(self, operator: str, left: bool, right: bool) -> bool:
        return {"and": left and right, "or": left or right, "xor": left != right}[operator]

    def select(self, condition: bool, first: int, second: int) -> int:
        return first if condition else second


PREDICATES = st.sampled_from(["eq", "ne", "slt", "sge"])


@SETTINGS
@given(TREES, TREES, TREES, PREDICATES, PREDICATES, NUMBERS)
def test_what_is_written_computes_what_it_stands_for(left, right, other, first, second, numbers):
    value, writer = symbolic(left), InNumbers(numbers)
    if not any(symbol.kind == "unknown" for symbol in getattr(value, "symbols", tuple)()):
        assert writer.number(value) == concrete(left, numbers)
    one, two = compare(first, value, symbolic(right)), compare(second, symbolic(other), 2)
    for condition in (
        one,
        negate(two),
        both(one, negate(two)),
        negate(either(negate(one), two)),
        negate(both(one, two)),
    ):
        expected = replace(condition, known(numbers))
        if "?" not in str(condition):
            assert writer.condition(condition) is expected, condition


A, B = symbols.symbol("size", "a", 0, 7), symbols.symbol("size", "b", 2)
N = symbols.symbol("element", "n", -3, 5)


@pytest.mark.parametrize(
    ("value", "bounds"),
    [
        (add(A, N), (-3, 12)),
        (sub(A, N), (-5, 10)),
        (multiply(A, N), (-21, 35)),
        (sub(0, B), (None, -2)),
        (multiply(B, A), (0, None)),
        (sub(multiply(B, 2), 3), (1, None)),
        (multiply(B, N), (None, None)),
        (minimum(A, N), (-3, 5)),
        (maximum(A, N), (0, 7)),
        (minimum(A, B), (0, 7)),
        (maximum(B, 4), (4, None)),
        (floor_divide(N, 2), (-2, 2)),
        (floor_divide(N, -2), (-3, 1)),
        (floor_divide(add(A, 1), 8), (0, 1)),
        (floor_divide(A, B), (0, None)),
        (floor_divide(N, B), (None, None)),
        (multiply(A, 2**61), (0, 7 * 2**61)),
        (multiply(B, 2**63 - 1), (2**64 - 2, None)),
        (multiply(B, 2**63), (None, None)),
    ],
)
def test_bounds_are_as_tight_as_those_of_the_parts_allow(value, bounds):
    assert interval(value) == bounds


@pytest.mark.parametrize(
    ("value", "simple"),
    [
        (minimum(B, 2), 2),
        (minimum(B, 1), 1),
        (maximum(A, 7), 7),
        (maximum(A, 0), A),
        (minimum(A, 0), 0),
        (floor_divide(add(A, 1), 9), 0),
        (floor_divide(add(N, 3), 9), 0),
        (floor_divide(0, B), 0),
        (floor_divide(add(multiply(4, A), 9), 4), add(A, 2)),
        (floor_divide(add(multiply(4, A), -1), 4), add(A, -1)),
    ],
)
def test_what_the_bounds_decide_is_decided(value, simple):
    assert value == simple


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
