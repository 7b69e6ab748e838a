"""Calls of functions and composites in programs in Python, promoted reductions, and what is refused when built."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py import ops
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import body_of, operations
from stablehlo_py.errors import ArgumentError, StablehloError, VerificationError

F = np.float32


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_function_is_called_with_all_its_arguments(count: int) -> None:
    with ops.module() as made:

        @ops.function(x="tensor<2xf32>", y="tensor<2xf32>")
        def less(x: Any, y: Any) -> Any:
            return x - y

        def main(x: Any) -> Any:
            return less(*[x, [1.5, 1.5], x][:count])

        if count != 2:
            with pytest.raises(ArgumentError) as raised:
                ops.function(x="tensor<2xf32>")(main)
            assert raised.value.message == f"function @less takes 2 arguments, not {count}"
            return
        ops.function(x="tensor<2xf32>")(main)
    (found,) = stablehlo_py.interpret(made, [F([1, 2])], function="main")
    assert np.asarray(found).tolist() == [-0.5, 0.5]


@pytest.mark.parametrize("name", ["first", "second", "third"])
def test_a_composite_has_the_results_of_its_own_decomposition(name: str) -> None:
    with ops.module() as made:

        @ops.function(x="tensor<4xf32>")
        def first(x: Any) -> Any:
            return x[:1]

        @ops.function(x="tensor<4xf32>")
        def second(x: Any) -> Any:
            return x[:2], x[:3]

        @ops.function(x="tensor<4xf32>")
        def third(x: Any) -> Any:
            return ops.convert(x, result_type="i32")

        @ops.function(x="tensor<4xf32>")
        def main(x: Any) -> Any:
            return ops.composite([x], name="a.b", decomposition=name)

    op = next(op for op in operations(made.operation) if op.name == "stablehlo.composite")
    types = {"first": ["tensor<1xf32>"], "second": ["tensor<2xf32>", "tensor<3xf32>"], "third": ["tensor<4xi32>"]}
    assert [str(result.type) for result in op.results] == types[name]


def test_only_what_accumulates_has_the_promoted_type() -> None:
    with ops.module() as made:

        @ops.function(x="tensor<4xf32>", source="tensor<2xf32>", start="tensor<f32>")
        def main(x: Any, source: Any, start: Any) -> Any:
            return ops.select_and_scatter(
                x, source, start, select=lambda a, b: a >= b, scatter=ops.add, result_type="f64",
                window_dimensions=[2], window_strides=[2],
            )  # fmt: skip

    op = next(op for op in operations(made.operation) if op.name == "stablehlo.select_and_scatter")
    select, scatter = ([str(argument.type) for argument in body_of(op, number).arguments] for number in range(2))
    assert (select, scatter) == (["tensor<f32>"] * 2, ["tensor<f64>"] * 2)
    assert str(op.results[0].type) == "tensor<4xf64>"


@pytest.mark.parametrize(
    ("value", "result_type", "found"),
    [
        (1.5, [], "tensor<f64>"), (1.5, [2], "tensor<2xf64>"), ([1.5], [1], "tensor<1xf64>"),
        ([1.5], [], None), ([1.5, 2.5], [], None), ([[1.5]], [1], None), (F([1, 2]), [], None),
        (F(1), [], "tensor<f32>"),
    ],
)  # fmt: skip
def test_the_shape_of_a_constant_is_the_one_given(value: Any, result_type: list[int], found: str | None) -> None:
    def make() -> ir.Module:
        with ops.module() as made:
            ops.function()(lambda: ops.constant(value, result_type=result_type))
        return made

    if found is None:
        with pytest.raises(StablehloError):
            make()
        return
    module = make()
    op = next(op for op in operations(module.operation) if op.name == "stablehlo.constant")
    assert str(op.results[0].type) == found


def test_an_op_on_arrays_is_verified_before_it_runs() -> None:
    with pytest.raises(VerificationError, match="same element type for all operands"):
        ops.complex(F([1, 2]), np.float64([1, 2]))
    with pytest.raises(VerificationError) as raised:
        ops.is_finite(np.int32([1]))
    assert "test_calls_of_ops.py" in raised.value.location
