"""Products whose letters disagree, and groups of ragged products beside batches."""

from __future__ import annotations

import pytest

from stablehlo_py.shapes.functions.contraction import chlo_ragged_dot, einsum_shape, unary_einsum
from stablehlo_py.shapes.language import RaggedDotDimensionNumbers


@pytest.mark.parametrize(("sizes", "fits"), [([3, 3, 2], True), ([3, 4, 2], False), ([4, 3, 2], False)])
def test_a_letter_stands_for_one_size(sizes: list[int], fits: bool) -> None:
    letters = [97, 97, 98]
    if fits:
        assert einsum_shape([98, 97], letters, sizes) == [2, 3]
        assert unary_einsum(sizes, "aab->ba") == [2, 3]
        return
    with pytest.raises(AssertionError, match=f"the same letter stands for {sizes[0]} and for {sizes[1]}"):
        einsum_shape([98, 97], letters, sizes)


@pytest.mark.parametrize(
    ("ragged", "group_sizes", "group_dimensions", "rhs", "result"),
    [
        (2, [2, 5], [], [2, 7, 4], [5, 2, 3, 4]),
        (1, [2, 5], [0], [5, 2, 7, 4], [2, 3, 4]),
        (0, [5], [], [2, 7, 4], [2, 3, 4]),
    ],
)
def test_groups_come_first_where_the_sum_is_ragged(
    ragged: int, group_sizes: list[int], group_dimensions: list[int], rhs: list[int], result: list[int]
) -> None:
    """Each batch has so many groups."""
    shift = len(group_dimensions)
    numbers = RaggedDotDimensionNumbers([0], [shift], [2], [1 + shift], [ragged], group_dimensions)
    assert chlo_ragged_dot([2, 3, 7], rhs, group_sizes, numbers) == result
