"""Orders that are left open: scatters to one element, reductions whose body or initial values are no monoid's."""

from __future__ import annotations

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.debug import examine
from stablehlo_py.debug.allowed.enclosures import Question
from stablehlo_py.debug.allowed.ops import allowed
from stablehlo_py.debug.allowed.orders import _not_permuted, order_left_open, sorted_in_any_order
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.allowed.widths import profile


def question(text: str, operands: list[np.ndarray], name: str = "default") -> Question:
    """The question about the only op of a program."""
    subject = examine(parsed(text))
    (op,) = subject.ops
    outcome = Local().run(subject.bytecode(), operands)
    assert outcome.ok, outcome
    values = dict(zip(subject.block.arguments, operands, strict=True))
    types = [result.dtype for result in outcome.results]
    return Question(op, values, outcome.results, types, subject.extractor, list(op.results), profile(name))


SCATTER = """func.func @main(%x: tensor<4x2xf32>, %i: tensor<3x1xi32>, %u: tensor<3x2xf32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
    inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = UNIQUE}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    BODY
  }) : (tensor<4x2xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}"""
SET = "stablehlo.return %b : tensor<f32>"
COMBINED = "%1 = stablehlo.NAME %a, %b : tensor<f32>\n    stablehlo.return %1 : tensor<f32>"
UPDATES = np.array([[1, 2], [3, 2], [5, 6]], np.float32)


@pytest.mark.parametrize(
    ("indices", "body", "unique", "rows"),
    [
        ([1, 1, 3], SET, False, [[False, False], [True, False], [False, False], [False, False]]),
        ([1, 2, 1], SET, False, [[False, False], [True, True], [False, False], [False, False]]),
        ([0, 1, 2], SET, False, []),
        ([0, 1, 2], SET, True, []),
        ([1, 1, 3], SET, True, [[True, True]] * 4),
        ([1, 1, 3], COMBINED.replace("NAME", "add"), False, None),
        ([1, 1, 3], COMBINED.replace("NAME", "multiply"), False, None),
        ([1, 1, 3], COMBINED.replace("NAME", "add"), True, [[True, True]] * 4),
        ([1, 1, 3], COMBINED.replace("NAME", "maximum"), False, []),
        ([1, 1, 3], COMBINED.replace("NAME", "subtract"), False, []),
        ([1, 1, 3], COMBINED.replace("NAME", "divide"), False, []),
    ],
)
def test_elements_that_several_updates_of_a_scatter_get_to(
    indices: list[int], body: str, unique: bool, rows: list[list[bool]] | None
) -> None:
    text = SCATTER.replace("BODY", body).replace("UNIQUE", str(unique).lower())
    operand = np.arange(8, dtype=np.float32).reshape(4, 2)
    found = order_left_open(question(text, [operand, np.array(indices, np.int32)[:, None], UPDATES]))
    if rows is None:
        assert found is None
        return
    assert found is not None
    _, (mask,) = found
    assert mask.tolist() == (rows or [[False, False]] * 4)


SINGLE = """func.func @main(%x: tensor<Oxf32>, %i: tensor<Ixi32>, %u: tensor<Uf32>) -> tensor<Oxf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
    inserted_window_dims = [INSERTED], BATCHING
    scatter_dims_to_operand_dims = [INSERTED], index_vector_dim = VECTOR>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<Oxf32>, tensor<Ixi32>, tensor<Uf32>) -> tensor<Oxf32>
  return %0 : tensor<Oxf32>
}"""


@pytest.mark.parametrize(
    ("rank", "vector", "batching", "indices", "repeats"),
    [
        (1, 1, None, [0, 1, 2], False),
        (1, 1, None, [1, 2, 1], True),
        (1, 1, None, [[0], [1], [0]], True),
        (1, 2, None, [[0, 1], [2, 3]], False),
        (1, 2, None, [[0, 1], [1, 2]], True),
        (1, 0, None, [[0, 1, 3]], False),
        (1, 0, None, [[0, 1, 0]], True),
        (2, 0, None, [1, 1], False),
        (2, 0, None, [[0, 1], [0, 1]], False),
        (2, 0, None, [[0, 0, 1], [1, 1, 0]], True),
        (2, 1, None, [[0, 1], [1, 0], [1, 1]], False),
        (2, 1, None, [[0, 1], [1, 0], [0, 1]], True),
        (2, 1, None, [[[0, 1], [2, 3]], [[1, 0], [2, 3]]], False),
        (2, 1, None, [[[0, 0], [2, 2]], [[0, 1], [2, 3]]], True),
        (1, 2, 0, [[[0], [1]], [[0], [1]]], False),
        (1, 2, 0, [[[0], [0]], [[1], [2]]], True),
        (1, 2, 1, [[[0], [0]], [[1], [2]]], False),
        (1, 2, 1, [[[0], [1]], [[0], [2]]], True),
        (1, 0, 1, [[[0, 1], [0, 1]]], False),
        (1, 0, 1, [[[0, 0], [1, 2]]], True),
        (1, 0, 2, [[[0, 0], [1, 2]]], False),
        (1, 0, 2, [[[0, 1], [0, 2]]], True),
        (1, 1, 2, [[[0, 0]], [[1, 2]]], False),
        (1, 1, 2, [[[0, 1]], [[0, 2]]], True),
    ],
)
def test_indices_that_are_promised_to_differ_are_the_vectors_of_a_batch(
    rank: int, vector: int, batching: int | None, indices: list, repeats: bool
) -> None:
    given = np.array(indices, np.int32)
    sizes = [2 if number == batching else size for number, size in enumerate(given.shape) if number != vector]
    batched = 0 if batching is None else 1
    text = SINGLE.replace("INSERTED", ", ".join(str(batched + dim) for dim in range(rank)))
    numbers = f"input_batching_dims = [0], scatter_indices_batching_dims = [{batching}]," if batched else ""
    text = text.replace("BATCHING", numbers).replace("VECTOR", str(vector))
    shapes = {"O": (2,) * batched + (4,) * rank, "I": given.shape, "U": tuple(sizes)}
    for letter, shape in shapes.items():
        text = text.replace(
            f"<{letter}", "<" + "".join(f"{size}x" for size in shape).removesuffix("x" * (letter != "U"))
        )
    operands = [np.ones(shapes["O"], np.float32), given, np.ones(shapes["U"], np.float32)]
    found = order_left_open(question(text, operands))
    assert (found is not None) == repeats, text
    assert found is None or found[1][0].all()


REDUCE = """func.func @main(%x: tensor<5xTYPE>, %i: tensor<TYPE>) -> tensor<TYPE> {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<TYPE>, %b: tensor<TYPE>):
    BODY
  }) : (tensor<5xTYPE>, tensor<TYPE>) -> tensor<TYPE>
  return %0 : tensor<TYPE>
}"""
BODY = "%1 = stablehlo.NAME %a, %b : tensor<TYPE>\n    stablehlo.return %1 : tensor<TYPE>"
FLOATS, INTEGERS = np.array([1.5, -2, 3, 0.25, 7], np.float32), np.array([3, -2, 5, 1, 7], np.int32)


@pytest.mark.parametrize(
    ("body", "initial", "is_open"),
    [
        ("add", 0, False),
        ("add", 1, True),
        ("multiply", 1, False),
        ("multiply", 0, True),
        ("maximum", -100, False),
        ("maximum", 0, True),
        ("minimum", 100, False),
        ("minimum", 0, True),
        ("subtract", 0, True),
    ],
)
@pytest.mark.parametrize("values", [FLOATS, INTEGERS], ids=["f32", "i32"])
def test_initial_values_and_bodies_of_reductions(values: np.ndarray, body: str, initial: int, is_open: bool) -> None:
    name = "f32" if values.dtype == np.float32 else "i32"
    text = REDUCE.replace("BODY", BODY.replace("NAME", body)).replace("TYPE", name)
    found = order_left_open(question(text, [values, np.array(initial, values.dtype)]))
    assert (found is not None) == is_open
    if found is not None:
        assert found[1][0].tolist() is True


def test_a_body_that_takes_one_side_is_no_monoid_and_one_that_is_not_associative() -> None:
    first = REDUCE.replace("BODY", "stablehlo.return %a : tensor<TYPE>").replace("TYPE", "i32")
    assert order_left_open(question(first, [INTEGERS, np.array(0, np.int32)])) is not None
    negated = (
        BODY.replace("NAME", "add")
        .replace("return %1", "return %2")
        .replace("stablehlo.return", "%2 = stablehlo.negate %1 : tensor<TYPE>\n    stablehlo.return")
    )
    text = REDUCE.replace("BODY", negated).replace("TYPE", "i32")
    assert order_left_open(question(text, [INTEGERS, np.array(0, np.int32)])) is not None


def test_infinities_and_an_empty_operand_of_sums_leave_nothing_open() -> None:
    text = REDUCE.replace("BODY", BODY.replace("NAME", "multiply"))
    infinite = np.array([np.inf, 1, 2, -np.inf, 3], np.float32)
    assert order_left_open(question(text.replace("TYPE", "f32"), [infinite, np.float32(1)])) is None
    empty = text.replace("tensor<5x", "tensor<0x").replace("TYPE", "f32")
    assert order_left_open(question(empty, [np.zeros(0, np.float32), np.float32(5)])) is None


def test_other_ops_have_their_order() -> None:
    row = "tensor<2xf32>"
    text = f"func.func @main(%x: {row}) -> {row} {{ %0 = stablehlo.sine %x : {row} return %0 : {row} }}"
    asked = question(text, [np.ones(2, np.float32)])
    assert (order_left_open(asked), sorted_in_any_order(asked)) == (None, None)


SORT = """func.func @main(%x: tensor<4xf32>, %y: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = STABLE}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare DIRECTION, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}"""


def test_sorts_without_a_weak_order_and_with_ties() -> None:
    values, numbers = np.array([2, 1, 2, 1], np.float32), np.arange(4, dtype=np.int32)
    denormals = np.array([1e-40, 1, 2e-40, 1], np.float32)
    cases = ((True, "LT", values), (False, "LT", values), (True, "LT", denormals), (True, "LE", values))
    for stable, direction, keys in cases:
        text = SORT.replace("STABLE", str(stable).lower()).replace("DIRECTION", direction)
        found = sorted_in_any_order(question(text, [keys, numbers]))
        if stable and direction == "LT" and keys is values:
            assert found is None
            continue
        assert found is not None
        is_free = direction == "LE"  # an element is before itself: no order at all
        wrong = [np.array([9, 9, 9, 9], np.float32), np.array([0, 0, 0, 0], np.int32)]
        assert [one.outside(given).any() for one, given in zip(found, wrong, strict=True)] == [not is_free] * 2
    text = SORT.replace("STABLE", "true").replace("DIRECTION", "LT")
    assert sorted_in_any_order(question(text, [denormals, numbers], "strict")) is None


@pytest.mark.parametrize(("place", "is_free"), [(None, False), (0, True), (777, True), (999, True)])
def test_one_element_that_is_in_no_order_is_found(place: int | None, is_free: bool) -> None:
    text = SORT.replace("STABLE", "false").replace("DIRECTION", "LT").replace("tensor<4x", "tensor<1000x")
    keys, numbers = np.arange(1000, dtype=np.float32), np.arange(1000, dtype=np.int32)
    if place is not None:
        keys[place] = np.nan
    found = sorted_in_any_order(question(text, [keys, numbers]))
    assert found is not None
    assert found[1].outside(np.zeros(1000, np.int32)).any() == (not is_free)


@pytest.mark.parametrize(
    ("before", "after", "dimension", "wrong"),
    [
        ([3, 1, 2], [1, 2, 3], 0, [False] * 3),
        ([3, 1, 2], [1, 2, 2], 0, [True] * 3),
        ([np.nan, 1, 2], [1, 2, np.nan], 0, [False] * 3),
        ([np.nan, 1, 2], [1, 2, 2], 0, [True] * 3),
        ([[3, 1], [2, 5]], [[1, 3], [2, 5]], 1, [[False, False]] * 2),
        ([[3, 1], [2, 5]], [[1, 3], [5, 5]], 1, [[False, False], [True, True]]),
        ([[3, 1], [2, 5]], [[1, 3], [2, 5]], 0, [[True, True]] * 2),
        ([[3, 1], [2, 5]], [[2, 1], [3, 4]], 0, [[False, True]] * 2),
        ([[3, 1], [2, 5]], [[2, 5], [3, 1]], -2, [[False, False]] * 2),
        ([[3], [1]], [[1], [3]], 0, [[False]] * 2),
        ([[[3, 1], [2, 5]]], [[[1, 3], [5, 2]]], -1, [[[False, False]] * 2]),
        ([1 + 2j, 3 + 4j], [3 + 4j, 1 + 2j], 0, [False] * 2),
        ([1 + 2j, 3 + 4j], [1 + 4j, 3 + 2j], 0, [True] * 2),
        ([[1 + 2j], [3 + 4j]], [[1 + 4j], [3 + 2j]], 0, [[True]] * 2),
        ([[1 + 2j], [3 + 4j]], [[3 + 4j], [1 + 2j]], 0, [[False]] * 2),
        ([], [], 0, []),
    ],
)
def test_lanes_that_hold_other_elements_than_before(before: list, after: list, dimension: int, wrong: list) -> None:
    first, second = (np.array(each, np.complex64 if "j" in str(before) else np.float32) for each in (before, after))
    found = _not_permuted(first, second, dimension)
    assert (found.shape, found.tolist()) == (second.shape, wrong)


M = 2**31 - 1


@pytest.mark.parametrize(
    ("body", "values", "is_open"),
    [
        ("multiply", [0, 2, 3, 1, 1], False),
        ("multiply", [0, 2**20, 2**20, 1, 1], True),  # in an order that comes to the zero last
        ("multiply", [0, 2**20, 2**10, 1, 1], False),
        ("multiply", [0, 2**20, -(2**11), 1, 1], True),
        ("multiply", [2, 2**10, 2**10, 2**10, 1], True),
        ("add", [M, 0, 0, 0, 0], False),
        ("add", [M, 1, 0, 0, 0], True),
        ("add", [M, 1, -5, 0, 0], True),  # in an order that comes to the last one too late
        ("add", [M, -M, M, -M, 0], True),
        ("add", [2**30, -(2**30), 2**30 - 1, -(2**30), 0], False),
        ("add", [-M, -1, 0, 0, 5], False),
        ("add", [-M, -2, 0, 0, 5], True),
        ("maximum", [M, M, -M, 0, 1], False),
    ],
)
def test_integers_are_open_where_an_order_goes_beyond_their_type(body: str, values: list[int], is_open: bool) -> None:
    text = REDUCE.replace("BODY", BODY.replace("NAME", body)).replace("TYPE", "i32")
    initial = {"multiply": 1, "add": 0, "maximum": -M - 1}[body]
    with np.errstate(all="ignore"):
        asked = question(text, [np.array(values, np.int32), np.array(initial, np.int32)])
    (found,) = allowed(asked)
    other = np.array(asked.wanted[0] ^ 77, np.int32)
    assert (found.outside(asked.wanted[0]).any(), found.outside(other).any()) == (False, not is_open)
