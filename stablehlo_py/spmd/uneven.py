"""Extents that the number of devices does not divide, which Shardy's export cannot cut.

An argument or result with such a sharding is padded with zeros to the next extent that can be cut, so that each device
holds a part of it; the program inside sees it as it was. A value inside the program stays whole along that dimension.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..bindings import ir
from ..bindings.diagnostics import file_location
from ..bindings.meshes import AxisRef, Mesh
from ..bindings.shardings import sdy_shardings, with_whole_dimensions
from ..bindings.types import TensorType, TypeReader
from ..bindings.walk import body_of, descend, terminator_of
from .attributes import SHARDING, shardings_of

_NAMES = (SHARDING, "sharding")


@dataclass(frozen=True)
class Padding:
    """A dimension of an argument or result that is padded so that it can be cut.

    Attributes:
        kind: `argument` or `result`.
        number: Which one.
        dimension: Which dimension of it.
        extent: Its extent in the global program.
        padded: The extent that is cut.
    """

    kind: str
    number: int
    dimension: int
    extent: int
    padded: int


@dataclass(frozen=True)
class KeptWhole:
    """A dimension of a value that every device holds whole, since its extent cannot be cut.

    Attributes:
        op: The op that gives the value.
        dimension: Which dimension of it.
        extent: Its extent.
        parts: Into how many parts it was to be cut.
        location: The source line.
    """

    op: str
    dimension: int
    extent: int
    parts: int
    location: str


def pad_signature(function: ir.Operation, mesh: Mesh) -> list[Padding]:
    """Pad the arguments and results of the function whose shardings do not cut them evenly."""
    found: list[Padding] = []
    block, types = body_of(function), TypeReader()
    terminator = terminator_of(block)
    for kind, attributes, values in (
        ("argument", "arg_attrs", list(block.arguments)),
        ("result", "res_attrs", list(terminator.operands)),
    ):
        for number, (text, value) in enumerate(
            zip(shardings_of(function, attributes, len(values)), values, strict=True)
        ):
            type_ = types[value.type]
            if not text or not isinstance(type_, TensorType) or not type_.is_static:
                continue
            shape = type_.static_shape
            parts = _parts(text, mesh)
            padded = [-(-size // count) * count for size, count in zip(shape, parts, strict=True)]
            if padded == list(shape):
                continue
            found += [Padding(kind, number, d, shape[d], padded[d]) for d in range(len(shape)) if padded[d] != shape[d]]
            if kind == "argument":
                _pad_argument(value, shape, padded)
            else:
                terminator.operands[number] = _pad_result(terminator, value, shape, padded)
    if found:
        _refresh_type(function)
    return found


def _parts(text: str, mesh: Mesh) -> list[int]:
    """Into how many parts each dimension is cut."""
    (sharding,) = sdy_shardings(text, lambda _: mesh)
    return [math.prod(_size(mesh, axis) for axis in axes) for axes in sharding.dimensions]


def _size(mesh: Mesh, axis: AxisRef) -> int:
    return mesh.axes[axis.name] // axis.pre_size if axis.size is None else axis.size


def _ranked(shape: Sequence[int], like: ir.Type) -> ir.Type:
    return ir.RankedTensorType.get(list(shape), ir.ShapedType(like).element_type)


def _array(values: Sequence[int]) -> str:
    return f"array<i64{': ' if values else ''}{', '.join(map(str, values))}>"


def _pad_argument(value: ir.Value, shape: Sequence[int], padded: Sequence[int]) -> None:
    argument, before = ir.BlockArgument(value), value.type
    with value.context, ir.Location.unknown():
        uses = list(argument.uses)
        argument.set_type(_ranked(padded, before))
        operation = ir.Operation.create(
            "stablehlo.slice",
            [before],
            [argument],
            {
                name: ir.Attribute.parse(_array(values))
                for name, values in (
                    ("start_indices", [0] * len(shape)),
                    ("limit_indices", shape),
                    ("strides", [1] * len(shape)),
                )
            },
            ip=ir.InsertionPoint.at_block_begin(argument.owner),
        )
        for use in uses:
            use.owner.operation.operands[use.operand_number] = operation.results[0]


def _pad_result(terminator: ir.Operation, value: ir.Value, shape: Sequence[int], padded: Sequence[int]) -> ir.Value:
    with value.context, ir.Location.unknown():
        before = ir.InsertionPoint(terminator)
        scalar = ir.RankedTensorType.get([], ir.ShapedType(value.type).element_type)
        zero = ir.Operation.create("stablehlo.constant", [scalar], [], {"value": _zero(scalar)}, ip=before)
        high = [after - size for size, after in zip(shape, padded, strict=True)]
        none = ir.Attribute.parse(_array([0] * len(shape)))
        attributes = {
            "edge_padding_low": none,
            "edge_padding_high": ir.Attribute.parse(_array(high)),
            "interior_padding": none,
        }
        return ir.Operation.create(
            "stablehlo.pad", [_ranked(padded, value.type)], [value, zero.results[0]], attributes, ip=before
        ).results[0]


def _zero(scalar: ir.Type) -> ir.Attribute:
    element = str(ir.ShapedType(scalar).element_type)
    zero = "(0.0, 0.0)" if element.startswith("complex") else "false" if element == "i1" else "0"
    if "f" in element and not element.startswith("complex"):
        zero = "0.0"
    return ir.Attribute.parse(f"dense<{zero}> : {scalar}")


def _refresh_type(function: ir.Operation) -> None:
    block = body_of(function)
    with function.context:
        inputs = [argument.type for argument in block.arguments]
        results = [operand.type for operand in terminator_of(block).operands]
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))


def keep_uneven_whole(function: ir.Operation, mesh: Mesh) -> list[KeptWhole]:
    """Let every device hold whole what cannot be cut evenly: of all values, and of arguments and results whose
    sharding was propagated."""
    found: list[KeptWhole] = []
    types = TypeReader()
    block = body_of(function)
    for attributes, values in (
        ("arg_attrs", list(block.arguments)),
        ("res_attrs", list(terminator_of(block).operands)),
    ):
        if attributes in function.attributes:
            _keep_signature_whole(function, attributes, values, mesh, found)

    def visit(op: ir.Operation) -> bool:
        for name in _NAMES:
            if name in op.attributes and len(op.results):
                text = str(op.attributes[name])
                located = (op.name, file_location(op.location))
                even = _even(text, [types[result.type] for result in op.results], mesh, located, found)
                if even != text:
                    op.attributes[name] = ir.Attribute.parse(even, op.context)
        return op.name != "sdy.manual_computation"

    descend(function, visit)
    return found


def _keep_signature_whole(
    function: ir.Operation, attributes: str, values: Sequence[ir.Value], mesh: Mesh, found: list[KeptWhole]
) -> None:
    types, dictionaries = TypeReader(), []
    for number, (one, value) in enumerate(zip(ir.ArrayAttr(function.attributes[attributes]), values, strict=True)):
        entries = {named.name: named.attr for named in ir.DictAttr(one)}
        if SHARDING in entries:
            title = f"{'argument' if attributes == 'arg_attrs' else 'result'} {number}"
            even = _even(str(entries[SHARDING]), [types[value.type]], mesh, (title, ""), found)
            entries[SHARDING] = ir.Attribute.parse(even, function.context)
        with function.context:
            dictionaries.append(ir.DictAttr.get(entries))
    with function.context:
        function.attributes[attributes] = ir.ArrayAttr.get(dictionaries)


def _even(text: str, types: Sequence[object], mesh: Mesh, located: tuple[str, str], found: list[KeptWhole]) -> str:
    """The text of the shardings of values, without cuts that are not even."""
    whole: list[set[int]] = []
    for sharding, type_ in zip(sdy_shardings(text, lambda _: mesh), types, strict=False):
        uneven = set[int]()
        if isinstance(type_, TensorType) and type_.is_static:
            for d, (size, axes) in enumerate(zip(type_.static_shape, sharding.dimensions, strict=False)):
                parts = math.prod(_size(mesh, axis) for axis in axes)
                if size % parts:
                    uneven.add(d)
                    found.append(KeptWhole(located[0], d, size, parts, located[1]))
        whole.append(uneven)
    return with_whole_dimensions(text, whole) if any(whole) else text
