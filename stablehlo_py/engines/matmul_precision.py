"""Programs whose contractions are less, or more, precise: operands rounded as matrix units round them, and sums that
are kept in another type.
"""

from __future__ import annotations

import math

from ..bindings import ir
from ..bindings.build import create_value
from ..bindings.dimension_numbers import DotDimensionNumbers
from ..bindings.walk import insertion_point_after, operations

_CONTRACTIONS = ("stablehlo.dot", "stablehlo.dot_general", "stablehlo.convolution")
FORMATS = {"f16": (5, 10), "bf16": (8, 7), "tf32": (8, 10), "f32": (8, 23)}  # bits of exponent and mantissa
SUM_TYPES = ("f64", "f32", "f16", "bf16")
_PARTS = 16  # parts of a contraction that are added up in the type of the sum


def round_operands(module: ir.Module, precision: str) -> ir.Module:
    """Return the module, the float operands of its contractions rounded to `precision`."""
    exponent, mantissa = (
        ir.IntegerAttr.get(ir.IntegerType.get_signless(32, module.context), bits) for bits in FORMATS[precision]
    )
    for op in _contractions(module):
        for number in range(2):
            with op.location, ir.InsertionPoint(op):
                formats = {"exponent_bits": exponent, "mantissa_bits": mantissa}
                operand = op.operands[number]
                op.operands[number] = create_value("stablehlo.reduce_precision", [operand], operand.type, formats)
    return module


def accumulate(module: ir.Module, name: str) -> ir.Module:
    """Return the module, whose `dot_general` ops keep sums in the type `name`, rounded after each of up to 16 parts, as
    units do that work in tiles."""
    element = ir.Type.parse(name, module.context)
    for op in _contractions(module):
        if op.name == "stablehlo.dot_general":
            _accumulate(op, element)
    return module


def _contractions(module: ir.Module) -> list[ir.Operation]:
    """The contractions of floats of static shape."""

    def is_float(value: ir.Value) -> bool:
        type_ = value.type
        return (
            isinstance(type_, ir.RankedTensorType)
            and type_.has_static_shape
            and isinstance(type_.element_type, ir.FloatType)
        )

    found = [op for op in operations(module.operation) if op.name in _CONTRACTIONS]
    return [op for op in found if all(map(is_float, [*op.operands, *op.results]))]


def _accumulate(op: ir.Operation, element: ir.Type) -> None:
    numbers = {"dot_dimension_numbers": op.attributes["dot_dimension_numbers"]}  # an algorithm names types of its own
    dims = DotDimensionNumbers.of(numbers["dot_dimension_numbers"])
    dimensions = [dims.lhs_contracting_dimensions, dims.rhs_contracting_dimensions]
    if not dimensions[0]:
        return
    uses = [(use.owner.operation, use.operand_number) for use in op.results[0].uses]
    dimension_size = ir.RankedTensorType(op.operands[0].type).shape[dimensions[0][0]]
    size = max(math.ceil(dimension_size / _PARTS), 1)
    result = ir.RankedTensorType(op.results[0].type)
    operand_type = ir.RankedTensorType(op.operands[0].type).element_type
    wide = max(element, operand_type, key=lambda type_: ir.FloatType(type_).width)  # operands keep their digits
    with op.location, insertion_point_after(op):
        product_type, sum_type = (ir.RankedTensorType.get(result.shape, type_) for type_ in (wide, element))
        total = None
        for start in range(0, dimension_size, size):
            end = min(start + size, dimension_size)
            parts = [_part(op.operands[side], dimensions[side][0], start, end, wide) for side in range(2)]
            product = create_value("stablehlo.dot_general", parts, product_type, numbers)
            part = create_value("stablehlo.convert", [product], sum_type)
            total = part if total is None else create_value("stablehlo.add", [total, part], sum_type)
        if total is None:
            return
        converted = create_value("stablehlo.convert", [total], result)
    for user, number in uses:
        user.operands[number] = converted


def _part(operand: ir.Value, dimension: int, start: int, end: int, element: ir.Type) -> ir.Value:
    """Elements from `start` to `end` along one dimension, converted."""
    shape = list(ir.RankedTensorType(operand.type).shape)
    starts, limits = [0] * len(shape), list(shape)
    starts[dimension], limits[dimension] = start, end
    lists = {"start_indices": starts, "limit_indices": limits, "strides": [1] * len(shape)}
    shape[dimension] = end - start
    type_ = ir.RankedTensorType.get(shape, ir.RankedTensorType(operand.type).element_type)
    attributes = {name: ir.DenseI64ArrayAttr.get(values) for name, values in lists.items()}
    sliced = create_value("stablehlo.slice", [operand], type_, attributes)
    return create_value("stablehlo.convert", [sliced], ir.RankedTensorType.get(shape, element))
