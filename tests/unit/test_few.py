"""Number functions give what arrays give, bit by bit; of a NaN, which bits an operation gives is open."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from test_element_types import COMPLEX, FLOATS, INTEGERS, parts

from stablehlo_py.bindings.types import ElementType, Kind, element_type
from stablehlo_py.errors import InterpreterError
from stablehlo_py.reference import few
from stablehlo_py.reference.element_types import arithmetic, array_arithmetic, conversion, converter
from stablehlo_py.reference.element_types.arithmetic import Arithmetic, Operation
from stablehlo_py.reference.element_types.narrow import BINARY
from stablehlo_py.reference.element_types.numbers import NumberArithmetic
from stablehlo_py.reference.ops import linear_algebra, one_by_one

TYPES = ["i1", *INTEGERS, *FLOATS, *COMPLEX]
SIZES = (None, 0, 1, 2, 16)
"""None is a scalar."""


@pytest.fixture(autouse=True)
def _quiet_arithmetic():
    with np.errstate(all="ignore"):
        yield


def numbers(elements: ElementType, count: int, seed: int) -> np.ndarray:
    """Random bits, random numbers of moderate size, and small integers, mixed."""
    random = np.random.default_rng(seed)
    dtype = elements.dtype
    if elements.kind is Kind.BOOLEAN:
        return random.integers(0, 2, count).astype(np.bool_)
    moderate = random.normal(size=count) * 4
    whole = random.integers(-3, 4, count).astype(np.float64)
    if elements.kind is Kind.COMPLEX:
        moderate = moderate + 1j * random.normal(size=count)
        return np.where(random.random(count) < 0.7, moderate, whole).astype(dtype)
    if elements.is_integer:
        bits = random.integers(0, 1 << elements.bits, count, dtype=np.uint64)
        patterns = conversion.converter(element_type("ui64"), elements)(bits)
        return np.where(random.random(count) < 0.5, patterns, np.abs(whole).astype(np.int8).astype(dtype))
    patterns = random.integers(0, 1 << elements.bits, count, dtype=np.uint64).astype(f"u{dtype.itemsize}").view(dtype)
    return np.where(
        random.random(count) < 0.3, patterns, np.where(random.random(count) < 0.8, moderate, whole).astype(dtype)
    )


def operands(types: list[ElementType], size: int | None, seed: int) -> Iterator[list[np.ndarray]]:
    """Five sets of operands of this size."""
    for repetition in range(5):
        arrays = [
            numbers(type_, 1 if size is None else size, 100 * seed + 2 * repetition + n)
            for n, type_ in enumerate(types)
        ]
        yield [array[0] if size is None else array for array in arrays]


def assert_agree(chosen: Operation, on_arrays: Operation, types: list[ElementType]) -> None:
    for size in SIZES:
        for sides in operands(types, size, 1 if size is None else size):
            found, expected = np.asarray(chosen(*sides)), np.asarray(on_arrays(*sides))
            assert found.dtype == expected.dtype
            assert found.shape == expected.shape
            np.testing.assert_array_equal(parts(found), parts(expected), err_msg=str(sides))


def names(arrays: Arithmetic) -> Iterator[str]:
    """Every operation that elements of the type have."""
    for name in Arithmetic.__annotations__:
        try:
            getattr(arrays, name)
        except InterpreterError:
            continue
        yield name


@pytest.mark.parametrize("name", TYPES)
def test_operations(name: str) -> None:
    elements = element_type(name)
    arrays, chosen = array_arithmetic(elements), arithmetic(elements)
    assert isinstance(chosen, NumberArithmetic) or name == "i1"
    for op in names(arrays):
        sides = [elements] * (2 if op in BINARY else 1)
        if op == "complex":
            sides = [element_type(name.removeprefix("complex<").removesuffix(">"))] * 2
        assert_agree(getattr(chosen, op), getattr(arrays, op), sides)


@pytest.mark.parametrize("name", TYPES)
def test_comparisons(name: str) -> None:
    elements = element_type(name)
    for direction in ["EQ", "NE", "LT", "LE", "GT", "GE"]:
        for total_order in {False, elements.kind is Kind.FLOAT}:
            sides = [
                which(elements).comparison(direction, total_order=total_order)
                for which in (arithmetic, array_arithmetic)
            ]
            assert_agree(*sides, [elements, elements])


@pytest.mark.parametrize("name", FLOATS)
def test_reduce_precision(name: str) -> None:
    elements = element_type(name)
    for bits in [(2, 1), (3, 0), (5, 2), (8, 7), (5, 10), (8, 23), (11, 52)]:
        assert_agree(*[which(elements).reduce_precision(*bits) for which in (arithmetic, array_arithmetic)], [elements])


@pytest.mark.parametrize("source", TYPES)
def test_conversions(source: str) -> None:
    for target in TYPES:
        pair = element_type(source), element_type(target)
        assert_agree(converter(*pair), conversion.converter(*pair), [pair[0]])


def test_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switched off, no number function is chosen."""
    monkeypatch.setattr(few, "ENABLED", False)
    assert not isinstance(arithmetic(element_type("f32")), NumberArithmetic)
    environment = {**os.environ, "STABLEHLO_PY_FEW": "0"}
    program = "from stablehlo_py.reference import few; print(few.ENABLED, few.FEW_FOLDED)"
    process = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert process.stdout.split() == ["False", "-1"]


@pytest.mark.parametrize("size", range(5))
def test_factors_one_by_one(size: int) -> None:
    """Of positive definite matrices, and of some that are not."""
    random = np.random.default_rng(size)
    for repetition in range(20):
        square = random.normal(size=(size, size))
        a = (square @ square.T + (0.1 if repetition % 4 else -1) * np.eye(size)).astype(np.float32)
        np.testing.assert_array_equal(one_by_one.lower_factor(a), linear_algebra.lower_factor(a))
