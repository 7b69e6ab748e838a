"""Two models of usual size, exported with JAX: `python benchmarks/models.py gpt2-small -o gpt2.mlir`.

Weights are arguments, so that the programs are small; whoever runs them draws the weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp

# Locations name files from the top of this tree on, so that the programs are the same wherever it is.
jax.config.update("jax_hlo_source_file_canonicalization_regex", f"{Path(__file__).absolute().parents[1]}/")
F32 = jnp.float32
Shape = jax.ShapeDtypeStruct

# GPT-2 small ---------------------------------------------------------------------------------------------------------

LAYERS, HEADS, WIDTH, VOCABULARY, CONTEXT = 12, 12, 768, 50257, 1024


def _dense_weights(inputs: int, outputs: int) -> dict[str, Shape]:
    return {"weight": Shape((inputs, outputs), F32), "bias": Shape((outputs,), F32)}


def _norm_weights(width: int) -> dict[str, Shape]:
    return {"scale": Shape((width,), F32), "bias": Shape((width,), F32)}


def gpt2_weights() -> dict[str, Any]:
    """The shapes of the 124 million parameters."""
    block = {
        "norm_1": _norm_weights(WIDTH),
        "attention": _dense_weights(WIDTH, 3 * WIDTH),
        "projection": _dense_weights(WIDTH, WIDTH),
        "norm_2": _norm_weights(WIDTH),
        "up": _dense_weights(WIDTH, 4 * WIDTH),
        "down": _dense_weights(4 * WIDTH, WIDTH),
    }
    return {
        "tokens": Shape((VOCABULARY, WIDTH), F32),
        "positions": Shape((CONTEXT, WIDTH), F32),
        "blocks": [block] * LAYERS,
        "norm": _norm_weights(WIDTH),
    }


def _norm(x: jax.Array, weights: dict[str, jax.Array]) -> jax.Array:
    centred = x - x.mean(-1, keepdims=True)
    variance = (centred * centred).mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt(variance + 1e-5) * weights["scale"] + weights["bias"]


def _dense(x: jax.Array, weights: dict[str, jax.Array]) -> jax.Array:
    return x @ weights["weight"] + weights["bias"]


def _attention(x: jax.Array, weights: dict[str, Any]) -> jax.Array:
    batch, length, width = x.shape
    parts = jnp.split(_dense(x, weights["attention"]), 3, axis=-1)
    query, key, value = (part.reshape(batch, length, HEADS, width // HEADS).transpose(0, 2, 1, 3) for part in parts)
    scores = query @ key.transpose(0, 1, 3, 2) / jnp.sqrt(F32(width // HEADS))
    visible = jnp.tril(jnp.ones((length, length), bool))
    shares = jax.nn.softmax(jnp.where(visible, scores, -1e10))
    joined = (shares @ value).transpose(0, 2, 1, 3).reshape(batch, length, width)
    return _dense(joined, weights["projection"])


def gpt2(weights: dict[str, Any], tokens: jax.Array) -> jax.Array:
    """The logits of a batch of sequences of tokens."""
    x = weights["tokens"][tokens] + weights["positions"][: tokens.shape[1]]
    for number, block in enumerate(weights["blocks"]):
        with jax.named_scope(f"layer_{number}"):
            with jax.named_scope("attention"):
                x = x + _attention(_norm(x, block["norm_1"]), block)
            with jax.named_scope("feed_forward"):
                x = x + _dense(jax.nn.gelu(_dense(_norm(x, block["norm_2"]), block["up"])), block["down"])
    with jax.named_scope("logits"):
        return _norm(x, weights["norm"]) @ weights["tokens"].T


def _attend_to_cache(
    x: jax.Array, weights: dict[str, Any], keys: jax.Array, values: jax.Array, position: jax.Array
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Attention of one token to those before it, whose keys and values are in caches of `CONTEXT` positions."""
    query, key, value = jnp.split(_dense(x, weights["attention"]), 3, axis=-1)
    keys = jax.lax.dynamic_update_slice(keys, key.reshape(1, HEADS, -1), (position, 0, 0))
    values = jax.lax.dynamic_update_slice(values, value.reshape(1, HEADS, -1), (position, 0, 0))
    scores = jnp.einsum("hd,phd->hp", query.reshape(HEADS, -1), keys) / jnp.sqrt(F32(WIDTH // HEADS))
    shares = jax.nn.softmax(jnp.where(jnp.arange(CONTEXT) <= position, scores, -1e10))
    joined = jnp.einsum("hp,phd->hd", shares, values).reshape(WIDTH)
    return _dense(joined, weights["projection"]), keys, values


def gpt2_decoding(tokens: int) -> Callable[[dict[str, Any], jax.Array], jax.Array]:
    """Return a function of the weights and a first token that gives the most likely `tokens` after it, one by one."""
    empty = jnp.zeros((CONTEXT, HEADS, WIDTH // HEADS))

    def next_token(position: jax.Array, state: Any, weights: dict[str, Any]) -> Any:
        token, caches, found = state
        x = weights["tokens"][token] + weights["positions"][position]
        written = []
        for block, (keys, values) in zip(weights["blocks"], caches, strict=True):
            change, keys, values = _attend_to_cache(_norm(x, block["norm_1"]), block, keys, values, position)
            x = x + change
            x = x + _dense(jax.nn.gelu(_dense(_norm(x, block["norm_2"]), block["up"])), block["down"])
            written.append((keys, values))
        token = jnp.argmax(weights["tokens"] @ _norm(x, weights["norm"])).astype(jnp.int32)
        return token, written, found.at[position].set(token)

    def decode(weights: dict[str, Any], token: jax.Array) -> jax.Array:
        state = token, [(empty, empty)] * LAYERS, jnp.zeros(tokens, jnp.int32)
        return jax.lax.fori_loop(0, tokens, lambda index, state: next_token(index, state, weights), state)[2]

    return decode


# ResNet-50 -----------------------------------------------------------------------------------------------------------

STAGES = ((3, 64), (4, 128), (6, 256), (3, 512))


def _convolution_weights(size: int, inputs: int, outputs: int) -> dict[str, Shape]:
    names = ("scale", "bias", "mean", "variance")
    kernel = Shape((size, size, inputs, outputs), F32)
    return {"kernel": kernel, **{name: Shape((outputs,), F32) for name in names}}


def resnet50_weights() -> dict[str, Any]:
    """The shapes of the 25.6 million parameters."""
    stages, inputs = [], 64
    for count, width in STAGES:
        blocks = []
        for number in range(count):
            block = {
                "reduce": _convolution_weights(1, inputs, width),
                "spatial": _convolution_weights(3, width, width),
                "expand": _convolution_weights(1, width, 4 * width),
            }
            if number == 0:
                block["shortcut"] = _convolution_weights(1, inputs, 4 * width)
            blocks.append(block)
            inputs = 4 * width
        stages.append(blocks)
    return {"stem": _convolution_weights(7, 3, 64), "stages": stages, "head": _dense_weights(2048, 1000)}


def _convolve(x: jax.Array, weights: dict[str, jax.Array], stride: int = 1) -> jax.Array:
    """A convolution and a batch normalization with known statistics."""
    y = jax.lax.conv_general_dilated(
        x, weights["kernel"], (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    scale = weights["scale"] * jax.lax.rsqrt(weights["variance"] + 1e-5)
    return (y - weights["mean"]) * scale + weights["bias"]


def _bottleneck(x: jax.Array, weights: dict[str, Any], stride: int) -> jax.Array:
    y = jax.nn.relu(_convolve(x, weights["reduce"]))
    y = jax.nn.relu(_convolve(y, weights["spatial"], stride))
    y = _convolve(y, weights["expand"])
    shortcut = _convolve(x, weights["shortcut"], stride) if "shortcut" in weights else x
    return jax.nn.relu(y + shortcut)


def resnet50(weights: dict[str, Any], images: jax.Array) -> jax.Array:
    """The logits of a batch of images."""
    with jax.named_scope("stem"):
        x = jax.nn.relu(_convolve(images, weights["stem"], 2))
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    for stage, blocks in enumerate(weights["stages"]):
        for number, block in enumerate(blocks):
            with jax.named_scope(f"stage_{stage + 1}"), jax.named_scope(f"block_{number}"):
                x = _bottleneck(x, block, 2 if stage and not number else 1)
    with jax.named_scope("head"):
        return _dense(x.mean((1, 2)), weights["head"])


# Both ----------------------------------------------------------------------------------------------------------------

MODELS: dict[str, tuple[Callable[..., jax.Array], Callable[[], dict[str, Any]], Shape]] = {
    "gpt2-small": (gpt2, gpt2_weights, Shape((1, CONTEXT), jnp.int32)),
    "resnet50": (resnet50, resnet50_weights, Shape((1, 224, 224, 3), F32)),
}


def export(name: str) -> str:
    """The program of a model as text, with its locations."""
    function, weights, inputs = MODELS[name]
    return jax.jit(function).lower(weights(), inputs).as_text(debug_info=True)


def main() -> None:
    """Write a program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=list(MODELS))
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    Path(arguments.output).write_text(export(arguments.model), encoding="utf-8")


if __name__ == "__main__":
    main()
