"""Measures the cost of the same bits everywhere, and the errors of functions of doubles.

`python benchmarks/determinism.py` prints two tables: contractions of f32 with BLAS and from left to right; functions of
f64, in ULPs from the nearest double. numpy's kernels for these depend on the processor, unless
NPY_DISABLE_CPU_FEATURES chooses others.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np

from stablehlo_py.bindings.types import element_type
from stablehlo_py.interpreter.element_types import arithmetic
from stablehlo_py.interpreter.element_types.exact import FUNCTIONS, rounded
from stablehlo_py.interpreter.ops.matmul import matmul

TWO_OPERANDS = frozenset({"atan2", "power"})
SHAPES = [(128, 128, 128), (512, 512, 512), (1024, 1024, 1024), (1, 1 << 20, 1), (4096, 144, 64)]


def milliseconds(lhs: np.ndarray, rhs: np.ndarray, in_order: bool) -> float:
    """The time of the fastest of a few products."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        matmul(lhs, rhs, lhs.dtype, in_order)
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def costs() -> None:
    """Prints the times of matrix products of f32."""
    print("| rows x contracted x columns | BLAS | from left to right |\n|---|--:|--:|")
    random = np.random.default_rng(0)
    for rows, contracted, columns in SHAPES:
        lhs = random.normal(size=(1, rows, contracted)).astype(np.float32)
        rhs = random.normal(size=(1, contracted, columns)).astype(np.float32)
        blas, ordered = [milliseconds(lhs, rhs, in_order) for in_order in (False, True)]
        print(f"| {rows} x {contracted} x {columns} | {blas:.2f} ms | {ordered:.2f} ms |", flush=True)


def ulps(name: str, count: int) -> float:
    """The largest distance from the exact values of random numbers, in last bits of the results."""
    random = np.random.default_rng(0)
    operands = [random.normal(size=count) * 4 for _ in range(2 if name in TWO_OPERANDS else 1)]
    if name in ("log", "rsqrt", "power"):
        operands[0] = np.abs(operands[0])
    if name == "log_plus_one":
        operands[0] = np.abs(operands[0]) - 0.99
    results = getattr(arithmetic(element_type("f64")), name)(*operands)
    largest = 0.0
    for result, *numbers in zip(results.tolist(), *[operand.tolist() for operand in operands], strict=True):
        exact = rounded(name, tuple(numbers), 52, -1022)
        largest = max(largest, abs(result - exact) / math.ulp(exact))
    return largest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="numbers for each function")
    options = parser.parse_args()
    costs()
    print("\n| function of f64 | ULPs |\n|---|--:|")
    for name in FUNCTIONS:
        print(f"| {name} | {ulps(name, options.count):.0f} |", flush=True)


if __name__ == "__main__":
    main()
