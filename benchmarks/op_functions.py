"""The time of ops as Python functions: `python benchmarks/op_functions.py [--check] [--write]`.

A call on arrays is of an op seen before with the same types. Its kernel's time is what one more such op costs in a
program, so the rest is the function's own. Times are of the processor, the shortest of several.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import page

from stablehlo_py import ops
from stablehlo_py.interpreter.program import Program

MOST_OWN, MOST_BUILDING = 30e-6, 0.3
COPIES, CHAIN = 64, 10_000
HEAD = "| what | time | its kernel's | its own | at most |\n|---|--:|--:|--:|--:|"
X = np.arange(32, dtype=np.float32).reshape(4, 8)
CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "add": ops.add,
    "tanh": lambda x, y: ops.tanh(x),
    "compare": lambda x, y: ops.compare(x, y, "LT"),
    "transpose": lambda x, y: ops.transpose(x, [1, 0]),
    "concatenate": lambda x, y: ops.concatenate([x, y], dimension=0),
    "slice": lambda x, y: ops.slice(x, [0, 2], [2, 6], [1, 1]),
    "reduce": lambda x, y: ops.reduce(x, 0.0, dimensions=[0], body=ops.add),
    "dot_general": lambda x, y: ops.dot_general(x, y, lhs_contracting_dimensions=[1], rhs_contracting_dimensions=[1]),
    "gather": lambda x, y: ops.gather(
        x, [[1], [2]], offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1,
        slice_sizes=[1, 8],
    ),
}  # fmt: skip


def seconds(run: Callable[[], object], calls: int) -> float:
    """Return the shortest processor time of a call."""
    run()
    best = math.inf
    for _ in range(7):
        start = time.process_time()
        for _ in range(calls):
            run()
        best = min(best, (time.process_time() - start) / calls)
    return best


def program(call: Callable[[Any, Any], Any], copies: int) -> Program:
    """Return a program of `copies` calls of an op."""
    with ops.module() as module:

        @ops.function(x=ops.f32[X.shape], y=ops.f32[X.shape])
        def main(x: Any, y: Any) -> list[Any]:  # pyright: ignore[reportUnusedFunction]
            return [call(x, y) for _ in range(copies)]

    return Program(module)


def chain() -> None:
    """Build a program of many ops."""
    with ops.module():

        @ops.function(x=ops.f32[X.shape], y=ops.f32[X.shape])
        def main(x: Any, y: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
            for _ in range(CHAIN // 5):
                x = ops.maximum(ops.tanh(x + y) * 2.0, y)  # a constant is an op, too
            return x


def rows() -> tuple[list[str], list[str]]:
    """Return the rows of the table, and the rows above their limits."""
    table: list[str] = []
    missed: list[str] = []
    for name, call in CALLS.items():
        whole = seconds(lambda call=call: call(X, X), 1000)
        one, many = program(call, 1), program(call, 1 + COPIES)
        kernel = (seconds(lambda: many.run_values([X, X]), 30) - seconds(lambda: one.run_values([X, X]), 1000)) / COPIES  # noqa: B023
        own = whole - kernel
        cells = [f"{1e6 * each:.0f} us" for each in (whole, kernel, own, MOST_OWN)]
        table.append(f"| `ops.{name}` of 4 x 8 numbers | {' | '.join(cells)} |")
        missed += [name] if own > MOST_OWN else []
    built = seconds(chain, 1)
    table.append(f"| a program of {CHAIN:,} ops | {built:.2f} s | | {built:.2f} s | {MOST_BUILDING:.2f} s |")
    return table, missed + (["building"] if built > MOST_BUILDING else [])


def main() -> int:
    """Return the exit code: with --check, 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if a time is above its limit")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
    table, missed = rows()
    text = "\n".join([HEAD, *table])
    print(text)
    if options.write:
        page.put("op_functions", text)
    if missed:
        print("above their limits:", ", ".join(missed), file=sys.stderr)
    return int(options.check and bool(missed))


if __name__ == "__main__":
    sys.exit(main())
