"""Programs that flush denormals as XLA does on CPUs: arithmetic on f32, f64 and bf16 takes them for zeros, and gives
zeros for them. Ops that move elements or change signs keep denormals.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np

from ..bindings import ir
from ..bindings.build import create_value
from ..bindings.walk import insertion_point_after, operations
from ..dialect.facts import facts

# f16 is computed in f32, where its denormals are normal.
_SMALLEST = {
    "f32": float(np.finfo(np.float32).smallest_normal),
    "f64": float(np.finfo(np.float64).smallest_normal),
    "bf16": float(ml_dtypes.finfo(ml_dtypes.bfloat16).smallest_normal),
}
# Ops on bits, and functions that XLA evaluates to their small arguments.
_KEEPING = frozenset(
    f"stablehlo.{name}"
    for name in ("constant", "negate", "abs", "select", "is_finite", "bitcast_convert", "reduce_precision")
    + ("sine", "tan", "tanh", "exponential_minus_one")
)
_SUMS = frozenset(f"stablehlo.{name}" for name in ("dot", "dot_general", "convolution"))


def flush_denormals(module: ir.Module) -> ir.Module:
    """Return the module, whose arithmetic flushes the denormals among its operands and results from now on."""
    for op in operations(module.operation):
        if op.name in _SUMS or (facts(op.name).is_elementwise and op.name not in _KEEPING):
            _flush(op)
    return module


def _flush(op: ir.Operation) -> None:
    with op.location:
        for number, operand in enumerate(op.operands):
            if _is_flushed(operand.type):
                with ir.InsertionPoint(op):
                    op.operands[number] = _flushed(operand)
        for result in op.results:
            if _is_flushed(result.type):
                uses = [(use.owner.operation, use.operand_number) for use in result.uses]
                with insertion_point_after(op):
                    flushed = _flushed(result)
                for user, number in uses:
                    user.operands[number] = flushed


def _is_flushed(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and type_.has_static_shape and str(type_.element_type) in _SMALLEST


def _flushed(value: ir.Value) -> ir.Value:
    """`value`, or the zero of its sign where its magnitude is below the smallest normal number."""
    type_ = ir.RankedTensorType(value.type)
    element = type_.element_type
    bound = ir.DenseElementsAttr.get_splat(type_, ir.FloatAttr.get(element, _SMALLEST[str(element)]))
    smallest = create_value("stablehlo.constant", (), type_, {"value": bound})
    none = ir.DenseElementsAttr.get_splat(type_, ir.FloatAttr.get(element, 0.0))
    zero = create_value("stablehlo.constant", (), type_, {"value": none})
    size = create_value("stablehlo.abs", [value], type_)
    direction = ir.Attribute.parse("#stablehlo<comparison_direction LT>")
    booleans = ir.RankedTensorType.get(type_.shape, ir.IntegerType.get_signless(1))
    tiny = create_value("stablehlo.compare", [size, smallest], booleans, {"comparison_direction": direction})
    signed = create_value("stablehlo.multiply", [value, zero], type_)
    return create_value("stablehlo.select", [tiny, signed, value], type_)
