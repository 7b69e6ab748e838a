"""Kernels that go one element at a time, chosen where there are few: `reference.few` tells how few."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..op import Body
from .bodies import Arrays


def fold_pairs(body: Body, values: Arrays) -> tuple[Any, ...]:
    """As `reduction.fold_pairs`, for values of one dimension: the same pairs."""
    folded: list[tuple[Any, ...]] = list(zip(*[value.flat for value in values], strict=True))
    while (count := len(folded)) > 1:
        pairs = [body(*folded[first], *folded[first + 1]) for first in range(0, count - 1, 2)]
        folded = pairs + folded[-1:] if count % 2 else pairs
    return folded[0]


def update_at(body: Body, results: Arrays, indices: np.ndarray | list[int], updates: Sequence[np.ndarray]) -> None:
    """As `indexing.update_at`."""
    places: list[int] = indices if isinstance(indices, list) else indices.tolist()
    if len(results) == 1:
        (result,), (update,) = results, updates
        for position, place in enumerate(places):
            (result[place],) = body(result[place], update[position])
        return
    for position, place in enumerate(places):
        updated = body(*[result[place] for result in results], *[update[position] for update in updates])
        for result, value in zip(results, updated, strict=True):
            result[place] = value


def substitute(a: np.ndarray, b: np.ndarray, lower: bool, unit_diagonal: bool) -> np.ndarray:
    """As `linear_algebra.substitute`, for one matrix."""
    x = b.copy()
    size, columns = b.shape
    for row in range(size) if lower else range(size - 1, -1, -1):
        coefficients = a[row]
        found = range(row) if lower else range(row + 1, size)
        for column in range(columns):
            rest = x[row, column]
            for other in found:
                rest -= coefficients[other] * x[other, column]
            x[row, column] = rest if unit_diagonal else rest / coefficients[row]
    return x


def lower_factor(a: np.ndarray) -> np.ndarray:
    """As `linear_algebra.lower_factor`, for one matrix of real numbers."""
    rest, size = a.copy(), len(a)
    for k in range(size):
        if not rest[k, k] > 0:
            return np.tril(np.full_like(a, np.nan))
        pivot = np.sqrt(rest[k, k])
        column = [rest[row, k] / pivot for row in range(k + 1, size)]
        rest[k, k] = pivot
        for index, row in enumerate(range(k + 1, size)):
            rest[row, k] = column[index]
            for other in range(index + 1):
                rest[row, k + 1 + other] -= column[index] * column[other]
    return np.tril(rest)
