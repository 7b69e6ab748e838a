"""Fourier transforms against mpmath: at most log2(n) / 2 units in the last place of the largest element."""

from __future__ import annotations

import hashlib
from typing import Any

import mpmath
import numpy as np
import pytest
from speeds import later

from stablehlo_py.interpreter.ops.discrete_fourier import inverse_real_transform, real_transform, transform

_SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 18, 25, 30, 32, 64, 97)
_LARGE = [later(n) for n in (131, 210, 256, 257, 512)]


def _exact(values: np.ndarray, sign: int) -> list[Any]:
    n = len(values)
    roots = [mpmath.expjpi(mpmath.mpf(2 * sign * k) / n) for k in range(n)]
    numbers = [mpmath.mpc(complex(value)) for value in values]
    sums = [mpmath.fsum(number * roots[j * k % n] for j, number in enumerate(numbers)) for k in range(n)]
    return [total / (n if sign > 0 else 1) for total in sums]


def _units(result: np.ndarray, exact: list[Any], dtype: Any) -> float:
    """The largest error of a part, in units in the last place of the largest part."""
    parts = [(mpmath.mpf(float(a.real)), b.real) for a, b in zip(result, exact, strict=True)]
    if np.iscomplexobj(result):
        parts += [(mpmath.mpf(float(a.imag)), b.imag) for a, b in zip(result, exact, strict=True)]
    largest = max(abs(b) for _, b in parts)
    return float(max(abs(a - b) for a, b in parts) / float(np.spacing(dtype(largest))))


@pytest.mark.parametrize("n", [*_SIZES, *_LARGE])
def test_error(n: int) -> None:
    generator = np.random.default_rng(n)
    for _ in range(2 if n < 20 else 1):
        for dtype, bound in ((np.float64, max(np.log2(n) / 2, 0.5)), (np.float32, 0.501)):
            real, imag = generator.standard_normal((2, n)).astype(dtype)
            whole: Any = real + np.array(1j, np.complex64) * imag
            to = whole.dtype
            with mpmath.workprec(150):
                assert _units(transform(whole, [0]).astype(to), _exact(whole, -1), dtype) <= bound
                assert _units(transform(whole, [0], inverse=True).astype(to), _exact(whole, 1), dtype) <= bound
                half = real_transform(real, [0]).astype(to)
                assert _units(half, _exact(real, -1)[: n // 2 + 1], dtype) <= bound
                symmetric = np.concatenate([half, half[(n - 1) // 2 : 0 : -1].conj()])
                back = inverse_real_transform(half, [0], n).astype(dtype)
                assert _units(back, _exact(symmetric, 1), dtype) <= bound


@pytest.mark.parametrize("shape", [(1,), (4096,), (3, 1009), (300, 17), (5, 6, 7), (2, 0, 3)])
def test_several_dimensions(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).standard_normal(shape)
    axes = tuple(range(-min(len(shape), 2), 0))
    if x.size:
        np.testing.assert_allclose(transform(x, axes), np.fft.fftn(x, axes=axes), atol=1e-11)
        half = np.fft.rfftn(x, axes=axes)
        np.testing.assert_allclose(real_transform(x, axes), half, atol=1e-11)
        np.testing.assert_allclose(inverse_real_transform(half, axes, shape[-1]), x, atol=1e-11)
    else:
        assert transform(x, axes).shape == shape


def test_infinities() -> None:
    """Elements that overflow, or are not finite, do not change others."""
    rows = np.array([[1.0, 2, 3, 4], [1e308, 1e308, 1e308, 0], [np.inf, 0, 0, 0]])
    result = transform(rows, [-1])
    assert result[0].tolist() == transform(rows[:1], [-1])[0].tolist()
    assert result[1, 0].real == np.inf
    assert result[1, 1].tolist() == -1e308j
    assert np.isinf(result[2].real).all()


def test_bits_stay() -> None:
    """The bits are part of what users rely on: no release of numpy and no processor changes them."""
    x = np.arange(1, 1801, dtype=np.float64) / 7
    bits = b"".join(transform(x[:n], [0]).tobytes() for n in (5, 64, 257, 1800))
    assert hashlib.sha256(bits).hexdigest() == "2cfda718a96066a620fa50c70feca25777c1db29f4d190b809380c173cd37ad3"
