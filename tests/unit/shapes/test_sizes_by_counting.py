"""Sizes that library functions give, against arrays that numpy makes and positions that are counted; just past what is
allowed they refuse."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import examples

from stablehlo_py.shapes import lists
from stablehlo_py.shapes.functions import dynamism, linear_algebra, movement, shared, slicing

SETTINGS = settings(max_examples=examples(75, 150), deadline=None, derandomize=True)
SMALL, SIZE = st.integers(1, 4), st.integers(0, 7)
SHAPES = st.lists(SIZE, max_size=3)


@SETTINGS
@given(SIZE, SMALL, SMALL, st.integers(-2, 3), st.integers(-2, 3), SMALL, SMALL)
def test_windows_are_as_many_as_fit(size, window, stride, low, high, base, dilation):
    length = low + (0 if size == 0 else (size - 1) * base + 1) + high
    reach = (window - 1) * dilation + 1
    fitting = [start for start in range(0, max(length, 0), stride) if start + reach <= length]
    assert shared.window_size(size, window, stride, low, high, base, dilation) == len(fitting)


@pytest.mark.parametrize(("place", "said"), [(1, "window's size"), (2, "stride"), (5, "dilation"), (6, "dilation")])
@pytest.mark.parametrize("value", [0, -1])
def test_windows_strides_and_dilations_are_positive(place, said, value):
    numbers = [4, 2, 1, 0, 0, 1, 1]
    assert shared.window_size(*numbers) == 3
    numbers[place] = value
    with pytest.raises(AssertionError, match=f"{said}.* {value}"):
        shared.window_size(*numbers)


@SETTINGS
@given(st.data(), SHAPES)
def test_a_pad_has_as_many_elements_as_positions(data, shape):
    low, high = [data.draw(st.lists(st.integers(-3, 3), min_size=len(shape), max_size=len(shape))) for _ in range(2)]
    interior = data.draw(st.lists(st.integers(0, 2), min_size=len(shape), max_size=len(shape)))
    wanted = [size + max(size - 1, 0) * gap + a + b for size, gap, a, b in zip(shape, interior, low, high, strict=True)]
    if min(wanted, default=0) < 0:
        with pytest.raises(AssertionError, match=f"would have size {next(size for size in wanted if size < 0)}"):
            slicing.pad(shape, low, high, interior)
    else:
        assert slicing.pad(shape, low, high, interior) == wanted


@SETTINGS
@given(st.data(), SHAPES)
def test_a_slice_has_the_shape_of_numpys(data, shape):
    start = [data.draw(st.integers(0, size)) for size in shape]
    limit = [data.draw(st.integers(first, size)) for first, size in zip(start, shape, strict=True)]
    strides = [data.draw(SMALL) for _ in shape]
    box = tuple([slice(*each) for each in zip(start, limit, strides, strict=True)])
    assert slicing.slice_(shape, start, limit, strides) == [*np.zeros(shape)[box].shape]
    for d in range(len(shape)):
        for which, wrong in ((0, -1), (0, limit[d] + 1), (1, shape[d] + 1), (2, 0)):
            lists = [list(start), list(limit), list(strides)]
            lists[which][d] = wrong
            with pytest.raises(AssertionError, match=f"dimension {d}"):
                slicing.slice_(shape, *lists)


@SETTINGS
@given(SHAPES, SHAPES)
def test_shapes_broadcast_as_numpys_do(left, right):
    try:
        wanted = [*np.broadcast_shapes(tuple(left), tuple(right))]
    except ValueError:
        with pytest.raises(AssertionError, match="cannot be broadcast"):
            shared.broadcast(left, right)
    else:
        assert shared.broadcast(left, right) == wanted


@SETTINGS
@given(st.data(), st.lists(SIZE, min_size=1, max_size=3))
def test_a_reshape_finds_the_one_size_that_is_missing(data, shape):
    total = int(np.prod(shape))
    parts = data.draw(st.lists(st.integers(1, 4), max_size=2))
    at = data.draw(st.integers(0, len(parts)))
    others = int(np.prod(parts, dtype=int))
    result = [*parts[:at], -1, *parts[at:]]
    if total % others:
        with pytest.raises(AssertionError, match=f"{total} elements do not divide into {others}"):
            movement.reshape(shape, result)
    else:
        assert movement.reshape(shape, result) == [*parts[:at], total // others, *parts[at:]]
    assert movement.reshape(shape, [*shape]) == shape
    assert movement.reshape(shape, [-1, -1]) == [-1, -1]
    if total:
        with pytest.raises(AssertionError, match=f"{total} elements, the result would have {total + 1}"):
            movement.reshape(shape, [total + 1])


@SETTINGS
@given(st.lists(SIZE, min_size=1, max_size=3), st.data())
def test_slices_and_updates_fit_into_the_operand(shape, data):
    sizes = [data.draw(st.integers(0, size)) for size in shape]
    starts = [[] for _ in shape]
    assert slicing.dynamic_slice(shape, starts, sizes) == sizes
    assert slicing.dynamic_update_slice(shape, sizes, starts) == shape
    for d in range(len(shape)):
        larger = [size + 1 if e == d else sizes[e] for e, size in enumerate(shape)]
        with pytest.raises(AssertionError, match=f"dimension {d}"):
            slicing.dynamic_slice(shape, starts, larger)
        with pytest.raises(AssertionError, match=f"dimension {d}"):
            slicing.dynamic_update_slice(shape, larger, starts)
        with pytest.raises(AssertionError, match="is negative"):
            slicing.dynamic_slice(shape, starts, [-1 if e == d else size for e, size in enumerate(sizes)])


def test_permutations_are_those_of_the_rank():
    for order in itertools.permutations(range(3)):
        assert movement.transpose([5, 6, 7], list(order)) == [*np.zeros((5, 6, 7)).transpose(order).shape]
    for wrong, said in (
        ([0, 1, 1], "twice"),
        ([0, 1, 3], "out of range"),
        ([0, -1, 2], "negative"),
        ([0, 1], "rank 3"),
    ):
        with pytest.raises(AssertionError, match=said):
            movement.transpose([5, 6, 7], list(wrong))


def test_concatenations_add_one_size_and_have_the_others_in_common():
    assert movement.concatenate([[2, 3], [0, 3], [4, 3]], 0) == [6, 3]
    assert movement.concatenate([[2, 3], [2, 1]], 1) == [2, 4]
    for inputs, dimension, said in (
        ([[2, 3], [2, 4]], 0, "dimension 1 of the inputs differs, 3 and 4"),
        ([[2, 3], [2]], 0, "different ranks, 2 and 1"),
        ([[2, 3]], 2, "out of range"),
        ([[2, 3]], -1, "negative"),
    ):
        with pytest.raises(AssertionError, match=said):
            movement.concatenate(inputs, dimension)


def test_sizes_that_operands_give_are_not_negative_and_as_many_as_declared():
    assert dynamism.declared_or([0, 5], [-1, -1]) == [0, 5]
    with pytest.raises(AssertionError, match="dimension 1 would have size -1"):
        dynamism.declared_or([0, -1], [-1, -1])
    with pytest.raises(AssertionError, match="2 sizes are given for rank 1"):
        dynamism.declared_or([0, 1], [-1])
    assert shared.product([]) == 1
    assert shared.without([5, 6, 7], [2, 0]) == [6]
    assert shared.with_size([5, 6, 7], 1, 9) == [5, 9, 7]
    assert shared.ones_unless([], 2) == shared.ones_unless(None, 2) == [1, 1]
    assert shared.zeros_unless(None, 2) == [[0, 0], [0, 0]]


NUMBERS = st.lists(st.integers(-2, 2), max_size=5)


@SETTINGS
@given(NUMBERS, NUMBERS, st.integers(-2, 2), st.integers(0, 3))
def test_lists_are_those_of_python(left: list[int], right: list[int], wanted: int, count: int) -> None:
    assert lists.equal(left, right) == (left == right)
    assert lists.equal(left, list(left))
    assert lists.contains(left, wanted) == (wanted in left)
    assert lists.total(left) == sum(left)
    assert lists.times(left, count) == left * count
    rows = [left, right, [], left[:2]]
    for index, row in enumerate(rows):
        assert lists.at([*left, *right, *left[:2]], [len(each) for each in rows], index) == row


@SETTINGS
@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 3), st.data())
def test_transforms_have_the_shapes_of_numpys(shape: list[int], count: int, data: st.DataObject) -> None:
    if count > len(shape):
        with pytest.raises(AssertionError, match="rank"):
            linear_algebra.fft(shape, "FFT", [1] * count)
        return
    lengths, axes = shape[-count:], tuple(range(len(shape) - count, len(shape)))
    halved = list(np.fft.rfftn(np.ones(shape), axes=axes).shape)
    assert linear_algebra.fft(list(shape), "RFFT", lengths) == halved
    assert linear_algebra.fft(list(halved), "IRFFT", lengths) == shape
    assert linear_algebra.fft(list(shape), "FFT", lengths) == linear_algebra.fft(list(shape), "IFFT", lengths) == shape
    place = data.draw(st.integers(0, count - 1))
    wrong = [length + 2 * (place == index) for index, length in enumerate(lengths)]
    for kind, operand in (("RFFT", shape), ("IRFFT", halved)):
        with pytest.raises(AssertionError, match="fft_length"):
            linear_algebra.fft(list(operand), kind, wrong)


@pytest.mark.parametrize("count", [0, 4])
def test_a_transform_has_one_to_three_dimensions(count: int) -> None:
    with pytest.raises(AssertionError, match=f"not {count}"):
        linear_algebra.fft([2, 2, 2, 2], "FFT", [2] * count)
