"""Bodies on elements (of reduce, scatter, sort …) as functions of whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...bindings.types import TensorType
from ..op import Body, RegionFacts

Array = np.ndarray
"""A tensor. A 0-d one may be a numpy scalar too, which has an array's methods and attributes."""

Arrays = tuple[Array, ...]

NUMPY_TYPES = frozenset(map(np.dtype, "?bhilqBHILQefdFD"))
"""The element types that numpy itself has; ml_dtypes has the others, with kinds and characters that tell little."""

UFUNCS = {
    "stablehlo.add": np.add,
    "stablehlo.multiply": np.multiply,
    "stablehlo.and": np.bitwise_and,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.xor": np.bitwise_xor,
    "stablehlo.maximum": np.maximum,
    "stablehlo.minimum": np.minimum,
}
"""numpy's functions for bodies of one op, equal to them except for signs of zeros and the rounding of sums."""
EXTREMES = (np.maximum, np.minimum)

OnArrays = Callable[..., Arrays]


def as_result(values: Sequence[Any]) -> Any:
    """Return these results in the form that kernels return."""
    return values[0] if len(values) == 1 else tuple(values)


def as_arguments(arrays: Sequence[Array], facts: RegionFacts) -> Arrays:
    """The arrays converted to the element types of the body's arguments. Spec: to_destination_type."""
    return tuple(
        [
            array.astype(type_.dtype) if isinstance(type_, TensorType) and array.dtype != type_.dtype else array
            for array, type_ in zip(arrays, facts.argument_types, strict=True)
        ]
    )


def on_arrays(body: Body, facts: RegionFacts, dtypes: Sequence[np.dtype]) -> OnArrays:
    """A function of arrays of one shape that gives the body's results for each index, as arrays of that shape.

    An elementwise body runs once on the whole arrays, any other once for each index. `dtypes` are those of its
    results.
    """

    def once(*arrays: Array) -> Arrays:
        shape = arrays[0].shape
        results: tuple[Any, ...] = body.on_arrays(*arrays)
        return tuple([result if result.shape == shape else np.broadcast_to(result, shape) for result in results])

    def for_each_index(*arrays: Array) -> Arrays:
        results = tuple([np.empty(arrays[0].shape, dtype) for dtype in dtypes])
        for index in np.ndindex(arrays[0].shape):
            for result, value in zip(results, body(*[array[index] for array in arrays]), strict=True):
                result[index] = value
        return results

    return once if facts.elementwise else for_each_index
