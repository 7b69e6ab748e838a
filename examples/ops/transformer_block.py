"""A transformer block: attention and a feed-forward layer, each with layer normalization in front."""

import math

from stablehlo_py import ops

T, D, H = 8, 16, 32


def rows(value, like):
    """Spread a value for each row over its row."""
    return ops.broadcast_in_dim(value, [0], like.shape)


def normalized(x):
    mean = ops.reduce(x, 0.0, dimensions=[1], body=ops.add) / float(D)
    centred = x - rows(mean, x)
    variance = ops.reduce(centred * centred, 0.0, dimensions=[1], body=ops.add) / float(D)
    return centred * rows(ops.rsqrt(variance + 1e-5), x)


def softmax(x):
    shifted = ops.exponential(x - rows(ops.reduce(x, -math.inf, dimensions=[1], body=ops.maximum), x))
    return shifted / rows(ops.reduce(shifted, 0.0, dimensions=[1], body=ops.add), x)


with ops.module() as module:

    @ops.function(
        x=ops.f32[T, D], q=ops.f32[D, D], k=ops.f32[D, D], v=ops.f32[D, D], up=ops.f32[D, H], down=ops.f32[H, D]
    )
    def main(x, q, k, v, up, down):
        n = normalized(x)
        weights = softmax((n @ q) @ ops.transpose(n @ k, [1, 0]) / math.sqrt(D))
        x = x + weights @ (n @ v)
        return x + ops.maximum(normalized(x) @ up, 0.0) @ down
