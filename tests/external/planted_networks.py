"""Nine networks of usual size for `planted_models.py`: each a function, and the shapes of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

Shapes = list[tuple[int, ...]]


def norm(x: jax.Array) -> jax.Array:
    """Return rows of mean 0 and variance 1."""
    centered = x - x.mean(-1, keepdims=True)
    return centered * jax.lax.rsqrt((centered * centered).mean(-1, keepdims=True) + jnp.asarray(1e-3, x.dtype))


def _attention(x: jax.Array, qkv: jax.Array, out: jax.Array, heads: int, *, causal: bool = False) -> jax.Array:
    length, width = x.shape
    parts = jnp.split(x @ qkv, 3, -1)
    q, k, v = (part.reshape(length, heads, width // heads).transpose(1, 0, 2) for part in parts)
    scores = q @ k.transpose(0, 2, 1) / jnp.asarray((width // heads) ** 0.5, x.dtype)
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, jnp.asarray(-1e9, x.dtype))
    return (jax.nn.softmax(scores) @ v).transpose(1, 0, 2).reshape(length, width) @ out


def gpt2(x: jax.Array, vocabulary: jax.Array, *weights: jax.Array) -> jax.Array:
    """GPT-2 small on 128 embedded tokens: twelve layers, 768 wide; the vocabulary is cut to 2,048."""
    for number in range(0, len(weights), 4):
        with jax.named_scope(f"h{number // 4}"):
            qkv, out, up, down = weights[number : number + 4]
            x = x + _attention(norm(x), qkv, out, 12, causal=True)
            x = x + jax.nn.gelu(norm(x) @ up) @ down
    return norm(x) @ vocabulary.T


def vision_transformer(image: jax.Array, patches: jax.Array, *weights: jax.Array) -> jax.Array:
    """Six layers over patches of 16 by 16 pixels."""
    x = image.reshape(14, 16, 14, 16, 3).transpose(0, 2, 1, 3, 4).reshape(196, 768) @ patches
    for number in range(0, len(weights) - 1, 4):
        qkv, out, up, down = weights[number : number + 4]
        x = x + _attention(norm(x), qkv, out, 6)
        x = x + jax.nn.gelu(norm(x) @ up) @ down
    return norm(x).mean(0, keepdims=True) @ weights[-1]


def _convolve(x: jax.Array, kernel: jax.Array, stride: int = 1) -> jax.Array:
    return jax.lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def residual_step(images: jax.Array, stem: jax.Array, *weights: jax.Array) -> Any:
    """A step of training of a residual network: three stages of two convolutions with norms."""

    def loss(weights: Any) -> jax.Array:
        x = _convolve(images, weights[0], 2)
        for first, second, shortcut in zip(weights[1:-1:3], weights[2:-1:3], weights[3:-1:3], strict=True):
            y = jax.nn.relu(norm(_convolve(x, first, 2)))
            x = jax.nn.relu(norm(_convolve(y, second)) + _convolve(x, shortcut, 2))
        return jnp.square(x.mean((1, 2)) @ weights[-1]).mean()

    every = stem, *weights
    return [w - jnp.asarray(0.1, w.dtype) * g for w, g in zip(every, jax.grad(loss)(every), strict=True)]


def lstm(x: jax.Array, w: jax.Array, u: jax.Array) -> jax.Array:
    """A long short-term memory over 64 steps."""

    def step(carry: Any, one: jax.Array) -> Any:
        hidden, cell = carry
        i, f, g, o = jnp.split(one @ w + hidden @ u, 4, -1)
        cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(cell), cell), None

    start = jnp.zeros_like(x[0] @ w)[:, : u.shape[0]]
    return jax.lax.scan(step, (start, start), x)[0][0]


def mixer(x: jax.Array, *weights: jax.Array) -> jax.Array:
    """Perceptrons over positions and over channels in turn, four times."""
    for number in range(0, len(weights), 4):
        first, second, up, down = weights[number : number + 4]
        x = x + (jax.nn.gelu(norm(x).T @ first) @ second).T
        x = x + jax.nn.gelu(norm(x) @ up) @ down
    return x


def diffusion_block(x: jax.Array, time: jax.Array, *weights: jax.Array) -> jax.Array:
    """A step down, attention, and a step up again of a U-Net, with the time of the diffusion added in."""
    first, wide, qkv, out, narrow, last, shift = weights
    down = _convolve(jax.nn.silu(norm(_convolve(x, first))), wide, 2)
    down = down + (jax.nn.silu(time) @ shift)[:, None, None, :]
    flat = norm(down).reshape(-1, down.shape[-1])
    down = down + _attention(flat, qkv, out, 4).reshape(down.shape)
    up = _convolve(jnp.repeat(jnp.repeat(down, 2, 1), 2, 2), narrow)
    return _convolve(jnp.concatenate([up, _convolve(x, first)], -1), last)


def autoencoder_step(x: jax.Array, noise: jax.Array, *weights: jax.Array) -> Any:
    """A step of training of a variational autoencoder."""

    def loss(weights: Any) -> jax.Array:
        encode, mean, spread, decode, back = weights
        hidden = jnp.tanh(x @ encode)
        mu, log_variance = hidden @ mean, hidden @ spread
        code = mu + jnp.exp(log_variance / jnp.asarray(2, x.dtype)) * noise
        again = jax.nn.sigmoid(jnp.tanh(code @ decode) @ back)
        divergence = jnp.exp(log_variance) + mu * mu - log_variance
        return jnp.square(again - x).mean() + divergence.mean()

    return [w - jnp.asarray(0.1, w.dtype) * g for w, g in zip(weights, jax.grad(loss)(weights), strict=True)]


def mixture(x: jax.Array, gate: jax.Array, up: jax.Array, down: jax.Array) -> jax.Array:
    """Eight experts of which each token takes the shares that a softmax gives."""
    shares = jax.nn.softmax(norm(x) @ gate)
    hidden = jax.nn.silu(jnp.einsum("tw,ewh->eth", norm(x), up))
    return x + jnp.einsum("te,ehw,eth->tw", shares, down, hidden)


def linear_attention(x: jax.Array, qkv: jax.Array, decay: jax.Array, out: jax.Array) -> jax.Array:
    """A state that decays and takes the product of key and value of each of 64 tokens."""
    kept = jax.nn.sigmoid(decay)

    def step(state: jax.Array, one: jax.Array) -> Any:
        q, k, v = jnp.split(one, 3)
        state = kept * state + k[:, None] * v[None, :]
        return state, q @ state

    start = jnp.zeros_like(decay)
    return norm(jax.lax.scan(step, start, norm(x) @ qkv)[1]) @ out


def _layers(count: int, width: int, inner: int) -> Shapes:
    return [(width, 3 * width), (width, width), (width, inner), (inner, width)] * count


def _stage(inputs: int, outputs: int) -> Shapes:
    return [(3, 3, inputs, outputs), (3, 3, outputs, outputs), (1, 1, inputs, outputs)]


NETWORKS: dict[Callable[..., Any], Shapes] = {
    gpt2: [(128, 768), (2048, 768), *_layers(12, 768, 3072)],
    vision_transformer: [(224, 224, 3), (768, 192), *_layers(6, 192, 768), (192, 1000)],
    residual_step: [(4, 32, 32, 3), (3, 3, 3, 16), *_stage(16, 32), *_stage(32, 64), *_stage(64, 128), (128, 10)],
    lstm: [(64, 16, 128), (128, 1024), (256, 1024)],
    mixer: [(64, 256), *[(64, 128), (128, 64), (256, 1024), (1024, 256)] * 4],
    diffusion_block: [
        *[(1, 32, 32, 32), (1, 128), (3, 3, 32, 64), (3, 3, 64, 128), (128, 384), (128, 128)],
        *[(3, 3, 128, 64), (3, 3, 128, 32), (128, 128)],
    ],
    autoencoder_step: [(64, 784), (64, 32), (784, 256), (256, 32), (256, 32), (32, 256), (256, 784)],
    mixture: [(64, 256), (256, 8), (8, 256, 512), (8, 512, 256)],
    linear_attention: [(64, 128), (128, 384), (128, 128), (128, 128)],
}
