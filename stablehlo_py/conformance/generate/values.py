"""The element types and their values, from which the kit, the fuzzer and the tests draw.

Everything drawn comes from a `random.Random`, whose numbers are the same in every version of Python.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from ...bindings.types import Kind, element_type
from ...dialect.facts import facts

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
ELEMENTS = [*BOOLEAN, *INTEGERS, *FLOATS, *COMPLEX]
_ANY_FLOAT, _LOGICAL = [*FLOATS, *COMPLEX], [*BOOLEAN, *INTEGERS]
_NUMBERS, _SIGNED_NUMBERS = [*INTEGERS, *_ANY_FLOAT], [*SIGNED, *_ANY_FLOAT]
ROUNDED_UNARY = (
    *("cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "rsqrt", "sine"),
    *("sqrt", "tan", "tanh"),
)
UNARY: dict[str, list[str]] = {
    **dict.fromkeys(ROUNDED_UNARY, _ANY_FLOAT),
    **dict.fromkeys(("ceil", "floor", "is_finite", "round_nearest_afz", "round_nearest_even"), FLOATS),
    **dict.fromkeys(("count_leading_zeros", "popcnt"), INTEGERS),
    **dict.fromkeys(("imag", "real"), _ANY_FLOAT),
    **dict.fromkeys(("abs", "sign"), _SIGNED_NUMBERS),
    "negate": _NUMBERS,
    "not": _LOGICAL,
}
"""The element types of the operand of each elementwise op, by the specification."""
BINARY: dict[str, list[str]] = {
    **dict.fromkeys(("add", "maximum", "minimum", "multiply"), ELEMENTS),
    **dict.fromkeys(("divide", "power", "remainder", "subtract"), _NUMBERS),
    **dict.fromkeys(("and", "or", "xor"), _LOGICAL),
    **dict.fromkeys(("shift_left", "shift_right_arithmetic", "shift_right_logical"), INTEGERS),
    "atan2": _ANY_FLOAT,
}
"""The element types of both operands of each elementwise op, by the specification."""
FOLDS = tuple([op for op in BINARY if "Commutative" in facts(f"stablehlo.{op}").traits])

_SPECIAL = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 2.0**-30, -(2.0**-140), 3.0e38]
_EDGES = (0.5, 1.5, 2.5, 3.0, 0.1, math.pi / 2, math.pi, 10.0, 88.0, 104.0, 700.0, 750.0)
_MAGNITUDES = (1e-3, 1e-8, 1e-30, 1e5, 1e10, 1e30, 2.0**23 + 0.5, 2.0**31, 2.0**32, 2.0**63, 2.0**64, 255.5, 256.0)


def ops_on(table: Mapping[str, Sequence[str]], name: str) -> list[str]:
    """Return the ops of a table that an element type has."""
    return [op for op, types in table.items() if name in types]


def dtype_of(name: str) -> np.dtype:
    """Return the data type of arrays of an element type."""
    return element_type(name).dtype


def array_from(numbers: Sequence[Any] | np.ndarray, name: str, sizes: Sequence[int] = (-1,)) -> np.ndarray:
    """Return numbers as elements of a type."""
    return np.array(numbers).astype(dtype_of(name)).reshape(tuple(sizes))


def wide(array: np.ndarray) -> np.ndarray:
    """Return elements in double precision, or complex double precision: exactly, for all types of at most 32 bits."""
    with np.errstate(invalid="ignore"):  # NaN of the narrow types
        return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def part_of(name: str) -> str:
    """Return the type of a complex type's parts; any other type is itself."""
    return name.removeprefix("complex<").removesuffix(">")


def is_float(name: str) -> bool:
    """Whether a type is one of floats; complex numbers are not."""
    return element_type(name).kind is Kind.FLOAT


@cache
def every_value(name: str) -> np.ndarray:
    """All values of a type of at most 16 bits."""
    described = element_type(name)
    patterns = np.arange(1 << described.bits, dtype=f"u{described.dtype.itemsize}")
    return patterns.astype(np.bool_) if described.kind is Kind.BOOLEAN else patterns.view(described.dtype)


@cache
def special_values(name: str) -> np.ndarray:
    """The values of f32 or f64 where operations have their edges: limits, zeros, denormals, infinities, NaN."""
    dtype = dtype_of(name)
    limits = np.finfo(dtype)
    magnitudes = [0.0, 1.0, np.inf, np.nan, limits.smallest_subnormal, limits.tiny, limits.max]
    magnitudes += [np.nextafter(limits.tiny, dtype.type(0))]
    magnitudes += [1 - limits.epsneg, 1 + limits.eps, limits.eps, *_EDGES, *_MAGNITUDES]
    with np.errstate(over="ignore", under="ignore"):
        values = np.array(magnitudes, dtype)
    return np.stack([values, -values], -1).reshape(-1)


def identity(fold: str, element: str) -> np.ndarray:
    """Return the value that changes nothing when `fold` combines it with another one: how often an initial
    value takes part in a fold is unspecified."""
    described = element_type(element)
    lowest, highest = described.bounds
    ones = -1 if described.has_sign else highest
    neutral = {"maximum": lowest, "minimum": highest, "and": ones, "multiply": 1}
    return np.array(neutral.get(fold, 0)).astype(described.dtype)


def values(generator: random.Random, shape: Sequence[int], name: str, *, tame: bool = False) -> np.ndarray:
    """An array with special values among its elements; `tame` leaves them out and keeps floats to small integers."""
    dtype, size = dtype_of(name), math.prod(shape)
    if dtype == np.bool_:
        flat = np.array([generator.randrange(2) for _ in range(size)], dtype)
    elif element_type(name).is_integer:
        low = 0 if name.startswith("u") else -8
        small = np.array([generator.randrange(low, 8) for _ in range(size)], np.int64)
        wide = np.frombuffer(generator.randbytes(size * 8), np.int64)
        flat = (small if tame or generator.randrange(2) else wide).astype(dtype)
    else:
        flat = _floats(generator, size, tame)
        if dtype.kind == "c":
            flat = np.stack([flat, _floats(generator, size, tame)], axis=-1).view(np.complex128)
        with np.errstate(all="ignore"):
            flat = flat.astype(dtype)
    return flat.reshape(tuple(shape))


def _floats(generator: random.Random, size: int, tame: bool) -> np.ndarray:
    if tame:
        return np.array([generator.randrange(-4, 5) for _ in range(size)], np.float64)
    return np.array(
        [generator.choice(_SPECIAL) if generator.random() < 0.3 else _near_one(generator) for _ in range(size)],
        np.float64,
    )


def _near_one(generator: random.Random) -> float:
    """Return a number of either sign whose magnitude is mostly between 1e-4 and 1e4; the same on every machine."""
    return (generator.random() * 2 - 1) * 10.0 ** generator.randrange(-3, 5)
