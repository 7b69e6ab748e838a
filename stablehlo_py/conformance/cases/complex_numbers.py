"""Elementwise ops on complex numbers: errors are measured against the magnitude of the result."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ...debug.allowed.widths import Accuracy, complex_reach
from ..case import PROFILE, Case, Expected, single
from ..catalog import Draw, cases_of
from ..generate.values import COMPLEX, array_from, dtype_of, part_of
from ..oracle.functions import COMPLEX_BINARY, COMPLEX_UNARY, magnitude, of_complex
from ..oracle.rounding import array_of
from .contraction import summed
from .elementwise import case_of, draw_floats

COUNT = 60
_KINDS = ("ordinary", "special values", "denormals")
SOURCE = "mpmath's numbers of 400 bits; each part within some ULP of the magnitude"


def draw_complex(element: str, generator: random.Random, count: int = COUNT) -> np.ndarray:
    """Complex numbers off the axes, of moderate size."""

    def part() -> float:
        return generator.choice((-1, 1)) * (generator.random() + 0.05) * 2.0 ** generator.randrange(-3, 3)

    return array_from([complex(part(), part()) for _ in range(count)], element)


def near(
    op: str,
    exact: list[tuple[Fraction, Fraction]],
    element: str,
    shape: tuple[int, ...],
    reach: np.ndarray | float | None = None,
) -> Expected:
    """The allowed results for complex numbers, by default of an elementwise op."""
    dtype = dtype_of(element)
    parts = np.array([[float(part) for part in number] for number in exact], np.float64).reshape(-1, 2)
    columns = [array_of([number[index] for number in exact], part_of(element), (-1,)) for index in (0, 1)]
    value = np.stack(columns, -1).reshape(-1).view(dtype).reshape(shape)
    if op in ("add", "subtract", "negate"):
        return summed(value, element)
    if reach is None:
        accuracy = Accuracy(PROFILE.units(f"stablehlo.{op}", dtype), PROFILE.sentence)
        reach = complex_reach(op, np.hypot(parts[:, :1], parts[:, 1:]), dtype, accuracy)
    low, high = [(parts + sign * reach).astype(np.float64).reshape(*shape, 2) for sign in (-1, 1)]
    return Expected(value, element, "bounds", low=low, high=high)


@cases_of(*COMPLEX_UNARY, *COMPLEX_BINARY)
def on_complex_numbers(op: str, draw: Draw) -> Iterator[Case]:
    """Functions and arithmetic of complex numbers."""
    kinds = {"ordinary": (COUNT,), "scalar": (), "empty": (0, 3), "odd": (3, 5)}
    for element, kind, generator in draw.each(op, COMPLEX, tuple(kinds)):
        shape, count = kinds[kind], 1 if op in COMPLEX_UNARY else 2
        operands = [draw_complex(element, generator, math.prod(shape)) for _ in range(count)]
        exact = [of_complex(op, *map(complex, each)) for each in zip(*operands, strict=True)]
        named = [operand.reshape(shape) for operand in operands]
        yield single(op, element, kind, named, [near(op, exact, element, shape)], source=SOURCE)


@cases_of(*COMPLEX_UNARY, "divide", "multiply", "power")
def on_axes(op: str, draw: Draw) -> Iterator[Case]:
    """Positive and imaginary numbers, whose results often have a part that is zero. Divisors are the dividends, turned
    by a quarter: their quotients are on an axis."""
    for element in draw.only(COMPLEX):
        generator = draw(op, element, "an axis")
        operands = [draw_complex(element, generator) for _ in range(1 if op in COMPLEX_UNARY else 2)]
        if op == "divide":
            operands[1] = operands[0] * operands[0].dtype.type(1j)
        else:
            for operand in operands:
                parts = operand.view(dtype_of(part_of(element))).reshape(-1, 2)
                parts[::2, 0], parts[::2, 1], parts[1::2, 0] = np.abs(parts[::2, 0]), 0, 0
        exact = [of_complex(op, *map(complex, each)) for each in zip(*operands, strict=True)]
        yield single(op, element, "an axis", operands, [near(op, exact, element, (COUNT,))], source=SOURCE)


@cases_of("maximum", "minimum")
def extreme(op: str, draw: Draw) -> Iterator[Case]:
    """The larger or the smaller of complex numbers: by the real part, then by the imaginary one."""
    for element in draw.only(COMPLEX):
        generator = draw(op, element)
        lhs, other = [draw_complex(element, generator) for _ in range(2)]
        positions = np.arange(COUNT)
        real = np.where(positions % 2, np.real(other), np.real(lhs))
        imag = np.where(positions % 6, np.imag(other), np.imag(lhs))
        rhs = (real + 1j * imag).astype(lhs.dtype)
        choose = max if op == "maximum" else min
        chosen = [choose(pair, key=lambda z: (z.real, z.imag)) for pair in zip(lhs, rhs, strict=True)]
        yield case_of(op, element, "ordinary", [lhs, rhs], [np.array(chosen).astype(lhs.dtype)])


@cases_of("real", "imag", "abs")
def part(op: str, draw: Draw) -> Iterator[Case]:
    """The parts of complex numbers, special values among them, and the magnitude."""
    for element, kind, generator in draw.each(op, COMPLEX, _KINDS):
        real = part_of(element)
        first, second = [draw_floats(real, kind, COUNT, generator) for _ in range(2)]
        operand = np.stack([first, second], -1).reshape(-1).view(dtype_of(element))
        if op != "abs":
            yield case_of(op, element, kind, [operand], [Expected(first if op == "real" else second, real)])
        elif kind == "ordinary":
            exact = array_of([magnitude(complex(value)) for value in operand], real, operand.shape)
            expected = Expected(exact, real, "ulp", PROFILE.whole_units(op, element))
            yield single(op, element, kind, [operand], [expected], source="mpmath's numbers of 400 bits")


@cases_of("complex")
def make_complex(op: str, draw: Draw) -> Iterator[Case]:
    """Complex numbers of two parts."""
    for element, kind, generator in draw.each(op, COMPLEX, _KINDS):
        parts = [draw_floats(part_of(element), kind, COUNT, generator) for _ in range(2)]
        operands = [(part_of(element), each) for each in parts]
        yield case_of(op, element, kind, operands, [np.stack(parts, -1).reshape(-1).view(dtype_of(element))])
