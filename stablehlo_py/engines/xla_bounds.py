"""Bounded dimensions at the borders of a program for XLA, whose devices take and give static shapes.

Arrays are as large as their bounds, and their sizes are further arguments and results. XLA's own way of taking them,
the custom call `PadToStatic`, has no implementation on CPUs, and its results tell no sizes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..bindings import ir
from ..bindings.build import create, refresh_type, tensor_type
from ..bindings.elements import build_constant
from ..bindings.types import TensorType, ValueType, decode_type
from ..bindings.walk import body_of, terminator_of
from ..errors import InputError


def bounded_dimensions(type_: ValueType) -> dict[int, int]:
    """Return the bounds of a type by dimension."""
    return type_.bounded if isinstance(type_, TensorType) else {}


def make_static(main: ir.Operation) -> None:
    """Give a function arguments and results of static shapes, and then the size of each bounded dimension."""
    block = body_of(main)
    end = terminator_of(block)
    for name in ("arg_attrs", "res_attrs"):  # as many as there were arguments and results
        if name in main.attributes:
            del main.attributes[name]
    with main.location:
        with ir.InsertionPoint.at_block_begin(block):
            for argument in list(block.arguments):
                _take_sizes(argument)
        with ir.InsertionPoint(end):
            values, sizes = list(end.operands), list[ir.Value]()
            for number, value in enumerate(values):
                for dimension, bound in bounded_dimensions(decode_type(value.type)).items():
                    sizes.append(_op("get_dimension_size", [value], dimension))
                    whole = build_constant(np.int32(bound))
                    values[number] = _op("set_dimension_size", [values[number], whole], dimension)
            create("func.return", [*values, *sizes], ())
        end.erase()
    refresh_type(main)


def _take_sizes(argument: ir.BlockArgument) -> None:
    type_ = decode_type(argument.type)
    if not isinstance(type_, TensorType) or not type_.bounded:
        return
    uses = [(use.owner.operation, use.operand_number) for use in argument.uses]
    argument.set_type(tensor_type(type_.largest.shape, ir.RankedTensorType(argument.type).element_type))
    value: ir.Value = argument
    for dimension in type_.bounded:
        size = argument.owner.add_argument(ir.Type.parse("tensor<i32>"), argument.location)
        value = _op("set_dimension_size", [value, size], dimension)
    for user, number in uses:
        user.operands[number] = value


def _op(name: str, operands: Sequence[ir.Value], dimension: int) -> ir.Value:
    attributes = {"dimension": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dimension)}
    return create(f"stablehlo.{name}", operands, None, attributes).results[0]


def enter(arguments: Sequence[np.ndarray], types: Sequence[ValueType]) -> list[np.ndarray]:
    """Return arguments of the largest sizes, and the sizes. Raises InputError for an argument of another type."""
    arrays, sizes = list(arguments), list[np.ndarray]()
    for number, (array, type_) in enumerate(zip(arguments, types, strict=True)):
        if not isinstance(type_, TensorType) or not type_.bounded:
            continue
        if not type_.accepts(array.shape, array.dtype):
            raise InputError(f"argument {number} is an array of shape {list(array.shape)}, expected one of {type_}")
        arrays[number] = np.pad(array, [(0, type_.bounded.get(d, size) - size) for d, size in enumerate(array.shape)])
        sizes += [np.asarray(array.shape[dimension], np.int32) for dimension in type_.bounded]
    return [*arrays, *sizes]


def leave(results: Sequence[np.ndarray], types: Sequence[ValueType]) -> list[np.ndarray]:
    """Return results without what lies behind their sizes, which follow the results."""
    sizes, cut = iter(results[len(types) :]), list[np.ndarray]()
    for array, type_ in zip(results, types, strict=False):
        kept = {dimension: slice(int(next(sizes))) for dimension in bounded_dimensions(type_)}
        cut.append(array[tuple([kept.get(dimension, slice(None)) for dimension in range(array.ndim)])])
    return cut
