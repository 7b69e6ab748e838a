"""Ops whose result at an index depends on the operands at that index alone: arithmetic, comparison, selection."""

from __future__ import annotations

from keyword import iskeyword

import numpy as np

from ...bindings.types import Kind
from ..element_types import Arithmetic, blocks
from ..element_types import arithmetic as arithmetic_of
from ..element_types.arithmetic import bits_dtype
from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import on_arrays


def arithmetic(op: Op, operand: int = 0) -> Arithmetic:
    """The arithmetic of the elements of an operand."""
    return arithmetic_of(op.tensor_operand(operand).element_type)


_OPERATIONS = (
    "abs",  # |operand|: the modulus for complex numbers
    "add",  # lhs + rhs: logical or for booleans, modulo 2^bits for integers
    "and",  # lhs and rhs, bit by bit
    "atan2",  # The angle of the point (rhs, lhs)
    "cbrt",  # The cubic root of operand
    "ceil",  # operand rounded toward positive infinity
    "cosine",  # cos(operand)
    "count_leading_zeros",  # How many zero bits operand has above its highest one
    "divide",  # lhs / rhs: without the fractional part for integers
    "exponential",  # e^operand
    "exponential_minus_one",  # e^operand - 1
    "floor",  # operand rounded toward negative infinity
    "imag",  # The imaginary part of operand, zero for floats
    "is_finite",  # Whether x is neither an infinity nor NaN
    "log",  # The natural logarithm of operand
    "log_plus_one",  # The natural logarithm of operand + 1
    "logistic",  # 1 / (1 + e^-operand)
    "maximum",  # The larger of lhs and rhs: NaN if either is, or for booleans
    "minimum",  # The smaller of lhs and rhs: NaN if either is, and for booleans
    "multiply",  # lhs * rhs: logical and for booleans, modulo 2^bits for integers
    "negate",  # -operand: modulo 2^bits for integers
    "not",  # The complement of operand, bit by bit
    "or",  # lhs or rhs, bit by bit
    "popcnt",  # How many bits of operand are set
    "power",  # lhs^rhs: modulo 2^bits for integers
    "real",  # The real part of operand
    "remainder",  # lhs - trunc(lhs / rhs) * rhs, with the sign of lhs
    "round_nearest_afz",  # operand rounded to the nearest integer, ties away from zero
    "round_nearest_even",  # operand rounded to the nearest integer, ties to even
    "rsqrt",  # 1 / sqrt(operand)
    "shift_left",  # lhs shifted left by rhs bits; zero once rhs, as an unsigned number, reaches the width
    "shift_right_arithmetic",  # lhs shifted right by rhs bits, its highest bit copied in from the left
    "shift_right_logical",  # lhs shifted right by rhs bits, zeros coming in from the left
    "sign",  # -1, 0 or 1 by the sign of operand; operand / |operand| for complex numbers
    "sine",  # sin(operand)
    "sqrt",  # The square root of operand
    "subtract",  # lhs - rhs: modulo 2^bits for integers
    "tan",  # tan(operand)
    "tanh",  # tanh(operand)
    "xor",  # lhs exclusive or rhs, bit by bit
)
"""Ops that an element type's arithmetic has under the same name. The spec has a section for each."""


@evaluates(*[f"stablehlo.{name}" for name in _OPERATIONS], by_types=True)
def compute(op: Op) -> Kernel:
    """The operation of the operands' arithmetic that is called like the op."""
    name = op.name.removeprefix("stablehlo.")
    return getattr(arithmetic(op), f"{name}_" if iskeyword(name) else name)


@evaluates("stablehlo.clamp", by_types=True)
def clamp(op: Op) -> Kernel:
    """minimum(maximum(operand, min), max), where min and max may be 0-d. Spec: clamp."""
    maximum, minimum = arithmetic(op, 1).maximum, arithmetic(op, 1).minimum
    return lambda min_, operand, max_: minimum(maximum(operand, min_), max_)


@evaluates("stablehlo.compare")
def compare(op: Op) -> Kernel:
    """lhs comparison_direction rhs, by IEEE-754's totalOrder if compare_type says so. Spec: compare.

    Signed integers with compare_type UNSIGNED, which the spec forbids (C3) and the verifier lets pass, are compared
    by their bits, as the official passes do.
    """
    compare_type = op.enum("compare_type", "")
    elements = arithmetic(op)
    comparison = elements.comparison(op.enum("comparison_direction"), total_order=compare_type == "TOTALORDER")
    if compare_type != "UNSIGNED" or elements.element_type.kind is not Kind.SIGNED:
        return comparison
    bits = bits_dtype(elements.element_type.dtype)
    return lambda lhs, rhs: comparison(np.asarray(lhs).view(bits), np.asarray(rhs).view(bits))


@evaluates("stablehlo.select", by_types=True)
def select(_: Op) -> Kernel:
    """on_true where pred is true, on_false where it is false; pred may be 0-d. Spec: select."""
    return blocks.select


@evaluates("stablehlo.reduce_precision")
def reduce_precision(op: Op) -> Kernel:
    """operand rounded to a float of exponent_bits and mantissa_bits, and back. Spec: reduce_precision."""
    return arithmetic(op).reduce_precision(op.int("exponent_bits"), op.int("mantissa_bits"))


@evaluates("stablehlo.complex", by_types=True)
def complex_(op: Op) -> Kernel:
    """lhs + rhs i. Spec: complex."""
    return arithmetic_of(op.tensor_result().element_type).complex


@evaluates("stablehlo.map")
def map_(op: Op) -> Kernel:
    """computation of the inputs' elements at each index. Spec: map."""
    facts, dtype = op.regions[0], op.tensor_result().dtype
    return lambda computation, *inputs: on_arrays(computation, facts, [dtype])(*map(np.asarray, inputs))[0]
