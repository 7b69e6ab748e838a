"""What the kit expects of ops that compare and choose, held against numpy's and other definitions."""

from __future__ import annotations

import itertools
import math

import ml_dtypes
import numpy as np
import pytest

from stablehlo_py.conformance.case import Case
from stablehlo_py.conformance.cases.choosing import reduced, total_order_keys
from stablehlo_py.conformance.catalog import Choice, cases

DIRECTIONS = {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal, "GT": np.greater,
              "GE": np.greater_equal}  # fmt: skip


@pytest.mark.parametrize("bits", [8, 16])
def test_the_total_order_rises_through_all_patterns(bits: int) -> None:
    """From the NaN of the largest magnitude with a sign down to both zeros, which differ, and up to the other NaN."""
    half = 1 << (bits - 1)
    order = [*range(2 * half - 1, half - 1, -1), *range(half)]
    dtype = ml_dtypes.float8_e5m2 if bits == 8 else ml_dtypes.bfloat16
    keys = total_order_keys(np.array(order, f"u{bits // 8}").view(dtype))
    assert all(a < b for a, b in itertools.pairwise(keys)), keys[half - 2 : half + 2]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_total_order_of_wide_floats_is_that_of_numbers(dtype: type[np.floating]) -> None:
    info = np.finfo(dtype)
    tiny = float(info.smallest_subnormal)
    rising = [-math.nan, -math.inf, float(info.min), -1.0, -2 * tiny, -tiny, -0.0, 0.0, tiny, 2 * tiny, 1.0, math.inf]
    keys = total_order_keys(np.array([*rising, math.nan], dtype))
    assert all(a < b for a, b in itertools.pairwise(keys)), keys


def of(op: str, element: str) -> list[Case]:
    return list(cases(Choice(ops=(op,), types=(element,))))


@pytest.mark.parametrize("element", ["f32", "bf16", "i8", "ui16", "i1", "complex<f32>"])
def test_each_direction_is_that_of_numpy(element: str) -> None:
    seen = set[str]()
    for case in of("compare", element):
        if case.kind == "total order" or case.kind.endswith("one by one"):
            continue
        direction = next(name for name in DIRECTIONS if f"comparison_direction {name}>" in case.module)
        first, second = case.inputs[:2]
        (expected,) = case.expected
        seen.add(direction)
        np.testing.assert_array_equal(expected.value, DIRECTIONS[direction](first, second), err_msg=case.name)
    assert seen == set(DIRECTIONS)


@pytest.mark.parametrize(
    ("bits", "dtype"),
    [
        ((8, 7), ml_dtypes.bfloat16),
        ((5, 10), np.float16),
        ((5, 2), ml_dtypes.float8_e5m2),
        ((4, 3), ml_dtypes.float8_e4m3),
        ((3, 4), ml_dtypes.float8_e3m4),
    ],
)
@pytest.mark.parametrize("source", [np.float16, ml_dtypes.bfloat16])
def test_numbers_of_fewer_bits_are_those_of_a_type_of_as_many(bits: tuple[int, int], dtype: type, source: type) -> None:
    """But for denormal numbers, which become zero. Every 7th number of 16 bits, and those around powers of two."""
    around = {at + near & 0xFFFF for at in range(0, 1 << 16, 128) for near in (-1, 0, 1)}
    patterns = np.array(sorted(around | {*range(0, 1 << 16, 7)}), np.uint16)
    with np.errstate(over="ignore", invalid="ignore"):
        operand = patterns.view(source).astype(np.float64)
        operand = operand[~np.isnan(operand)]
        narrow = operand.astype(np.float32).astype(dtype).astype(np.float64)
    smallest = float(ml_dtypes.finfo(dtype).smallest_normal)
    # Numbers are rounded as if exponents had no end first: only from here on they reach the smallest normal one.
    reaches = np.abs(operand) >= smallest * (1 - 2.0 ** -(bits[1] + 2))
    flushed = np.where(reaches, narrow, np.copysign(0.0, narrow))
    given = np.array([float(reduced(float(value), *bits)) for value in operand])
    np.testing.assert_array_equal(given, flushed)
    np.testing.assert_array_equal(np.signbit(given), np.signbit(flushed))


@pytest.mark.parametrize("element", ["f32", "bf16", "i8", "ui8"])
def test_what_is_clamped_lies_between_its_bounds_or_is_the_upper_one(element: str) -> None:
    """As minimum(maximum(operand, min), max); NaN is passed on."""
    for case in of("clamp", element):
        if len(case.expected) > 1:
            continue
        with np.errstate(invalid="ignore"):  # a signalling NaN
            low, operand, high = [np.asarray(each).astype(np.float64) for each in case.inputs]
        given = np.asarray(case.expected[0].value).astype(np.float64)
        np.testing.assert_array_equal(given, np.minimum(np.maximum(operand, low), high), err_msg=case.name)


def test_some_dimensions_are_reversed_and_others_are_not() -> None:
    turned = [
        (case.inputs[0].ndim, case.module.partition("array<i64: ")[2].partition(">")[0].count(",") + 1)
        for case in cases(Choice(ops=("reverse",), types=("i32",)))
    ]
    assert {(2, 1), (3, 2)} <= set(turned)
    assert [each for each in turned if each[1] > max(1, each[0] - 1)] == []
