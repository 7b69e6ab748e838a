"""Ops whose result at an index depends on the operands at that index alone."""

from __future__ import annotations

import operator

from ..op import Kernel, Op
from ..registry import evaluates


@evaluates("stablehlo.add", elementwise=True)
def add(op: Op) -> Kernel:
    """lhs + rhs: logical or for booleans, modulo 2^bits for integers. Spec: add."""
    return operator.add


_COMPARISONS = {
    "EQ": operator.eq,
    "NE": operator.ne,
    "GE": operator.ge,
    "GT": operator.gt,
    "LE": operator.le,
    "LT": operator.lt,
}


@evaluates("stablehlo.compare", elementwise=True)
def compare(op: Op) -> Kernel:
    """lhs comparison_direction rhs. Spec: compare."""
    return _COMPARISONS[op.enum("comparison_direction")]
