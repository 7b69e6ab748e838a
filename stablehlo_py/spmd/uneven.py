"""Dimension sizes that the number of devices does not divide.

An argument or result with such a sharding is padded with zeros to the next size that can be cut. Each device holds a
part of it. The program inside sees the original size. A value inside the program stays whole along that dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..bindings import ir
from ..bindings.build import create_value, refresh_type, tensor_type
from ..bindings.diagnostics import file_location
from ..bindings.elements import build_constant
from ..bindings.meshes import Mesh
from ..bindings.shardings import sdy_shardings, with_whole_dimensions
from ..bindings.types import TensorType, TypeReader
from ..bindings.walk import body_of, descend, terminator_of
from .attributes import SHARDING, set_shardings, signature

MeshCalled = Callable[[str], Mesh]
_NAMES = (SHARDING, "sharding")


@dataclass(frozen=True)
class Padding:
    """A dimension of an argument or result that is padded so that it can be cut.

    Attributes:
        kind: `argument` or `result`.
        number: Which one.
        dimension: Which dimension of it.
        size: Its size in the global program.
        padded: The size that is cut.
    """

    kind: str
    number: int
    dimension: int
    size: int
    padded: int


@dataclass(frozen=True)
class KeptWhole:
    """A dimension of a value that every device holds whole, since its size cannot be cut.

    Attributes:
        op: The op that gives the value.
        dimension: Which dimension of it.
        size: Its size.
        parts: Into how many parts it was to be cut.
        location: The source line.
    """

    op: str
    dimension: int
    size: int
    parts: int
    location: str


def pad_signature(function: ir.Operation, mesh_called: MeshCalled) -> list[Padding]:
    """Pad the arguments and results of the function whose shardings do not cut them evenly."""
    found: list[Padding] = []
    types, terminator = TypeReader(), terminator_of(body_of(function))
    for kind, number, value, text in signature(function):
        if kind == "result":
            value = terminator.operands[number]  # of a padded argument by now what is inside
        type_ = types[value.type]
        if not text or not isinstance(type_, TensorType) or not type_.is_static:
            continue
        (sharding,) = sdy_shardings(text, mesh_called)
        shape = type_.static_shape
        if len(sharding.dimensions) != len(shape):  # it names a single device
            continue
        padded = [-(-size // count) * count for size, count in zip(shape, sharding.counts, strict=True)]
        if padded == list(shape):
            continue
        found += [Padding(kind, number, d, shape[d], padded[d]) for d in range(len(shape)) if padded[d] != shape[d]]
        with value.context, ir.Location.unknown():
            if kind == "argument":
                _pad_argument(ir.BlockArgument(value), type_, padded)
            else:
                with ir.InsertionPoint(terminator):
                    terminator.operands[number] = _padded(value, type_, padded)
    if found:
        refresh_type(function)
    return found


def _array(values: Sequence[int]) -> ir.Attribute:
    return ir.DenseI64ArrayAttr.get(list(values))


def _pad_argument(argument: ir.BlockArgument, type_: TensorType, padded: Sequence[int]) -> None:
    uses, before = list(argument.uses), argument.type
    argument.set_type(tensor_type(padded, ir.ShapedType(before).element_type))
    starts, strides = [[number] * len(padded) for number in (0, 1)]
    box = {"start_indices": starts, "limit_indices": type_.static_shape, "strides": strides}
    attributes = {name: _array(values) for name, values in box.items()}
    at = ir.InsertionPoint.at_block_begin(argument.owner)
    inside = create_value("stablehlo.slice", [argument], before, attributes, at=at)
    for use in uses:
        use.owner.operation.operands[use.operand_number] = inside


def _padded(value: ir.Value, type_: TensorType, padded: Sequence[int]) -> ir.Value:
    element = ir.ShapedType(value.type).element_type
    zero = build_constant(np.zeros((), type_.dtype), tensor_type([], element))
    high = [after - size for size, after in zip(type_.static_shape, padded, strict=True)]
    none = _array([0] * len(high))
    attributes = {"edge_padding_low": none, "edge_padding_high": _array(high), "interior_padding": none}
    return create_value("stablehlo.pad", [value, zero], tensor_type(padded, element), attributes)


def keep_uneven_whole(function: ir.Operation, mesh_called: MeshCalled) -> list[KeptWhole]:
    """Let every device hold whole what cannot be cut evenly: of all values, and of arguments and results whose
    sharding was propagated."""
    found: list[KeptWhole] = []
    types, signed = TypeReader(), signature(function)
    for kind in ("argument", "result"):
        values = [one for one in signed if one.kind == kind]
        even = {
            one.number: _even(one.sharding, [types[one.value.type]], mesh_called, (f"{kind} {one.number}", ""), found)
            for one in values
            if one.sharding
        }
        if even:
            parsed = {number: ir.Attribute.parse(text, function.context) for number, text in even.items()}
            set_shardings(function, kind, len(values), parsed)

    def visit(op: ir.Operation) -> bool:
        for name in _NAMES:
            if name in op.attributes and len(op.results):
                text = str(op.attributes[name])
                located = (op.name, file_location(op.location))
                even = _even(text, [types[result.type] for result in op.results], mesh_called, located, found)
                if even != text:
                    op.attributes[name] = ir.Attribute.parse(even, op.context)
        return op.name != "sdy.manual_computation"

    descend(function, visit)
    return found


def _even(
    text: str, types: Sequence[object], mesh_called: MeshCalled, located: tuple[str, str], found: list[KeptWhole]
) -> str:
    """Return the text of the shardings of values, without cuts that are not even."""
    whole: list[set[int]] = []
    for sharding, type_ in zip(sdy_shardings(text, mesh_called), types, strict=False):
        uneven = set[int]()
        if isinstance(type_, TensorType) and type_.is_static:
            for d, (size, parts) in enumerate(zip(type_.static_shape, sharding.counts, strict=False)):
                if size % parts:
                    uneven.add(d)
                    found.append(KeptWhole(located[0], d, size, parts, located[1]))
        whole.append(uneven)
    return with_whole_dimensions(text, whole) if any(whole) else text
