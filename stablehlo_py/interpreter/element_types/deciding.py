"""Correct rounding, the same on every machine: of results in double precision to a narrower type, and to double.

Functions in double precision are off by some last bits, which ones depends on the processor and on the C library.
Rounded to a type of at most 32 bits that is lost, except next to the middle between two of its floats: there, about
once in a million results, `exact` decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .arithmetic import bits_dtype
from .double_double import bounds, to_odd
from .rounding import nearest
from .ulp import layout

if TYPE_CHECKING:
    from .balls import Ball

DOUBTFUL = 64
"""The number of last bits of a double that are not trusted; numpy promises at most four ULPs."""
_TINY = 2.0**-55
_NEAR_OPERAND = frozenset({"exponential_minus_one", "log_plus_one", "sine", "tan", "tanh"})
"""Functions f with f(x) = x + c x² + ..., |c| <= 1/2: the double nearest to f(x) is x where |x| < `_TINY`."""


def decided(name: str, wide: Any, operands: tuple[Any, ...], dtype: np.dtype) -> Any:
    """Return the doubles `wide`, a function's values at these operands, rounded to `dtype`. Exact arithmetic decides if
    the ends of the interval of `DOUBTFUL` last bits around a value round to different floats."""
    bits = bits_dtype(dtype)
    low, high = [np.asarray(nearest(wide * (1 + sign * DOUBTFUL * 2.0**-52), dtype)) for sign in (-1, 1)]
    different = low.view(bits) != high.view(bits)
    if np.count_nonzero(different):
        numbers = [np.broadcast_to(each, low.shape).reshape(-1) for each in operands]
        flat = low.reshape(-1)
        _decide(name, numbers, flat, np.flatnonzero(different))
        low = flat.reshape(low.shape)
    return low[()]


def correctly_rounded(name: str) -> Callable[..., Any]:
    """Return a function of doubles, rounded correctly: where the ends of the interval that its value lies in round to
    different doubles, exact arithmetic decides (Ziv's strategy)."""

    def run(*operands: Any) -> Any:
        from .functions import BOUNDS

        shape = np.broadcast_shapes(*[np.shape(operand) for operand in operands])
        numbers = [np.ascontiguousarray(np.broadcast_to(operand, shape)).reshape(-1) for operand in operands]
        results, other = BOUNDS[name](*numbers)
        different = results != other
        if name in _NEAR_OPERAND:
            is_tiny = np.abs(numbers[0]) < _TINY
            results, different = np.where(is_tiny, numbers[0], results), different & ~is_tiny
        if np.count_nonzero(different):
            _decide(name, numbers, results, np.flatnonzero(different & ((results == results) | (other == other))))
        return results.reshape(shape)[()]

    return run


def correctly_rounded_parts(name: str, special: Callable[..., tuple[Any, ...]], part: np.dtype) -> Callable[..., Any]:
    """Return a function of complex numbers whose parts are rounded correctly to `part`. `special` gives its parts at
    infinities, NaN and poles, and the signs of zeros."""

    def run(*operands: Any) -> Any:
        from .complex_functions import FUNCTIONS, OF_SINGLES

        shape = np.broadcast_shapes(*[np.shape(operand) for operand in operands])
        numbers: list[np.ndarray] = []
        for operand in operands:
            wide = np.broadcast_to(np.asarray(operand), shape).astype(np.complex128).reshape(-1)
            numbers += [np.ascontiguousarray(wide.real), np.ascontiguousarray(wide.imag)]
        pole = -1.0 if name == "log_plus_one" else 0.0
        is_special = (numbers[0] == pole) & (numbers[1] == 0) | (numbers[-2] == 0) & (numbers[-1] == 0)
        for number in numbers:
            is_special |= ~np.isfinite(number)
        parts: list[np.ndarray] = []
        for index, ball in enumerate((OF_SINGLES if part.itemsize == 4 else FUNCTIONS)[name](*numbers)):
            low, high = _ends(ball, part)
            is_zero = is_special | ball.is_zero
            if np.count_nonzero(is_zero):
                given = special(*[number[is_zero] for number in numbers])[index].astype(part)
                is_given = is_special[is_zero] | (given == 0)
                is_zero[is_zero] = is_given
                low[is_zero] = high[is_zero] = given[is_given]
            undecided = np.flatnonzero(~(low == high) & ~is_zero)
            if undecided.size:
                _decide(f"complex {name} {index}", numbers, low, undecided)
                zeros = undecided[low[undecided] == 0]
                given = special(*[number[zeros] for number in numbers])[index].astype(part)
                low[zeros[given == 0]] = given[given == 0]
            parts.append(low)
        dtype = np.dtype(f"c{2 * part.itemsize}")
        results = of_parts(parts[0], parts[1], dtype) if len(parts) == 2 else parts[0]
        return results.reshape(shape)[()]

    return run


def _ends(ball: Ball, part: np.dtype) -> Any:
    """Return the elements of type `part` nearest to the ends of a ball, each rounded once."""
    if part == np.float64:
        return bounds(ball.hi, ball.lo, ball.radius)
    return [to_odd(ball.hi, ball.lo + sign * ball.radius).astype(part) for sign in (-1, 1)]


def of_parts(real: Any, imag: Any, dtype: np.dtype) -> Any:
    """Return the complex numbers with these parts, an array or a scalar as they are."""
    if isinstance(real, np.floating) and isinstance(imag, np.floating):
        return dtype.type(complex(real, imag))
    result = np.empty(real.shape if real.shape == imag.shape else np.broadcast_shapes(real.shape, imag.shape), dtype)
    result.real = real
    result.imag = imag
    return result[()]


def _decide(name: str, numbers: list[np.ndarray], results: np.ndarray, undecided: np.ndarray) -> None:
    """Set these results to the exact ones, rounded."""
    from .exact import rounded

    known: dict[tuple[str, ...], Any] = {}
    _, mantissa_bits, least_exponent = layout(results.dtype)
    for index in undecided.tolist():
        operands = tuple([float(number[index]) for number in numbers])
        key = tuple(map(float.hex, operands))  # tells the zeros apart
        if key not in known:
            value = np.float64(rounded(name, operands, mantissa_bits, least_exponent))
            known[key] = nearest(value, results.dtype)
        results[index] = known[key]
