"""Running a region of 0-d tensors on whole arrays, whatever the region contains."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .op import RegionFacts
from .plan import Body


def on_each_element(body: Body, facts: RegionFacts) -> Callable[..., tuple[np.ndarray, ...]]:
    """What applies the region to each tuple of elements of arrays of one shape, and gives arrays of that shape.

    An elementwise region runs once, on the arrays; any other runs once an element.
    """
    if facts.elementwise:

        def at_once(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
            shape = np.shape(arrays[0])
            return tuple([_with_shape(np.asarray(result), shape) for result in body.on_arrays(*arrays)])

        return at_once

    def one_by_one(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        shape = np.shape(arrays[0])
        rows = [body(*elements) for elements in zip(*[np.ravel(array) for array in arrays], strict=True)]
        if not rows:
            return tuple([np.empty(shape, np.asarray(array).dtype) for array in arrays[: len(arrays) // 2]])
        return tuple(
            [np.array(column, np.asarray(column[0]).dtype).reshape(shape) for column in zip(*rows, strict=True)]
        )

    return one_by_one


def _with_shape(result: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return result if np.shape(result) == shape else np.broadcast_to(result, shape)
