"""How time grows with a program's work: `python benchmarks/growth.py [--only TEXT] [--check] [--write]`. Needs jax.

Runs each program of `growth_patterns.py` at two sizes, here and in XLA, and takes the exponent of the growth between
them. An exponent of one means that twice the steps take twice the time. Times are of later runs, in processor time, on
one core.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import jax
import numpy as np
import page
from growth_patterns import PATTERNS, Pattern

import stablehlo_py


def seconds(run: Callable[[], object], repeat: int) -> float:
    """Return the shortest processor time of a run, after one that plans and one that compiles."""
    run()
    run()
    best = math.inf
    for _ in range(repeat):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def measure(pattern: Pattern) -> tuple[str, bool]:
    """Return a row of the table, and whether the pattern keeps its limits. Raises `AssertionError` unless results are
    XLA's."""
    ours: list[float] = []
    xla: list[float] = []
    for size in pattern.sizes:
        function, arguments = pattern.build(size)
        compiled = jax.jit(function)
        program = stablehlo_py.load(compiled.lower(*arguments).as_text())
        leaves = jax.tree.leaves(arguments)
        given = jax.tree.leaves(program(*leaves))
        for one, other in zip(given, jax.tree.leaves(compiled(*arguments)), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-5)
        ours.append(seconds(lambda program=program, values=leaves: program(*values), pattern.repeat))
        xla.append(seconds(lambda run=compiled, values=arguments: jax.block_until_ready(run(*values)), pattern.repeat))
    steps = math.log(pattern.sizes[1] / pattern.sizes[0])
    mine, theirs = [math.log(max(times[1], 1e-9) / max(times[0], 1e-9)) / steps for times in (ours, xla)]
    cells = [pattern.name, *[f"{size:,}" for size in pattern.sizes], *[f"{1e3 * t:,.1f} ms" for t in ours]]
    cells += [f"{mine:.2f}", f"{pattern.limit:.2f}", *[f"{1e3 * t:,.2f} ms" for t in xla], f"{theirs:.2f}"]
    ratio = ours[1] / xla[1]
    cells += [f"{ratio:.1f}x", "" if math.isinf(pattern.of_xla) else f"{pattern.of_xla:.1f}x"]
    return f"| {' | '.join(cells)} |", mine <= pattern.limit and ratio <= pattern.of_xla


HEAD = (
    "| program | size | larger | time | larger | exponent | at most | XLA | larger | exponent "
    "| of XLA's time | at most |\n"
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def main() -> int:
    """Return the exit code: with --check, 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument("--check", action="store_true", help="fail if an exponent or a ratio is above its limit")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    print(HEAD, flush=True)
    rows: list[str] = []
    missed: list[str] = []
    for pattern in PATTERNS:
        if options.only in pattern.name:
            row, holds = measure(pattern)
            print(row, flush=True)
            rows.append(row)
            missed += [] if holds else [pattern.name]
    if options.write:
        page.put(
            "growth",
            "\n".join(
                ["Growth with the number of steps; made by `python benchmarks/growth.py --write`.", "", HEAD, *rows]
            ),
        )
    if missed:
        print("above their limits:", ", ".join(missed), file=sys.stderr)
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
