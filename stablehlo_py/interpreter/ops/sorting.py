"""sort."""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any

import numpy as np

from ..op import Body, Kernel, Op
from ..registry import evaluates
from .bodies import Array, Arrays, as_result


def stable_order(comparator: Body, lanes: Arrays) -> np.ndarray:
    """Return the stable order of the elements along the last axis by a comparator."""
    shape = lanes[0].shape
    if not lanes[0].size:
        return np.empty(shape, np.int64)
    rows = [lane.reshape(-1, shape[-1]) for lane in lanes]
    order = np.empty(rows[0].shape, np.int64)
    for row in range(len(order)):
        values = [lane[row] for lane in rows]

        def precedes(i: int, j: int, values: list[Array] = values) -> bool:
            return bool(comparator(*[element for value in values for element in (value[i], value[j])])[0])

        order[row] = sorted(range(shape[-1]), key=cmp_to_key(lambda i, j: precedes(j, i) - precedes(i, j)))
    return order.reshape(shape)


@evaluates("stablehlo.sort")
def sort(op: Op) -> Kernel:
    """Sort the inputs together along dimension, in the order of comparator; always stably. Spec: sort."""
    dimension = op.int("dimension", -1)

    def kernel(comparator: Body, *inputs: Array) -> Any:
        lanes = tuple([np.moveaxis(value, dimension, -1) for value in inputs])
        order = np.moveaxis(op.program.reading.stable_order(comparator, op.regions[0], lanes), -1, dimension)
        return as_result(tuple([np.take_along_axis(value, order, axis=dimension) for value in inputs]))

    return kernel
