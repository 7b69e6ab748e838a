"""The shape of an op's results as values: the rule of every op that can say it while the program runs.

Each rule builds, at the current insertion point, one-dimensional tensors that hold the dimension sizes of the
results, with `shape.shape_of`, `tensor.dim` and `arith` ops. Source: the `reifyReturnTypeShapes` methods of the
official dialects, which the bindings do not expose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce

from ...bindings import ir
from ...bindings.attributes import ints_of
from ...bindings.build import create_value
from ...dialect.facts import facts
from .base import tensor_of
from .sizes import SizeSum, shapes_by_function

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
    if facts(op.name).shape != _NUMPY_BROADCAST or "broadcast_dimensions" not in op.attributes:
        return False
    if not all(isinstance(operand.type, ir.RankedTensorType) for operand in op.operands):
        return True
    smaller, larger = sorted(tensor_of(operand).rank for operand in op.operands)
    last = tuple(range(larger - smaller, larger))  # numpy's: the smaller shape is padded with ones in front
    return smaller != larger and ints_of(op.attributes["broadcast_dimensions"]) != last


def _create(name: str, result: ir.Type, operands: Sequence[ir.Value], **attributes: ir.Attribute) -> ir.Value:
    return create_value(name, operands, result, attributes)


def _index() -> ir.Type:
    return ir.IndexType.get()


def _constant(value: int) -> ir.Value:
    return _create("arith.constant", _index(), [], value=ir.IntegerAttr.get(_index(), value))


def _dim(operand: ir.Value, dimension: int) -> ir.Value:
    return _create("tensor.dim", _index(), [operand, _constant(dimension)])


def _cast(value: ir.Value, to: ir.Type) -> ir.Value:
    return value if value.type == to else _create("arith.index_cast", to, [value])


def _arithmetic(name: str, lhs: ir.Value, rhs: ir.Value) -> ir.Value:
    return _create(f"arith.{name}", lhs.type, [lhs, rhs])


def _sizes(values: Sequence[ir.Value]) -> ir.Value:
    element = values[0].type if values else _index()
    return _create("tensor.from_elements", ir.RankedTensorType.get([len(values)], element), values)


def _shape_of(operand: ir.Value) -> ir.Value:
    dynamic = ir.ShapedType.get_dynamic_size()
    rank = ir.RankedTensorType(operand.type).rank if isinstance(operand.type, ir.RankedTensorType) else dynamic
    return _create("shape.shape_of", ir.RankedTensorType.get([rank], _index()), [operand])


def _as_sizes(shape_operand: ir.Value) -> ir.Value:
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


def _by_function(op: ir.Operation) -> Sequence[ir.Value]:
    """Build what the shape function says of the operands' dimension sizes, in the official order of ops."""
    shapes = shapes_by_function(op)
    sizes = [size for shape in shapes for size in shape]
    constants = {size: _constant(size) for size in sizes if isinstance(size, int)}
    terms = dict.fromkeys(term for size in sizes if not isinstance(size, int) for term in size.terms)
    elements = {t: _element(op.operands[t.operand], _constant(t.position)) for t in terms if t.is_element}
    built = {term: _cast(element, _index()) for term, element in elements.items()}
    in_order = sorted(terms) if op.name in _OPERANDS_FIRST else terms
    built |= {t: _dim(op.operands[t.operand], t.position) for t in in_order if not t.is_element}

    def value(size: SizeSum | int) -> ir.Value:
        if isinstance(size, int):
            return constants[size]
        return reduce(partial(_arithmetic, "addi"), [built[term] for term in size.terms])

    return [_sizes(list(map(value, shape))) for shape in shapes]


def _pad(op: ir.Operation) -> Sequence[ir.Value]:
    operand = op.operands[0]
    low, high = ints_of(op.attributes["edge_padding_low"]), ints_of(op.attributes["edge_padding_high"])
    one, zero = _constant(1), _constant(0)
    sizes: list[ir.Value] = []
    for dimension, interior in enumerate(ints_of(op.attributes["interior_padding"])):
        edges = _constant(low[dimension] + high[dimension])
        size = _dim(operand, dimension)
        if interior > 0:
            gaps = _arithmetic("maxsi", _arithmetic("subi", size, one), zero)
            size = _arithmetic("addi", size, _arithmetic("muli", gaps, _constant(interior)))
        sizes.append(_arithmetic("addi", size, edges))
    return [_sizes(sizes)]


def _dynamic_pad(op: ir.Operation) -> Sequence[ir.Value]:
    operand, _, *paddings = op.operands
    element = tensor_of(paddings[0]).element_type
    zero, one = _cast(_constant(0), element), _cast(_constant(1), element)
    less_than = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 2)
    sizes: list[ir.Value] = []
    for dimension in range(tensor_of(operand).rank):
        size = _cast(_dim(operand, dimension), element)
        position = _constant(dimension)
        low, high, interior = (_element(padding, position) for padding in paddings)
        is_empty = _create("arith.cmpi", ir.IntegerType.get_signless(1), [size, one], predicate=less_than)
        gaps = _create("arith.select", element, [is_empty, zero, _arithmetic("subi", size, one)])
        inside = _arithmetic("addi", _arithmetic("muli", interior, gaps), size)
        sizes.append(_arithmetic("addi", _arithmetic("addi", inside, low), high))
    return [_sizes(sizes)]


def _real_dynamic_slice(op: ir.Operation) -> Sequence[ir.Value]:
    """ceil((limit - start) / stride) in each dimension."""
    operand, *bounds = op.operands
    one = _cast(_constant(1), tensor_of(bounds[0]).element_type)
    sizes: list[ir.Value] = []
    for dimension in range(tensor_of(operand).rank):
        position = _constant(dimension)
        start, limit, stride = (_element(bound, position) for bound in bounds)
        covered = _arithmetic("addi", stride, _arithmetic("subi", limit, start))
        sizes.append(_arithmetic("divsi", _arithmetic("subi", covered, one), stride))
    return [_sizes(sizes)]


def _numpy_broadcast(op: ir.Operation) -> Sequence[ir.Value]:
    shapes = [_shape_of(operand) for operand in op.operands]
    ranks = [tensor_of(shape).shape[0] for shape in shapes]
    dynamic = ir.ShapedType.get_dynamic_size()
    rank = dynamic if dynamic in ranks else max(ranks)
    return [_create("shape.broadcast", ir.RankedTensorType.get([rank], _index()), shapes)]


_OPERANDS_FIRST = ("stablehlo.concatenate", "stablehlo.transpose")  # read dimensions in the order of the operands
_MOVES_SIZES = ("broadcast", "concatenate", "dot_general", "dynamic_gather", "gather", "reduce", "transpose")
# The ops whose shape no operand has or gives. Rules of their own compute it in other steps than the shape functions.
_RULES: dict[str, Rule] = {
    **{f"stablehlo.{name}": _by_function for name in _MOVES_SIZES},
    "stablehlo.bitcast_convert": _bitcast_convert,
    "stablehlo.dynamic_pad": _dynamic_pad,
    "stablehlo.pad": _pad,
    "stablehlo.real_dynamic_slice": _real_dynamic_slice,
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
        return lambda op: [_as_sizes(op.operands[int(position)])]
    return _numpy_broadcast if known.shape == _NUMPY_BROADCAST else _RULES.get(name)
