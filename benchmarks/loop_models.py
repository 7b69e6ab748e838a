"""More programs of usual shapes, built with JAX for `whole_models.py`: a recurrent network, a training step, boxes that
are suppressed in a loop, a diffusion block, a loop of small ops."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from models import F32, Shape, gpt2, gpt2_weights, resnet50, resnet50_weights

# A recurrent network -------------------------------------------------------------------------------------------------

STEPS, BATCH, FEATURES, STATE = 500, 8, 64, 128


def lstm(weights: dict[str, jax.Array], inputs: jax.Array) -> jax.Array:
    """The last output of a long short-term memory after `STEPS` steps."""

    def step(carry: tuple[jax.Array, jax.Array], x: jax.Array) -> tuple[tuple[jax.Array, jax.Array], None]:
        hidden, cell = carry
        gates = x @ weights["input"] + hidden @ weights["hidden"] + weights["bias"]
        update, forget, candidate, output = jnp.split(gates, 4, axis=-1)
        cell = jax.nn.sigmoid(forget + 1.0) * cell + jax.nn.sigmoid(update) * jnp.tanh(candidate)
        return (jax.nn.sigmoid(output) * jnp.tanh(cell), cell), None

    start = jnp.zeros((BATCH, STATE)), jnp.zeros((BATCH, STATE))
    return jax.lax.scan(step, start, inputs)[0][0]


def lstm_arguments() -> tuple[Any, ...]:
    weights = {
        "input": Shape((FEATURES, 4 * STATE), F32),
        "hidden": Shape((STATE, 4 * STATE), F32),
        "bias": Shape((4 * STATE,), F32),
    }
    return weights, Shape((STEPS, BATCH, FEATURES), F32)


# A training step -----------------------------------------------------------------------------------------------------


def _cnn(weights: dict[str, jax.Array], images: jax.Array) -> jax.Array:
    x = images
    for name in ("first", "second"):
        x = jax.lax.conv_general_dilated(x, weights[name], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return x.reshape(x.shape[0], -1) @ weights["head"]


def training_step(weights: dict[str, jax.Array], images: jax.Array, labels: jax.Array) -> dict[str, jax.Array]:
    """The weights of a network for digits after a step down the gradient."""

    def loss(weights: dict[str, jax.Array]) -> jax.Array:
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(_cnn(weights, images)) * jax.nn.one_hot(labels, 10), axis=-1))

    return jax.tree.map(lambda weight, slope: weight - 0.1 * slope, weights, jax.grad(loss)(weights))


def training_arguments() -> tuple[Any, ...]:
    weights = {
        "first": Shape((3, 3, 1, 32), F32),
        "second": Shape((3, 3, 32, 64), F32),
        "head": Shape((7 * 7 * 64, 10), F32),
    }
    return weights, Shape((32, 28, 28, 1), F32), Shape((32,), jnp.int32)


# Suppressed boxes ----------------------------------------------------------------------------------------------------

BOXES, KEPT = 1000, 200


def suppress(corners: jax.Array, scores: jax.Array) -> jax.Array:
    """The numbers of `KEPT` boxes: each time the best one that overlaps none of those before by half."""
    low, high = jnp.minimum(corners[:, :2], corners[:, 2:]), jnp.maximum(corners[:, :2], corners[:, 2:])
    areas = jnp.prod(high - low, axis=-1)

    def keep(index: jax.Array, state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        left, kept = state
        best = jnp.argmax(left)
        sides = jnp.maximum(jnp.minimum(high, high[best]) - jnp.maximum(low, low[best]), 0)
        common = jnp.prod(sides, axis=-1)
        overlaps = common / (areas + areas[best] - common) > 0.5
        return jnp.where(overlaps, -jnp.inf, left).at[best].set(-jnp.inf), kept.at[index].set(best)

    return jax.lax.fori_loop(0, KEPT, keep, (scores, jnp.zeros((KEPT,), jnp.int32)))[1]


def suppress_arguments() -> tuple[Any, ...]:
    return Shape((BOXES, 4), F32), Shape((BOXES,), F32)


# A diffusion block ---------------------------------------------------------------------------------------------------

SIDE, CHANNELS, GROUPS = 32, 128, 8


def _grouped_norm(x: jax.Array, scale: jax.Array) -> jax.Array:
    grouped = x.reshape(*x.shape[:3], GROUPS, -1)
    centred = grouped - grouped.mean((1, 2, 4), keepdims=True)
    variance = (centred * centred).mean((1, 2, 4), keepdims=True)
    return (centred * jax.lax.rsqrt(variance + 1e-5)).reshape(x.shape) * scale


def diffusion_block(weights: dict[str, jax.Array], x: jax.Array, time: jax.Array) -> jax.Array:
    """A residual block with the time of the step added in, and attention over the picture."""

    def convolve(x: jax.Array, name: str) -> jax.Array:
        x = jax.nn.silu(_grouped_norm(x, weights[f"{name}_norm"]))
        return jax.lax.conv_general_dilated(
            x, weights[name], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    y = convolve(x, "first") + (jax.nn.silu(time) @ weights["time"])[:, None, None, :]
    x = x + convolve(y, "second")
    flat = _grouped_norm(x, weights["attention_norm"]).reshape(x.shape[0], SIDE * SIDE, CHANNELS)
    query, key, value = jnp.split(flat @ weights["attention"], 3, axis=-1)
    shares = jax.nn.softmax(query @ key.transpose(0, 2, 1) / jnp.sqrt(F32(CHANNELS)))
    return x + ((shares @ value) @ weights["projection"]).reshape(x.shape)


def diffusion_arguments() -> tuple[Any, ...]:
    square = (CHANNELS, CHANNELS)
    weights = {
        **{name: Shape((3, 3, *square), F32) for name in ("first", "second")},
        **{f"{name}_norm": Shape((CHANNELS,), F32) for name in ("first", "second", "attention")},
        "time": Shape(square, F32),
        "projection": Shape(square, F32),
        "attention": Shape((CHANNELS, 3 * CHANNELS), F32),
    }
    return weights, Shape((1, SIDE, SIDE, CHANNELS), F32), Shape((1, CHANNELS), F32)


# A loop of small ops -------------------------------------------------------------------------------------------------


def small_loop(x: jax.Array) -> jax.Array:
    """Ten thousand rounds of a few ops on numbers."""

    def step(index: jax.Array, x: jax.Array) -> jax.Array:
        return jnp.where(x > 2.0, x * 0.5, x + 0.25) + index.astype(F32) * 1e-6

    return jax.lax.fori_loop(0, 10_000, step, x)


def gpt2_arguments() -> tuple[Any, ...]:
    return gpt2_weights(), Shape((1, 128), jnp.int32)


def halves(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same with bf16 in place of f32."""
    return jax.tree.map(lambda part: Shape(part.shape, jnp.bfloat16 if part.dtype == F32 else part.dtype), arguments)


# Each with its arguments and how many times XLA's time the second run may take.
PROGRAMS = {
    "GPT-2 small, 128 tokens": (gpt2, gpt2_arguments, 1.5),
    "GPT-2 small, 128 tokens, bf16": (gpt2, lambda: halves(gpt2_arguments()), 1.5),
    "ResNet-50, one image": (resnet50, lambda: (resnet50_weights(), Shape((1, 224, 224, 3), F32)), 1.5),
    "CNN, a training step": (training_step, training_arguments, 1.5),
    "diffusion block": (diffusion_block, diffusion_arguments, 1.5),
    "LSTM, 500 steps": (lstm, lstm_arguments, 3.0),
    "non-maximum suppression, 200 steps": (suppress, suppress_arguments, 20.0),
    "loop of small ops, 10,000 steps": (small_loop, lambda: (Shape((), F32),), 20.0),
}
