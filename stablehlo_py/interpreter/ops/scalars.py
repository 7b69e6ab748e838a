"""Ops of arith and math, which compute shapes in dynamic programs; on scalars, and on tensors element by element.

Their integers are signless. Each op says how it reads them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...bindings.types import ElementType, Kind, element_type
from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import Array

_AS_THEY_ARE = {
    "arith.addf": "add",
    "arith.addi": "add",
    "arith.andi": "and_",
    "arith.divf": "divide",
    "arith.divsi": "divide",
    "arith.maximumf": "maximum",
    "arith.maxsi": "maximum",
    "arith.minimumf": "minimum",
    "arith.minsi": "minimum",
    "arith.mulf": "multiply",
    "arith.muli": "multiply",
    "arith.negf": "negate",
    "arith.ori": "or_",
    "arith.remf": "remainder",
    "arith.remsi": "remainder",
    "arith.shli": "shift_left",
    "arith.shrsi": "shift_right_arithmetic",
    "arith.shrui": "shift_right_logical",
    "arith.subf": "subtract",
    "arith.subi": "subtract",
    "arith.xori": "xor",
    "math.absf": "abs",
    "math.absi": "abs",
    "math.atan2": "atan2",
    "math.cbrt": "cbrt",
    "math.ceil": "ceil",
    "math.cos": "cosine",
    "math.ctlz": "count_leading_zeros",
    "math.ctpop": "popcnt",
    "math.exp": "exponential",
    "math.expm1": "exponential_minus_one",
    "math.floor": "floor",
    "math.ipowi": "power",
    "math.log": "log",
    "math.log1p": "log_plus_one",
    "math.powf": "power",
    "math.round": "round_nearest_afz",
    "math.roundeven": "round_nearest_even",
    "math.rsqrt": "rsqrt",
    "math.sin": "sine",
    "math.sqrt": "sqrt",
    "math.tan": "tan",
    "math.tanh": "tanh",
}
_AS_UNSIGNED = {
    "arith.divui": "divide",
    "arith.maxui": "maximum",
    "arith.minui": "minimum",
    "arith.remui": "remainder",
}
# Addition modulo 2, which is not what StableHLO's booleans have.
_ON_BITS = {"add": "xor", "subtract": "xor"}


def _unsigned(elements: ElementType) -> ElementType:
    """The unsigned integers of the same width; booleans are."""
    if elements.kind is Kind.BOOLEAN:
        return elements
    return element_type(f"ui{elements.bits}")


@evaluates(*_AS_THEY_ARE, by_types=True)
def compute(op: Op) -> Kernel:
    """The result of the StableHLO op of the same meaning."""
    elements = op.tensor_operand(0).element_type
    name = _AS_THEY_ARE[op.name]
    return getattr(op.arithmetic_of(elements), _ON_BITS.get(name, name) if elements.kind is Kind.BOOLEAN else name)


@evaluates(*_AS_UNSIGNED, by_types=True)
def compute_unsigned(op: Op) -> Kernel:
    """The result of the StableHLO op of the same meaning on unsigned integers."""
    elements = op.tensor_operand(0).element_type
    unsigned = _unsigned(elements)
    operation: Callable[..., Any] = getattr(op.arithmetic_of(unsigned), _AS_UNSIGNED[op.name])
    return lambda lhs, rhs: operation(lhs.view(unsigned.dtype), rhs.view(unsigned.dtype)).view(elements.dtype)


@evaluates("arith.ceildivsi", "arith.ceildivui", "arith.floordivsi", by_types=True)
def divide_rounded(op: Op) -> Kernel:
    """lhs / rhs rounded up or down."""
    elements = op.tensor_operand(0).element_type
    integers = op.arithmetic_of(_unsigned(elements) if op.name == "arith.ceildivui" else elements)
    one = integers.dtype.type(1)
    up = op.name != "arith.floordivsi"

    def kernel(lhs: Array, rhs: Array) -> Array:
        lhs, rhs = lhs.view(integers.dtype), rhs.view(integers.dtype)
        quotient, remainder = integers.divide(lhs, rhs), integers.remainder(lhs, rhs)
        is_positive = (remainder < 0) == (rhs < 0)
        step = quotient + one if up else quotient - one
        return np.where((remainder != 0) & (is_positive if up else ~is_positive), step, quotient).view(elements.dtype)[
            ()
        ]

    return kernel


@evaluates("arith.maxnumf", "arith.minnumf", "arith.maximumnumf", "arith.minimumnumf")
def choose_number(op: Op) -> Kernel:
    """The larger or smaller of lhs and rhs, and the number if the other is NaN."""
    floats = op.arithmetic()
    extreme = floats.maximum if op.name.startswith("arith.max") else floats.minimum

    def kernel(lhs: Array, rhs: Array) -> Array:
        number = np.where(np.isnan(rhs), lhs, extreme(lhs, rhs))
        return np.where(np.isnan(lhs), rhs, number)[()]

    return kernel


_INTEGER_PREDICATES = ("EQ", "NE", "LT", "LE", "GT", "GE", "LT", "LE", "GT", "GE")
_FLOAT_PREDICATES = ("EQ", "GT", "GE", "LT", "LE", "NE")


@evaluates("arith.cmpi")
def compare_integers(op: Op) -> Kernel:
    """lhs predicate rhs: equal, unequal, four comparisons of signed and four of unsigned integers."""
    elements, predicate = op.tensor_operand(0).element_type, op.int("predicate")
    read_as = elements if predicate < 6 else _unsigned(elements)
    compare = op.arithmetic_of(read_as).comparison(_INTEGER_PREDICATES[predicate])
    if elements.kind is Kind.BOOLEAN:
        return (lambda lhs, rhs: compare(rhs, lhs)) if 2 <= predicate < 6 else compare  # true is -1 with a sign
    if predicate < 6:
        return compare  # without a view, for compiled plans have a sign for it
    return lambda lhs, rhs: compare(lhs.view(read_as.dtype), rhs.view(read_as.dtype))


@evaluates("arith.cmpf")
def compare_floats(op: Op) -> Kernel:
    """lhs predicate rhs: false, six ordered comparisons, whether both are numbers, the six or unordered, whether one
    is NaN, true."""
    floats, predicate = op.arithmetic(), op.int("predicate")

    def kernel(lhs: Array, rhs: Array) -> Array:
        unordered = (lhs != lhs) | (rhs != rhs)
        if predicate in (0, 15):
            return unordered | True if predicate else unordered & False
        if predicate in (7, 14):
            return unordered if predicate == 14 else unordered ^ True
        compare = floats.comparison(_FLOAT_PREDICATES[(predicate - 1) % 7])
        return compare(lhs, rhs) | unordered if predicate > 7 else compare(lhs, rhs) & (unordered ^ True)

    return kernel


@evaluates(
    *["arith.extf", "arith.extsi", "arith.fptosi", "arith.index_cast", "arith.sitofp", "arith.truncf", "arith.trunci"]
)
def convert(op: Op) -> Kernel:
    """The operand with elements of another type; integers are signed, so that a true i1 is -1."""
    source, target = op.tensor_operand(0).element_type, op.tensor_result().element_type
    if target.kind is Kind.BOOLEAN:  # the last bit
        return lambda operand: (operand & operand.dtype.type(1)) != 0
    if source.kind is Kind.BOOLEAN:
        negate = op.arithmetic_of(target).negate
        to_target = op.converter(source, target)
        return lambda operand: negate(to_target(operand))
    return op.converter(source, target)


@evaluates("arith.extui", "arith.fptoui", "arith.index_castui", "arith.uitofp")
def convert_unsigned(op: Op) -> Kernel:
    """The operand with elements of another type; integers are unsigned."""
    source, target = op.tensor_operand(0).element_type, op.tensor_result().element_type
    if source.is_integer:
        from_unsigned = op.converter(_unsigned(source), target)
        dtype = _unsigned(source).dtype
        return lambda operand: from_unsigned(operand.view(dtype))
    if source.kind is Kind.FLOAT:
        to_unsigned = op.converter(source, _unsigned(target))
        return lambda operand: to_unsigned(operand).view(target.dtype)
    return op.converter(source, target)
