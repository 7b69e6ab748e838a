"""Runs programs with shardings of JAX's making on eight devices of XLA for CPUs, and writes them, operands and results.

A child process: XLA is told how many devices there are before jax is imported.
Usage: partitioned_programs.py FILE.npz [NAME...]
"""

from __future__ import annotations

import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, shard_map
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

MESH = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
RANDOM = np.random.default_rng(0)


def draw(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def indices(below, *shape):
    return RANDOM.integers(0, below, shape).astype(np.int32)


def manual(body, in_specs, out_specs, **options):
    return shard_map(body, mesh=MESH, in_specs=in_specs, out_specs=out_specs, check_vma=False, **options)


def step(w1, w2, x, y):
    """A step of gradient descent."""

    def loss(w1, w2):
        return jnp.mean((jax.nn.gelu(x @ w1) @ w2 - y) ** 2)

    g1, g2 = jax.grad(loss, (0, 1))(w1, w2)
    return w1 - 0.1 * g1, w2 - 0.1 * g2


def adam_step(w, m, v, x):
    gradient = jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w) ** 2))(w)
    m, v = 0.9 * m + 0.1 * gradient, 0.99 * v + 0.01 * gradient**2
    return w - 0.01 * m / (jnp.sqrt(v) + 1e-6), m, v


def experts(x, w):
    """Tokens go to the devices of their experts and back."""
    sent = lax.all_to_all(x.reshape(4, -1, x.shape[-1]), "x", 0, 0)
    made = jnp.einsum("end,df->enf", sent, w[0])
    return lax.all_to_all(made, "x", 0, 0).reshape(-1, w.shape[-1])


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)


def ring(a):
    def turn(carry, _):
        block, total = carry
        return (lax.ppermute(block, "x", [(i, (i + 1) % 4) for i in range(4)]), total + block @ block.T), None

    return lax.scan(turn, (a, jnp.zeros((a.shape[0],) * 2, a.dtype)), None, length=4)[0][1]


def layers(x, weights):
    return lax.scan(lambda x, w: (jnp.tanh(x @ w), x.sum()), x, weights)


def remat(x, weights):
    return jax.grad(lambda x: jnp.sum(lax.scan(jax.checkpoint(lambda x, w: (jnp.sin(x @ w), None)), x, weights)[0]))(x)


def convolve(x, k):
    return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def normalize(x, scale):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale


def transformer_loss(weights, tokens):
    def layer(x, weights):
        qkv, out, up, down = weights
        q, k, v = jnp.moveaxis(jnp.einsum("bsd,dthk->tbshk", x * lax.rsqrt((x * x).mean(-1, keepdims=True)), qkv), 0, 0)
        x = x + jnp.einsum("bqhk,hkd->bqd", attention(q, k, v), out)
        return x + jax.nn.gelu(x @ up) @ down, None

    table, *rest = weights
    x = lax.scan(jax.checkpoint(layer), table[tokens], tuple(rest))[0]
    logits = jax.nn.log_softmax(x[:, :-1] @ table.T)
    return -jnp.mean(jnp.take_along_axis(logits, tokens[:, 1:, None], -1))


def transformer_step(*operands):
    """A step of a transformer with weights that are cut along both axes."""
    *weights, tokens = operands
    value, gradients = jax.value_and_grad(transformer_loss)(tuple(weights), tokens)
    norm = jnp.sqrt(sum(jnp.sum(one * one) for one in gradients))
    return value, *[one - 0.1 * change / norm for one, change in zip(weights, gradients, strict=True)]


# By name: the function, the operands, and the shardings of these.
def stripes(k, x):
    """A network on images that are cut into stripes, with a strided convolution, pooling and a shift."""
    x = jnp.maximum(convolve(x, k), 0)
    x = lax.conv_general_dilated(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return pool(convolve(x[:, ::-1], k))


PROGRAMS = {
    "data_parallel_step": (step, (draw(8, 16), draw(16, 4), draw(16, 8), draw(16, 4)), (P(), P(), P("x"), P("x"))),
    "tensor_parallel_step": (
        step, (draw(8, 16), draw(16, 4), draw(16, 8), draw(16, 4)), (P(None, "y"), P("y"), P("x"), P("x")),
    ),
    "fully_sharded_step": (
        step, (draw(8, 16), draw(16, 4), draw(16, 8), draw(16, 4)), (P("x", "y"), P("y", "x"), P("x"), P("x")),
    ),
    "both_axes_for_the_batch": (
        step, (draw(8, 16), draw(16, 4), draw(16, 8), draw(16, 4)),
        (P(("x", "y")), P(("y", "x")), *[P(("x", "y"))] * 2),
    ),
    "adam": (adam_step, (draw(8, 8), draw(8, 8), draw(8, 8) ** 2, draw(16, 8)), (P("x"), P("x", "y"), P("x"), P("x"))),
    "transformer_step": (
        transformer_step,
        (draw(24, 16), *[draw(3, *each) / 4 for each in ((16, 3, 2, 8), (2, 8, 16), (16, 32), (32, 16))],
         indices(24, 8, 6)),
        (P("y", "x"), P(None, "x", None, "y"), P(None, "y", None, "x"), P(None, "x", "y"), P(None, "y", "x"), P("x")),
    ),
    "experts": (
        manual(experts, (P("x"), P("x")), P("x")), (draw(32, 8), draw(4, 8, 8)), (P("x"), P("x")),
    ),
    "attention": (attention, (draw(4, 6, 4, 2),) * 3, (P("x", None, "y"),) * 3),
    "attention_over_the_sequence": (attention, (draw(2, 8, 4, 2),) * 3, (P(None, "x", "y"),) * 3),
    "ring": (manual(ring, P("x"), P("x")), (draw(8, 4),), (P("x"),)),
    "layers": (layers, (draw(8, 8), draw(3, 8, 8)), (P("x"), P(None, None, "y"))),
    "layers_over_devices": (layers, (draw(8, 8), draw(4, 8, 8)), (P("y"), P("x"))),
    "remat": (remat, (draw(8, 8), draw(3, 8, 8)), (P("x"), P(None, "y"))),
    "roll": (lambda a: jnp.roll(a, 3, 0), (draw(8, 8),), (P("x", "y"),)),
    "flip": (lambda a: a[::-1, ::-1] + a[::-1], (draw(8, 8),), (P("x", "y"),)),
    "cumsum": (lambda a: jnp.cumsum(a, 0) + jnp.cumprod(a, 1), (draw(8, 4),), (P("x", "y"),)),
    "sort": (lambda a: (jnp.sort(a, 0), jnp.argsort(a, 1)), (draw(8, 8),), (P("x", "y"),)),
    "top_k": (lambda a: lax.top_k(a, 3), (draw(8, 8),), (P("x", "y"),)),
    "argmax": (lambda a: (a.argmax(0), a.argmin(1), a.max(), a.min(1)), (draw(8, 8),), (P("x", "y"),)),
    "all": (
        lambda a: (jnp.all(a > -9), jnp.any(a > 9), jnp.prod(a), jnp.allclose(a, a)), (draw(8, 4),),
        (P("x", "y"),),
    ),
    "segment_sum": (
        lambda a, i: jax.ops.segment_sum(a, i, 6) + jax.ops.segment_max(a, i, 6), (draw(8, 4), indices(6, 8)),
        (P("x"), P("x")),
    ),
    "embedding": (
        lambda table, i, y: jax.grad(lambda t: jnp.sum(t[i] * y))(table) + table,
        (draw(16, 4), indices(16, 8, 3), draw(8, 3, 4)), (P("x", "y"), P("x"), P("x")),
    ),
    "take_along_axis": (
        lambda a, i: jnp.take_along_axis(a, i, 1), (draw(8, 8), indices(8, 8, 4)),
        (P("x", "y"), P("x")),
    ),
    "update": (
        lambda a, b, i: a.at[i].set(b).at[:, 1:3].add(1), (draw(8, 8), draw(2, 8), indices(8, 2)),
        (P("x"), P("y"), P()),
    ),
    "convolution": (convolve, (draw(4, 8, 8, 2), draw(3, 3, 2, 4)), (P("x"), P(None, None, None, "y"))),
    "convolution_in_space": (convolve, (draw(2, 8, 8, 4), draw(3, 3, 4, 4)), (P(None, "x"), P(None, None, "y"))),
    "convolution_gradient": (
        jax.grad(lambda k, x: jnp.sum(convolve(x, k) ** 2)), (draw(3, 3, 2, 4), draw(4, 8, 8, 2)), (P(), P("x")),
    ),
    "stripes": (stripes, (draw(3, 3, 4, 4), draw(2, 32, 16, 4)), (P(), P(None, "x", "y"))),
    "stripes_gradient": (  # not that of the kernel, which XLA doubles with jaxlib 0.12.0.1: `y` has two devices
        jax.grad(lambda k, x: jnp.sum(stripes(k, x) ** 2), 1), (draw(3, 3, 4, 4), draw(2, 32, 16, 4)),
        (P(), P(None, "x")),
    ),
    "pool": (jax.grad(lambda x: jnp.sum(pool(x) ** 2)), (draw(4, 8, 8, 2),), (P("x", "y"),)),
    "normalize": (normalize, (draw(8, 8), draw(8)), (P("x", "y"), P("y"))),
    "cholesky": (
        lambda a: jnp.linalg.cholesky(a @ a.swapaxes(1, 2) + 4 * jnp.eye(4)), (draw(8, 4, 4),), (P("x", "y"),),
    ),
    "solve": (
        lambda a, b: lax.linalg.triangular_solve(jnp.tril(a) + 4 * jnp.eye(4), b, left_side=True, lower=True),
        (draw(8, 4, 4), draw(8, 4, 2)), (P("x"), P("x", "y")),
    ),
    "fft": (lambda a: jnp.abs(jnp.fft.fft2(a)), (draw(8, 8, 4),), (P("x", "y"),)),
    "random": (lambda a: a + jax.random.normal(jax.random.key(3), a.shape), (draw(8, 8),), (P("x", "y"),)),
    "dropout": (
        lambda a: jnp.where(jax.random.bernoulli(jax.random.key(1), 0.5, a.shape), a, 0), (draw(8, 8),), (P("x", "y"),),
    ),
    "uneven": (lambda a, w: jnp.tanh(a @ w).sum(0), (draw(10, 7), draw(7, 9)), (P(), P())),
    "concatenate": (
        lambda a, b: jnp.concatenate([a, b, a[1:4]], 0)[2:, ::2], (draw(8, 8), draw(4, 8)), (P("x", "y"), P("x", "y")),
    ),
    "reshape": (lambda a: a.reshape(32, 8).T.reshape(4, 2, 4, 8), (draw(8, 4, 8),), (P("x", None, "y"),)),
    "branches": (
        lambda a: lax.cond(a.sum() > 0, lambda a: a @ a.T, lambda a: a.T @ a, a), (draw(8, 8),), (P("x", "y"),),
    ),
    "while": (
        lambda a: lax.while_loop(lambda c: c[1] < 5, lambda c: (c[0].T * 2, c[1] + 1), (a, 0))[0], (draw(8, 8),),
        (P("x", "y"),),
    ),
    "partly_manual": (
        manual(lambda a, b: lax.psum(a @ b, "y"), (P(None, "y"), P("y")), P(), axis_names={"y"}),
        (draw(8, 8), draw(8, 8)), (P("x", "y"), P("y", "x")),
    ),
    "collective_matmul": (
        manual(lambda a, b: lax.psum_scatter(a @ b, "x", tiled=True), (P(None, "x"), P("x")), P("x")),
        (draw(8, 8), draw(8, 8)), (P(None, "x"), P("x")),
    ),
}  # fmt: skip


def main() -> None:
    """Write each program's text, operands and results."""
    arrays = dict[str, np.ndarray]()
    for name in sys.argv[2:] or PROGRAMS:
        function, operands, specs = PROGRAMS[name]
        placed = [jax.device_put(each, NamedSharding(MESH, spec)) for each, spec in zip(operands, specs, strict=True)]
        lowered = jax.jit(function).lower(*placed)
        arrays[f"{name}.program"] = np.frombuffer(lowered.as_text().encode(), np.uint8)
        for kind, values in (("operand", operands), ("result", jax.tree.leaves(lowered.compile()(*placed)))):
            arrays |= {f"{name}.{kind}.{number}": np.asarray(value) for number, value in enumerate(values)}
    np.savez(sys.argv[1], **arrays)


if __name__ == "__main__":
    main()
