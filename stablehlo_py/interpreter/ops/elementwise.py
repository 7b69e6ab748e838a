"""Ops whose result at an index depends on the operands at that index alone: arithmetic, comparison, selection."""

from __future__ import annotations

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


_OPERATIONS = {
    f"stablehlo.{name.rstrip('_')}": name
    for name in Arithmetic.__annotations__
    if name not in ("complex", "total_order_key")
}
"""The operations of the operands' arithmetic, by the ops of the same name. The spec has a section for each."""


@evaluates(*_OPERATIONS, by_types=True)
def compute(op: Op) -> Kernel:
    """The operation of the operands' arithmetic that is called like the op."""
    return getattr(arithmetic(op), _OPERATIONS[op.name])


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


@evaluates("stablehlo.select", "arith.select", by_types=True)
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
