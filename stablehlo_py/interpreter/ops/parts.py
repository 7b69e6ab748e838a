"""Definitions for the whole result at once, where what they need on the way would not fit beside it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

_BYTES = 1 << 19


def in_parts(
    compute: Callable[[np.ndarray], np.ndarray],
    source: np.ndarray,
    shape: tuple[int, ...],
    dtype: np.dtype,
    *,
    at_least: int = 0,
) -> np.ndarray:
    """Return compute(source), part by part.

    Args:
        compute: Takes a part of `source`, of which it makes a copy, and returns that part of the result.
        source: An array whose leading dimensions are the result's but for its last one, such as a view of windows.
        shape: The shape of the result. Parts are cut along all its dimensions but the first and the last.
        dtype: The type of its elements.
        at_least: A number of bytes that a part may have. It may always have as many as the result.
    """
    limit = max(_BYTES, at_least + math.prod(shape) * dtype.itemsize)
    if source.nbytes <= limit:
        return compute(source)
    result = np.empty(shape, dtype)
    parts = [(source, result)]
    while parts:
        values, target = parts.pop()
        sizes = target.shape[1:-1]
        longest = max(sizes, default=1)
        if values.nbytes <= limit or longest == 1:
            target[...] = compute(values)
            continue
        axis = 1 + sizes.index(longest)
        lower, upper = [(slice(None),) * axis + (half,) for half in (slice(longest // 2), slice(longest // 2, None))]
        parts += [(values[upper], target[upper]), (values[lower], target[lower])]
    return result
