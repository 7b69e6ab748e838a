"""Numbers of Python and calls of `ops`, judged in this process; and planted errors, which the judges must find."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from unittest.mock import patch

import numpy as np
import pytest
from fuzzing import WrongError
from ops_against_numpy import draw_call, judge_call
from python_numbers import draw_numbers, judge_numbers

from stablehlo_py import ops
from stablehlo_py.bindings import python_numbers
from stablehlo_py.errors import StablehloError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.isolation.policy import guarding
from stablehlo_py.ops import eager

SHAPES = [
    (),
    (2,),
    (2, 2),
    *[(size, 2, 2) for size in range(4)],
    *[(*sizes, 2, 2) for sizes in itertools.product((1, 2, 3), repeat=2)],
]


@pytest.fixture(autouse=True)
def _unguarded():
    with guarding(False):
        yield


def wrong(draw: Callable[[random.Random], bytes], judge: Callable[[bytes], str], count: int) -> Iterator[str]:
    """What is wrong in the first draws of a seed."""
    generator = random.Random(5)
    for _ in range(count):
        case = draw(generator)
        try:
            judge(case)
        except WrongError as error:
            yield f"{case.decode()}: {error}"


def test_numbers_are_rounded_once_or_refused() -> None:
    assert list(wrong(draw_numbers, judge_numbers, 200)) == []


def test_ops_are_as_numpy() -> None:
    assert list(wrong(draw_call, judge_call, 60)) == []


def test_products_of_all_pairs_of_shapes() -> None:
    """In one module are those that numpy multiplies. Each of the others is refused."""
    arrays = [np.arange(math.prod(shape), dtype=np.float32).reshape(shape) for shape in SHAPES]
    products, refused = {}, []
    for pair in itertools.product(range(16), repeat=2):
        try:
            products[pair] = arrays[pair[0]] @ arrays[pair[1]]
        except ValueError:
            refused.append(pair)
    with ops.module() as module:
        for a, b in products:
            types = {"x": ops.f32[SHAPES[a]], "y": ops.f32[SHAPES[b]]}
            ops.function(**types)(lambda x, y: x @ y)
    program = Program(module)
    found = [
        program.run([arrays[a], arrays[b]], function=name)[0]
        for name, (a, b) in zip(program.functions, products, strict=True)
    ]
    wrong = [
        pair for value, (pair, wanted) in zip(found, products.items(), strict=True) if not np.array_equal(value, wanted)
    ]
    assert wrong == []
    for a, b in refused:
        with pytest.raises(StablehloError), ops.module():
            ops.function(x=ops.f32[SHAPES[a]], y=ops.f32[SHAPES[b]])(lambda x, y: x @ y)
    assert len(products) + len(refused) == 256
    assert len(refused) > 30


def by_way_of_single(doubles: np.ndarray, dtype: np.dtype) -> np.ndarray:
    with np.errstate(all="ignore"):
        return doubles.astype(np.float32).astype(dtype)


@pytest.mark.parametrize(
    ("name", "planted"),
    [
        ("_nearest", by_way_of_single),
        ("_is_of_another_kind", lambda number, element: False),
        ("_double", lambda number, is_odd: float(number)),
    ],
)
def test_planted_errors_in_numbers_are_found(name: str, planted: Callable[..., object]) -> None:
    with patch.object(python_numbers, name, planted):
        assert next(wrong(draw_numbers, judge_numbers, 600))


def test_a_planted_error_in_the_cache_is_found() -> None:
    x = np.ones(1, np.float32)
    assert [ops.divide(x, zero).tolist() for zero in (0.0, -0.0)] == [[math.inf], [-math.inf]]
    with patch.object(eager, "number_key", lambda value: (type(value).__name__, value)):
        planted = [ops.divide(x, 0.0).tolist(), ops.divide(x, -0.0).tolist()]
        assert next(wrong(draw_call, judge_call, 600))
    assert planted[0] == planted[1]
