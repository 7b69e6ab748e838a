"""How time grows with a program's work: `python benchmarks/growth.py [--only TEXT] [--check] [--write]`. Needs jax.

Runs each program at two sizes, here and in XLA, and takes the exponent of the growth between them. An exponent of one
means that twice the steps take twice the time. Times are of the second run, in processor time of one core.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import jax
import jax.numpy as jnp
import numpy as np
import page

import stablehlo_py

Build = Callable[[int], tuple[Callable[..., Any], tuple[np.ndarray, ...]]]


def _ones(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


def stacking_scan(steps: int) -> Any:
    def step(carry: Any, _: Any) -> Any:
        carry = carry * 0.999 + 0.001
        return carry, carry

    return lambda x: jax.lax.scan(step, x, None, length=steps)[1], (_ones(16, 256),)


def gradient_of_scan(steps: int) -> Any:
    def loss(x: Any) -> Any:
        return jnp.sum(jax.lax.scan(lambda c, _: (jnp.sin(c), c), x, None, length=steps)[1])

    return jax.grad(loss), (_ones(16, 64),)


def scan_in_scan(steps: int) -> Any:
    def outer(carry: Any, _: Any) -> Any:
        inner = jax.lax.scan(lambda c, _: (c * 0.99, c), carry, None, length=4)[1]
        return inner[-1], inner

    return lambda x: jax.lax.scan(outer, x, None, length=steps)[1], (_ones(16, 64),)


def set_in_loop(steps: int) -> Any:
    return lambda a: jax.lax.fori_loop(0, steps, lambda i, a: a.at[i].set(a[i] * 2 + i), a), (_ones(steps, 256),)


def add_in_loop(steps: int) -> Any:
    return lambda a: jax.lax.fori_loop(0, steps, lambda i, a: a.at[(i * 7) % steps].add(1.0), a), (_ones(steps, 256),)


def key_value_cache(steps: int) -> Any:
    """Each step writes one position of a cache of as many positions as there are steps."""

    def step(i: Any, state: Any) -> Any:
        keys, values, x = state
        keys = jax.lax.dynamic_update_slice(keys, x[None] * 0.5, (i, 0))
        values = jax.lax.dynamic_update_slice(values, x[None] + i, (i, 0))
        return keys, values, x * 0.999

    return lambda k, v, x: jax.lax.fori_loop(0, steps, step, (k, v, x)), (
        _ones(steps, 256),
        _ones(steps, 256),
        _ones(256),
    )


def tridiagonal_recursion(size: int) -> Any:
    def forward(state: Any, row: Any) -> Any:
        c, d = state
        a, b, e, f = row
        scale = 1 / (b - a * c)
        return (e * scale, (f - a * d) * scale), (e * scale, (f - a * d) * scale)

    rows = np.tile(np.float32([0.1, 2.0, 0.1, 1.0]), (size, 1))
    return lambda rows: jax.lax.scan(forward, (rows[0, 0], rows[0, 3]), (rows.T[0], *rows.T[1:]))[1], (rows,)


def prefix_sums(size: int) -> Any:
    return lambda x: jnp.cumsum(x), (_ones(size),)


def game_of_life(size: int) -> Any:
    def generation(_: Any, cells: Any) -> Any:
        around = jax.lax.reduce_window(cells, 0.0, jax.lax.add, (3, 3), (1, 1), "SAME") - cells
        return jnp.where((around == 3) | ((around == 2) & (cells == 1)), 1.0, 0.0)

    return lambda cells: jax.lax.fori_loop(0, 8, generation, cells), (
        (np.indices((size, 64)).sum(0) % 3 == 0).astype(np.float32),
    )


@dataclass(frozen=True)
class Pattern:
    """A program by size, the two sizes, and the largest exponent that is wanted."""

    name: str
    build: Build
    sizes: tuple[int, int]
    limit: float


PATTERNS = (
    Pattern("scan that stacks its outputs", stacking_scan, (1000, 8000), 1.15),
    Pattern("gradient of a scan", gradient_of_scan, (500, 4000), 1.15),
    Pattern("scan in a scan", scan_in_scan, (250, 2000), 1.15),
    Pattern("a.at[i].set in a loop", set_in_loop, (1000, 8000), 1.15),
    Pattern("a.at[i].add in a loop", add_in_loop, (1000, 8000), 1.15),
    Pattern("key-value cache", key_value_cache, (512, 4096), 1.15),
    Pattern("tridiagonal recursion", tridiagonal_recursion, (1000, 8000), 1.15),
    Pattern("prefix sums", prefix_sums, (1 << 14, 1 << 18), 1.3),
    Pattern("game of life by windows", game_of_life, (64, 1024), 1.15),
)


def seconds(run: Callable[[], object], repeat: int = 3) -> float:
    """The shortest processor time of a run, after one that plans and compiles."""
    run()
    run()
    best = math.inf
    for _ in range(repeat):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def measure(pattern: Pattern) -> tuple[str, bool]:
    """A row of the table, and whether the exponent is within its limit and the results are XLA's."""
    ours: list[float] = []
    xla: list[float] = []
    for size in pattern.sizes:
        function, arguments = pattern.build(size)
        compiled = jax.jit(function)
        program = stablehlo_py.load(compiled.lower(*arguments).as_text())
        given = jax.tree.leaves(program(*arguments))
        for one, other in zip(given, jax.tree.leaves(compiled(*arguments)), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-5)
        ours.append(seconds(lambda program=program, arguments=arguments: program(*arguments)))
        xla.append(seconds(lambda run=compiled, values=arguments: jax.block_until_ready(run(*values))))
    steps = math.log(pattern.sizes[1] / pattern.sizes[0])
    mine, theirs = [math.log(max(times[1], 1e-9) / max(times[0], 1e-9)) / steps for times in (ours, xla)]
    cells = [pattern.name, *[f"{size:,}" for size in pattern.sizes], *[f"{1e3 * t:,.1f} ms" for t in ours]]
    cells += [f"{mine:.2f}", f"{pattern.limit:.2f}", *[f"{1e3 * t:,.2f} ms" for t in xla], f"{theirs:.2f}"]
    return f"| {' | '.join(cells)} |", mine <= pattern.limit


HEAD = (
    "| program | size | larger | time | larger | exponent | at most | XLA | larger | exponent |\n"
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def main() -> int:
    """The exit code: with --check, 1 where an exponent is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument("--check", action="store_true", help="fail where an exponent is above its limit")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
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
        print("grow faster than they may:", ", ".join(missed), file=sys.stderr)
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
