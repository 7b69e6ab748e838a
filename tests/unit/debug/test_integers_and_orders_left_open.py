"""Elements of integer ops that the specification leaves open, by exact integers, and reductions of several operands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from parsed import parsed
from swapped_engine import program

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.types import element_type
from stablehlo_py.debug import examine
from stablehlo_py.debug.allowed.enclosures import Allowed, Question, meaning
from stablehlo_py.debug.allowed.ops import allowed
from stablehlo_py.debug.allowed.spread import Local

F = np.float32
BINARY = {"add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b}
OVERFLOW = "Errors: integer overflows result in implementation-defined behavior (#1157)"
QUOTIENT = "Errors: a quotient that is no integer of the type is implementation-defined (#1157)"


def permitted(module: ir.Module, *given: np.ndarray) -> tuple[list[Allowed], list[np.ndarray]]:
    """What the last op of a program may give on these arguments, and what the reference gives."""
    subject = examine(module)
    op = subject.ops[-1]
    values = dict(zip(subject.block.arguments, given, strict=True))
    outcome = Local().run(subject.bytecode(), given)
    assert outcome.ok, outcome
    wanted = list(outcome.results)
    types = [one.dtype for one in wanted]
    return allowed(Question(op, values, wanted, types, subject.extractor, list(op.results))), wanted


def numbers(element: str) -> list[int]:
    """All integers of a small type, and those near the bounds and near zero of a large one."""
    lowest, highest = map(int, element_type(element).bounds)
    if highest - lowest < 20:
        return list(range(lowest, highest + 1))
    near = (
        lowest,
        lowest + 1,
        lowest // 2,
        -3,
        -2,
        -1,
        0,
        1,
        2,
        3,
        highest // 2,
        highest // 2 + 1,
        highest - 1,
        highest,
    )
    return sorted({number for number in near if lowest <= number <= highest})


def array(given: Sequence[int], element: str) -> np.ndarray:
    return np.array(given, np.uint64 if element == "ui64" else np.int64).astype(element_type(element).dtype)


ELEMENTS = ("i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64")


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("op", [*BINARY, "divide", "remainder", "maximum"])
def test_integers_of_two_operands_are_open_where_the_exact_one_is_none_of_the_type(op: str, element: str) -> None:
    pairs = list(product(numbers(element), repeat=2))
    lowest, highest = map(int, element_type(element).bounds)
    x, y = (array(side, element) for side in zip(*pairs, strict=True))
    type_ = f"tensor<{len(pairs)}x{element}>"
    (found,), (wanted,) = permitted(program(f"%r = stablehlo.{op} %x, %y", x=type_, y=type_), x, y)
    if op in BINARY:
        is_open, sentence = [not lowest <= BINARY[op](*pair) <= highest for pair in pairs], OVERFLOW
    else:
        is_open = [op != "maximum" and (b == 0 or (b == -1 and a == lowest)) for a, b in pairs]
        sentence = QUOTIENT if op != "maximum" else meaning(op)
    free = np.broadcast_to(found.free, wanted.shape)
    wrong = [pair for pair, a, b in zip(pairs, free.tolist(), is_open, strict=True) if a != b]
    assert not wrong, f"{op} in {element}: {wrong[:5]}"
    assert found.sentence == sentence
    other = np.where(wanted == 0, 1, 0).astype(wanted.dtype)
    assert (found.outside(other) == ~np.array(is_open)).all()
    assert not found.outside(wanted).any()


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("op", ["negate", "abs"])
def test_integers_of_one_operand_are_open_where_the_exact_one_is_none_of_the_type(op: str, element: str) -> None:
    is_signed = element.startswith("i")
    if op == "abs" and not is_signed:
        return  # the op takes signed integers
    given = numbers(element)
    x = array(given, element)
    (found,), (wanted,) = permitted(program(f"%r = stablehlo.{op} %x", x=f"tensor<{len(given)}x{element}>"), x)
    is_open = [is_signed and number == given[0] for number in given]  # an unsigned number is negated modulo 2^n
    assert np.broadcast_to(found.free, wanted.shape).tolist() == is_open, f"{op} in {element}"
    assert found.sentence == (OVERFLOW if is_signed else meaning(op))


REDUCE = """func.func @main(%x: tensor<3xf32>, %n: tensor<3xi32>, %a: tensor<f32>, %b: tensor<i32>)
    -> (tensor<f32>, tensor<i32>) {{
  %0:2 = "stablehlo.reduce"(%x, %n, %a, %b) ({{
    ^bb0(%p: tensor<f32>, %q: tensor<i32>, %r: tensor<f32>, %s: tensor<i32>):
      %t = stablehlo.{} %p, %r : tensor<f32>
      %u = stablehlo.{} %q, %s : tensor<i32>
      stablehlo.return %t, %u : tensor<f32>, tensor<i32>
  }}) {{dimensions = array<i64: 0>}}
    : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}}"""


@pytest.mark.parametrize(
    ("ops", "initial", "is_open"),
    [
        (("maximum", "minimum"), (-np.inf, 100), False),
        (("minimum", "maximum"), (np.inf, -100), False),
        (("maximum", "or"), (-np.inf, 0), False),
        (("add", "add"), (0.0, 0), False),
        (("maximum", "subtract"), (-np.inf, 0), True),
        (("subtract", "maximum"), (0.0, -100), True),
        (("maximum", "minimum"), (-np.inf, 2), True),  # which is smaller than an element
        (("maximum", "minimum"), (2.0, 100), True),
    ],
)
def test_a_reduction_of_several_is_open_if_one_of_them_is_no_monoid(
    ops: tuple[str, str], initial: tuple[Any, Any], is_open: bool
) -> None:
    module = parsed(REDUCE.format(*ops))
    given = [F([1.5, -2, 3]), np.int32([3, 1, 7]), F(initial[0]), np.int32(initial[1])]
    found, wanted = permitted(module, *map(np.asarray, given))
    for number, (one, value) in enumerate(zip(found, wanted, strict=True)):
        assert bool(np.all(one.free)) == is_open, (ops, initial, number)
        assert bool(one.outside(np.asarray(value + 1, value.dtype))) != is_open, (ops, initial, number)


SUM = """func.func @main(%x: tensor<64xf32>, %a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %a) applies stablehlo.add across dimensions = [0]
    : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}"""
SUMS = """func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>, %a: tensor<f32>, %b: tensor<f32>)
    -> (tensor<f32>, tensor<f32>) {
  %0:2 = "stablehlo.reduce"(%x, %y, %a, %b) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<f32>, %s: tensor<f32>):
      %t = stablehlo.add %p, %r : tensor<f32>
      %u = stablehlo.add %s, %q : tensor<f32>
      stablehlo.return %t, %u : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>}
    : (tensor<64xf32>, tensor<64xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}"""


@pytest.mark.parametrize("initial", [(0.0, 0.0), (0.0, 64.0), (64.0, 0.0), (64.0, -3.0)])
def test_each_of_several_sums_may_be_as_far_off_as_it_could_alone(initial: tuple[float, float]) -> None:
    random = np.random.default_rng(1)
    x, y = (random.standard_normal(64).astype(F) for _ in range(2))
    a, b = map(np.asarray, map(F, initial))
    both, _ = permitted(parsed(SUMS), x, y, a, b)
    for number, given in enumerate(((x, a), (y, b))):
        (alone,), (wanted,) = permitted(parsed(SUM), *given)
        offs = [sign * 1.1**power * 1e-7 for power in range(110) for sign in (-1, 1)]
        results = [np.asarray(wanted + F(off)) for off in offs]
        masks = [[bool(one.strays(each)) for each in results] for one in (both[number], alone)]
        assert masks[0] == masks[1], (initial, number)
        assert {*masks[0]} == {True, False}


BATCHES = """func.func @main(%x: tensor<2x4xf32>, %i: tensor<2x2x1xi64>, %u: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      stablehlo.return %q : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}
    : (tensor<2x4xf32>, tensor<2x2x1xi64>, tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}"""


@pytest.mark.parametrize(
    ("indices", "is_open"),
    [
        ([[0, 1], [2, 3]], []),
        ([[0, 0], [2, 3]], [(0, 0)]),
        ([[0, 1], [2, 2]], [(1, 2)]),
        ([[3, 3], [3, 3]], [(0, 3), (1, 3)]),
        ([[0, 1], [0, 1]], []),  # of another batch
    ],
)
def test_updates_of_one_element_come_in_any_order_in_each_batch(indices: list, is_open: list[tuple[int, int]]) -> None:
    given = [np.zeros((2, 4), F), np.array(indices, np.int64)[..., None], F([[1, 2], [3, 4]])]
    (found,), (wanted,) = permitted(parsed(BATCHES), *given)
    free = np.broadcast_to(found.free, wanted.shape)
    assert [tuple(map(int, place)) for place in np.argwhere(free)] == is_open
    wrong = found.outside(wanted + 9)
    assert (wrong == ~free).all()
