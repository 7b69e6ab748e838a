"""Programs whose work grows with a size, for `growth.py`: loops, recursions, sorts and caches, written with JAX."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from models import gpt2_decoding, gpt2_weights

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


def update_in_branch(steps: int) -> Any:
    """Every other step updates a row, in a branch."""

    def step(i: Any, a: Any) -> Any:
        return jax.lax.cond(i % 2 == 0, lambda a: a.at[i].set(a[i] * 2 + i), lambda a: a, a)

    return lambda a: jax.lax.fori_loop(0, steps, step, a), (_ones(steps, 256),)


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


def levinson_recursion(size: int) -> Any:
    """Coefficients that predict a series from its autocorrelations, one more in each round."""

    def shifted(values: Any, count: Any) -> Any:
        """`values[count - index]` at each index, zero below."""
        padded = jnp.concatenate([values[::-1], jnp.zeros_like(values)])
        return jax.lax.dynamic_slice(padded, (size - count,), (size + 1,))

    def extend(count: Any, state: Any) -> Any:
        coefficients, error, correlations = state
        reflection = -jnp.dot(coefficients, shifted(correlations, count)) / error
        coefficients = coefficients + reflection * shifted(coefficients, count)
        return coefficients, error * (1 - reflection * reflection), correlations

    def solve(correlations: Any) -> Any:
        first = jnp.zeros(size + 1).at[0].set(1.0)
        return jax.lax.fori_loop(1, size + 1, extend, (first, correlations[0], correlations))[:2]

    return solve, (np.float32(0.5) ** np.arange(size + 1, dtype=np.float32),)


def prefix_sums(size: int) -> Any:
    return lambda x: jnp.cumsum(x), (_ones(size),)


def prefix_sums_by_hand(size: int) -> Any:
    return lambda x: jax.lax.fori_loop(1, size, lambda i, sums: sums.at[i].add(sums[i - 1]), x), (_ones(size),)


def ragged_loops(rows: int) -> Any:
    """Sums of rows of different lengths, which lie one after the other, eight elements at a time."""
    lengths = np.arange(rows, dtype=np.int32) % 5 * 8
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)

    def sum_of_row(row: Any, values: Any, starts: Any) -> Any:
        def add_part(state: Any) -> Any:
            at, total = state
            return at + 8, total + jnp.sum(jax.lax.dynamic_slice(values, (at,), (8,)))

        return jax.lax.while_loop(lambda state: state[0] < starts[row + 1], add_part, (starts[row], 0.0))[1]

    def sums(values: Any, starts: Any) -> Any:
        return jax.lax.fori_loop(
            0, rows, lambda row, found: found.at[row].set(sum_of_row(row, values, starts)), jnp.zeros(rows)
        )

    return sums, (_ones(int(starts[-1])), starts)


def sort_in_map(rows: int) -> Any:
    values = np.random.default_rng(0).standard_normal((rows, 64), np.float32)
    return lambda values: jax.lax.map(jnp.sort, values), (values,)


def beam_search(steps: int) -> Any:
    """The best four sequences of a table of transitions; each step reorders them all and adds a token."""
    beams, words = 4, 64
    table = np.random.default_rng(0).standard_normal((words, words), np.float32)

    def extend(step: Any, state: Any) -> Any:
        sequences, scores, last, table = state
        scores, found = jax.lax.top_k((scores[:, None] + table[last]).reshape(-1), beams)
        parents, last = found // words, found % words
        return sequences[parents].at[:, step].set(last), scores, last, table

    def search(table: Any) -> Any:
        state = jnp.zeros((beams, steps), jnp.int32), jnp.arange(beams) * -1e3, jnp.zeros(beams, jnp.int32), table
        return jax.lax.fori_loop(0, steps, extend, state)[:2]

    return search, (table,)


def decoding(tokens: int) -> Any:
    """GPT-2 small as it writes tokens one by one, with random weights."""
    random = np.random.default_rng(0)
    weights = jax.tree.map(
        lambda part: random.standard_normal(part.shape, np.float32) * np.float32(0.05), gpt2_weights()
    )
    return gpt2_decoding(tokens), (weights, np.int32(5))


def game_of_life(size: int) -> Any:
    def generation(_: Any, cells: Any) -> Any:
        around = jax.lax.reduce_window(cells, 0.0, jax.lax.add, (3, 3), (1, 1), "SAME") - cells
        return jnp.where((around == 3) | ((around == 2) & (cells == 1)), 1.0, 0.0)

    return lambda cells: jax.lax.fori_loop(0, 8, generation, cells), (
        (np.indices((size, 64)).sum(0) % 3 == 0).astype(np.float32),
    )


@dataclass(frozen=True)
class Pattern:
    """A program by size, the two sizes, the largest exponent that is wanted, and the largest ratio to XLA's time."""

    name: str
    build: Build
    sizes: tuple[int, int]
    limit: float
    of_xla: float = math.inf
    repeat: int = 3


PATTERNS = (
    Pattern("scan that stacks its outputs", stacking_scan, (2000, 16000), 1.15, of_xla=5.0),
    Pattern("gradient of a scan", gradient_of_scan, (500, 4000), 1.15),
    Pattern("scan in a scan", scan_in_scan, (250, 2000), 1.15),
    Pattern("a.at[i].set in a loop", set_in_loop, (1000, 8000), 1.15),
    Pattern("a.at[i].add in a loop", add_in_loop, (1000, 8000), 1.15),
    Pattern("update in a branch", update_in_branch, (1000, 8000), 1.15),
    Pattern("key-value cache", key_value_cache, (512, 4096), 1.15),
    Pattern("tridiagonal recursion", tridiagonal_recursion, (1000, 8000), 1.15),
    Pattern("Levinson recursion", levinson_recursion, (128, 1024), 1.5),
    Pattern("prefix sums", prefix_sums, (1 << 14, 1 << 18), 1.3),
    Pattern("prefix sums by hand", prefix_sums_by_hand, (1000, 8000), 1.15),
    Pattern("ragged loops by dynamic slices", ragged_loops, (500, 4000), 1.15),
    Pattern("sort in a map", sort_in_map, (500, 4000), 1.15),
    Pattern("beam search", beam_search, (250, 2000), 1.15),
    Pattern("game of life by windows", game_of_life, (64, 1024), 1.15),
    Pattern("GPT-2 small, tokens one by one", decoding, (16, 128), 1.15, of_xla=2.0, repeat=1),
)
