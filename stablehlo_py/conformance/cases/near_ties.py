"""Functions where rounding is hard: the exact value lies close to the middle between two doubles.

Along neighbouring doubles a smooth function is almost a line. Among 2^18 points of a line one lies within about 2^-19
of a middle, in units of the last place: 70 bits are needed to round the function there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from ..case import PROFILE, Case, Expected, single
from ..catalog import Draw, cases_of
from ..generate.values import dtype_of, part_of
from ..oracle import scalars
from ..oracle.functions import COMPLEX_UNARY, REAL, magnitude, of_complex, of_real
from ..oracle.rounding import array_of, spacing
from .complex_numbers import draw_complex, near
from .elementwise import float_case

_MOST, _FEWEST = 18, 8


def near_tie(value: Callable[[float], Fraction], start: float) -> float | None:
    """Return the operand whose value is closest to a middle, among the doubles from `start` on.

    None where the function bends too much.
    """
    step = float(spacing(Fraction(start), "f64"))
    first = value(start)
    unit = spacing(first, "f64")
    for bits in range(_MOST, _FEWEST - 1, -2):
        count = 1 << bits
        half, last = value(start + count // 2 * step), value(start + count * step)
        if abs(first + last - 2 * half) * 4 * count < unit:
            past, slope = [_part_of_one(number / unit) for number in (first - unit / 2, (last - first) / count)]
            found = np.arange(count, dtype=np.uint64) * slope + past
            return start + int(np.argmin(np.minimum(found, ~found))) * step
    return None


def nearest_ties(value: Callable[[float], Fraction], operands: Iterable[float], count: int) -> list[float]:
    """Return those operands whose values are closest to a middle, where a function bends too much for `near_tie`."""

    def distance(operand: float) -> Fraction:
        exact = value(operand)
        part = exact / spacing(exact, "f64") % 1
        return abs(part - Fraction(1, 2))

    return sorted(operands, key=distance)[:count]


def _part_of_one(number: Fraction) -> np.uint64:
    """Return the fractional part in units of 2^-64."""
    return np.uint64(int(number * 2**64 // 1) % 2**64)


KIND = "near ties"
COUNT = 96
SOURCE = "mpmath's numbers of 400 bits, next to the middle between two doubles"
# Doubles whose results lie so close to the middle between two others that it takes over 110 bits to round them (the
# tables of Lefèvre and Muller).
HARDEST = {
    "cosine": ("0x1.8000000000009p-23",),
    "exponential": ("0x1.9e9cbbfd6080bp-31",),
    "sine": ("0x1.598bae9e632f6p-7", "0x1.e0000000001c2p-20"),
    "tan": ("0x1.dffffffffff1fp-22",),
}
# Where series begin: f(1 + d) = f(1) + f'(1) d + ... is next to a middle for many d of few bits, as is f(d).
_NEXT_TO_ONE = [1 + sign * n * 2.0**-53 for n in range(1, 17) for sign in (-1, 1)]
_NEXT_TO_ZERO = [sign * n * 2.0**-54 for n in range(1, 17) for sign in (-1, 1)]
_POSITIVE = ("log", "log_plus_one", "power", "rsqrt", "sqrt")
_PERIODIC, _MANY = ("cosine", "sine", "tan"), 4000
_IN_RANGE = Fraction(2) ** 1000


def _starts(generator: random.Random, *, positive: bool) -> Iterator[float]:
    """Numbers of common sizes, and of all."""
    signs = (1,) if positive else (1, -1)
    while True:
        exponents = generator.choice(((-25, 10), (-25, 10), (-1070, 1000)))
        yield generator.choice(signs) * (1 + generator.random()) * 2.0 ** generator.randrange(*exponents)


def _found(value: Callable[[float], Fraction], starts: Iterator[float], count: int) -> Iterator[float]:
    """Operands near ties, where the function has normal values and bends little."""
    for start, _ in zip(starts, range(count), strict=False):
        if 1 / _IN_RANGE < abs(value(start)) < _IN_RANGE:
            operand = near_tie(value, start)
            if operand is not None:
                yield operand


@cases_of(*scalars.TRANSCENDENTAL)
def of_one(op: str, draw: Draw) -> Iterator[Case]:
    """Functions of doubles."""
    for element in draw.only(["f64"]):
        starts = _starts(draw(op, element, KIND), positive=op in _POSITIVE)
        hardest = map(float.fromhex, HARDEST.get(op, ()))
        small = [] if op in _POSITIVE and op != "log_plus_one" else _NEXT_TO_ZERO
        found = [*_found(lambda x: of_real(op, x), starts, COUNT)]
        if op in _PERIODIC:
            generator = draw(op, element, KIND, "large")
            many = [(1 + generator.random()) * 2.0 ** generator.randrange(20, 200) for _ in range(_MANY)]
            found += nearest_ties(lambda x: of_real(op, x), many, COUNT)
        operand = np.array([*hardest, *_NEXT_TO_ONE, *small, *found])
        yield float_case(op, element, KIND, [operand], PROFILE.whole_units(op, element))


@cases_of(*[name for name in REAL if name not in scalars.TRANSCENDENTAL])
def of_two(op: str, draw: Draw) -> Iterator[Case]:
    """Functions of two doubles. The second operand is drawn."""
    for element in draw.only(["f64"]):
        generator = draw(op, element, KIND)
        starts = _starts(generator, positive=op in _POSITIVE)
        pairs = list[tuple[float, float]]()
        for _ in range(COUNT):
            other = generator.choice((-1, 1)) * (1 + generator.random()) * 2.0 ** generator.randrange(-6, 6)
            pairs += [(found, other) for found in _found(lambda x, y=other: of_real(op, x, y), starts, 1)]
        pairs += [(number, other) for number in _NEXT_TO_ONE for other in (0.5, 1.5)]
        if op == "atan2":  # ties but for the third power
            pairs += [(number * 2.0**-1022, 2.0) for number in _NEXT_TO_ZERO if number * 2.0**-1022]
        operands = [np.array(column) for column in zip(*pairs, strict=True)]
        yield float_case(op, element, KIND, operands, PROFILE.whole_units(op, element))


Part = Callable[..., Fraction]


@cases_of(*({*COMPLEX_UNARY, "divide", "power"} - {"negate"}))
def of_complex_numbers(op: str, draw: Draw) -> Iterator[Case]:
    """Functions of complex numbers: the real part of the first operand is found for one part of the value."""
    for element in draw.only(["complex<f64>"]):
        generator = draw(op, element, KIND)
        count = 1 if op in COMPLEX_UNARY else 2
        rows = list[tuple[complex, ...]]()
        for index in range(COUNT):
            first, *others = draw_complex(element, generator, count).tolist()

            def part(
                x: float, y: float = first.imag, others: Sequence[complex] = others, at: int = index % 2
            ) -> Fraction:
                return of_complex(op, complex(x, y), *others)[at]

            rows += [(complex(x, first.imag), *others) for x in _found(part, iter([first.real]), 1)]
        yield _complex_case(op, element, rows)


@cases_of("divide")
def almost_sums(op: str, draw: Draw) -> Iterator[Case]:
    """Quotients (a + ib) / (1 + id) for a small d: a + bd, half a unit beyond a, less a d²."""
    for element in draw.only(["complex<f32>", "complex<f64>"]):
        generator, dtype = draw(op, element, KIND, "sums"), dtype_of(part_of(element))
        rows = list[tuple[complex, ...]]()
        for _ in range(COUNT):
            a = float(dtype.type(generator.choice((-1, 1)) * (1 + generator.random())))
            d = 2.0 ** -generator.randrange(30, 40)
            b = generator.choice((-1, 1)) * float(spacing(Fraction(a), part_of(element))) / (2 * d)
            rows.append((complex(a, b), complex(1, d)))
        yield _complex_case(op, element, rows)


def _complex_case(op: str, element: str, rows: Sequence[Sequence[complex]]) -> Case:
    operands = [np.array(column).astype(dtype_of(element)) for column in zip(*rows, strict=True)]
    exact = [of_complex(op, *row) for row in rows]
    return single(op, element, KIND, operands, [near(op, exact, element, (len(rows),))], source=SOURCE)


@cases_of("abs")
def sizes(op: str, draw: Draw) -> Iterator[Case]:
    """Sizes of complex numbers."""
    for element in draw.only(["complex<f64>"]):
        numbers = draw_complex(element, draw(op, element, KIND), COUNT).tolist()
        found, real = list[complex](), part_of(element)
        for number in numbers:
            near_by = _found(lambda x, y=number.imag: magnitude(complex(x, y)), iter([number.real]), 1)
            found += [complex(x, number.imag) for x in near_by]
        value = array_of(map(magnitude, found), real, (len(found),))
        expected = Expected(value, real, "ulp", PROFILE.whole_units(op, element))
        yield single(op, element, KIND, [np.array(found)], [expected], source=SOURCE)
