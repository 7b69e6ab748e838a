"""Conversions are the official interpreter's, bit by bit, between all pairs of element types."""

from __future__ import annotations

import random

import numpy as np
import pytest
from agreement import assert_same_bits, random_values
from hypothesis import given
from hypothesis import strategies as st

from stablehlo_py.bindings.types import Kind, element_type
from stablehlo_py.conformance.generate.values import (
    BOOLEAN,
    COMPLEX,
    FINITE_ONLY,
    FLOATS,
    INTEGERS,
    POWERS,
    dtype_of,
    every_value,
    part_of,
)

ALL = [*BOOLEAN, *INTEGERS, *FLOATS, *POWERS, *COMPLEX]
SEEDS = st.integers(0, 2**32 - 1)


def samples(name: str, target: str, generator: random.Random | None) -> np.ndarray:
    """Values of a type, without those for which the official result is none of the nearest values.

    f8E8M0FNU has no sign, and its NaN is officially read as infinity; which zero a NaN becomes in a type without NaN
    is the hardware's choice.
    """
    values = every_value(name) if generator is None else random_values(name, 2000, generator)
    described = element_type(name)
    if described.kind not in (Kind.FLOAT, Kind.COMPLEX):
        return values[values.astype(np.int64) >= 0] if target in POWERS and described.is_integer else values
    real = values.real.astype(np.float64) if described.bits >= 32 else values.astype(np.float32).astype(np.float64)
    if name in POWERS or (target in FINITE_ONLY and described.bits <= 8):
        return values[~np.isnan(real)]
    return values[~(real < 0)] if target in POWERS else values


@pytest.mark.parametrize("source", [name for name in ALL if element_type(name).bits <= 8])
def test_convert_every_value(source: str) -> None:
    for target in ALL:
        if dtype_of(source) != dtype_of(target):
            assert_same_bits("convert", [source], [samples(source, target, None)], target)


@given(st.sampled_from(ALL), st.sampled_from(ALL), SEEDS)
def test_convert(source: str, target: str, seed: int) -> None:
    assert_same_bits("convert", [source], [samples(source, target, random.Random(seed))], target)


@given(st.sampled_from(["f32", "f64"]), st.sampled_from(["bf16", "f16", *FLOATS[:-4]]), SEEDS)
def test_convert_next_to_ties(source: str, target: str, seed: int) -> None:
    """Halfway between two neighbours of the target type, and just off, rounding twice shows."""
    generator = random.Random(seed)
    neighbours = np.sort(random_values(target, 400, generator).astype(np.float32).astype(np.float64))
    finite = np.unique(neighbours[np.isfinite(neighbours)])
    halves = ((finite[1:] + finite[:-1]) / 2).astype(dtype_of(source))
    up, down = np.nextafter(halves, halves.dtype.type(np.inf)), np.nextafter(halves, halves.dtype.type(-np.inf))
    assert_same_bits("convert", [source], [np.concatenate([halves, up, down])], target)


BITS = {
    4: ["i4", "ui4", "f4E2M1FN"],
    8: ["i8", "ui8", "f8E4M3FN", "f8E5M2"],
    16: ["i16", "ui16", "bf16", "f16"],
    32: ["i32", "ui32", "f32"],
    64: ["i64", "ui64", "f64"],
}


@given(st.data())
def test_bitcast_convert(data: st.DataObject) -> None:
    source_bits, target_bits = data.draw(st.sampled_from(list(BITS))), data.draw(st.sampled_from(list(BITS)))
    source, target = data.draw(st.sampled_from(BITS[source_bits])), data.draw(st.sampled_from(BITS[target_bits]))
    ratio = max(source_bits, target_bits) // min(source_bits, target_bits)
    leading = data.draw(st.lists(st.integers(0, 4), max_size=2))
    shape = [*leading, ratio] if target_bits > source_bits else leading
    result_shape = [*leading, ratio] if target_bits < source_bits else leading
    generator = random.Random(data.draw(SEEDS))
    operand = random_values(source, int(np.prod(shape)), generator).reshape(shape)
    assert_same_bits("bitcast_convert", [source], [operand], target, result_shape=result_shape)


@given(st.sampled_from([*INTEGERS, *FLOATS, *COMPLEX]), st.data())
def test_iota(name: str, data: st.DataObject) -> None:
    shape = data.draw(st.lists(st.integers(0, 40), min_size=1, max_size=3))
    dimension = data.draw(st.integers(0, len(shape) - 1))
    assert_same_bits("iota", [], [], name, f"iota_dimension = {dimension} : i64", result_shape=shape)


def test_the_parts_of_complex_types() -> None:
    assert [part_of(name) for name in COMPLEX] == ["f32", "f64"]
