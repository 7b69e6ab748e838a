"""Trains the network of this example and writes every file that run.py reads.

Regenerating needs jax and scikit-learn: pip install jax scikit-learn, then python examples/digits/train.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from sklearn.datasets import load_digits

import stablehlo_py

HERE = Path(__file__).resolve().parent
SEED = 20
HELD_OUT = 360
EPOCHS = 60
BATCH = 48
Parameters = dict[str, Any]


def initial_parameters(key: jax.Array) -> Parameters:
    """Weights of two 3x3 convolutions (16 and 32 features) and of one layer from their 2x2 image to ten classes."""
    shapes = {"first": (3, 3, 1, 16), "second": (3, 3, 16, 32), "last": (2 * 2 * 32, 10)}
    keys = jax.random.split(key, len(shapes))
    parameters = {}
    for layer_key, (name, shape) in zip(keys, shapes.items(), strict=True):
        scale = np.sqrt(2 / np.prod(shape[:-1]))
        parameters[name] = scale * jax.random.normal(layer_key, shape, jnp.float32)
        parameters[f"{name} bias"] = jnp.zeros(shape[-1], jnp.float32)
    return parameters


def convolve_and_pool(image: jax.Array, kernel: jax.Array, bias: jax.Array) -> jax.Array:
    """Features of half the image's size."""
    convolved = jax.lax.conv_general_dilated(image, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    features = jax.nn.relu(convolved + bias)
    return jax.lax.reduce_window(features, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def logits(parameters: Parameters, images: jax.Array) -> jax.Array:
    """Ten scores for each of the images (float, 0 to 1, shape n x 8 x 8)."""
    features = images[..., None]
    for layer in ("first", "second"):
        features = convolve_and_pool(features, parameters[layer], parameters[f"{layer} bias"])
    return features.reshape(len(images), -1) @ parameters["last"] + parameters["last bias"]


def read_scans(parameters: Parameters, scans: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The exported program: from scans (uint8, 0 to 16) to each one's digit and the probability it is given."""
    scores = logits(parameters, scans.astype(jnp.float32) / 16)
    return jnp.argmax(scores, axis=1).astype(jnp.int32), jnp.max(jax.nn.softmax(scores), axis=1)


def shifted(images: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The images, each moved by up to one pixel, so that the network does not learn positions by heart."""
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1)))
    rows, columns = random.integers(0, 3, (2, len(images)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (8, 8), axis=(1, 2))
    return windows[np.arange(len(images)), rows, columns]


@jax.jit
def loss_gradient(parameters: Parameters, images: jax.Array, labels: jax.Array) -> Parameters:
    """The gradient of the mean cross entropy."""

    def loss(parameters: Parameters) -> jax.Array:
        log_probabilities = jax.nn.log_softmax(logits(parameters, images))
        return -jnp.mean(jnp.take_along_axis(log_probabilities, labels[:, None], axis=1))

    return jax.grad(loss)(parameters)


@jax.jit
def adam_step(state: tuple[Parameters, Parameters, Parameters], gradient: Parameters, step: int, rate: float) -> Any:
    """Parameters and their two running means after one step of Adam."""
    parameters, mean, square = state
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, gradient)
    parameters = jax.tree.map(
        lambda p, m, s: p - rate * (m / (1 - 0.9**step)) / (jnp.sqrt(s / (1 - 0.999**step)) + 1e-8),
        parameters,
        mean,
        square,
    )
    return parameters, mean, square


def train(images: np.ndarray, labels: np.ndarray, random: np.random.Generator) -> Parameters:
    """The trained parameters."""
    parameters = initial_parameters(jax.random.key(SEED))
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    state, step = (parameters, zeros, zeros), 0
    for epoch in range(EPOCHS):
        order = random.permutation(len(images))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            step += 1
            chosen = order[start : start + BATCH]
            gradient = loss_gradient(state[0], shifted(images[chosen], random), labels[chosen])
            state = adam_step(state, gradient, step, 3e-3 * (1 - epoch / EPOCHS))
    return state[0]


def main() -> None:
    """Writes digits.mlir, digits.mlir.bc and held_out.npz beside this file."""
    digits = load_digits()
    random = np.random.default_rng(SEED)
    order = random.permutation(len(digits.images))
    scans, labels = digits.images[order].astype(np.uint8), digits.target[order].astype(np.int32)
    images = scans[HELD_OUT:].astype(np.float32) / 16
    parameters = train(images, labels[HELD_OUT:], random)

    held_out = scans[:HELD_OUT]
    program = jax.jit(lambda scans: read_scans(parameters, scans))
    exported = jax.export.export(program, platforms=["cpu"])(jax.ShapeDtypeStruct(held_out.shape, held_out.dtype))
    module = stablehlo_py.parse(exported.mlir_module())
    stablehlo_py.run_passes(module, "strip-debuginfo")
    (HERE / "digits.mlir").write_text(str(module))
    (HERE / "digits.mlir.bc").write_bytes(stablehlo_py.serialize(module))
    predictions = np.asarray(program(held_out)[0])
    np.savez_compressed(HERE / "held_out.npz", scans=held_out, labels=labels[:HELD_OUT], jax_predictions=predictions)
    print(f"{np.mean(predictions == labels[:HELD_OUT]):.1%} of {HELD_OUT} held-out scans right")


if __name__ == "__main__":
    main()
