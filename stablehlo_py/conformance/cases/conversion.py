"""Conversions between all element types, and bits read as another type."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ...bindings.types import element_type
from ..case import Case, Expected, single
from ..catalog import Draw, cases_of
from ..generate.values import (
    COMPLEX,
    ELEMENTS,
    FINITE_ONLY,
    FLOATS,
    INTEGERS,
    POWERS,
    WIDE_FLOATS,
    array_from,
    dtype_of,
    part_of,
    wide,
)
from ..oracle.rounding import Number, array_of, exponent, format_of, numbers, rounded, spacing
from ..oracle.scalars import wrapped_array
from .choosing import draw_elements
from .elementwise import COUNT, draw_floats, float_kinds, scalars_of

BITS = {
    2: ["i2", "ui2"],
    4: ["i4", "ui4", "f4E2M1FN"],
    8: ["i8", "ui8", "f8E4M3FN", "f8E5M2"],
    16: ["i16", "ui16", "bf16", "f16"],
    32: ["i32", "ui32", "f32"],
    64: ["i64", "ui64", "f64"],
}
SOURCE = "rational numbers, rounded once; integers modulo 2^bits"
_LIMITS = (2.0**-127, 2.0**-126, 2.0**126, 2.0**127)  # of f8E8M0FNU


def _kinds(source: str, target: str) -> Iterator[str]:
    yield "ordinary"
    if source in FLOATS:
        yield from float_kinds(source)[1:]
        if target in FLOATS:
            yield "ties"
    elif source in INTEGERS:
        yield "wrap-around"
        if target in WIDE_FLOATS and element_type(source).bits > 8:
            yield "ties"


def _operand(source: str, target: str, kind: str, generator: random.Random) -> np.ndarray:
    """Values whose conversion the spec defines: integers and floats that the target can hold."""
    if kind == "ties" and source in INTEGERS:
        return _whole_ties(source, target, generator)
    values = _ties(source, target, generator) if kind == "ties" else draw_elements(source, kind, COUNT, generator)
    if source in FLOATS or source in COMPLEX:
        real = np.where(np.isfinite(np.real(wide(values))), np.real(wide(values)), np.inf)
        if target in INTEGERS:
            described = element_type(target)
            signed = not target.startswith("u")
            low = -(2.0 ** (described.bits - 1)) if signed else 0
            high = 2.0 ** (described.bits - signed)
            values = values[np.isfinite(real) & (np.trunc(real) >= low) & (np.trunc(real) < high)]
        elif target in FINITE_ONLY or target in POWERS:
            values = values[np.isfinite(real)]
    if target in POWERS:
        if kind == "special values" and source in FLOATS:
            values = np.concatenate([values, array_of(_LIMITS, source, (-1,))])
        values = values[[_is_power(float(value)) for value in np.real(wide(values))]]
    return values


def _is_power(number: float) -> bool:
    return math.frexp(number)[0] == 0.5 and abs(math.log2(number)) <= 127


def _ties(source: str, target: str, generator: random.Random) -> np.ndarray:
    """Midpoints between two neighbours of the target, and the values of the source next to them."""
    base = [Fraction(number) for number in numbers(draw_floats(target, "ordinary", COUNT // 3, generator))]
    halves = [number + spacing(number, target) / 2 for number in base]
    finer = [half + sign * spacing(half, source) for half in halves for sign in (-1, 0, 1)]
    kept = [number for number in finer if rounded(number, source) == number and rounded(number, target) < math.inf]
    return array_of([number for number in kept if number], source, (-1,)) if kept else np.zeros(0, dtype_of(source))


def _whole_ties(source: str, target: str, generator: random.Random) -> np.ndarray:
    """Integers halfway between two neighbours of a float type, and next to it."""
    digits, bits = format_of(target).digits, element_type(source).bits - (not source.startswith("u"))
    found = list[int]()
    for width in range(digits + 1, min(bits, exponent(format_of(target).largest)) + 1):
        half = 1 << (width - digits - 1)
        whole = (2 * generator.randrange(1 << (digits - 1), 1 << digits) + 1) * half
        near = 1 << generator.randrange(max(width - digits - 1, 1))
        signs = (1,) if source.startswith("u") else (1, -1)
        found += [sign * (whole + step) for step in (-near, -1, 0, 1, near) for sign in signs]
    kept = [number for number in found if number.bit_length() <= bits]
    return np.array(kept, object).astype(dtype_of(source))


def _real(values: np.ndarray, source: str) -> list[Number | int]:
    """Elements as numbers; of complex ones the real parts."""
    if source == "i1" or source in INTEGERS:
        return list(scalars_of(values))
    return list(numbers(np.real(values) if source in COMPLEX else values))


def converted(values: np.ndarray, source: str, target: str) -> np.ndarray:
    """The elements in another type."""
    real = _real(values, source)
    if target == "i1":
        return np.array([number != 0 for number in real], bool)
    if target in INTEGERS:
        return wrapped_array(map(math.trunc, real), target)
    if target in COMPLEX and source in COMPLEX:
        part = part_of(target)
        parts = [array_of(numbers(each), part, (-1,)) for each in (np.real(values), np.imag(values))]
        return np.stack(parts, -1).reshape(-1).view(dtype_of(target))
    exact = [Fraction(number) if isinstance(number, int) and number else float(number) for number in real]
    if target in COMPLEX:
        return array_of(exact, part_of(target), (-1,)).astype(dtype_of(target))
    if target in POWERS:
        return np.array([float(number) for number in exact]).astype(dtype_of(target))
    return array_of(exact, target, (-1,))


@cases_of("convert")
def convert(op: str, draw: Draw) -> Iterator[Case]:
    """From every type to every type."""
    for source in draw.only([*ELEMENTS, *POWERS]):
        for target in draw.only([*ELEMENTS, *POWERS]) if draw.smoke else [*ELEMENTS, *POWERS]:
            for kind in _kinds(source, target):
                if source in POWERS and target not in FLOATS[5:]:
                    continue
                drawn = _operand if source not in POWERS else _powers
                values = drawn(source, target, kind, draw(op, source, target, kind))
                if values.size:
                    expected = Expected(converted(values, source, target), target)
                    yield single(op, source, kind, [(source, values)], [expected], source=SOURCE)


def _powers(source: str, _target: str, _kind: str, _generator: random.Random) -> np.ndarray:
    return array_from([2.0**power for power in range(-5, 5)], source)


def _unpacked(array: np.ndarray, bits: int) -> int:
    """The bits of elements as one number, the first element lowest."""
    patterns = array.reshape(-1).view(f"u{array.dtype.itemsize}")
    mask = (1 << bits) - 1
    return sum((int(pattern) & mask) << (bits * position) for position, pattern in enumerate(patterns))


@cases_of("bitcast_convert")
def bitcast_convert(op: str, draw: Draw) -> Iterator[Case]:
    """Bits as another type: of the same width, as several of a narrower one, as a part of a wider one."""
    every = [(element, bits) for bits, elements in BITS.items() for element in elements]
    for source, source_bits in every:
        for target, target_bits in every:
            if source == target:
                continue
            ratio = max(source_bits, target_bits) // min(source_bits, target_bits)
            widens, narrows = target_bits > source_bits, target_bits < source_bits
            shape = (3, 2, ratio) if widens else (3, 2)
            values = draw_elements(source, "special values", math.prod(shape), draw(op, source, target)).reshape(shape)
            rows = [_unpacked(row, source_bits) for row in values.reshape(6, -1)]
            count = ratio if narrows else 1
            mask = (1 << target_bits) - 1
            patterns = [(row >> (target_bits * position)) & mask for row in rows for position in range(count)]
            result = _from_patterns(patterns, target).reshape((3, 2, ratio) if narrows else (3, 2))
            kind = "widening" if widens else "narrowing" if narrows else "ordinary"
            expected = Expected(result, target)
            yield single(op, source, kind, [(source, values)], [expected], source="shifts of Python integers")


def _from_patterns(patterns: list[int], element: str) -> np.ndarray:
    """Elements with these bits."""
    dtype = element_type(element).dtype
    return np.array(patterns, f"u{dtype.itemsize}").view(dtype)


def iota_values(element: str, count: int) -> np.ndarray:
    """0, 1, 2, … in an element type."""
    return converted(np.arange(count, dtype=np.int64), "i64", element)
