"""Variations of a program: sums in another order, contractions with another precision, and flushed denormals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import ml_dtypes
import numpy as np

from ..bindings import ir
from ..bindings.build import create_value
from ..bindings.dimension_numbers import DotDimensionNumbers
from ..bindings.walk import insertion_point_after, operations
from ..dialect.facts import facts

# The contractions, as XLA and matrix units treat them.
_CONTRACTIONS = frozenset(("stablehlo.dot", "stablehlo.dot_general", "stablehlo.convolution"))
FORMATS = {"f16": (5, 10), "bf16": (8, 7), "tf32": (8, 10), "f32": (8, 23)}  # bits of exponent and mantissa
SUM_TYPES = ("f64", "f32", "f16", "bf16")
_PARTS = 16  # parts of a contraction that are added up in the type of the sum
# The smallest normal numbers of flushed types. f16 is computed in f32, where its denormals are normal.
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


def _change_operand(op: ir.Operation, number: int, change: Callable[[ir.Value], ir.Value]) -> None:
    with op.location, ir.InsertionPoint(op):
        op.operands[number] = change(op.operands[number])


def _change_result(op: ir.Operation, number: int, change: Callable[[ir.Value], ir.Value]) -> None:
    result = op.results[number]
    uses = [(use.owner.operation, use.operand_number) for use in result.uses]
    with op.location, insertion_point_after(op):
        changed = change(result)
    for user, position in uses:
        user.operands[position] = changed


# Sums in another order ----------------------------------------------------------------------------------------------


def reverse_summation(module: ir.Module) -> ir.Module:
    """Return the module, whose reductions and contractions take elements from the last to the first from now on."""
    for op in list(operations(module.operation)):
        if op.name == "stablehlo.reduce":
            dimensions = list(ir.DenseI64ArrayAttr(op.attributes["dimensions"]))
            for number in range(len(op.operands) // 2):
                _reverse(op, number, dimensions)
        elif op.name == "stablehlo.dot_general":
            numbers = DotDimensionNumbers.of(op.attributes["dot_dimension_numbers"])
            _reverse(op, 0, numbers.lhs_contracting_dimensions)
            _reverse(op, 1, numbers.rhs_contracting_dimensions)
    return module


def _reverse(op: ir.Operation, number: int, dimensions: Sequence[int]) -> None:
    if dimensions and isinstance(op.operands[number].type, ir.RankedTensorType):
        with op.location:
            attributes = {"dimensions": ir.DenseI64ArrayAttr.get(list(dimensions))}
        _change_operand(op, number, lambda value: create_value("stablehlo.reverse", [value], value.type, attributes))


# Contractions with another precision --------------------------------------------------------------------------------


def round_operands(module: ir.Module, precision: str) -> ir.Module:
    """Return the module, whose contractions round their float operands to `precision` from now on."""
    exponent, mantissa = (
        ir.IntegerAttr.get(ir.IntegerType.get_signless(32, module.context), bits) for bits in FORMATS[precision]
    )
    bits = {"exponent_bits": exponent, "mantissa_bits": mantissa}
    for op in _contractions(module):
        for number in range(2):
            _change_operand(
                op, number, lambda value: create_value("stablehlo.reduce_precision", [value], value.type, bits)
            )
    return module


def accumulate(module: ir.Module, name: str) -> ir.Module:
    """Return the module, whose `dot_general` ops keep sums in the type `name`, rounded after each of up to 16 parts, as
    units do that work in tiles."""
    element = ir.Type.parse(name, module.context)
    for op in _contractions(module):
        if op.name == "stablehlo.dot_general":
            dims = DotDimensionNumbers.of(op.attributes["dot_dimension_numbers"])
            dimensions = dims.lhs_contracting_dimensions[:1] + dims.rhs_contracting_dimensions[:1]
            if dimensions and ir.RankedTensorType(op.operands[0].type).shape[dimensions[0]]:
                _change_result(op, 0, partial(_sum_of_parts, op, dimensions, element))
    return module


def _contractions(module: ir.Module) -> list[ir.Operation]:
    """Return the contractions of floats of static shape."""

    def is_float(value: ir.Value) -> bool:
        type_ = value.type
        return (
            isinstance(type_, ir.RankedTensorType)
            and type_.has_static_shape
            and isinstance(type_.element_type, ir.FloatType)
        )

    found = [op for op in operations(module.operation) if op.name in _CONTRACTIONS]
    return [op for op in found if all(map(is_float, [*op.operands, *op.results]))]


def _sum_of_parts(op: ir.Operation, dimensions: Sequence[int], element: ir.Type, result: ir.Value) -> ir.Value:
    """Return the result of a `dot_general` as a sum of parts along one contracting dimension."""
    numbers = {"dot_dimension_numbers": op.attributes["dot_dimension_numbers"]}  # an algorithm names types of its own
    operand_type = ir.RankedTensorType(op.operands[0].type)
    dimension_size = operand_type.shape[dimensions[0]]
    size = math.ceil(dimension_size / _PARTS)
    # Operands keep their digits.
    wide = max(element, operand_type.element_type, key=lambda type_: ir.FloatType(type_).width)
    shape = ir.RankedTensorType(result.type).shape
    product_type, sum_type = (ir.RankedTensorType.get(shape, type_) for type_ in (wide, element))
    total = None
    for start in range(0, dimension_size, size):
        end = min(start + size, dimension_size)
        parts = [_part(op.operands[side], dimensions[side], start, end, wide) for side in range(2)]
        product = create_value("stablehlo.dot_general", parts, product_type, numbers)
        part = create_value("stablehlo.convert", [product], sum_type)
        total = part if total is None else create_value("stablehlo.add", [total, part], sum_type)
    return result if total is None else create_value("stablehlo.convert", [total], result.type)


def _part(operand: ir.Value, dimension: int, start: int, end: int, element: ir.Type) -> ir.Value:
    """Return elements from `start` to `end` along one dimension, converted."""
    shape = list(ir.RankedTensorType(operand.type).shape)
    starts, limits = [0] * len(shape), list(shape)
    starts[dimension], limits[dimension] = start, end
    lists = {"start_indices": starts, "limit_indices": limits, "strides": [1] * len(shape)}
    shape[dimension] = end - start
    type_ = ir.RankedTensorType.get(shape, ir.RankedTensorType(operand.type).element_type)
    attributes = {name: ir.DenseI64ArrayAttr.get(values) for name, values in lists.items()}
    sliced = create_value("stablehlo.slice", [operand], type_, attributes)
    return create_value("stablehlo.convert", [sliced], ir.RankedTensorType.get(shape, element))


# Flushed denormals --------------------------------------------------------------------------------------------------


def flush_denormals(module: ir.Module) -> ir.Module:
    """Return the module, whose arithmetic flushes the denormals among its operands and results from now on.

    As XLA on CPUs, arithmetic on f32, f64 and bf16 takes them for zeros, and gives zeros for them. Ops that move
    elements or change signs keep denormals.
    """
    for op in operations(module.operation):
        if op.name in _CONTRACTIONS or (facts(op.name).is_elementwise and op.name not in _KEEPING):
            for number, operand in enumerate(op.operands):
                if _is_flushed(operand.type):
                    _change_operand(op, number, _flushed)
            for number, result in enumerate(op.results):
                if _is_flushed(result.type):
                    _change_result(op, number, _flushed)
    return module


def _is_flushed(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and type_.has_static_shape and str(type_.element_type) in _SMALLEST


def _flushed(value: ir.Value) -> ir.Value:
    """`value`, or the zero of its sign where its magnitude is below the smallest normal number."""
    type_ = ir.RankedTensorType(value.type)
    element = type_.element_type

    def constant(number: float) -> ir.Value:
        elements = ir.DenseElementsAttr.get_splat(type_, ir.FloatAttr.get(element, number))
        return create_value("stablehlo.constant", (), type_, {"value": elements})

    smallest, zero = constant(_SMALLEST[str(element)]), constant(0.0)
    size = create_value("stablehlo.abs", [value], type_)
    direction = ir.Attribute.parse("#stablehlo<comparison_direction LT>")
    booleans = ir.RankedTensorType.get(type_.shape, ir.IntegerType.get_signless(1))
    tiny = create_value("stablehlo.compare", [size, smallest], booleans, {"comparison_direction": direction})
    signed = create_value("stablehlo.multiply", [value, zero], type_)
    return create_value("stablehlo.select", [tiny, signed, value], type_)
