"""The HLO of JAX's programs loads, agrees with jax, and survives another trip through HLO's text."""

from __future__ import annotations

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.artifacts import formats

pytest.importorskip("jax", reason="the programs are lowered by jax (stablehlo-py[test])")

import jax
import jax.numpy as jnp
from jax import lax

A = np.arange(48, dtype=np.float32).reshape(6, 8) / 10
PROGRAMS = {
    "elementwise": lambda a: jnp.sin(a) * jnp.exp(-a) + jnp.sqrt(a),
    "softmax": jax.nn.softmax,
    "gelu": jax.nn.gelu,
    "matmul": lambda a: a @ a.T,
    "einsum": lambda a: jnp.einsum("ij,kj->ik", a, a),
    "sum": lambda a: a.sum(axis=0),
    "max_and_argmax": lambda a: (a.max(axis=1), a.argmax(axis=1)),
    "cumsum": lambda a: jnp.cumsum(a, axis=1),
    "sort": lambda a: jnp.sort(jnp.sin(a * 9), axis=1),
    "gather": lambda a: a[jnp.array([3, 1, 1])],
    "scatter": lambda a: a.at[jnp.array([2, 4])].add(1.0),
    "dynamic_slice": lambda a: lax.dynamic_slice(a, (2, 3), (2, 4)),
    "pad": lambda a: jnp.pad(a, ((1, 0), (2, 1))),
    "concatenate": lambda a: jnp.concatenate([a, a[:2]]),
    "while": lambda a: lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] * 1.1), (0, a))[1],
    "scan": lambda a: lax.scan(lambda c, x: (c + x, c * x), jnp.zeros(8), a),
    "cond": lambda a: lax.cond(a[0, 0] > 1, lambda x: x + 1, lambda x: x - 1, a),
    "convolution": lambda a: lax.conv(a[None, None], jnp.ones((1, 1, 3, 3)), (1, 1), "SAME"),
    "gradient": jax.grad(lambda a: jnp.sum(jnp.tanh(a) ** 2)),
    "fft": lambda a: jnp.abs(jnp.fft.fft(a)),
    "select_and_compare": lambda a: jnp.where(a > 2, a, jnp.round(a)),
    "pooling": lambda a: lax.reduce_window(a, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID"),
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_agrees_with_jax(name):
    jitted = jax.jit(PROGRAMS[name])
    expected = jax.tree_util.tree_leaves(jitted(A))
    module = stablehlo_py.parse(jitted.lower(A).as_text("hlo").encode())
    again = stablehlo_py.parse(formats.export(module, "hlo-text"))
    for program in (module, again):
        results = stablehlo_py.interpret(program, [A])
        leaves = [leaf for result in results for leaf in (result if isinstance(result, tuple) else (result,))]
        for result, value in zip(leaves, expected, strict=True):
            np.testing.assert_allclose(result, np.asarray(value), rtol=2e-5, atol=1e-5)


def test_there_are_twenty_programs():
    assert len(PROGRAMS) >= 20
