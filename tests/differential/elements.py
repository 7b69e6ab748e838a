"""The element types, and values of each."""

from __future__ import annotations

from functools import cache

import numpy as np

from stablehlo_py.bindings.types import Kind, element_type

BOOLEAN = ["i1"]
NARROW_SIGNED, NARROW_UNSIGNED = ["i2", "i4"], ["ui2", "ui4"]
SIGNED, UNSIGNED = [*NARROW_SIGNED, "i8", "i16", "i32", "i64"], [*NARROW_UNSIGNED, "ui8", "ui16", "ui32", "ui64"]
FINITE_ONLY = ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN"]
BYTES = ["f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ"]
POWERS = ["f8E8M0FNU"]
WIDE_FLOATS = ["bf16", "f16", "f32", "f64"]
FLOATS = [*FINITE_ONLY, *BYTES, *WIDE_FLOATS]
COMPLEX = ["complex<f32>", "complex<f64>"]
INTEGERS = [*SIGNED, *UNSIGNED]


def dtype_of(name: str) -> np.dtype:
    return element_type(name).dtype


@cache
def every_value(name: str) -> np.ndarray:
    """All values of a type of at most 16 bits."""
    described = element_type(name)
    patterns = np.arange(1 << described.bits, dtype=f"u{described.dtype.itemsize}")
    return patterns.astype(np.bool_) if described.kind is Kind.BOOLEAN else patterns.view(described.dtype)


@cache
def special_values(name: str) -> np.ndarray:
    """The values of a wider type where operations have their edges: limits, zeros, denormals, infinities, NaN."""
    described = element_type(name)
    if described.bits <= 8:
        return every_value(name)
    if described.is_integer:
        limits = np.iinfo(described.dtype)
        picked = [limits.min, limits.min + 1, limits.max, limits.max - 1, limits.max // 2, 0, 1, 2, 3, 7, 8, 15, 16]
        picked += [31, 32, 33, 63, 64, 65, 100] + ([-1, -2, -3, -8, -31, -32, -64] if limits.min else [])
        return np.array(picked, described.dtype)
    if described.kind is Kind.COMPLEX:
        parts = special_values(f"f{described.bits // 2}")[:22]
        return np.array([complex(real, imag) for real in parts for imag in parts], described.dtype)
    if described.bits == 16:
        return every_value(name)[:: 1 << 6]
    limits = np.finfo(described.dtype)
    magnitudes = [0.0, 1.0, np.inf, np.nan, limits.smallest_subnormal, limits.tiny, limits.max, 0.5, 1.5, 2.5, 3.0]
    magnitudes += [
        1 - limits.epsneg,
        1 + limits.eps,
        limits.eps,
        0.1,
        np.pi / 2,
        np.pi,
        10.0,
        88.0,
        104.0,
        700.0,
        750.0,
    ]
    magnitudes += [1e-3, 1e-8, 1e-30, 1e5, 1e10, 1e30, 2.0**23 + 0.5, 2.0**31, 2.0**32, 2.0**63, 2.0**64, 255.5, 256.0]
    values = np.array(magnitudes, described.dtype)
    return np.stack([values, -values], -1).reshape(-1)


def random_values(name: str, count: int, generator: np.random.Generator) -> np.ndarray:
    """Values of a type: a third random bits, a third of a random magnitude near one, a third special ones."""
    described = element_type(name)
    if described.bits <= 8:
        return generator.choice(every_value(name), count)
    bits = generator.integers(0, 256, (count, described.dtype.itemsize), np.uint8).view(described.dtype).reshape(-1)
    if described.is_integer:
        moderate = generator.integers(0, 100, count).astype(described.dtype)
    else:
        parts = generator.standard_normal((2, count)) * 10.0 ** generator.integers(-4, 4, (2, count))
        moderate = (parts[0] + 1j * parts[1] if described.kind is Kind.COMPLEX else parts[0]).astype(described.dtype)
    special = generator.choice(special_values(name), count)
    return (
        np.choose(generator.integers(0, 3, count), [bits, moderate, special])
        if described.bits != 16
        else np.where(generator.random(count) < 0.5, bits, moderate)
    )


def part_of(name: str) -> str:
    """The type of a complex type's parts; any other type is itself."""
    return name.removeprefix("complex<").removesuffix(">")


def pairs(lhs: np.ndarray, rhs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every element of lhs with every element of rhs."""
    return np.repeat(lhs, len(rhs)), np.tile(rhs, len(lhs))
