"""The shape of an op's results as values: the rule of every op that can say it while the program runs.

Each rule builds, at the current insertion point, one-dimensional tensors that hold the dimension sizes of the
results, with `shape.shape_of`, `tensor.dim` and `arith` ops. Source: the `reifyReturnTypeShapes` methods of the
official dialects, which the bindings do not expose."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...bindings import ir, stablehlo_extension
from ...bindings.attributes import int_of, ints_of
from ...bindings.build import create_value
from ...dialect.facts import facts
from .base import tensor_of

Rule = Callable[[ir.Operation], Sequence[ir.Value]]
_NUMPY_BROADCAST = "numpy broadcast"


def reify_result_shapes(op: ir.Operation) -> Sequence[ir.Value] | None:
    """Return a dimension size tensor for each result of `op`, built at the insertion point with the op's location.

    Returns None, and builds nothing, where no rule covers the op.
    """
    rule = None if is_unsupported_broadcast(op) else rule_of(op.name)
    if rule is None:
        return None
    with op.location:
        return rule(op)


def is_unsupported_broadcast(op: ir.Operation) -> bool:
    """Return whether `op` broadcasts along `broadcast_dimensions` other than numpy's, which no rule covers."""
    return facts(op.name).shape == _NUMPY_BROADCAST and not _is_numpy_broadcast(op)


def _create(name: str, result: ir.Type, operands: Sequence[ir.Value], **attributes: ir.Attribute) -> ir.Value:
    return create_value(name, operands, result, attributes)


def _index() -> ir.Type:
    return ir.IndexType.get()


def _constant(value: int) -> ir.Value:
    return _create("arith.constant", _index(), [], value=ir.IntegerAttr.get(_index(), value))


def _dim(operand: ir.Value, dimension: int) -> ir.Value:
    return _create("tensor.dim", _index(), [operand, _constant(dimension)])


def _dims(operand: ir.Value) -> list[ir.Value]:
    return [_dim(operand, dimension) for dimension in range(tensor_of(operand).rank)]


def _cast(value: ir.Value, to: ir.Type) -> ir.Value:
    return value if value.type == to else _create("arith.index_cast", to, [value])


def _arithmetic(name: str, lhs: ir.Value, rhs: ir.Value) -> ir.Value:
    return _create(f"arith.{name}", lhs.type, [lhs, rhs])


def _extents(values: Sequence[ir.Value]) -> ir.Value:
    element = values[0].type if values else _index()
    return _create("tensor.from_elements", ir.RankedTensorType.get([len(values)], element), values)


def _shape_of(operand: ir.Value) -> ir.Value:
    dynamic = ir.ShapedType.get_dynamic_size()
    rank = ir.RankedTensorType(operand.type).rank if isinstance(operand.type, ir.RankedTensorType) else dynamic
    return _create("shape.shape_of", ir.RankedTensorType.get([rank], _index()), [operand])


def _as_extents(shape_operand: ir.Value) -> ir.Value:
    return _cast(shape_operand, ir.RankedTensorType.get(tensor_of(shape_operand).shape, _index()))


def _element(tensor: ir.Value, position: ir.Value) -> ir.Value:
    return _create("tensor.extract", tensor_of(tensor).element_type, [tensor, position])


def _bits(kind: ir.Type) -> int | None:
    element = ir.RankedTensorType(kind).element_type
    if isinstance(element, ir.ComplexType):
        element = ir.ComplexType(element).element_type
        return 2 * getattr(element, "width", 0)
    return getattr(element, "width", None)


def _bitcast_convert(op: ir.Operation) -> Sequence[ir.Value]:
    """Only between elements of one width: then the shape stays."""
    if _bits(op.operands[0].type) != _bits(op.results[0].type):
        return ()
    return [_shape_of(op.operands[0])]


def _broadcast(op: ir.Operation) -> Sequence[ir.Value]:
    sizes = [_constant(size) for size in ints_of(op.attributes["broadcast_sizes"])]
    return [_extents([*sizes, *_dims(op.operands[0])])]


def _concatenate(op: ir.Operation) -> Sequence[ir.Value]:
    dimension = int_of(op.attributes["dimension"])
    first, *others = [_dims(operand) for operand in op.operands]
    for other in others:
        first[dimension] = _arithmetic("addi", first[dimension], other[dimension])
    return [_extents(first)]


def _dot_general(op: ir.Operation) -> Sequence[ir.Value]:
    lhs, rhs = op.operands
    numbers = stablehlo_extension.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
    batching = list(numbers.lhs_batching_dimensions)
    lhs_paired = {*batching, *numbers.lhs_contracting_dimensions}
    rhs_paired = {*numbers.rhs_batching_dimensions, *numbers.rhs_contracting_dimensions}
    extents = [_dim(lhs, dimension) for dimension in batching]
    extents += [_dim(lhs, dimension) for dimension in range(tensor_of(lhs).rank) if dimension not in lhs_paired]
    extents += [_dim(rhs, dimension) for dimension in range(tensor_of(rhs).rank) if dimension not in rhs_paired]
    return [_extents(extents)]


def _gather_extents(op: ir.Operation, slice_sizes: Sequence[ir.Value]) -> Sequence[ir.Value]:
    numbers = stablehlo_extension.GatherDimensionNumbers(op.attributes["dimension_numbers"])
    start_indices = op.operands[1]
    dropped = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    offsets = [size for dimension, size in enumerate(slice_sizes) if dimension not in dropped]
    batches = [d for d in range(tensor_of(start_indices).rank) if d != numbers.index_vector_dim]
    extents: list[ir.Value] = []
    for dimension in range(tensor_of(op.results[0]).rank):
        if dimension in numbers.offset_dims:
            extents.append(offsets.pop(0))
        else:
            extents.append(_dim(start_indices, batches.pop(0)))
    return [_extents(extents)]


def _gather(op: ir.Operation) -> Sequence[ir.Value]:
    return _gather_extents(op, [_constant(size) for size in ints_of(op.attributes["slice_sizes"])])


def _dynamic_gather(op: ir.Operation) -> Sequence[ir.Value]:
    slice_sizes = op.operands[2]
    sizes = [_element(slice_sizes, _constant(i)) for i in range(tensor_of(slice_sizes).get_dim_size(0))]
    return _gather_extents(op, [_cast(size, _index()) for size in sizes])


def _pad(op: ir.Operation) -> Sequence[ir.Value]:
    operand = op.operands[0]
    low, high = ints_of(op.attributes["edge_padding_low"]), ints_of(op.attributes["edge_padding_high"])
    one, zero = _constant(1), _constant(0)
    extents: list[ir.Value] = []
    for dimension, interior in enumerate(ints_of(op.attributes["interior_padding"])):
        edges = _constant(low[dimension] + high[dimension])
        extent = _dim(operand, dimension)
        if interior > 0:
            gaps = _arithmetic("maxsi", _arithmetic("subi", extent, one), zero)
            extent = _arithmetic("addi", extent, _arithmetic("muli", gaps, _constant(interior)))
        extents.append(_arithmetic("addi", extent, edges))
    return [_extents(extents)]


def _dynamic_pad(op: ir.Operation) -> Sequence[ir.Value]:
    operand, _, *paddings = op.operands
    element = tensor_of(paddings[0]).element_type
    zero, one = _cast(_constant(0), element), _cast(_constant(1), element)
    less_than = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 2)
    extents: list[ir.Value] = []
    for dimension in range(tensor_of(operand).rank):
        extent = _cast(_dim(operand, dimension), element)
        position = _constant(dimension)
        low, high, interior = (_element(padding, position) for padding in paddings)
        is_empty = _create("arith.cmpi", ir.IntegerType.get_signless(1), [extent, one], predicate=less_than)
        gaps = _create("arith.select", element, [is_empty, zero, _arithmetic("subi", extent, one)])
        inside = _arithmetic("addi", _arithmetic("muli", interior, gaps), extent)
        extents.append(_arithmetic("addi", _arithmetic("addi", inside, low), high))
    return [_extents(extents)]


def _real_dynamic_slice(op: ir.Operation) -> Sequence[ir.Value]:
    """ceil((limit - start) / stride) in each dimension."""
    operand, *bounds = op.operands
    one = _cast(_constant(1), tensor_of(bounds[0]).element_type)
    extents: list[ir.Value] = []
    for dimension in range(tensor_of(operand).rank):
        position = _constant(dimension)
        start, limit, stride = (_element(bound, position) for bound in bounds)
        covered = _arithmetic("addi", stride, _arithmetic("subi", limit, start))
        extents.append(_arithmetic("divsi", _arithmetic("subi", covered, one), stride))
    return [_extents(extents)]


def _reduce(op: ir.Operation) -> Sequence[ir.Value]:
    operand = op.operands[0]
    dimensions = ints_of(op.attributes["dimensions"])
    kept = [dimension for dimension in range(tensor_of(operand).rank) if dimension not in dimensions]
    return [_extents([_dim(operand, dimension) for dimension in kept])] * len(op.results)


def _transpose(op: ir.Operation) -> Sequence[ir.Value]:
    extents = _dims(op.operands[0])
    return [_extents([extents[dimension] for dimension in ints_of(op.attributes["permutation"])])]


def _numpy_broadcast(op: ir.Operation) -> Sequence[ir.Value]:
    shapes = [_shape_of(operand) for operand in op.operands]
    ranks = [tensor_of(shape).shape[0] for shape in shapes]
    dynamic = ir.ShapedType.get_dynamic_size()
    rank = dynamic if dynamic in ranks else max(ranks)
    return [_create("shape.broadcast", ir.RankedTensorType.get([rank], _index()), shapes)]


def _is_numpy_broadcast(op: ir.Operation) -> bool:
    """Without `broadcast_dimensions`, or with those that pad the smaller operand's shape with ones in front."""
    if "broadcast_dimensions" not in op.attributes:
        return True
    if not all(isinstance(operand.type, ir.RankedTensorType) for operand in op.operands):
        return False
    smaller, larger = sorted(tensor_of(operand).rank for operand in op.operands)
    return smaller == larger or ints_of(op.attributes["broadcast_dimensions"]) == tuple(range(larger - smaller, larger))


# The ops whose shape no operand has or gives.
_RULES: dict[str, Rule] = {
    "stablehlo.bitcast_convert": _bitcast_convert,
    "stablehlo.broadcast": _broadcast,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.dot_general": _dot_general,
    "stablehlo.dynamic_gather": _dynamic_gather,
    "stablehlo.dynamic_pad": _dynamic_pad,
    "stablehlo.gather": _gather,
    "stablehlo.pad": _pad,
    "stablehlo.real_dynamic_slice": _real_dynamic_slice,
    "stablehlo.reduce": _reduce,
    "stablehlo.transpose": _transpose,
}


def rule_of(name: str) -> Rule | None:
    """Return what builds the shapes of the results of the ops called `name`, or None."""
    known = facts(name)
    family, _, position = known.shape.rpartition(" ")
    if known.dialect not in ("chlo", "stablehlo"):
        return None
    if family == "like operand":
        return lambda op: [_shape_of(op.operands[int(position)])]
    if family == "given by operand":
        return lambda op: [_as_extents(op.operands[int(position)])]
    return _numpy_broadcast if known.shape == _NUMPY_BROADCAST else _RULES.get(name)
