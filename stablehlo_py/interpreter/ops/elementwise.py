"""Ops whose result at an index depends on the operands at that index alone: arithmetic, comparison, selection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...bindings.types import Kind
from ..element_types import Arithmetic
from ..element_types.arithmetic import Operation, bits_dtype
from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import on_arrays


def _elementwise(name: str, operation: Callable[[Arithmetic], Operation]) -> None:
    """Register what an operation of the operands' arithmetic is to the op of this name. The spec has a section each."""
    evaluates(name, by_types=True)(lambda op: operation(op.arithmetic()))


_elementwise("stablehlo.abs", lambda elements: elements.abs)
_elementwise("stablehlo.add", lambda elements: elements.add)
_elementwise("stablehlo.and", lambda elements: elements.and_)
_elementwise("stablehlo.atan2", lambda elements: elements.atan2)
_elementwise("stablehlo.cbrt", lambda elements: elements.cbrt)
_elementwise("stablehlo.ceil", lambda elements: elements.ceil)
_elementwise("stablehlo.cosine", lambda elements: elements.cosine)
_elementwise("stablehlo.count_leading_zeros", lambda elements: elements.count_leading_zeros)
_elementwise("stablehlo.divide", lambda elements: elements.divide)
_elementwise("stablehlo.exponential", lambda elements: elements.exponential)
_elementwise("stablehlo.exponential_minus_one", lambda elements: elements.exponential_minus_one)
_elementwise("stablehlo.floor", lambda elements: elements.floor)
_elementwise("stablehlo.imag", lambda elements: elements.imag)
_elementwise("stablehlo.is_finite", lambda elements: elements.is_finite)
_elementwise("stablehlo.log", lambda elements: elements.log)
_elementwise("stablehlo.log_plus_one", lambda elements: elements.log_plus_one)
_elementwise("stablehlo.logistic", lambda elements: elements.logistic)
_elementwise("stablehlo.maximum", lambda elements: elements.maximum)
_elementwise("stablehlo.minimum", lambda elements: elements.minimum)
_elementwise("stablehlo.multiply", lambda elements: elements.multiply)
_elementwise("stablehlo.negate", lambda elements: elements.negate)
_elementwise("stablehlo.not", lambda elements: elements.not_)
_elementwise("stablehlo.or", lambda elements: elements.or_)
_elementwise("stablehlo.popcnt", lambda elements: elements.popcnt)
_elementwise("stablehlo.power", lambda elements: elements.power)
_elementwise("stablehlo.real", lambda elements: elements.real)
_elementwise("stablehlo.remainder", lambda elements: elements.remainder)
_elementwise("stablehlo.round_nearest_afz", lambda elements: elements.round_nearest_afz)
_elementwise("stablehlo.round_nearest_even", lambda elements: elements.round_nearest_even)
_elementwise("stablehlo.rsqrt", lambda elements: elements.rsqrt)
_elementwise("stablehlo.shift_left", lambda elements: elements.shift_left)
_elementwise("stablehlo.shift_right_arithmetic", lambda elements: elements.shift_right_arithmetic)
_elementwise("stablehlo.shift_right_logical", lambda elements: elements.shift_right_logical)
_elementwise("stablehlo.sign", lambda elements: elements.sign)
_elementwise("stablehlo.sine", lambda elements: elements.sine)
_elementwise("stablehlo.sqrt", lambda elements: elements.sqrt)
_elementwise("stablehlo.subtract", lambda elements: elements.subtract)
_elementwise("stablehlo.tan", lambda elements: elements.tan)
_elementwise("stablehlo.tanh", lambda elements: elements.tanh)
_elementwise("stablehlo.xor", lambda elements: elements.xor)


@evaluates("stablehlo.clamp", by_types=True)
def clamp(op: Op) -> Kernel:
    """minimum(maximum(operand, min), max), where min and max may be 0-d. Spec: clamp."""
    maximum, minimum = op.arithmetic(1).maximum, op.arithmetic(1).minimum
    return lambda min_, operand, max_: minimum(maximum(operand, min_), max_)


@evaluates("stablehlo.compare")
def compare(op: Op) -> Kernel:
    """lhs comparison_direction rhs, by IEEE-754's totalOrder if compare_type says so. Spec: compare.

    Signed integers with compare_type UNSIGNED, which the spec forbids (C3) and the verifier lets pass, are compared
    by their bits, as the official passes do.
    """
    compare_type = op.enum("compare_type", "")
    elements = op.arithmetic()
    comparison = elements.comparison(op.enum("comparison_direction"), total_order=compare_type == "TOTALORDER")
    if compare_type != "UNSIGNED" or elements.element_type.kind is not Kind.SIGNED:
        return comparison
    bits = bits_dtype(elements.element_type.dtype)
    return lambda lhs, rhs: comparison(np.asarray(lhs).view(bits), np.asarray(rhs).view(bits))


def select_elements(pred: Any, on_true: Any, on_false: Any) -> Any:
    """Return on_true at each true element of pred, on_false at the others; pred may be 0-d."""
    if np.ndim(pred):
        return np.where(pred, on_true, on_false)
    return on_true if pred else on_false


@evaluates("stablehlo.select", "arith.select", by_types=True)
def select(_: Op) -> Kernel:
    """on_true at each true element of pred, on_false at the others; pred may be 0-d. Spec: select."""
    return select_elements


@evaluates("stablehlo.reduce_precision")
def reduce_precision(op: Op) -> Kernel:
    """operand rounded to a float of exponent_bits and mantissa_bits, and back. Spec: reduce_precision."""
    return op.arithmetic().reduce_precision(op.int("exponent_bits"), op.int("mantissa_bits"))


@evaluates("stablehlo.complex", by_types=True)
def complex_(op: Op) -> Kernel:
    """lhs + rhs i. Spec: complex."""
    return op.arithmetic_of(op.tensor_result().element_type).complex


@evaluates("stablehlo.map")
def map_(op: Op) -> Kernel:
    """computation of the inputs' elements at each index. Spec: map."""
    facts, dtype = op.regions[0], op.tensor_result().dtype
    return lambda computation, *inputs: on_arrays(computation, facts, [dtype])(*map(np.asarray, inputs))[0]
