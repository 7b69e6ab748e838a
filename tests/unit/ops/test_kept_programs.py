"""Ops on arrays whose programs are kept: calls that differ in one thing have their own, equal ones share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from stablehlo_py import ops
from stablehlo_py.errors import InterpreterError
from stablehlo_py.ops import eager

X = np.array([[1, -2, 3], [4, 5, -6]], np.float32)
INTS = np.arange(6).reshape(2, 3)


@pytest.fixture(autouse=True)
def _none_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(eager, "_programs", {})
    yield
    eager._context.cache_clear()


def doubled(x: Any) -> Any:
    return ops.add(x, x)


def called(config: dict[str, int]) -> Any:
    return ops.custom_call([X], call_target_name="Sharding", backend_config=config, api_version=4,
                           result_type="tensor<2x3xf32>")  # fmt: skip


# In each row the calls differ in one thing; the last number says how many programs are kept.
ROWS: dict[str, tuple[list[Callable[[], Any]], int]] = {
    "values of arrays": ([lambda: ops.add(X, X), lambda: ops.add(X, 2 * X)], 1),
    "the op": ([lambda: ops.add(X, X), lambda: ops.subtract(X, X)], 2),
    "the shape": ([lambda: ops.abs(X), lambda: ops.abs(X[:1]), lambda: ops.abs(X[0])], 3),
    "the type": ([lambda: ops.abs(X), lambda: ops.abs(X.astype(np.float64)), lambda: ops.abs(INTS)], 3),
    "types that numpy takes for one": ([lambda: ops.abs(X.astype(ml_dtypes.float8_e5m2)),
                                        lambda: ops.abs(X.astype(ml_dtypes.float8_e4m3fn))], 2),
    "a number": ([lambda: ops.add(X, 1.0), lambda: ops.add(X, 2.0)], 2),
    "the sign of zero": ([lambda: ops.divide(1.0, ops.multiply(X, 0.0)), lambda: ops.multiply(X, -0.0)], 3),
    "the side of a number": ([lambda: ops.subtract(X, 1.0), lambda: ops.subtract(1.0, X)], 2),
    "a number and an array": ([lambda: ops.add(X[1, 0], 1.0), lambda: ops.add(X[1, 0], X[1, 0])], 2),
    "an attribute": ([lambda: ops.reverse(X, [0]), lambda: ops.reverse(X, [1]), lambda: ops.reverse(X, [0, 1])], 3),
    "a list and a tuple": ([lambda: ops.reverse(X, [0]), lambda: ops.reverse(X, (0,))], 2),
    "an array as an attribute": ([lambda: ops.transpose(X, np.array([1, 0])),
                                  lambda: ops.transpose(X, np.array([0, 1]))], 2),
    "the type of an array as an attribute": ([lambda: ops.constant(np.zeros(2, np.float32)),
                                              lambda: ops.constant(np.zeros(2, np.int32))], 2),
    "which attribute a value is of": ([lambda: ops.pad(X, 0.0, edge_padding_low=[1, 0], edge_padding_high=[0, 2],
                                                       interior_padding=[0, 0]),
                                       lambda: ops.pad(X, 0.0, edge_padding_high=[1, 0], edge_padding_low=[0, 2],
                                                       interior_padding=[0, 0])], 2),
    "the number of operands": ([lambda: ops.concatenate([X], dimension=0),
                                lambda: ops.concatenate([X, X], dimension=0)], 2),
    "an op as a body": ([lambda: ops.reduce(X, 0.0, dimensions=[0], body=ops.add),
                         lambda: ops.reduce(X, 0.0, dimensions=[0], body=ops.maximum)], 2),
    "functions as bodies": ([lambda: ops.reduce(X, 0.0, dimensions=[0], body=lambda a, b: ops.add(a, b)),
                             lambda: ops.reduce(X, 0.0, dimensions=[0], body=lambda a, b: ops.subtract(a, b))], 0),
    "a text": ([lambda: ops.compare(X, X, comparison_direction="LT"),
                lambda: ops.compare(X, X, comparison_direction="LE")], 2),
    "names in a dictionary, alike": ([lambda: called({"a": 1, "b": 2}), lambda: called({"b": 1, "a": 2}),
                                      lambda: called({"a": 1, "c": 2})], 3),
}  # fmt: skip


@pytest.mark.parametrize("calls", ROWS)
def test_calls_that_differ_have_programs_of_their_own(calls: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row, kept = ROWS[calls]
    first = [call() for call in row]
    assert len(eager._programs) == kept
    again = [call() for call in row]
    assert len(eager._programs) == kept
    alone = []
    for call in row:
        monkeypatch.setattr(eager, "_programs", {})
        alone.append(call())
    for found in (first, again):
        assert [(each.dtype, each.shape, each.tobytes()) for each in found] == [
            (each.dtype, each.shape, each.tobytes()) for each in alone
        ]
    assert len({(each.dtype, each.shape, each.tobytes()) for each in alone}) == (
        1 if "tuple" in calls or "alike" in calls else len(row)
    )


def test_programs_are_let_go_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eager, "_MOST_PROGRAMS", 2)
    counts, contexts = [], []
    for size in (1, 2, 1, 3, 1):
        assert ops.abs(-np.ones(size, np.float32)).tolist() == [1.0] * size
        counts.append(len(eager._programs))
        contexts.append(eager._context())
    assert counts == [1, 2, 2, 1, 2]
    same = [context is contexts[0] for context in contexts]
    assert same == [True, True, True, False, False], "their types and attributes stay in the context that made them"


def test_an_error_of_a_kept_program_is_at_the_call_that_fails() -> None:
    def fail(size: int) -> str:
        with pytest.raises(InterpreterError, match=f"would have {4 * size}") as raised:
            ops.dynamic_reshape(X, np.array([4, size]))
        return raised.value.location

    first, again = fail(4), fail(5)
    with pytest.raises(InterpreterError) as raised:
        ops.dynamic_reshape(X, np.array([4, 6]))
    assert len(eager._programs) == 1
    assert first == again != raised.value.location
    assert all("test_kept_programs.py:" in place for place in (first, raised.value.location))


def test_values_with_a_type_of_their_own_keep_it() -> None:
    stored = ops.typed([10, 20], "!quant.uniform<i8:f32, 0.5:1>")
    found = ops.add(stored, stored)
    assert str(found.type) == "tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>"
    assert np.asarray(found).tolist() == [19, 39]
    other = ops.typed([10, 20], "!quant.uniform<i8:f32, 0.5:2>")
    assert np.asarray(ops.add(other, other)).tolist() == [18, 38]
    assert len(eager._programs) == 2
