"""Results have the same bits on every processor: children that pretend to others run generated programs."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from stablehlo_py.reference.ops.matmul import SEQUENTIAL_PRODUCTS, is_in_order, matmul, sum_of_rows

PROCESSORS = [
    {},
    {"OPENBLAS_CORETYPE": "Nehalem", "OPENBLAS_NUM_THREADS": "1"},
    {"OPENBLAS_CORETYPE": "Sandybridge", "NPY_DISABLE_CPU_FEATURES": "X86_V4"},
    {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4"},
]
_DIGESTS = """
import sys
sys.path.insert(0, {here!r})
from same_bits_programs import digests
for line in digests({seed}, {count}):
    print(line)
"""


def digests(processor: dict[str, str], seed: int, count: int) -> list[str]:
    """What a child with this environment computes: a line for each program."""
    program = _DIGESTS.format(here=os.path.dirname(__file__), seed=seed, count=count)
    environment = {**os.environ, **processor}
    child = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert child.returncode == 0, child.stderr
    return child.stdout.splitlines()


def test_same_bits_on_other_processors() -> None:
    first, *others = [digests(processor, seed=1, count=60) for processor in PROCESSORS]
    assert len(first) == 60
    for other in others:
        assert other == first


@pytest.mark.parametrize(
    "shape", [(1, 1, 4096, 1), (1, 2, 3000, 1), (3, 5, 1000, 7), (2, 40, 50, 60), (1, 1, 0, 1), (0, 2, 3, 4)]
)
@pytest.mark.parametrize("dtype", ["f4", "f8", "F", "D"])
def test_products_are_added_from_left_to_right(shape: tuple[int, int, int, int], dtype: str) -> None:
    batch, rows, contracted, columns = shape
    random = np.random.default_rng(0)

    def numbers(*sizes: int) -> np.ndarray:
        values = random.normal(size=sizes)
        return (values + 1j * random.normal(size=sizes) if dtype in "FD" else values).astype(dtype)

    lhs, rhs = numbers(batch, rows, contracted), numbers(batch, contracted, columns)
    expected = np.zeros((batch, rows, columns), dtype)
    for index in range(contracted):
        left, right = lhs[:, :, index, np.newaxis], rhs[:, index, np.newaxis, :]
        real = left.real * right.real - left.imag * right.imag
        expected += real + 1j * (left.real * right.imag + left.imag * right.real) if dtype in "FD" else left * right
    np.testing.assert_array_equal(matmul(lhs, rhs, np.dtype(dtype), in_order=True), expected)


@pytest.mark.parametrize("columns", [1, 2, 3, 8, 17, 1000])
def test_rows_are_added_one_after_the_other(columns: int) -> None:
    rows = np.random.default_rng(0).normal(size=(777, columns)).astype(np.float32)
    expected = rows[0]
    for row in rows[1:]:
        expected = expected + row
    np.testing.assert_array_equal(sum_of_rows(rows), expected)


def test_bound() -> None:
    assert is_in_order(SEQUENTIAL_PRODUCTS - 1, deterministic=False)
    assert not is_in_order(SEQUENTIAL_PRODUCTS, deterministic=False)
    assert is_in_order(SEQUENTIAL_PRODUCTS, deterministic=True)
