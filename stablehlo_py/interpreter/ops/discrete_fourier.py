"""Discrete Fourier transforms with the same bits everywhere: additions, subtractions and products in a fixed order.

A transform of n = r m elements is m transforms of r elements, products with roots of unity, and r transforms of m
elements (Cooley and Tukey). Each pass leaves its results where the next one reads them (Stockham). Large prime sizes
are convolutions, whose sizes are powers of two (Bluestein). f32 is computed in double precision and rounded once. So is
f64 in double-double, except large powers of two. Real and imaginary parts are arrays of their own, as numpy's complex
products use fused operations on some processors. The transforms of numpy and scipy do not promise the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ..element_types.double_double import Doubled
from ..element_types.trigonometry import roots_of_unity

Parts = tuple[Any, Any]
"""Real and imaginary parts: arrays of doubles or of double-doubles."""
_LARGEST_DIRECT = 16
_LONG = 512
"""f64 has double precision for powers of two from this size on: their errors average out."""
_BLOCK = 1 << 13
"""The number of elements that are transformed at once, so that they stay in the processor's cache."""


def _radices(n: int) -> list[int]:
    """The factors of n: first 4, repeatedly, then prime numbers."""
    radix = next((r for r in (4, *range(2, int(n**0.5) + 1)) if n % r == 0), n)
    return [radix, *_radices(n // radix)] if n > 1 else []


@lru_cache(maxsize=64)
def _roots(rows: int, columns: int, order: int) -> tuple[Doubled, Doubled]:
    """The roots of unity to the power of minus row times column."""
    powers = np.multiply.outer(np.arange(rows), np.arange(columns))[:, :, np.newaxis]
    cosine, sine = roots_of_unity(powers.reshape(-1) % order, order)
    return _reshaped(cosine, *powers.shape), -_reshaped(sine, *powers.shape)


def _each(function: Callable[..., Any], *numbers: Any) -> Any:
    """Apply a function to arrays of doubles, or to both parts of double-doubles."""
    if isinstance(numbers[0], Doubled):
        return Doubled(function(*[number.hi for number in numbers]), function(*[number.lo for number in numbers]))
    return function(*numbers)


def _reshaped(number: Any, *shape: int) -> Any:
    return _each(lambda part: part.reshape(shape), number)


def _stacked(rows: list[Any]) -> Any:
    return _each(lambda *parts: np.stack(parts, 1), *rows)


def _as(kind: Any, parts: Parts) -> Parts:
    """Double-doubles, or their leading doubles if `kind` is an array of doubles."""
    return parts if isinstance(kind, Doubled) else (parts[0].hi, parts[1].hi)


def _product(a: Parts, b: Parts) -> Parts:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _transformed(x: Parts, n: int) -> Parts:
    """The transforms of columns of n elements."""
    rest = n
    for radix in _radices(n):
        rest //= radix
        real, imag = [_reshaped(part, radix, rest, -1) for part in x]
        transform = {2: _of_two, 4: _of_four}.get(radix, _direct if radix < _LARGEST_DIRECT else _convolved)
        rows = transform(real, imag)
        if rest > 1:
            cosine, sine = _as(real, _roots(radix, rest, radix * rest))
            rows[1:] = [_product(row, (cosine[j], sine[j])) for j, row in enumerate(rows[1:], 1)]
        x = _stacked([real for real, _ in rows]), _stacked([imag for _, imag in rows])
    return _reshaped(x[0], n, -1), _reshaped(x[1], n, -1)


def _of_two(real: Any, imag: Any) -> list[Parts]:
    return [(real[0] + real[1], imag[0] + imag[1]), (real[0] - real[1], imag[0] - imag[1])]


def _of_four(real: Any, imag: Any) -> list[Parts]:
    (a, b, c, d), (e, f, g, h) = real, imag
    even, odd, difference, turned = a + c, b + d, a - c, b - d
    even_i, odd_i, difference_i, turned_i = e + g, f + h, e - g, f - h
    return [
        (even + odd, even_i + odd_i),
        (difference + turned_i, difference_i - turned),
        (even - odd, even_i - odd_i),
        (difference - turned_i, difference_i + turned),
    ]


def _direct(real: Any, imag: Any) -> list[Parts]:
    """Each element is the sum of products, from left to right."""
    cosine, sine = _as(real, _roots(len(real), len(real), len(real)))
    results: list[Parts] = []
    for row in range(len(real)):
        total, total_i = real[0], imag[0]
        for j in range(1, len(real)):
            product, product_i = _product((real[j], imag[j]), (cosine[row][j], sine[row][j]))
            total, total_i = total + product, total_i + product_i
        results.append((total, total_i))
    return results


def _convolved(real: Any, imag: Any) -> list[Parts]:
    """With j k = (j² + k² - (k - j)²) / 2, the transform is a convolution with the roots of unity of j² / 2."""
    n = len(real)
    shape = real[0].shape
    size = 1 << (2 * n - 2).bit_length()
    cosine, sine = _as(real, roots_of_unity(np.arange(n) ** 2 % (2 * n), 2 * n))
    chirp = _reshaped(cosine, n, 1), -_reshaped(sine, n, 1)
    kernel = _transformed((_each(partial(_around, size), chirp[0]), _each(partial(_around, size), -chirp[1])), size)
    turned = _product((_reshaped(real, n, -1), _reshaped(imag, n, -1)), chirp)
    padded = _each(partial(_padded, size), turned[0]), _each(partial(_padded, size), turned[1])
    real, imag = _product(_transformed(padded, size), kernel)
    imag, real = _transformed((imag, real), size)  # the inverse transform, times its size
    scale = partial(np.multiply, 1 / size)
    real, imag = _product((_each(scale, real[:n]), _each(scale, imag[:n])), chirp)
    return [(_reshaped(real[row], *shape), _reshaped(imag[row], *shape)) for row in range(n)]


def _padded(size: int, part: np.ndarray) -> np.ndarray:
    return np.concatenate([part, np.zeros((size - len(part), part.shape[1]))])


def _around(size: int, part: np.ndarray) -> np.ndarray:
    """The elements from 0 on, zeros, and the elements but the first in opposite order."""
    return np.concatenate([_padded(size - len(part) + 1, part), part[:0:-1]])


def _rounded(real: Any, imag: Any, divisor: int) -> Parts:
    """The transforms of columns of doubles, divided and rounded once. Double-doubles lose infinities: doubles have
    these."""
    doubled = [Doubled(part, np.zeros_like(part)) for part in (real, imag)]
    found = [(part / divisor).hi for part in _transformed((doubled[0], doubled[1]), len(real))]
    if not all(np.isfinite(part).all() for part in found):
        plain = _transformed((real, imag), len(real))
        found = [np.where(np.isfinite(a), a, b / divisor) for a, b in zip(found, plain, strict=True)]
    return found[0], found[1]


def _along(x: np.ndarray, axis: int, inverse: bool, is_double: bool) -> np.ndarray:
    """The transform along an axis. The inverse one is that with the parts swapped, divided by the size."""
    moved = np.moveaxis(x, axis, -1)
    n = moved.shape[-1]
    divisor = n if inverse else 1
    rows = moved.reshape(-1, n)
    result = np.empty(rows.shape, np.complex128)
    step = max(_BLOCK // n, 16)
    for start in range(0, len(rows), step):
        block: Any = rows[start : start + step].T
        target = result[start : start + step].T
        real, imag = [np.array(part, np.float64, order="C") for part in (block.real, block.imag)]
        if inverse:
            real, imag = imag, real
        if is_double and (n < _LONG or n & (n - 1)):
            real, imag = _rounded(real, imag, divisor)
        else:
            real, imag = [part / divisor for part in _transformed((real, imag), n)]
        target.real, target.imag = (imag, real) if inverse else (real, imag)
    return np.moveaxis(result.reshape(moved.shape), -1, axis)


def transform(x: Any, axes: Sequence[int], inverse: bool = False) -> np.ndarray:
    """Return the Fourier transform over some axes in double precision, the last axis first."""
    is_double = x.dtype.char in "dD"
    with np.errstate(all="ignore"):
        for axis in reversed(axes):
            x = _along(x, axis, inverse, is_double) if x.size else x.astype(np.complex128)
    return x


def real_transform(x: Any, axes: Sequence[int]) -> np.ndarray:
    """Return the first half of the transform of real numbers."""
    half = np.take(transform(x, axes[-1:]), range(x.shape[axes[-1]] // 2 + 1), axes[-1])
    return transform(half, axes[:-1])


def inverse_real_transform(x: Any, axes: Sequence[int], size: int) -> np.ndarray:
    """Return the `size` real numbers along the last axis whose transform begins with x."""
    x = np.moveaxis(transform(x, axes[:-1], inverse=True), axes[-1], -1)[..., : size // 2 + 1].copy()
    x[..., 0] = x[..., 0].real
    if size % 2 == 0:
        x[..., -1] = x[..., -1].real
    whole = np.concatenate([x, x[..., (size - 1) // 2 : 0 : -1].conj()], -1)
    real: Any = transform(whole, [-1], inverse=True)
    return np.moveaxis(real.real, -1, axes[-1])
