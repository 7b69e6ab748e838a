#!/usr/bin/env python3
"""Compares sharded JAX programs on eight devices: XLA's results with those of `partition` and `simulate`.

    tools/run external/jax_on_devices [NAME ...]

The mesh has the axes x (4) and y (2). XLA runs the program unsharded if it cannot partition it, and the line says so.
The exit code is 1 if a program is refused or a result differs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import stablehlo_py
from stablehlo_py.spmd import partition, simulate

PLAIN, PASSED, FAILED = "XLA unsharded", "equal", "DIFFERENT"
RNG = np.random.default_rng(0)


class Program(NamedTuple):
    """A function, the shardings of its arguments, and the arguments."""

    function: Callable[..., Any]
    specs: tuple[P, ...]
    arguments: tuple[np.ndarray, ...]


PROGRAMS: dict[str, Program] = {}


def program(*specs: P, of: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a program with a sharding for each argument; `of` has arrays, and shapes of random f32 arrays."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        arrays = [each if isinstance(each, np.ndarray) else real(*each) for each in of]
        PROGRAMS[function.__name__] = Program(function, specs, tuple(arrays))
        return function

    return register


def real(*shape: int) -> np.ndarray:
    """Return random numbers."""
    return RNG.normal(size=shape).astype(np.float32)


ROWS = RNG.integers(0, 16, 12).astype(np.int32)


# Training ------------------------------------------------------------------------------------------------------------


@program(P(None, "y"), P("y", None), P("x", None), P("x", None), of=((16, 32), (32, 8), (8, 16), (8, 8)))
def adam_step(w, v, x, wanted):
    def loss(weights):
        return jnp.mean((jax.nn.gelu(x @ weights[0]) @ weights[1] - wanted) ** 2)

    gradients = jax.grad(loss)((w, v))
    return [a - 0.01 * 0.1 * g / (jnp.sqrt(0.001 * g * g) + 1e-3) for a, g in zip((w, v), gradients, strict=True)]


@program(P("x", "y"), P("y", "x"), P("x", None), of=((16, 16), (16, 16), (8, 16)))
def rematerialized_scan(w, v, x):
    def layer(carry, weights):
        return jax.checkpoint(lambda c: jnp.tanh(c @ weights[0]) @ weights[1] + c)(carry), None

    def loss(weights):
        return (lax.scan(layer, x, jax.tree.map(lambda one: jnp.stack([one] * 3), weights))[0] ** 2).mean()

    return jax.grad(loss)((w, v))


@program(P("x", None), P("x", None), P(None, None), of=((8, 6), (8, 6), (6, 6)))
def scanned_optimizer(x, wanted, w):
    def loss(weights):
        return ((x @ weights - wanted) ** 2).sum()

    def step(weights, _):
        gradient = jax.grad(loss)(weights)
        return weights - 0.01 * gradient / (1 + gradient * gradient), loss(weights)

    return lax.scan(step, w, None, length=6)


@program(*[P("x", None, "y", None)] * 3, of=((8, 6, 2, 4), (8, 6, 2, 4), (8, 6, 2, 4)))
def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2
    masked = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), scores, -1e30)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(masked), v)


@program(P("x", None), P("y", None, None), of=((16, 8), (4, 8, 8)))
def experts(x, w):
    gate = jax.nn.softmax(x @ w[:, 0].T)
    return jnp.einsum("te,tm,emn->tn", jax.nn.one_hot(gate.argmax(1), 4), x, w)


@program(P("x"), of=((8,),))
def dropout(x):
    key = jax.random.key(0)
    return x[:, None] * jax.random.bernoulli(key, 0.3, (8, 16)), jax.random.normal(key, (16,))


# Uneven and empty shapes ---------------------------------------------------------------------------------------------


@program(P("x"), of=((21,),))
def uneven_vector(x):
    return jnp.cumsum(x)[::-1], x.sum(), jnp.roll(x, 3)


@program(P("x", "y"), of=((9, 7),))
def uneven_matrix(x):
    return x.T @ x, jnp.sort(x, 0), jnp.concatenate([x[2:], x[:3]], 0), jnp.pad(x, ((1, 2), (0, 3)))


@program(P(None, "x"), P("x", None), of=((7, 8), (8, 9)))
def uneven_contraction(a, b):
    return a @ b, jnp.fft.fft(a, axis=0).real, jnp.exp(a).sum(1), jnp.var(b, 0)


@program(P("x", "y"), of=((8, 0),))
def empty(x):
    return x + 1, x.sum(0), jnp.concatenate([x, jnp.ones((8, 2), x.dtype)], 1)


# Indices -------------------------------------------------------------------------------------------------------------


@program(P("x", None), P("y"), of=((16, 8), ROWS))
def gather_cut_rows(x, rows):
    return x[rows], jnp.take(x, rows % 8, axis=1)


@program(P(None, "x"), P("y"), of=((16, 8), ROWS))
def gather_cut_columns(x, rows):
    return x[rows]


@program(P("x", "y"), P("x"), of=((16, 8), ROWS))
def scatters(x, rows):
    return x.at[rows].add(1.5), x.at[:, rows % 8].set(2.0), x.at[rows].max(x[:12])


@program(P(None, "y"), P(None), of=((16, 8), ROWS))
def segments(x, rows):
    return jax.ops.segment_sum(x[:12], rows, 16), jax.ops.segment_max(x[:12], rows, 16)


@program(P("x", "y"), of=((8, 8),))
def moved(x):
    start = x[0, 0].astype(int) % 3
    sliced = lax.dynamic_slice(x, (start, 1), (4, 5)), lax.dynamic_update_slice(x, jnp.ones((3, 3)), (2, start))
    return *sliced, x[::-1, ::-1], jnp.diagonal(x), x.reshape(4, 16), x.reshape(64), x.reshape(2, 4, 8).swapaxes(0, 1)


# Orders and sums along a cut dimension -------------------------------------------------------------------------------


@program(P("x"), of=((32,),))
def sorts(x):
    return jnp.sort(x), jnp.argsort(x), lax.top_k(x, 5), jnp.median(x)


@program(P("x", "y"), of=((8, 16),))
def cumulative(x):
    return jnp.cumsum(x, 0), jnp.cumprod(x, 1), lax.cummax(x, axis=0), lax.associative_scan(jnp.add, x, axis=1)


def _reductions(x):
    found = [x.sum(0), x.max(1), x.min(), (x > 0).any(0), (x > 0).all(1), jnp.prod(jnp.clip(x, -1, 1), 0)]
    found += [x.argmax(1), x.argmin(0)]
    if jnp.issubdtype(x.dtype, jnp.integer):
        found += [jnp.bitwise_or.reduce(x, axis=0), jnp.bitwise_and.reduce(x, axis=1), jnp.bitwise_xor.reduce(x)]
    return found


for _dtype in ("float32", "float16", "bfloat16", "int32", "int8", "uint8", "uint32"):
    _limits = (0, 100) if _dtype.startswith("u") else (-50, 50)
    _array = np.asarray(jnp.asarray(RNG.integers(*_limits, (8, 12)), _dtype))
    PROGRAMS[f"reductions_{_dtype}"] = Program(_reductions, (P("x", "y"),), (_array,))


@program(P("x", "y"), of=((16, 8),))
def windows(x):
    def pooled(x):
        return lax.reduce_window(x, -np.inf, lax.max, (2, 2), (2, 2), "VALID").sum()

    sums = lax.reduce_window(x, 0.0, lax.add, (2, 2), (1, 1), "VALID")
    return lax.reduce_window(x, -np.inf, lax.max, (3, 2), (2, 1), "SAME"), sums, jax.grad(pooled)(x)


@program(P("x", None, None, None), P(None, None, None, "y"), of=((8, 10, 6, 3), (3, 3, 3, 4)))
def convolution(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


@program(P(None, "x", None), P(None), of=((2, 16, 3), (3, 3, 4)))
def spatial_convolution(x, w):
    return lax.conv_general_dilated(x, w, (2,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))


@program(P("x"), of=((8, 5, 5),))
def factorizations(x):
    factor = jnp.linalg.cholesky(x @ x.transpose(0, 2, 1) + 5 * jnp.eye(5))
    return factor, lax.linalg.triangular_solve(factor, x, left_side=True, lower=True)


# Control flow --------------------------------------------------------------------------------------------------------


@program(P("x", None), of=((8, 6),))
def shard_mapped(x):
    def inner(part):
        permuted = lax.ppermute(part, "x", [(i, (i + 1) % 4) for i in range(4)])
        return lax.psum(part.sum(), "x") * jnp.ones_like(part) + permuted

    spec = P("x", None)
    return jax.shard_map(inner, in_specs=spec, out_specs=spec, check_vma=False)(x)


@program(P("x", "y"), of=((8, 8),))
def swapped_carries(x):
    return lax.fori_loop(0, 5, lambda i, c: (c[1], c[0] + c[1] @ c[0].T * 0.1, c[2] + i), (x, x * 2, 0))


@program(P("x", None), P(None, "y"), of=((8, 16), (16, 8)))
def while_loop(a, b):
    return lax.while_loop(lambda c: c[0].sum() < 1e6, lambda c: (c[0] * 2 + 1, c[1] @ b @ b.T * 0.01), (jnp.abs(a), a))


@program(P("x", None), P("y"), of=((8, 16), (16,)))
def branches(a, b):
    chosen = lax.cond(b.sum() > 0, lambda v: v @ jnp.diag(b), lambda v: v * 2, a)
    return chosen, lax.switch(2, [lambda v: v, lambda v: -v, lambda v: v + v[:1]], a)


# The comparison ------------------------------------------------------------------------------------------------------


def examine(one: Program, mesh: Mesh) -> tuple[str, int]:
    """Return the verdict on a program, and the number of its collectives."""
    shardings = [NamedSharding(mesh, spec) for spec in one.specs]

    def constrained(*arguments: Any) -> Any:  # uneven arguments cannot be sharded from outside
        return one.function(*map(lax.with_sharding_constraint, arguments, shardings))

    lowered = jax.jit(constrained, keep_unused=True).lower(*one.arguments)
    found = partition(stablehlo_py.parse(str(lowered.compiler_ir("stablehlo"))))
    verdict, results = PASSED, None
    try:
        results = lowered.compile()(*one.arguments)
    except jax.errors.JaxRuntimeError:
        verdict, results = PLAIN, jax.jit(one.function)(*one.arguments)
    mine = simulate(found, one.arguments).results
    wanted = [np.asarray(leaf) for leaf in jax.tree.leaves(results)]
    agree = all(map(_agree, wanted, map(np.asarray, mine))) and len(wanted) == len(mine)
    return verdict if agree else FAILED, len(found.collectives)


def _agree(wanted: np.ndarray, found: np.ndarray) -> bool:
    if wanted.dtype.kind in "iub":
        return np.array_equal(wanted, found)
    tolerance = {2: 3e-2, 4: 2e-4}[wanted.dtype.itemsize]
    return np.allclose(wanted.astype(np.float32), found.astype(np.float32), rtol=tolerance, atol=tolerance)


def verdicts(names: list[str]) -> Iterator[tuple[str, str, int]]:
    """Examine the programs of these names, or all."""
    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
    with jax.set_mesh(mesh):
        for name, one in PROGRAMS.items():
            if not names or name in names:
                yield name, *examine(one, mesh)


def main() -> int:
    """Return the exit code."""
    failed = False
    for name, verdict, collectives in verdicts(sys.argv[1:]):
        print(f"{name}: {verdict}, {collectives} collectives", flush=True)
        failed |= verdict == FAILED
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
