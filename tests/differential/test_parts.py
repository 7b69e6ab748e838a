"""What is done in parts to save memory or time comes to the same in many small ones."""

from __future__ import annotations

from unittest.mock import patch

import test_contraction
import test_indexing
from hypothesis import given
from hypothesis import strategies as st
from structures import Draw, assert_same, body, program, tensor, values

from stablehlo_py.interpreter.fast import indexing, matmul
from stablehlo_py.interpreter.ops import parts


def test_scatter_of_three_updates_at_a_time() -> None:
    with patch.object(indexing, "_CHUNK", 3):
        test_indexing.test_scatter()


def test_products_in_blocks() -> None:
    with patch.object(matmul, "_BLOCK_BYTES", 1), patch.object(matmul, "_SMALL_PRODUCTS", 0):
        test_contraction.test_dot_general()


def test_integer_products_by_way_of_floats() -> None:
    with patch.object(matmul, "_SMALL_PRODUCTS", 0):
        test_contraction.test_dot_general()


def test_convolution_of_one_window_at_a_time() -> None:
    with patch.object(parts, "_BYTES", -(1 << 40)):
        test_contraction.test_convolution()


@given(st.data())
def test_long_windows(data: st.DataObject) -> None:
    """Folded by doubling."""
    draw: Draw = data.draw
    kind, element = draw(st.sampled_from([("add", "i32"), ("maximum", "f32"), ("minimum", "i8"), ("branches", "i32")]))
    size, window, stride = draw(st.integers(1, 60)), draw(st.integers(1, 60)), draw(st.integers(1, 2))
    low, dilation = draw(st.integers(0, 60)), draw(st.integers(1, 2))
    length = (window - 1) * dilation + 1
    count = (size + low - length) // stride + 1 if length <= size + low else 0
    operands = [values(draw, [size], element), values(draw, [], element)]
    op = (
        f'"stablehlo.reduce_window"(%0, %1) ({body(kind, element)}) {{window_dimensions = array<i64: {window}>, '
        f"window_strides = array<i64: {stride}>, window_dilations = array<i64: {dilation}>, "
        f"padding = dense<[[{low}, 0]]> : tensor<1x2xi64>}}"
    )
    assert_same(program(operands, [element] * 2, [tensor([count], element)], op), operands)
