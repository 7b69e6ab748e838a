"""Elementwise ops: values at the edges of each type, against integer and rational arithmetic, and mpmath."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial

import numpy as np

from ...bindings.types import element_type
from ..case import PROFILE, Case, Expected, single
from ..catalog import Draw, cases_of
from ..generate.values import (
    BINARY,
    FINITE_ONLY,
    FLOATS,
    INTEGERS,
    UNARY,
    array_from,
    dtype_of,
    every_value,
    special_values,
    wide,
)
from ..oracle import scalars
from ..oracle.rounding import Number, array_of, format_of, numbers, spacing

COUNT = 120
SHAPES = {"scalar": (), "empty": (2, 0), "odd": (3, 5, 7), "large": (1031,)}
INTEGER_SOURCE = "Python integers, modulo 2^bits"
RATIONAL_SOURCE = "rational numbers, rounded once"
FUNCTION_SOURCE = "mpmath's numbers of 400 bits, rounded once; special values of IEEE-754"
case_of = partial(single, source="the definition, element by element")
FUNCTIONS = {**scalars.TRANSCENDENTAL, "power": scalars.power, "atan2": scalars.atan2}
ON_INTEGERS: dict[str, Callable[..., int]] = {**scalars.INTEGER_UNARY, **scalars.INTEGER_BINARY}
ON_FLOATS = {**scalars.FLOAT_UNARY, **scalars.FLOAT_BINARY, **FUNCTIONS}


def scalars_of(array: np.ndarray) -> list[int]:
    """The elements of integers as Python's."""
    return [int(value) for value in array.reshape(-1).astype(object if array.dtype.kind in "iu" else np.int64)]


@cache
def float_pool(element: str, kind: str) -> np.ndarray:
    """Return the values of a float type of one kind: `ordinary`, `special values` or `denormals`."""
    values = every_value(element) if element_type(element).bits <= 16 else special_values(element)
    numbers_, described = wide(values), format_of(element)
    size = np.abs(numbers_)
    denormal = (size < 2.0**described.least) & (size != 0)
    special = ~np.isfinite(size) | (size == 0) | (size == float(described.largest))
    chosen = {"denormals": denormal, "special values": special, "ordinary": ~(denormal | special)}[kind]
    return values[chosen]


def draw_floats(element: str, kind: str, count: int, generator: random.Random) -> np.ndarray:
    """Values of a float type of one kind. Ordinary and denormal ones of wide types are mostly random."""
    pool = float_pool(element, kind)
    picked = pool[np.array([generator.randrange(len(pool)) for _ in range(count)], np.int64)]
    if kind == "special values" or element_type(element).bits <= 8:
        return picked
    least = format_of(element).least
    exponents = (least - 11, least + 1) if kind == "denormals" else (-8, 9)
    numbers_ = [(generator.random() * 2 - 1) * 2.0 ** generator.randrange(*exponents) for _ in range(count)]
    near = np.array(numbers_).astype(dtype_of(element))
    return np.where(np.array([generator.random() < 0.7 for _ in range(count)], bool), near, picked)


def draw_integers(element: str, kind: str, count: int, generator: random.Random) -> np.ndarray:
    """Values of an integer type: `ordinary` ones are small, of `wrap-around` the largest and smallest or any bits."""
    described = element_type(element)
    low, high = map(int, described.bounds)
    if kind == "ordinary":
        picked = [generator.randrange(max(low, -9), min(high, 9) + 1) for _ in range(count)]
    else:
        edges = (low, low + 1, high, high - 1, high // 2 + 1, 1, 0)
        picked = [generator.choice((generator.choice(edges), generator.randint(low, high))) for _ in range(count)]
    return np.array(picked, object).astype(dtype_of(element))


def integer_case(op: str, element: str, kind: str, operands: Sequence[np.ndarray]) -> Case:
    """The case of an op on integers of one type."""
    described, shape = element_type(element), operands[-1].shape
    exact = [ON_INTEGERS[op](*values, described.bits) for values in zip(*map(scalars_of, operands), strict=True)]
    value = scalars.wrapped_array(exact, element).reshape(shape)
    return single(op, element, kind, operands, [value], source=INTEGER_SOURCE)


def float_case(op: str, element: str, kind: str, operands: Sequence[np.ndarray], ulp: float = 0.0) -> Case:
    """Return the case of an op on floats of one type.

    Elements are left out if the type cannot hold their result and the spec says nothing about it.
    """
    if op == "logistic":
        operands = [_with_exponentials(operands[0], element)]
    exact: list[Number] = [ON_FLOATS[op](*values) for values in zip(*map(numbers, operands), strict=True)]
    shape = operands[-1].shape
    if element in FINITE_ONLY and operands[-1].ndim == 1:
        keep = [position for position, number in enumerate(exact) if _holds(number, element)]
        exact, shape = [exact[position] for position in keep], (len(keep),)
        operands = [operand[keep] for operand in operands]
    value = array_of(exact, element, shape)
    expected = Expected(value, element, "ulp", ulp) if ulp else value
    source = FUNCTION_SOURCE if ulp else RATIONAL_SOURCE
    return single(op, element, kind, operands, [expected], source=source)


def _with_exponentials(operand: np.ndarray, element: str) -> np.ndarray:
    """Return floats, positive where exp(-x), a step of the spec's formula for `logistic`, is too large for the type."""
    values = wide(operand)
    too_large = np.isfinite(values) & (-values > math.log(format_of(element).largest))
    return np.where(too_large, np.abs(operand), operand)


def _holds(number: Number, element: str) -> bool:
    return math.isfinite(number) and abs(number) <= format_of(element).largest


ROUNDED = ("add", "subtract", "multiply", "divide")
TIED = ("floor", "ceil", "round_nearest_even", "round_nearest_afz")


def integers_of(op: str) -> list[str]:
    """Return the integer types of an op that has integer results."""
    elements = UNARY.get(op) or BINARY.get(op) or []
    return [element for element in elements if element in INTEGERS and op in ON_INTEGERS]


def _ulp(op: str, element: str) -> float:
    """The allowed error: none where results are exact, or rounded once."""
    return PROFILE.whole_units(op, element) if op in FUNCTIONS else 0.0


def float_kinds(element: str) -> list[str]:
    """The kinds of values that a float type has."""
    return [kind for kind in ("ordinary", "special values", "denormals") if len(float_pool(element, kind))]


@cases_of(*{**scalars.INTEGER_UNARY, **scalars.FLOAT_UNARY, **scalars.TRANSCENDENTAL})
def unary(op: str, draw: Draw) -> Iterator[Case]:
    """Ops of one operand: exact results, and functions against mpmath."""
    for element in draw.only(integers_of(op)):
        for kind in ("ordinary", "wrap-around"):
            yield integer_case(op, element, kind, [draw_integers(element, kind, COUNT, draw(op, element, kind))])
        yield from _shapes(op, element, draw, 1)
    for element in draw.only(FLOATS if op in ON_FLOATS else ()):
        ulp = _ulp(op, element)
        for kind in float_kinds(element):
            yield float_case(op, element, kind, [draw_floats(element, kind, COUNT, draw(op, element, kind))], ulp)
        if op in TIED:
            halves = np.arange(-16, 17, dtype=np.float64) / 2
            narrow = array_from(halves, element)
            yield float_case(op, element, "ties", [narrow[wide(narrow) == halves]])
        if ulp and element in ("f32", "f64"):
            largest = (120, 127) if element == "f32" else (960, 1023)
            for kind, exponents in (("small", (-40, -8)), ("large", (6, 60)), ("largest", largest)):
                operand = _magnitudes(element, exponents, draw(op, element, f"{kind} arguments"))
                yield float_case(op, element, f"{kind} arguments", [operand], ulp)
            generator = draw(op, element, "between -1 and 1")
            operand = array_from([generator.uniform(-1, 1) for _ in range(4 * COUNT)], element)
            yield float_case(op, element, "between -1 and 1", [operand], ulp)
        yield from _shapes(op, element, draw, 1)
    if op == "not":
        yield boolean_case(op, [np.array([False, True])], [True, False])


@cases_of(*scalars.INTEGER_BINARY, "atan2")
def binary(op: str, draw: Draw) -> Iterator[Case]:
    """Ops of two operands."""
    for element in draw.only(integers_of(op)):
        for kind in ("ordinary", "wrap-around", *(["shift past the width"] if op.startswith("shift") else [])):
            pair = _power_pair if op == "power" else _integer_pair
            yield integer_case(op, element, kind, pair(op, element, kind, draw(op, element, kind)))
        if op in ("divide", "remainder"):
            yield _undefined_division(op, element)
        yield from _shapes(op, element, draw, 2)
    for element in draw.only(FLOATS if op in ON_FLOATS else ()):
        for kind in float_kinds(element):
            operands = _float_pair(element, kind, draw(op, element, kind))
            yield float_case(op, element, kind, operands, _ulp(op, element))
        if op == "power" and element not in FINITE_ONLY:  # where a square root has another sign, or none
            for base in (-0.0, -math.inf, 4.0, -4.0):
                pair = [np.full(3, number).astype(dtype_of(element)) for number in (base, 0.5)]
                yield float_case(op, element, "special values", pair, _ulp(op, element))
            if len(float_pool(element, "denormals")):
                generator = draw(op, element, "roots of denormals")
                base = np.abs(draw_floats(element, "denormals", COUNT, generator))
                exponent = np.array([generator.uniform(-1, 1) for _ in range(COUNT)]).astype(base.dtype)
                yield float_case(op, element, "denormals", [base, exponent], _ulp(op, element))
        if op in ROUNDED:
            tied = _ties(op, element, draw(op, element, "ties"))
            if len(tied[0]):
                yield float_case(op, element, "ties", tied)
        yield from _shapes(op, element, draw, 2)
    if op in scalars.BOOLEAN_BINARY:
        truth = [np.array([False, False, True, True]), np.array([False, True, False, True])]
        table = scalars.BOOLEAN_BINARY[op]
        yield boolean_case(op, truth, [table(*map(bool, pair)) for pair in zip(*truth, strict=True)])


def boolean_case(op: str, operands: Sequence[np.ndarray], results: Sequence[bool]) -> Case:
    """The case of an op on booleans."""
    expected = Expected(np.array(results), "i1")
    return single(op, "i1", "ordinary", [("i1", each) for each in operands], [expected], source="truth table")


def _shapes(op: str, element: str, draw: Draw, count: int) -> Iterator[Case]:
    """Scalars, no elements at all, odd sizes, many elements."""
    for kind, shape in SHAPES.items():
        if kind == "large" and element not in ("i32", "f32", "bf16"):
            continue
        generator, size = draw(op, element, kind), math.prod(shape)
        if element in INTEGERS:
            operands = _integer_pair(op, element, "ordinary", generator, size)[2 - count :]
            yield integer_case(op, element, kind, [operand.reshape(shape) for operand in operands])
            continue
        operands = [draw_floats(element, "ordinary", size, generator).reshape(shape) for _ in range(count)]
        if element not in FINITE_ONLY or op in ("add", "subtract", "multiply", "maximum", "minimum", "abs", "negate"):
            yield float_case(op, element, kind, operands, _ulp(op, element))


def _integer_pair(op: str, element: str, kind: str, generator: random.Random, count: int = COUNT) -> list[np.ndarray]:
    """Draw two operands without a division by zero and without the smallest integer divided by -1."""
    bits = element_type(element).bits
    lhs, rhs = [draw_integers(element, kind, count, generator) for _ in range(2)]
    if op.startswith("shift"):
        start = bits if kind == "shift past the width" else 0
        top = 1 << (bits if element.startswith("u") else bits - 1)
        amounts = [generator.randrange(start, start + bits) for _ in range(count)]
        if start and element.startswith("i"):
            amounts = [amount if amount < top else -1 for amount in amounts]
        rhs = np.array([min(amount, top - 1) for amount in amounts], object).astype(lhs.dtype)
    if op in ("divide", "remainder"):
        one = lhs.dtype.type(1)
        bad = (rhs.astype(np.float64) == 0) | (rhs.astype(np.float64) == -1)
        rhs = np.where(bad, one, rhs)
    return [lhs, rhs]


def _power_pair(op: str, element: str, kind: str, generator: random.Random) -> list[np.ndarray]:
    """Bases and small exponents."""
    base = draw_integers(element, kind, COUNT, generator)
    exponent = np.array([generator.randrange(2 if element.endswith("i2") else 7) for _ in base])
    return [base, exponent.astype(dtype_of(element))]


def _undefined_division(op: str, element: str) -> Case:
    """Division by zero: whatever the result, the engine goes on."""
    lhs, rhs = array_from([3, 1, 0], element), array_from([0, 0, 0], element)
    expected = Expected(rhs, element, "anything")
    return single(op, element, "implementation-defined", [lhs, rhs], [expected], source="the spec leaves it open")


def _float_pair(element: str, kind: str, generator: random.Random) -> list[np.ndarray]:
    """Operands of a kind, or one of them of a kind."""
    other = generator.choice((kind, "ordinary"))
    both = [draw_floats(element, each, COUNT, generator) for each in (kind, other)]
    return both if generator.randrange(2) else both[::-1]


def _ties(op: str, element: str, generator: random.Random) -> list[np.ndarray]:
    """Operands whose exact sum or product is halfway between two values of the type."""
    lhs = draw_floats(element, "ordinary", COUNT * 3, generator)
    halves = np.array([float(spacing(Fraction(number), element)) / 2 for number in numbers(lhs)])
    other = halves if op in ("add", "subtract") else np.where(wide(lhs) < 0, 1.5, 0.75)
    rhs = other.astype(dtype_of(element))
    fits = (wide(rhs) == other) & (other >= 2.0 ** format_of(element).least)
    return [lhs[fits][:COUNT], rhs[fits][:COUNT]]


def _magnitudes(element: str, exponents: tuple[int, int], generator: random.Random) -> np.ndarray:
    """Numbers of either sign whose exponents are drawn from a range."""
    drawn = [(generator.random() + 1) * 2.0 ** generator.randrange(*exponents) for _ in range(COUNT)]
    return array_from([generator.choice((-1, 1)) * number for number in drawn], element)
