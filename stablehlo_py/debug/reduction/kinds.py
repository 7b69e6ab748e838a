"""Kinds of differences: the part of an error that stays while a program gets smaller.

NaN, infinities, the sign and the first wrong digit are of the kind; the values themselves are not.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from ..allowed.measures import Tolerance, difference, is_float, mismatches

_DIGIT = re.compile(r"values differ in digit (\d+)")
_FLIPPED = "values differ in sign"
_ANYHOW = "values differ"  # wanted where the sign and the digit are not
_DIGITS_APART = 1  # by which one error may change while a program gets smaller
_SHARE = 0.25  # by which one error may change with the element types, of the largest difference


def kinds(given: np.ndarray, expected: np.ndarray, tolerance: Tolerance) -> list[str]:
    """Return the kinds of differences beyond the tolerance between a result and the expected one, in words."""
    if given.shape != expected.shape:
        return ["a result of another shape"]
    if not is_float(given.dtype) or not is_float(expected.dtype):
        named = "booleans differ" if given.dtype == np.bool_ else "integers differ"
        return [] if difference(given, expected, tolerance).same else [named]
    a, b = mismatches(given, expected, tolerance)
    found = {
        "NaN in place of numbers": np.isnan(a) & ~np.isnan(b),
        "numbers in place of NaN": np.isnan(b) & ~np.isnan(a),
        "infinity in place of numbers": np.isinf(a) & np.isfinite(b),
        "numbers in place of infinity": np.isinf(b) & np.isfinite(a),
        "infinities differ in sign": np.isinf(a) & np.isinf(b),
    }
    finite = np.isfinite(a) & np.isfinite(b)
    named = [text for text, where in found.items() if where.any()]
    return [*named, _digits(a[finite], b[finite], expected)] if finite.any() else named


def _digits(a: npt.NDArray[np.longdouble], b: npt.NDArray[np.longdouble], expected: np.ndarray) -> str:
    """The kind of a difference of finite values: the sign, or the first decimal digit that is wrong.

    Values count as large as is typical for the result at least, as they do for tolerances."""
    if (np.sign(a) * np.sign(b) < 0).all():
        return _FLIPPED
    with np.errstate(all="ignore"):
        magnitudes = np.abs(_wide(expected))
        typical = np.sqrt(np.mean(np.square(magnitudes[np.isfinite(magnitudes)])))
        scale = np.maximum(np.maximum(np.abs(a), np.abs(b)), typical if np.isfinite(typical) else 0)
        share = np.max(np.abs(a / scale - b / scale))
        return f"values differ in digit {max(1, 1 - int(np.floor(np.log10(share))))}"


def shows(signature: str, wanted: str) -> bool:
    """Whether a predicate's signature has a line of the kind that is wanted.

    A sign that is wanted has to be wrong. The first wrong digit may be the next one."""
    return any(_same(line, wanted) for line in signature.split("\n"))


def loosened(wanted: str) -> str:
    """The kind without the sign and the digit."""
    return _ANYHOW if wanted.startswith(_ANYHOW) else wanted


def _same(line: str, wanted: str) -> bool:
    if line == wanted or (wanted == _ANYHOW and line.startswith(wanted)):
        return True
    digit = _DIGIT.fullmatch(wanted)
    found = "1" if line == _FLIPPED else next(iter(_DIGIT.findall(line)), None)
    return digit is not None and found is not None and abs(int(digit[1]) - int(found)) <= _DIGITS_APART


def same_error(first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether two results are wrong by the same, in different element types; each is given and expected."""
    if len({array.shape for array in (*first, *second)}) > 1:
        return False
    a, b, c, d = map(_wide, (*first, *second))
    special = [[np.isnan(array), np.isposinf(array.real), np.isneginf(array.real)] for array in (a, b, c, d)]
    if not all(np.array_equal(x, y) for x, y in zip(special[0] + special[1], special[2] + special[3], strict=True)):
        return False
    finite = np.isfinite(a) & np.isfinite(b)
    before, after = (a - b)[finite], (c - d)[finite]
    return bool((np.abs(after - before) <= _SHARE * np.abs(before).max(initial=0)).all())


def _wide(array: np.ndarray) -> npt.NDArray[np.clongdouble]:
    """An array of any numbers in the widest type."""
    numbers = array if array.dtype.kind in "fc" else array.astype(np.float64)  # all that others convert to
    return numbers.astype(np.clongdouble)
