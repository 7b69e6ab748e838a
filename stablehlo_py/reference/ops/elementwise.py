"""Ops whose result at an index depends on the operands at that index alone: arithmetic, comparison, selection."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bindings.types import Kind
from ..element_types import Arithmetic
from ..element_types import arithmetic as arithmetic_of
from ..element_types.arithmetic import bits_dtype, is_array
from ..element_types.blocks import choose
from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import on_arrays


def arithmetic(op: Op, operand: int = 0) -> Arithmetic:
    """The arithmetic of the elements of an operand."""
    return arithmetic_of(op.tensor_operand(operand).element_type)


@evaluates("stablehlo.abs")
def abs_(op: Op) -> Kernel:
    """|operand|: the modulus for complex numbers. Spec: abs."""
    return arithmetic(op).abs


@evaluates("stablehlo.add")
def add(op: Op) -> Kernel:
    """lhs + rhs: logical or for booleans, modulo 2^bits for integers. Spec: add."""
    return arithmetic(op).add


@evaluates("stablehlo.subtract")
def subtract(op: Op) -> Kernel:
    """lhs - rhs: modulo 2^bits for integers. Spec: subtract."""
    return arithmetic(op).subtract


@evaluates("stablehlo.multiply")
def multiply(op: Op) -> Kernel:
    """lhs * rhs: logical and for booleans, modulo 2^bits for integers. Spec: multiply."""
    return arithmetic(op).multiply


@evaluates("stablehlo.divide")
def divide(op: Op) -> Kernel:
    """lhs / rhs: without the fractional part for integers. Spec: divide."""
    return arithmetic(op).divide


@evaluates("stablehlo.remainder")
def remainder(op: Op) -> Kernel:
    """lhs - trunc(lhs / rhs) * rhs, with the sign of lhs. Spec: remainder."""
    return arithmetic(op).remainder


@evaluates("stablehlo.negate")
def negate(op: Op) -> Kernel:
    """-operand: modulo 2^bits for integers. Spec: negate."""
    return arithmetic(op).negate


@evaluates("stablehlo.sign")
def sign(op: Op) -> Kernel:
    """-1, 0 or 1 by the sign of operand; operand / |operand| for complex numbers. Spec: sign."""
    return arithmetic(op).sign


@evaluates("stablehlo.maximum")
def maximum(op: Op) -> Kernel:
    """The larger of lhs and rhs: NaN if either is, or for booleans. Spec: maximum."""
    return arithmetic(op).maximum


@evaluates("stablehlo.minimum")
def minimum(op: Op) -> Kernel:
    """The smaller of lhs and rhs: NaN if either is, and for booleans. Spec: minimum."""
    return arithmetic(op).minimum


@evaluates("stablehlo.clamp")
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


@evaluates("stablehlo.select")
def select(op: Op) -> Kernel:
    """on_true where pred is true, on_false where it is false; pred may be 0-d. Spec: select."""

    def kernel(pred: Any, on_true: Any, on_false: Any) -> Any:
        if is_array(pred) and pred.ndim:
            return choose(pred, on_true, on_false)
        return on_true if pred else on_false

    return kernel


@evaluates("stablehlo.ceil")
def ceil(op: Op) -> Kernel:
    """operand rounded toward positive infinity. Spec: ceil."""
    return arithmetic(op).ceil


@evaluates("stablehlo.floor")
def floor(op: Op) -> Kernel:
    """operand rounded toward negative infinity. Spec: floor."""
    return arithmetic(op).floor


@evaluates("stablehlo.round_nearest_afz")
def round_nearest_afz(op: Op) -> Kernel:
    """operand rounded to the nearest integer, ties away from zero. Spec: round_nearest_afz."""
    return arithmetic(op).round_nearest_afz


@evaluates("stablehlo.round_nearest_even")
def round_nearest_even(op: Op) -> Kernel:
    """operand rounded to the nearest integer, ties to even. Spec: round_nearest_even."""
    return arithmetic(op).round_nearest_even


@evaluates("stablehlo.reduce_precision")
def reduce_precision(op: Op) -> Kernel:
    """operand rounded to a float of exponent_bits and mantissa_bits, and back. Spec: reduce_precision."""
    return arithmetic(op).reduce_precision(op.int("exponent_bits"), op.int("mantissa_bits"))


@evaluates("stablehlo.is_finite")
def is_finite(op: Op) -> Kernel:
    """Whether x is neither an infinity nor NaN. Spec: is_finite."""
    return arithmetic(op).is_finite


@evaluates("stablehlo.real")
def real(op: Op) -> Kernel:
    """The real part of operand. Spec: real."""
    return arithmetic(op).real


@evaluates("stablehlo.imag")
def imag(op: Op) -> Kernel:
    """The imaginary part of operand, zero for floats. Spec: imag."""
    return arithmetic(op).imag


@evaluates("stablehlo.complex")
def complex_(op: Op) -> Kernel:
    """lhs + rhs i. Spec: complex."""
    return arithmetic_of(op.tensor_result().element_type).complex


@evaluates("stablehlo.map")
def map_(op: Op) -> Kernel:
    """computation of the inputs' elements at each index. Spec: map."""
    facts, dtype = op.regions[0], op.tensor_result().dtype
    return lambda computation, *inputs: on_arrays(computation, facts, [dtype])(*map(np.asarray, inputs))[0]
