"""Comparisons of the check dialect: where two tensors first differ, in words.

Each function returns an empty text when the tensors agree, otherwise the difference and its index.
"""

from __future__ import annotations

import numpy as np

from .element_types.ulp import INCOMPARABLE, distance, parts


def _mismatch(differs: np.ndarray, actual: np.ndarray, expected: np.ndarray, how: str) -> str:
    if not differs.any():
        return ""
    index = tuple(int(axis[0]) for axis in np.nonzero(np.atleast_1d(differs)))[: actual.ndim]
    count = int(np.count_nonzero(differs))
    return (
        f"element values don't match{how}: {_text(actual[index])} (actual) vs {_text(expected[index])} (expected) "
        f"at index {list(index)}; {count} of {actual.size} elements differ"
    )


def _text(element: np.generic) -> str:
    return str(element.item()) if element.dtype.isbuiltin else str(element)


def equal(actual: np.ndarray, expected: np.ndarray) -> str:
    """Whether the elements are equal as numbers; NaN equals nothing, -0.0 equals 0.0. Check: expect_eq."""
    return _mismatch(np.asarray(actual != expected), actual, expected, "")


def almost_equal(actual: np.ndarray, expected: np.ndarray, tolerance: float) -> str:
    """Whether the elements differ by at most `tolerance`; infinities and NaNs agree with their like.
    Check: expect_almost_eq."""
    left, right = parts(actual).astype(np.float64), parts(expected).astype(np.float64)
    near = np.abs(left - right) <= tolerance
    same = (left == right) | (np.isnan(left) & np.isnan(right))
    differs = ~(same | (near & np.isfinite(left) & np.isfinite(right))).all(-1)
    return _mismatch(differs, actual, expected, f" with tolerance {tolerance:g}")


def close(actual: np.ndarray, expected: np.ndarray, smallest: int, largest: int) -> str:
    """Whether the elements are between `smallest` and `largest` ULPs apart; tells how many are how far where not.
    Check: expect_close."""
    left, right = parts(actual), parts(expected)
    infinite = ((np.isinf(left) | np.isinf(right)) & (left != right)).any(-1)
    apart = np.where(infinite, INCOMPARABLE, distance(actual, expected))
    differs = (apart > np.uint64(largest)) | (apart < np.uint64(smallest))
    message = _mismatch(differs, actual, expected, f" within {smallest} to {largest} ULPs")
    if not message:
        return ""
    counts = np.bincount(np.minimum(apart, np.uint64(4)).astype(np.int64).reshape(-1), minlength=5)
    shares = ", ".join(
        f"{count} are {'at least ' if ulps == 4 else ''}{ulps} apart" for ulps, count in enumerate(counts)
    )
    return f"{message}; ULP differences: {shares}"
