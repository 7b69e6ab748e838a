#!/usr/bin/env python3
"""Write the ten programs of examples/jax: small models and algorithms as JAX exports them.

`tools/run generate/export_jax_programs [FOLDER]` needs jax. The programs are committed, so that the tests and the table
in docs/optimization.md need only this package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from jax import export, lax

from stablehlo_py.bindings import ir, make_context

Array = Any
FOLDER = Path(__file__).parents[2] / "examples" / "jax"


def tensor(*shape: int, dtype: str = "float32") -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, jnp.dtype(dtype))


def dense(x: Array, weights: Array, bias: Array) -> Array:
    return x @ weights + bias


def perceptron(x: Array, w1: Array, b1: Array, w2: Array, b2: Array) -> Array:
    """Class probabilities of a network with one hidden layer."""
    return jax.nn.softmax(dense(jax.nn.relu(dense(x, w1, b1)), w2, b2))


def perceptron_gradient(x: Array, labels: Array, w1: Array, b1: Array, w2: Array, b2: Array) -> Array:
    """Loss and gradient of the same network for integer labels."""

    def loss(parameters: tuple[Array, ...]) -> Array:
        hidden = jax.nn.gelu(dense(x, parameters[0], parameters[1]))
        scores = jax.nn.log_softmax(dense(hidden, parameters[2], parameters[3]))
        return -jnp.mean(jnp.sum(scores * jax.nn.one_hot(labels, 5), axis=-1))

    return jax.value_and_grad(loss)((w1, b1, w2, b2))


def convolution_network(images: Array, kernel: Array, weights: Array) -> Array:
    """A convolution, a pooling and a dense layer."""
    maps = lax.conv_general_dilated(images, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    pooled = lax.reduce_window(jax.nn.relu(maps), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return pooled.reshape(images.shape[0], -1) @ weights


def attention(queries: Array, keys: Array, values: Array, scale: Array) -> Array:
    """Causal attention of two heads, and a layer norm."""
    length, width = queries.shape
    split = [x.reshape(length, 2, width // 2).transpose(1, 0, 2) for x in (queries, keys, values)]
    scores = jnp.einsum("hqd,hkd->hqk", split[0], split[1]) / jnp.sqrt(width // 2)
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    mixed = jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores), split[2]).transpose(1, 0, 2).reshape(length, width)
    centred = mixed - mixed.mean(-1, keepdims=True)
    return centred * lax.rsqrt(mixed.var(-1, keepdims=True) + 1e-5) * scale


def recurrent_network(inputs: Array, w: Array, u: Array) -> Array:
    """The states of a simple recurrent network, by a scan."""

    def step(state: Array, x: Array) -> tuple[Array, Array]:
        new = jnp.tanh(x @ w + state @ u)
        return new, new

    return lax.scan(step, jnp.zeros(u.shape[0]), inputs)[1]


def adam_step(parameters: Array, gradient: Array, mean: Array, variance: Array, count: Array) -> Array:
    """One step of the Adam optimizer."""
    mean = 0.9 * mean + (1 - 0.9) * gradient
    variance = 0.999 * variance + (1 - 0.999) * gradient**2
    correction = jnp.sqrt(1 - 0.999 ** (count + 1)) / (1 - 0.9 ** (count + 1))
    return parameters - 1e-3 * correction * mean / (jnp.sqrt(variance) + 1e-8), mean, variance


def ranking(scores: Array, labels: Array) -> Array:
    """The three best scores, the labels in their order, and each score's rank."""
    order = jnp.argsort(-scores, stable=True)
    ranks = jnp.zeros_like(order).at[order].set(jnp.arange(order.size))
    return lax.top_k(scores, 3)[0], labels[order], ranks


def fourier_filter(signal: Array) -> Array:
    """The signal without its higher half of frequencies."""
    spectrum = jnp.fft.rfft(signal)
    keep = jnp.arange(spectrum.shape[-1]) < spectrum.shape[-1] // 2
    return jnp.fft.irfft(jnp.where(keep, spectrum, 0), signal.shape[-1])


def newton(a: Array) -> Array:
    """Square roots by Newton's method, until all have settled."""

    def unsettled(state: tuple[Array, Array]) -> Array:
        count, x = state
        return (count < 30) & jnp.any(jnp.abs(x * x - a) > 1e-5 * a)

    def improve(state: tuple[Array, Array]) -> tuple[Array, Array]:
        count, x = state
        return count + 1, 0.5 * (x + a / x)

    return lax.while_loop(unsettled, improve, (0, jnp.ones_like(a)))[1]


def moving_window(table: Array, start: Array) -> Array:
    """A window of a table at a position that is clamped, smoothed by a fixed kernel, and its running sums."""
    window = lax.dynamic_slice(jnp.pad(table, ((1, 1), (0, 0))), (start, 0), (6, table.shape[1]))
    kernel = jnp.array([1.0, 2.0, 1.0]) / 4
    smooth = sum(kernel[i] * window[i : i + 4] for i in range(3))
    return jnp.cumsum(smooth, axis=0), jnp.concatenate([smooth, smooth[::-1]])[2:6]


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[jax.ShapeDtypeStruct, ...]]] = {
    "perceptron": (perceptron, (tensor(4, 6), tensor(6, 8), tensor(8), tensor(8, 5), tensor(5))),
    "perceptron_gradient": (
        perceptron_gradient,
        (tensor(4, 6), tensor(4, dtype="int32"), tensor(6, 8), tensor(8), tensor(8, 5), tensor(5)),
    ),
    "convolution_network": (convolution_network, (tensor(2, 6, 6, 1), tensor(3, 3, 1, 2), tensor(18, 5))),
    "attention": (attention, (tensor(5, 8), tensor(5, 8), tensor(5, 8), tensor(8))),
    "recurrent_network": (recurrent_network, (tensor(4, 3), tensor(3, 6), tensor(6, 6))),
    "adam_step": (adam_step, (tensor(3, 4), tensor(3, 4), tensor(3, 4), tensor(3, 4), tensor(dtype="int32"))),
    "ranking": (ranking, (tensor(7), tensor(7, dtype="int32"))),
    "fourier_filter": (fourier_filter, (tensor(3, 8),)),
    "newton": (newton, (tensor(4),)),
    "moving_window": (moving_window, (tensor(9, 4), tensor(dtype="int32"))),
}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, (function, arguments) in PROGRAMS.items():
        exported = export.export(jax.jit(function), platforms=["cpu"])(*arguments)
        with make_context(), ir.Location.unknown():
            module = ir.Module.parse(exported.mlir_module())  # printed again, without the locations in this file
            (folder / f"{name}.mlir").write_text(f"{str(module).strip()}\n")


if __name__ == "__main__":
    main()
