"""Where polynomials over symbols end: their size, their factors and bounds; and what divisions and equations give."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

import pytest

from stablehlo_py.shapes.evaluation.conditions import Condition, both, choose, compare, either, learned, negate
from stablehlo_py.shapes.evaluation.symbols import (
    SIZE_LIMIT,
    Expression,
    Number,
    computed,
    interval,
    maximum,
    minimum,
    symbol,
)
from stablehlo_py.shapes.refinement import shape_arithmetic, simplification
from stablehlo_py.shapes.refinement.op_evaluation import disagreement
from stablehlo_py.shapes.refinement.symbol_writing import NotExpressibleError

A, B, C = (symbol("size", name, 0) for name in "abc")
ANY = symbol("element", "e")
LARGE = 1 << 64


def is_opaque(value: Number) -> bool:
    return isinstance(value, Expression) and [each.kind for each in value.symbols()] == ["unknown"]


def test_factors_have_up_to_64_bits() -> None:
    assert str(A * (LARGE - 1)) == f"{LARGE - 1}*a"
    assert str(A * (1 - LARGE)) == f"-{LARGE - 1}*a"
    assert is_opaque(A * LARGE)
    assert is_opaque(A * -LARGE)
    assert is_opaque(A * (LARGE - 1) + A)
    assert is_opaque(A + LARGE)
    assert str(A + (LARGE - 1)) == f"a + {LARGE - 1}"
    assert (A * LARGE, A * LARGE == B * LARGE) == (A * LARGE, False)
    assert interval(A * LARGE) == (0, None)
    assert interval(A + LARGE) == (None, None)


def test_expressions_have_up_to_so_many_symbols() -> None:
    many = [symbol("size", f"s{number}", 1, 3) for number in range(SIZE_LIMIT + 1)]
    assert not is_opaque(reduce(add, many[:-1]))
    assert is_opaque(reduce(add, many))
    assert interval(reduce(add, many)) == (SIZE_LIMIT + 1, 3 * (SIZE_LIMIT + 1))
    pairs = reduce(add, [one * A for one in many[: SIZE_LIMIT // 2]])
    assert not is_opaque(pairs)
    assert is_opaque(pairs + B)
    power = reduce(lambda left, right: left * right, [A] * SIZE_LIMIT)
    assert not is_opaque(power)
    assert is_opaque(power * A)
    half = reduce(add, many[: SIZE_LIMIT // 2])
    assert not is_opaque(half * 2)
    assert is_opaque(half * (A + 1))
    assert is_opaque((half + B) * (A - A + C + 1))
    assert reduce(add, many) == reduce(add, many)


def test_computed_symbols_have_up_to_so_many_symbols() -> None:
    most = reduce(add, [symbol("size", f"s{number}") for number in range(SIZE_LIMIT - 1)])
    assert not is_opaque(computed("max", "it", (most,), 0, None))
    assert is_opaque(computed("max", "it", (most, A), 0, None))
    assert interval(computed("max", "it", (most, A), 2, 5)) == (2, 5)


@pytest.mark.parametrize(
    ("value", "bounds"),
    [
        (symbol("size", "s", -5, 1 << 63) * 2, (-10, None)),
        (symbol("size", "s", -(1 << 63), 5) * 2, (None, 10)),
        (symbol("size", "s", -5, (1 << 63) - 1) * 2, (-10, LARGE - 2)),
        (symbol("size", "s", -5, 4) * -3, (-12, 15)),
        (symbol("size", "s", -5) * -3, (None, 15)),
        (symbol("size", "s", None, 4) * -3, (-12, None)),
        (symbol("size", "s", 2) * symbol("size", "t", 3), (6, None)),
        (symbol("size", "s", 2, 4) * symbol("size", "t", 3), (6, None)),
        (symbol("size", "s", -2, 4) * symbol("size", "t", 3), (None, None)),
        (symbol("size", "s", -2, 4) * symbol("size", "t", -3, 5), (-12, 20)),
        (symbol("size", "s", 3, 3) * symbol("size", "t", None, 5), (None, 15)),
        (symbol("size", "s", 0, 0) * symbol("size", "t"), (None, None)),
        (symbol("size", "s", 1, 4) - symbol("size", "t", 2, 7), (-6, 2)),
        (symbol("size", "s", 1, 4) + symbol("size", "t", 2), (3, None)),
        (symbol("size", "s", 1, LARGE - 2) + 1, (2, LARGE - 1)),
        (symbol("size", "s", 1, LARGE - 2) + 2, (3, None)),
    ],
)
def test_bounds_of_sums_and_products(value: Number, bounds: tuple[int | None, int | None]) -> None:
    assert interval(value) == bounds


@pytest.mark.parametrize(
    ("quotient", "text"),
    [
        (A // 1, "a"),
        (A // -1, "-a"),
        ((A * 6 + 4) // 2, "3*a + 2"),
        ((A * 6 + 5) // 2, "3*a + 2"),
        ((A * 6 + B) // 3, "(b // 3) + 2*a"),
        ((A * 6 + B + 7) // 3, "((b + 1) // 3) + 2*a + 2"),
        ((A * 6 + B - 1) // 3, "((b + 2) // 3) + 2*a - 1"),
        ((symbol("size", "s", 3, 5) + A * 3) // 3, "a + 1"),
        ((symbol("size", "s", 3, 6) + A * 3) // 3, "(s // 3) + a"),
        ((symbol("size", "s", 2, 5) + A * 3) // 3, "(s // 3) + a"),
        (A // -2, "((-a) // 2)"),
        ((A * B + A) // A, "b + 1"),
        ((A * A - B * B) // (A + B), "a - b"),
        ((A * B + 1) // A, "((a*b + 1) // a)"),
        ((A * 2) // (A * 4), "((2*a) // (4*a))"),
        (7 // A, "(7 // a)"),
        (0 // A, "0"),
    ],
)
def test_quotients(quotient: Number, text: str) -> None:
    assert str(quotient) == text


@pytest.mark.parametrize(
    ("quotient", "bounds"),
    [
        (symbol("size", "s", 3, 9) // 2, (1, 4)),
        (symbol("size", "s", -3, 9) // 2, (-2, 4)),
        (symbol("size", "s", -3) // 2, (-2, None)),
        (A // B, (0, None)),
        (ANY // B, (None, None)),
        (A // ANY, (None, None)),
    ],
)
def test_bounds_of_quotients(quotient: Number, bounds: tuple[int | None, int | None]) -> None:
    assert interval(quotient) == bounds


LOW, HIGH, NEAR = symbol("size", "low", 0, 3), symbol("size", "high", 3, 9), symbol("size", "near", 2, 5)


@pytest.mark.parametrize(
    ("value", "text", "bounds"),
    [
        (maximum(LOW, HIGH), "high", (3, 9)),
        (minimum(LOW, HIGH), "low", (0, 3)),
        (maximum(HIGH, LOW), "high", (3, 9)),
        (minimum(HIGH, LOW), "low", (0, 3)),
        (maximum(NEAR, LOW), "max(low, near)", (2, 5)),
        (minimum(NEAR, LOW), "min(low, near)", (0, 3)),
        (maximum(A, ANY), "max(a, e)", (0, None)),
        (minimum(A, ANY), "min(a, e)", (None, None)),
        (maximum(A, 0), "a", (0, None)),
        (minimum(A, 0), "0", (0, 0)),
        (maximum(A, 1), "max(1, a)", (1, None)),
        (minimum(A, 1), "min(1, a)", (0, 1)),
        (maximum(A + 1, A), "a + 1", (1, None)),
        (minimum(5, 3), "3", (3, 3)),
    ],
)
def test_extremes(value: Number, text: str, bounds: tuple[int | None, int | None]) -> None:
    assert (str(value), interval(value)) == (text, bounds)


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (compare("eq", A, 3), {"a": "3"}),
        (compare("eq", A, B), {"b": "a"}),
        (compare("eq", A + 2, B), {"b": "a + 2"}),
        (compare("eq", A * 2, B * 2), {}),
        (compare("eq", A * 2, B), {"b": "2*a"}),
        (compare("eq", A * B, C), {"c": "a*b"}),
        (compare("eq", A * B, B), {}),  # b occurs twice
        (compare("eq", A // 2, B), {"b": "(a // 2)"}),
        (compare("ne", A, 3), {}),
        (compare("sle", A, B), {}),
        (compare("sle", A * 2, 7), {}),
        (both(compare("eq", A, B), compare("eq", B, 4)), {"a": "4", "b": "4"}),
        (either(compare("eq", A, B), compare("eq", B, 4)), {}),
        (True, {}),
        (Condition("unknown", A), {}),
    ],
)
def test_what_equations_teach(condition: Any, found: dict[str, str]) -> None:
    assert {str(name): str(value) for name, value in learned(condition).items()} == found


@pytest.mark.parametrize(
    ("condition", "bounds"),
    [
        (compare("sle", A, 7), (0, 7)),
        (compare("slt", A, 7), (0, 6)),
        (compare("sge", A, 7), (7, None)),
        (compare("sgt", A, 7), (8, None)),
        (negate(compare("sle", A, 7)), (8, None)),
        (compare("sle", -A, -7), (7, None)),
    ],
)
def test_what_comparisons_teach(condition: Any, bounds: tuple[int | None, int | None]) -> None:
    ((name, value),) = learned(condition).items()
    assert (str(name), interval(value)) == ("a", bounds)


def test_choices_that_agree_are_none() -> None:
    is_one = compare("eq", A, 1)
    assert str(choose(is_one, 1, A)) == "a"
    assert str(choose(is_one, A, 1)) == "(a if a == 1 else 1)"
    assert str(choose(negate(is_one), A, 1)) == "a"
    assert choose(is_one, B, B) == B
    assert (choose(True, 1, 2), choose(False, 1, 2)) == (1, 2)
    assert interval(choose(is_one, LOW, HIGH)) == (0, 9)
    assert interval(choose(is_one, A, HIGH)) == (0, None)
    assert choose(is_one, True, False) == is_one
    assert choose(is_one, False, True) == negate(is_one)


def test_connected_conditions_have_up_to_so_many_parts() -> None:
    parts = [compare("eq", symbol("size", f"s{number}"), 0) for number in range(SIZE_LIMIT)]
    most = (SIZE_LIMIT - 1) // 2  # each has a symbol, and is one itself
    assert reduce(both, parts[:most]).kind == "and"  # type: ignore[union-attr]
    assert reduce(both, parts[: most + 1]).kind == "unknown"  # type: ignore[union-attr]
    assert reduce(either, parts[:most]).kind == "or"  # type: ignore[union-attr]
    assert (both(parts[0], True), both(True, parts[0]), both(parts[0], False)) == (parts[0], parts[0], False)
    assert (either(parts[0], False), either(False, parts[0]), either(parts[0], True)) == (parts[0], parts[0], True)
    assert (both(parts[0], parts[0]), both(parts[0], negate(parts[0])), either(parts[0], negate(parts[0]))) == (
        parts[0], False, True)  # fmt: skip
    assert both(both(parts[0], parts[1]), parts[0]) == both(parts[0], parts[1])


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Condition("eq", 3), "3 == 0"),
        (Condition("le", -3), "0 <= 3"),
        (Condition("le", 0), "0 <= 0"),
        (compare("eq", A, B + 2), "a == b + 2"),
        (compare("ne", A, B + 2), "a != b + 2"),
        (compare("sle", A * 2, B), "2*a <= b"),
        (compare("slt", A, B), "a + 1 <= b"),
        (compare("eq", A, 0), "a == 0"),
        (negate(Condition("unknown", A)), "not (a)"),
        (both(compare("eq", A, 1), compare("sle", B, 2)), "(a == 1) and (b <= 2)"),
        (either(compare("eq", A, 1), compare("ne", B, 2)), "(a == 1) or (b != 2)"),
    ],
)
def test_conditions_as_text(condition: Condition, text: str) -> None:
    assert str(condition) == text


@pytest.mark.parametrize(
    ("value", "sign", "size"),
    [
        (5, 1, 5), (0, 0, 0), (-5, -1, 5),
        (symbol("size", "s", 1), 1, symbol("size", "s", 1)),
        (A, minimum(A, 1), A),
        (symbol("size", "s", 0, 9), minimum(symbol("size", "s", 0, 9), 1), symbol("size", "s", 0, 9)),
        (symbol("size", "s", -4, -1), -1, -symbol("size", "s", -4, -1)),
        (symbol("size", "s", -4, 0), None, -symbol("size", "s", -4, 0)),
        (symbol("size", "s", -4, 1), None, None),
        (symbol("size", "s", -1), None, None),
        (ANY, None, None),
    ],
)  # fmt: skip
def test_signs_and_sizes_of_numbers(value: Number, sign: Number | None, size: Number | None) -> None:
    assert (shape_arithmetic._sign(value), shape_arithmetic._absolute(value)) == (sign, size)


@pytest.mark.parametrize(
    ("left", "right", "quotient", "rest"),
    [
        (7, 2, 3, 1), (-7, 2, -3, -1), (7, -2, -3, 1), (-7, -2, 3, -1), (0, 3, 0, 0), (0, -3, 0, 0), (7, 0, None, None),
        (A * 2, 2, A, 0), (A, 0, None, None), (ANY, 2, None, None), (A, -2, None, None), (A, ANY, None, None),
        (A, 2, A // 2, A - A // 2 * 2), (7, A, 7 // A, 7 - 7 // A * A), (symbol("size", "s", -1), 2, None, None),
    ],
)  # fmt: skip
def test_quotients_that_round_to_zero(
    left: Number, right: Number, quotient: Number | None, rest: Number | None
) -> None:
    assert (shape_arithmetic._divide(left, right), shape_arithmetic._remainder(left, right)) == (quotient, rest)


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [(3, 0, 1), (3, 4, 81), (-2, 3, -8), (2, 64, 1 << 64), (1, 65, None), (2, -1, None), (A, 2, A * A), (A, 0, 1),
     (2, A, None)],
)  # fmt: skip
def test_powers_of_numbers(left: Number, right: Number, found: Number | None) -> None:
    assert shape_arithmetic._power(left, right) == found


def test_a_list_of_unknown_length_cannot_be_written() -> None:
    anything: Any = None
    with pytest.raises(NotExpressibleError, match="a list of unknown length"):
        simplification._written(anything, anything, None, "shape")


@pytest.mark.parametrize(
    ("declared", "size", "said"),
    [
        (3, 3, ""), (3, 4, "dimension 1 of result 2 is declared 3, it is 4"), (-1, 4, ""), (-1, 0, ""),
        (-1, -2, "dimension 1 of result 2 would be -2"),
        (0, 0, ""), (0, 2, "dimension 1 of result 2 is declared 0, it is 2"),
        (3, A, ""), (3, -1, ""), (3, symbol("size", "s", 4), "dimension 1 of result 2 is declared 3, it is s"),
        (3, symbol("unknown", "u", 4), ""), (-1, symbol("size", "s", None, -1), ""),
    ],
)  # fmt: skip
def test_sizes_that_cannot_be(declared: int, size: Number, said: str) -> None:
    assert disagreement(2, 1, declared, size) == said


@pytest.mark.parametrize("gap", range(-7, 8))
@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("b", "a")])
def test_what_is_equal_replaces_the_other_where_both_may_be(gap: int, first: str, second: str) -> None:
    """Numbers from 10 to 13, and those from 10 + gap to 13 + gap, have one in common up to a gap of 3."""
    one, other = symbol("size", first, 10, 13), symbol("size", second, 10 + gap, 13 + gap)
    condition = compare("eq", one, other)
    assert (condition is False) == (abs(gap) > 3)
    assert [str(name) for name in learned(condition)] == (["b"] if abs(gap) <= 3 else [])
    assert [str(value) for value in learned(condition).values()] == (["a"] if abs(gap) <= 3 else [])
