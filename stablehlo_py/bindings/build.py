"""New ops and types: the package makes them here only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .provider import ir, stablehlo_extension

DYNAMIC_SIZE = ir.ShapedType.get_dynamic_size()


def create(
    name: str,
    operands: Sequence[ir.Value] = (),
    results: ir.Type | Sequence[ir.Type] | None = None,
    attributes: Mapping[str, ir.Attribute] | None = None,
    *,
    regions: int = 0,
    at: ir.InsertionPoint | None = None,
    location: ir.Location | None = None,
) -> ir.Operation:
    """Create an op.

    Args:
        name: The op's full name, such as `stablehlo.add`.
        operands: What the op takes.
        results: The type of its result, or of each result. None infers them, which only ops that can infer allow.
        attributes: Its attributes by name.
        regions: The number of its regions, which are empty; see `add_block`.
        at: Where the op goes; by default the current insertion point.
        location: Where the op comes from; by default the current location.

    Returns:
        The op. It is not verified.

    Raises:
        ir.MLIRError: The types of the results cannot be inferred.
    """
    types = [results] if isinstance(results, ir.Type) else results
    return ir.Operation.create(
        name,
        results=None if types is None else list(types),
        operands=list(operands),
        attributes=None if attributes is None else dict(attributes),
        regions=regions,
        loc=location,
        ip=at,
        infer_type=types is None,
    )


def create_value(
    name: str,
    operands: Sequence[ir.Value] = (),
    result: ir.Type | None = None,
    attributes: Mapping[str, ir.Attribute] | None = None,
    *,
    at: ir.InsertionPoint | None = None,
    location: ir.Location | None = None,
) -> ir.Value:
    """Create an op that has one result and no regions, and return that result; see `create`."""
    return create(name, operands, result, attributes, at=at, location=location).results[0]


def detached_copy(op: ir.Operation) -> ir.Operation:
    """Return a copy of `op` that is nowhere, whatever insertion point the caller has."""
    return op.clone(ip=False).operation


def attributes_of(op: ir.Operation) -> dict[str, ir.Attribute]:
    """The attributes of `op` by name, to give them to another op."""
    return dict(op.attributes.items())


def add_block(region: ir.Region, arguments: Sequence[ir.Type] = ()) -> ir.Block:
    """Append a block with arguments of these types, which get the location of the region's op, to `region`."""
    return region.blocks.append(*arguments, arg_locs=[region.owner.operation.location] * len(arguments))


def refresh_type(function: ir.Operation) -> None:
    """Set the type of a function from its parameters and its returned values."""
    block = function.regions[0].blocks[0]
    returned = block.operations[len(block.operations) - 1].operands
    with function.context:
        types = [argument.type for argument in block.arguments], [value.type for value in returned]
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(*types))


def tensor_type(
    shape: Sequence[int | None],
    element: ir.Type,
    bounds: Sequence[int | None] = (),
    encoding: ir.Attribute | None = None,
) -> ir.RankedTensorType:
    """Return the tensor type of this shape, in the context of `element`.

    Args:
        shape: The size of each dimension, None where it is dynamic.
        element: The element type.
        bounds: The bound of each dimension, None where it has none; empty where no dimension has one.
        encoding: What the type says besides; not together with bounds.
    """
    with ir.Location.unknown(element.context):
        if any(bound is not None for bound in bounds):
            encoding = stablehlo_extension.TypeExtensions.get(_sizes(bounds))
        return ir.RankedTensorType.get(_sizes(shape), element, encoding)


def _sizes(sizes: Sequence[int | None]) -> list[int]:
    return [DYNAMIC_SIZE if size is None else size for size in sizes]
