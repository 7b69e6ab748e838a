"""Measures what the same bits everywhere cost: contractions with BLAS, from left to right, and as exact sums.

`python benchmarks/determinism.py` prints a table. `tools/run benchmarks/rounding` measures functions.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import ml_dtypes
import numpy as np

from stablehlo_py.interpreter.fast.matmul import matmul
from stablehlo_py.interpreter.ops.exact_sums import exact_matmul

SHAPES = [*((size, size, size) for size in (64, 128, 256, 512, 1024)), (1, 1 << 20, 1), (4096, 144, 64)]
TYPES = {"f32": np.dtype(np.float32), "bf16": np.dtype(ml_dtypes.bfloat16), "f64": np.dtype(np.float64)}


def milliseconds(functions: list[Callable[[], np.ndarray]]) -> list[float]:
    """The times of the fastest of five runs of each, in turns."""
    times = [1e9 for _ in functions]
    for _ in range(5):
        for index, function in enumerate(functions):
            start = time.perf_counter()
            function()
            times[index] = min(times[index], (time.perf_counter() - start) * 1e3)
    return times


def main() -> None:
    """Print the times of matrix products."""
    print("| rows x contracted x columns | type | BLAS | from left to right | exact |\n|---|---|--:|--:|--:|")
    random = np.random.default_rng(0)
    for name, dtype in TYPES.items():
        for rows, contracted, columns in SHAPES:
            lhs = random.normal(size=(1, rows, contracted)).astype(dtype)
            rhs = random.normal(size=(1, contracted, columns)).astype(dtype)
            blas, ordered, exact = milliseconds(
                [
                    lambda lhs=lhs, rhs=rhs, dtype=dtype: matmul(lhs, rhs, dtype, False),
                    lambda lhs=lhs, rhs=rhs, dtype=dtype: matmul(lhs, rhs, dtype, True),
                    lambda lhs=lhs, rhs=rhs, dtype=dtype: exact_matmul(lhs, rhs, dtype),
                ]
            )
            shape = f"{rows} x {contracted} x {columns}"
            print(f"| {shape} | {name} | {blas:.2f} ms | {ordered:.2f} ms | {exact:.2f} ms |", flush=True)


if __name__ == "__main__":
    main()
