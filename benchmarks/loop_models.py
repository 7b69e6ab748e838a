"""More programs of usual shapes, built with JAX for `whole_models.py`: a recurrent network, a training step, boxes that
are suppressed in a loop, a diffusion block, loops of samplers and solvers, a loop of small ops."""

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


# Samplers ------------------------------------------------------------------------------------------------------------

POINTS, PARAMETERS, SAMPLES = 500, 20, 100


def hamiltonian_samples(key: jax.Array, points: jax.Array, labels: jax.Array) -> jax.Array:
    """Samples of a logistic regression's weights by Hamiltonian Monte Carlo, eight leaps each."""

    def potential(place: jax.Array) -> jax.Array:
        logits = points @ place
        return jnp.sum(jnp.logaddexp(0.0, logits) - labels * logits) + 0.5 * jnp.sum(place * place)

    slope, size = jax.grad(potential), 0.02

    def leap(_: int, state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        place, momentum = state
        place = place + size * (momentum - 0.5 * size * slope(place))
        return place, momentum - size * slope(place)

    def sample(place: jax.Array, key: jax.Array) -> tuple[jax.Array, jax.Array]:
        for_momentum, for_choice = jax.random.split(key)
        momentum = jax.random.normal(for_momentum, place.shape)
        proposed, final = jax.lax.fori_loop(0, 8, leap, (place, momentum))
        change = potential(place) - potential(proposed) + 0.5 * (momentum @ momentum - final @ final)
        place = jnp.where(jnp.log(jax.random.uniform(for_choice)) < change, proposed, place)
        return place, place

    keys = jax.random.split(jax.random.wrap_key_data(key), SAMPLES)
    return jax.lax.scan(sample, jnp.zeros(PARAMETERS), keys)[1]


def hamiltonian_arguments() -> tuple[Any, ...]:
    return Shape((2,), jnp.uint32), Shape((POINTS, PARAMETERS), F32), Shape((POINTS,), F32)


def random_walk(key: jax.Array) -> jax.Array:
    """The places of a walk of 500 normal steps in four dimensions."""

    def step(state: tuple[jax.Array, jax.Array], _: None) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
        place, key = state
        key, for_step = jax.random.split(key)
        place = place + jax.random.normal(for_step, place.shape)
        return (place, key), place

    return jax.lax.scan(step, (jnp.zeros(4), jax.random.wrap_key_data(key)), None, length=500)[1]


# Solvers -------------------------------------------------------------------------------------------------------------

_STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_ERRORS = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


def solve(start: jax.Array) -> jax.Array:
    """The state of Lorenz's model of 1996 after five units of time, by Dormand's and Prince's adaptive steps."""

    def slope(y: jax.Array) -> jax.Array:
        return (jnp.roll(y, -1) - jnp.roll(y, 2)) * jnp.roll(y, 1) - y + 8.0

    def mixed(weights: tuple[float, ...], slopes: list[jax.Array]) -> jax.Array:
        terms = [weight * each for weight, each in zip(weights, slopes, strict=True) if weight]
        return sum(terms[1:], terms[0])

    def step(state: tuple[jax.Array, jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array, jax.Array]:
        time, size, y = state
        slopes, new = [slope(y)], y
        for weights in _STAGES:
            new = y + size * mixed(weights, slopes)
            slopes.append(slope(new))
        scale = 1e-5 * (1.0 + jnp.maximum(jnp.abs(y), jnp.abs(new)))
        error = jnp.sqrt(jnp.mean((size * mixed(_ERRORS, slopes) / scale) ** 2))
        is_small = error <= 1.0
        factor = jnp.clip(0.9 * (error + 1e-10) ** -0.2, 0.2, 5.0)
        return jnp.where(is_small, time + size, time), size * factor, jnp.where(is_small, new, y)

    return jax.lax.while_loop(lambda state: state[0] < 5.0, step, (jnp.float32(0), jnp.float32(0.05), start))[2]


def roots(start: jax.Array) -> jax.Array:
    """The sum of a thousand roots, each by Newton's method."""

    def function(x: jax.Array) -> jax.Array:
        return jnp.exp(x) - 3 * x * jnp.cos(x)

    def root(index: jax.Array, total: jax.Array) -> jax.Array:
        first = start + index.astype(F32) * 1e-3
        is_going = lambda state: (jnp.abs(function(state[0])) > 1e-5) & (state[1] < 20)  # noqa: E731
        step = lambda state: (state[0] - function(state[0]) / jax.grad(function)(state[0]), state[1] + 1)  # noqa: E731
        return total + jax.lax.while_loop(is_going, step, (first, 0))[0]

    return jax.lax.fori_loop(0, 1000, root, F32(0))


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
    "LSTM, 500 steps": (lstm, lstm_arguments, 1.5),
    "non-maximum suppression, 200 steps": (suppress, suppress_arguments, 20.0),
    "HMC, 100 samples": (hamiltonian_samples, hamiltonian_arguments, 15.0),
    "random walk, 500 steps": (random_walk, lambda: (Shape((2,), jnp.uint32),), 15.0),
    "Dormand-Prince, 40 numbers": (solve, lambda: (Shape((40,), F32),), 15.0),
    "Dormand-Prince, 1,000 numbers": (solve, lambda: (Shape((1000,), F32),), 15.0),
    "Newton, 1,000 roots": (roots, lambda: (Shape((), F32),), 15.0),
    "loop of small ops, 10,000 steps": (small_loop, lambda: (Shape((), F32),), 20.0),
}
