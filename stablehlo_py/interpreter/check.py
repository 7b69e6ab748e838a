"""Comparisons of the check dialect: where two tensors first differ, in words.

Each function returns an empty text when the tensors agree, otherwise the difference and its index.
"""

from __future__ import annotations

import numpy as np

# The ULP difference between a finite and an infinite value, or between a number and a NaN.
INCOMPARABLE = 2**64 - 1


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


def _parts(array: np.ndarray) -> list[np.ndarray]:
    """The real numbers that make up the elements."""
    return [np.real(array), np.imag(array)] if array.dtype.kind == "c" else [array]


def equal(actual: np.ndarray, expected: np.ndarray) -> str:
    """Whether the elements are equal as numbers; NaN equals nothing, -0.0 equals 0.0. Check: expect_eq."""
    return _mismatch(np.asarray(actual != expected), actual, expected, "")


def almost_equal(actual: np.ndarray, expected: np.ndarray, tolerance: float) -> str:
    """Whether the elements differ by at most `tolerance`; infinities and NaNs agree with their like.
    Check: expect_almost_eq."""
    differs = np.zeros(actual.shape, np.bool_)
    for left, right in zip(_parts(actual), _parts(expected), strict=True):
        wide_left, wide_right = left.astype(np.float64), right.astype(np.float64)
        near = np.abs(wide_left - wide_right) <= tolerance
        same = (wide_left == wide_right) | (np.isnan(wide_left) & np.isnan(wide_right))
        differs |= ~(same | (near & np.isfinite(wide_left) & np.isfinite(wide_right)))
    return _mismatch(differs, actual, expected, f" with tolerance {tolerance:g}")


def ulp_difference(actual: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """The number of floating-point values between the elements, as uint64; for complex elements the larger of the two
    parts. Two NaNs are 0 apart, a finite and another non-finite value `INCOMPARABLE`."""
    result = np.zeros(actual.shape, np.uint64)
    for left, right in zip(_parts(actual), _parts(expected), strict=True):
        result = np.maximum(result, _ulp_difference(np.ascontiguousarray(left), np.ascontiguousarray(right)))
    return result


def _ulp_difference(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    wide = left.dtype if left.dtype.itemsize == 8 else np.dtype(np.float64)
    distances = [np.abs(side).view(f"u{side.dtype.itemsize}").astype(np.uint64) for side in (left, right)]
    first, second = distances
    same_sign = np.signbit(left.astype(wide)) == np.signbit(right.astype(wide))
    apart = np.where(same_sign, np.maximum(first, second) - np.minimum(first, second), first + second)
    finite = np.isfinite(left.astype(wide)) & np.isfinite(right.astype(wide))
    both_nan = np.isnan(left.astype(wide)) & np.isnan(right.astype(wide))
    identical = left.view(f"u{left.dtype.itemsize}") == right.view(f"u{right.dtype.itemsize}")
    return np.where(both_nan | identical, np.uint64(0), np.where(finite, apart, np.uint64(INCOMPARABLE)))


def close(actual: np.ndarray, expected: np.ndarray, smallest: int, largest: int) -> str:
    """Whether the elements are between `smallest` and `largest` ULPs apart; tells how many are how far where not.
    Check: expect_close."""
    apart = ulp_difference(actual, expected)
    differs = (apart > np.uint64(largest)) | (apart < np.uint64(smallest))
    message = _mismatch(differs, actual, expected, f" within {smallest} to {largest} ULPs")
    if not message:
        return ""
    counts = np.bincount(np.minimum(apart, np.uint64(4)).astype(np.int64).reshape(-1), minlength=5)
    shares = ", ".join(
        f"{count} are {'at least ' if ulps == 4 else ''}{ulps} apart" for ulps, count in enumerate(counts)
    )
    return f"{message}; ULP differences: {shares}"
