"""Ops that compare and choose: compare, select, clamp, is_finite, reduce_precision."""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from ..case import Case, Expected, single
from ..catalog import Draw, cases_of
from ..generate.values import COMPLEX, ELEMENTS, FLOATS, INTEGERS, dtype_of, wide
from ..oracle import scalars
from ..oracle.rounding import Number, array_of, exponent, numbers
from .complex_numbers import draw_complex
from .elementwise import COUNT, case_of, draw_floats, draw_integers, float_kinds, scalars_of

DIRECTIONS = {name: getattr(operator, name.lower()) for name in ("EQ", "NE", "LT", "LE", "GT", "GE")}


def draw_elements(element: str, kind: str, count: int, generator: random.Random) -> np.ndarray:
    """Values of any element type; `special values` of a type that has none are its ordinary ones."""
    if element == "i1":
        return np.array([generator.randrange(2) for _ in range(count)], bool)
    if element in COMPLEX:
        return draw_complex(element, generator, count)
    if element in INTEGERS:
        wraps = kind in ("special values", "wrap-around")
        return draw_integers(element, "wrap-around" if wraps else "ordinary", count, generator)
    return draw_floats(element, kind if kind in float_kinds(element) else "ordinary", count, generator)


def _half_equal(values: list[np.ndarray], generator: random.Random) -> list[np.ndarray]:
    """Two arrays that agree in some positions."""
    keep = np.array([generator.randrange(3) == 0 for _ in values[0]], bool)
    return [values[0], np.where(keep, values[0], values[1])]


def _attributes(direction: str, kind: str = "") -> str:
    text = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    return f"{text}, compare_type = #stablehlo<comparison_type {kind}>" if kind else text


def _keys(array: np.ndarray) -> list[object]:
    """The elements as what Python compares: numbers, or pairs of them."""
    if array.dtype.kind == "c":
        return [(float(value.real), float(value.imag)) for value in array.reshape(-1)]
    return list(scalars_of(array)) if array.dtype.kind in "biu" else list(numbers(array))


@cases_of("compare")
def compare(op: str, draw: Draw) -> Iterator[Case]:
    """Every direction on every type; NaN, zeros of both signs, and the total order of floats."""
    for element in draw.only(ELEMENTS):
        kinds = ["ordinary", *(["special values", "denormals"] if element in FLOATS else ["wrap-around"])]
        for kind in kinds[: 1 if element == "i1" or element in COMPLEX else 3]:
            for direction, holds in DIRECTIONS.items():
                generator = draw(op, element, kind, direction)
                drawn = [draw_elements(element, kind, COUNT, generator) for _ in range(2)]
                operands = _half_equal(drawn, generator)
                value = np.array([holds(*pair) for pair in zip(*map(_keys, operands), strict=True)], bool)
                yield case_of(op, element, kind, operands, [Expected(value, "i1")], _attributes(direction))
        if element in FLOATS[3:]:
            yield from _total_order(op, element, draw)


def total_order_keys(array: np.ndarray) -> list[int]:
    """Integers in IEEE-754's totalOrder of floats: by the bits, the magnitudes of negative numbers reversed."""
    bits = array.view(f"i{array.dtype.itemsize}").astype(np.int64)
    magnitude = (1 << (8 * array.dtype.itemsize - 1)) - 1
    return [int(value) if value >= 0 else -(int(value) & magnitude) - 1 for value in bits]


def _total_order(op: str, element: str, draw: Draw) -> Iterator[Case]:
    """IEEE-754's totalOrder.

    The one NaN of FNUZ types has the bits of a negative zero, which that order has no position for: it is left out.
    """
    for direction in ("LT", "GE", "EQ"):
        generator = draw(op, element, "total order", direction)
        drawn = [draw_floats(element, generator.choice(("special values", "ordinary")), COUNT, generator) for _ in "ab"]
        operands = _half_equal(drawn, generator)
        bits = operands[0].view(f"u{operands[0].dtype.itemsize}")
        operands[1][::3] = (bits ^ bits.dtype.type(1)).view(operands[0].dtype)[::3]  # neighbours
        for array in operands if element.endswith("FNUZ") else ():
            array[np.isnan(wide(array))] = 1
        keys = map(total_order_keys, operands)
        value = np.array([DIRECTIONS[direction](*pair) for pair in zip(*keys, strict=True)], bool)
        attributes = _attributes(direction, "TOTALORDER")
        source = "IEEE-754 totalOrder, from the bits"
        yield single(op, element, "total order", operands, [Expected(value, "i1")], attributes, source=source)


@cases_of("select")
def select(op: str, draw: Draw) -> Iterator[Case]:
    """A predicate for each element, and one for all."""
    kinds = {"ordinary": (3, 5), "special values": (4, 7), "empty": (0,), "scalar": ()}
    for element, kind, generator in draw.each(op, ELEMENTS, tuple(kinds)):
        shape, size = kinds[kind], math.prod(kinds[kind])
        on_true, on_false = [draw_elements(element, kind, size, generator).reshape(shape) for _ in range(2)]
        for pred_shape in {shape, ()}:
            drawn = [generator.randrange(2) for _ in range(math.prod(pred_shape))]
            pred = np.array(drawn, bool).reshape(pred_shape)
            value, every = on_true.copy(), np.broadcast_to(pred, shape)
            for position in np.ndindex(*shape):
                value[position] = on_true[position] if every[position] else on_false[position]
            yield case_of(op, element, kind, [("i1", pred), on_true, on_false], [value])


@cases_of("clamp")
def clamp(op: str, draw: Draw) -> Iterator[Case]:
    """minimum(maximum(operand, min), max): also where min is above max, with NaN, and scalar bounds."""
    for element, kind, generator in draw.each(op, [*INTEGERS, *FLOATS], ("ordinary", "special values", "scalar")):
        counts, drawn = ((1, COUNT, 1), "ordinary") if kind == "scalar" else ((COUNT,) * 3, kind)
        low, operand, high = [draw_elements(element, drawn, count, generator) for count in counts]
        if kind == "scalar":
            low, high = low.reshape(()), high.reshape(())
        every = [np.broadcast_to(each, operand.shape) for each in (low, operand, high)]
        if element in INTEGERS:
            triples = zip(*map(scalars_of, every), strict=True)
            value = np.array([min(max(x, a), b) for a, x, b in triples], object).astype(dtype_of(element))
        else:
            triples = zip(*map(numbers, every), strict=True)
            exact: list[Number] = [scalars.minimum(float(scalars.maximum(x, a)), b) for a, x, b in triples]
            value = array_of(exact, element, operand.shape)
        yield case_of(op, element, kind, [low, operand, high], [value])


@cases_of("is_finite")
def is_finite(op: str, draw: Draw) -> Iterator[Case]:
    """Neither infinite nor NaN."""
    for element in draw.only(FLOATS):
        for kind in float_kinds(element):
            operand = draw_floats(element, kind, COUNT, draw(op, element, kind))
            yield case_of(op, element, kind, [operand], [Expected(np.isfinite(wide(operand)), "i1")])


def reduced(number: float, exponent_bits: int, mantissa_bits: int) -> Number:
    """A number rounded to a significand of fewer bits, ties to even; beyond the exponents it is infinite or zero."""
    if not math.isfinite(number) or number == 0:
        return number
    exact = Fraction(number)
    quantum = Fraction(2) ** (exponent(exact) - mantissa_bits)
    nearest = round(exact / quantum) * quantum
    bias = (1 << (exponent_bits - 1)) - 1
    if exponent(nearest) > bias:
        return math.copysign(math.inf, number)
    if exponent(nearest) < 1 - bias:
        return math.copysign(0.0, number)
    return nearest


@cases_of("reduce_precision")
def reduce_precision(op: str, draw: Draw) -> Iterator[Case]:
    """Fewer bits of the exponent and of the significand, for the types of IEEE-754."""
    elements = draw.only(("f8E3M4", "f8E4M3", "f8E5M2", "bf16", "f16", "f32", "f64"))
    formats, kinds = ((8, 7), (5, 10), (3, 2), (11, 52), (4, 1), (2, 1)), ("ordinary", "special values", "ties")
    for element, bits, kind in product(elements, formats, kinds):
        operand = _precise(element, kind, bits[1], draw(op, element, kind, *bits))
        value = array_of([reduced(x, *bits) for x in numbers(operand)], element, operand.shape)
        attributes = f"exponent_bits = {bits[0]} : i32, mantissa_bits = {bits[1]} : i32"
        yield single(op, element, kind, [operand], [value], attributes, source="rational numbers, rounded once")


def _precise(element: str, kind: str, mantissa_bits: int, generator: random.Random) -> np.ndarray:
    """Operands of a kind; ties are halfway between two numbers of the wanted bits."""
    if kind != "ties":
        return draw_floats(element, kind, COUNT, generator)
    whole = [2 * generator.randrange(1 << mantissa_bits, 2 << mantissa_bits) + 1 for _ in range(COUNT)]
    halfway = np.array([generator.choice((-1, 1)) * number / (2 << mantissa_bits) for number in whole])
    narrow = halfway.astype(dtype_of(element))
    return narrow[wide(narrow) == halfway]
