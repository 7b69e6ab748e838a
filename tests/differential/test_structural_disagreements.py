"""Where the official interpreter moves, indexes, reduces or contracts in another way than the specification says.
docs/arithmetic.md lists them."""

from __future__ import annotations

import numpy as np
import pytest
from oracle import official
from structures import body, program, run, tensor

THREE = np.arange(3, dtype=np.int32)


def test_unsigned_start_indices() -> None:
    start = np.array(200, np.uint8)
    op = '"stablehlo.dynamic_slice"(%0, %1) {slice_sizes = array<i64: 2>}'
    text = program([THREE, start], ["i32", "ui8"], [tensor([2], "i32")], op)
    assert run(text, [THREE, start])[0].tolist() == [1, 2]
    (officially,) = official(text, [THREE, start]) or [None]
    assert officially is not None
    assert officially.tolist() == [0, 1]


@pytest.mark.release  # the official interpreter takes five seconds to end
def test_nothing_to_contract() -> None:
    lhs, rhs = np.zeros((2, 0), np.float32), np.zeros((0, 1), np.float32)
    dims = "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
    op = f'"stablehlo.dot_general"(%0, %1) {{dot_dimension_numbers = {dims}}}'
    text = program([lhs, rhs], ["f32", "f32"], [tensor([2, 1], "f32")], op)
    assert run(text, [lhs, rhs])[0].tolist() == [[0.0], [0.0]]
    assert official(text, [lhs, rhs]) is None


def test_init_value_of_select_and_scatter() -> None:
    operands = [np.array([3, 1, 3, 2], np.int32), np.array([10, 20, 30], np.int32), np.array(5, np.int32)]
    select = (
        "^bb0(%x: tensor<i32>, %y: tensor<i32>): %p = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> "
        "tensor<i1>\n stablehlo.return %p : tensor<i1>"
    )
    op = (
        f'"stablehlo.select_and_scatter"(%0, %1, %2) ({{{select}}}, {body("add", "i32")}) '
        "{window_dimensions = array<i64: 2>}"
    )
    text = program(operands, ["i32"] * 3, [tensor([4], "i32")], op)
    assert run(text, operands)[0].tolist() == [15, 5, 55, 5]
    (officially,) = official(text, operands) or [None]
    assert officially is not None
    assert officially.tolist() == [20, 5, 65, 5]


def test_batches_of_triangular_matrices() -> None:
    a = np.array([[[1, 0], [1, 1]]] * 2, np.float32)
    op = (
        '"stablehlo.triangular_solve"(%0, %1) {left_side = true, lower = true, unit_diagonal = false, '
        "transpose_a = #stablehlo<transpose NO_TRANSPOSE>}"
    )
    text = program([a, a], ["f32", "f32"], [tensor([2, 2, 2], "f32")], op)
    assert run(text, [a, a])[0].tolist() == [[[1.0, 0.0], [0.0, 1.0]]] * 2
    assert official(text, [a, a]) is None
