"""Rules of ops: the dimensions of operands and results that can be cut together.

The same op on the parts gives the parts of the results. A dimension in no factor is needed whole. An op without a rule
needs everything whole.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..bindings import ir
from ..bindings.attributes import int_of, ints_of
from ..bindings.dimension_numbers import (
    ConvDimensionNumbers,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from ..bindings.walk import body_of, children
from ..dialect.facts import facts
from .attributes import SHARDING_RULE
from .halos import Halo, padding_of

Positions = tuple[tuple[int, int], ...]
"""Numbers of operands or results, each with one of its dimensions."""


class Factor(NamedTuple):
    """Dimensions that are cut alike.

    Attributes:
        operands: The dimensions of operands.
        results: The dimensions of results; with none, the results of the parts have yet to be combined.
        size: What the number of parts has to divide.
        halos: The windows of each operand; empty if a part of the results needs the same part of the operands.
    """

    operands: Positions
    results: Positions
    size: int
    halos: tuple[Halo, ...] = ()


class Rule(NamedTuple):
    """The factors of an op.

    Attributes:
        factors: The dimensions that can be cut together.
        combiner: The op that combines the results of parts, without `stablehlo.`.
        initial: The operand that every result starts from, or -1.
    """

    factors: list[Factor]
    combiner: str = "add"
    initial: int = -1


Shape = Sequence[int]

_SYMBOL, _LIST = re.compile(r"[i-z](?:_\d+)?"), re.compile(r"\[([^\]]*)\]")
_EXACT = re.compile(r"u?i\d+|bf16|f(16|32|64)|complex<f(32|64)>")


def is_static(type_: ir.Type) -> bool:
    """Whether values of a type can be cut: tensors of static shape, except those quantized per axis."""
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
        return False
    return type_.encoding is None and "{" not in str(type_.element_type)


def shape_of(value: ir.Value) -> Shape:
    """Return the shape of a tensor, which is static."""
    return ir.ShapedType(value.type).shape


def rule_of(op: ir.Operation) -> Rule:
    """Return the rule of an op. An unknown op gets a rule without factors."""
    find = _custom if op.name == "stablehlo.custom_call" and SHARDING_RULE in op.attributes else _RULES.get(op.name)
    if find is None and (facts(op.name).is_elementwise or op.name == "stablehlo.map"):
        find = _elementwise
    if find is None or not all(is_static(value.type) for value in (*op.operands, *op.results)):
        return Rule([])
    found = find(op)
    return found if isinstance(found, Rule) else Rule(found)


def combines(kind: str, type_: ir.Type) -> bool:
    """Whether partial results can be combined by an op in any order, each starting from an identity."""
    is_known = bool(_EXACT.fullmatch(str(ir.ShapedType(type_).element_type)))
    known = facts(f"stablehlo.{kind}")
    return "Commutative" in known.traits and (is_known or (known.idempotent and "quant" not in str(type_)))


def _alike(
    op: ir.Operation, dimensions: Iterable[int], operands: Iterable[int], results: Iterable[int]
) -> list[Factor]:
    """Return a factor for each dimension, which is the same of all these operands and results."""
    ins, outs = list(operands), list(results)
    shape = shape_of(op.operands[ins[0]])
    return [Factor(tuple([(o, d) for o in ins]), tuple([(r, d) for r in outs]), shape[d]) for d in dimensions]


def _elementwise(op: ir.Operation) -> list[Factor]:
    shape = shape_of(op.results[0])
    full = [number for number, value in enumerate(op.operands) if shape_of(value) == shape]
    return _alike(op, range(len(shape)), full, range(len(op.results))) if full else []


def _custom(op: ir.Operation) -> list[Factor]:
    """Return the factors of Shardy's rule on a custom call that go from operands to all results.

    A factor that is not the major one of a dimension is needed whole. So is a reduction: the rule does not say what
    combines its terms."""
    text = str(op.attributes[SHARDING_RULE])
    sides = text.partition("<(")[2].partition(") {")[0].split(")->(")
    values = [[[_SYMBOL.findall(one) for one in value.split(", ")] for value in _LIST.findall(side)] for side in sides]
    sizes = dict(re.findall(r"([i-z](?:_\d+)?)=(\d+)", text))
    kept = re.findall(r"(?:reduction|need_replication|permutation)=\{([^}]*)\}", text)
    minor = {symbol for side in values for value in side for one in value for symbol in one[1:]}
    found = list[Factor]()
    for symbol, size in sizes.items():
        operands, results = [
            tuple([(n, d) for n, value in enumerate(side) for d, one in enumerate(value) if one[:1] == [symbol]])
            for side in values
        ]
        is_everywhere = {number for number, _ in results} == set(range(len(op.results)))
        if operands and results and is_everywhere and symbol not in minor and symbol not in ", ".join(kept).split(", "):
            found.append(Factor(operands, results, int(size)))
    return found


def _bits(op: ir.Operation) -> list[Factor]:
    before, after = shape_of(op.operands[0]), shape_of(op.results[0])
    return _alike(op, range(len(before) if len(before) == len(after) else min(len(before), len(after))), [0], [0])


def _barrier(op: ir.Operation) -> list[Factor]:
    return [
        Factor(((number, d),), ((number, d),), size)
        for number, value in enumerate(op.operands)
        for d, size in enumerate(shape_of(value))
    ]


def _broadcast(op: ir.Operation) -> list[Factor]:
    before, after = shape_of(op.operands[0]), shape_of(op.results[0])
    dimensions = ints_of(op.attributes["broadcast_dimensions"])
    source = {to: d for d, to in enumerate(dimensions) if before[d] == after[to]}
    return [Factor(((0, source[d]),) if d in source else (), ((0, d),), size) for d, size in enumerate(after)]


def _transpose(op: ir.Operation) -> list[Factor]:
    shape = shape_of(op.operands[0])
    return [Factor(((0, d),), ((0, to),), shape[d]) for to, d in enumerate(ints_of(op.attributes["permutation"]))]


def _reshape(op: ir.Operation) -> list[Factor]:
    """Return a rule for reshapes: the first dimension of each group with equal numbers of elements can be cut."""
    shapes = [shape_of(op.operands[0]), shape_of(op.results[0])]
    if 0 in shapes[0]:
        return []
    kept = [[(d, size) for d, size in enumerate(shape) if size != 1] for shape in shapes]
    at, found = [0, 0], list[Factor]()
    while at[0] < len(kept[0]):
        (d, size), (to, other) = [dimensions[k] for dimensions, k in zip(kept, at, strict=True)]
        found.append(Factor(((0, d),), ((0, to),), math.gcd(size, other)))
        sizes = [1, 1]
        while sizes[0] != sizes[1] or sizes == [1, 1]:
            less = 0 if sizes[0] <= sizes[1] else 1
            sizes[less] *= kept[less][at[less]][1]
            at[less] += 1
    return found


def _iota(op: ir.Operation) -> list[Factor]:
    counted = int_of(op.attributes["iota_dimension"])
    return [Factor((), ((0, d),), size) for d, size in enumerate(shape_of(op.results[0])) if d != counted]


def _dot(op: ir.Operation) -> list[Factor]:
    left, right = [shape_of(value) for value in op.operands]
    numbers = DotDimensionNumbers.of_op(op, len(left))
    batch = list(zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True))
    summed = list(zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True))
    found = [Factor(((0, a), (1, b)), ((0, number),), left[a]) for number, (a, b) in enumerate(batch)]
    for side, shape in enumerate((left, right)):
        used = {pair[side] for pair in (*batch, *summed)}
        free = [Factor(((side, d),), ((0, 0),), size) for d, size in enumerate(shape) if d not in used]
        found += [one._replace(results=((0, to),)) for to, one in enumerate(free, len(found))]
    if combines("add", op.results[0].type):
        found += [Factor(((0, a), (1, b)), (), left[a]) for a, b in summed]
    return found


def _convolution(op: ir.Operation) -> list[Factor]:
    numbers = ConvDimensionNumbers.of(op.attributes["dimension_numbers"])
    left, right = [shape_of(value) for value in op.operands]
    groups, batches = [int_of(op.attributes[f"{name}_group_count"]) for name in ("feature", "batch")]
    batch, features, filters = (
        numbers.input_batch_dimension,
        numbers.input_feature_dimension,
        numbers.kernel_output_feature_dimension,
    )
    found = list[Factor]()
    if batches == 1:
        found.append(Factor(((0, batch),), ((0, numbers.output_batch_dimension),), left[batch]))
    if groups == batches == 1:
        found.append(Factor(((1, filters),), ((0, numbers.output_feature_dimension),), right[filters]))
        if combines("add", op.results[0].type):
            found.append(Factor(((0, features), (1, numbers.kernel_input_feature_dimension)), (), left[features]))
    kernel = [right[d] for d in numbers.kernel_spatial_dimensions]
    names = ("window_strides", "rhs_dilation", "lhs_dilation")
    strides, apart, dilations = [_ints(op, name, len(kernel)) for name in names]
    low = padding_of(op, len(kernel))[:, 0].tolist()

    def halo(n: int, size: int, result: int) -> Halo:
        return Halo(size, result, n, -low[n], strides[n], (kernel[n] - 1) * apart[n] + 1, dilations[n])

    spatial = zip(numbers.input_spatial_dimensions, numbers.output_spatial_dimensions, strict=True)
    return found + _windows(op, spatial, halo)


def _combiner(op: ir.Operation) -> str:
    """Return the op that combines both arguments in a body of a single op; empty for another body."""
    block = body_of(op)
    inner = children(op)
    if len(inner) != 2 or len(block.arguments) != 2 or len(inner[0].results) != 1 or len(inner[0].operands) != 2:
        return ""
    if {*inner[0].operands} != {*block.arguments} or inner[1].operands[0] != inner[0].results[0]:
        return ""
    kind = inner[0].name.removeprefix("stablehlo.")
    return kind if combines(kind, op.results[0].type) else ""


def _reduce(op: ir.Operation) -> Rule:
    count = len(op.results)
    shape, gone = shape_of(op.operands[0]), ints_of(op.attributes["dimensions"])
    kept = [d for d in range(len(shape)) if d not in gone]
    found = [
        Factor(tuple([(o, d) for o in range(count)]), tuple([(r, to) for r in range(count)]), shape[d])
        for to, d in enumerate(kept)
    ]
    kind = _combiner(op)
    types = [str(ir.ShapedType(value.type).element_type) for value in (op.operands[count], op.results[0])]
    if kind and types[0] == types[1]:
        found += [Factor(((0, d),), (), shape[d]) for d in gone]
    return Rule(found, kind, count)


def _gather(op: ir.Operation) -> list[Factor]:
    numbers = GatherDimensionNumbers.of(op.attributes["dimension_numbers"])
    operand, indices, result = [shape_of(value) for value in (*op.operands, op.results[0])]
    sizes = ints_of(op.attributes["slice_sizes"])
    gone = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    offsets = zip([d for d in range(len(operand)) if d not in gone], numbers.offset_dims, strict=True)
    found = [Factor(((0, d),), ((0, to),), operand[d]) for d, to in offsets if sizes[d] == operand[d]]
    positions = [d for d in range(len(result)) if d not in numbers.offset_dims]
    batching = dict(zip(numbers.start_indices_batching_dims, numbers.operand_batching_dims, strict=True))
    for d, to in zip([d for d in range(len(indices)) if d != numbers.index_vector_dim], positions, strict=True):
        found.append(Factor((*([(0, batching[d])] if d in batching else []), (1, d)), ((0, to),), indices[d]))
    return found


def _scatter(op: ir.Operation) -> Rule:
    numbers, count = ScatterDimensionNumbers.of(op.attributes["scatter_dimension_numbers"]), len(op.results)
    operand, indices, updates = [shape_of(op.operands[number]) for number in (0, count, count + 1)]
    inputs, written = range(count), range(count + 1, 2 * count + 1)
    gone = {*numbers.inserted_window_dims, *numbers.input_batching_dims}
    windows = zip([d for d in range(len(operand)) if d not in gone], numbers.update_window_dims, strict=True)
    found = [
        Factor((*[(n, d) for n in inputs], *[(n, u) for n in written]), tuple([(n, d) for n in inputs]), operand[d])
        for d, u in windows
        if operand[d] == updates[u] and d not in numbers.scatter_dims_to_operand_dims
    ]
    positions = [d for d in range(len(updates)) if d not in numbers.update_window_dims]
    batching = dict(zip(numbers.scatter_indices_batching_dims, numbers.input_batching_dims, strict=True))
    kind = _combiner(op) if count == 1 else ""
    for d, u in zip([d for d in range(len(indices)) if d != numbers.index_vector_dim], positions, strict=True):
        both = ((count, d), *[(n, u) for n in written])
        if d in batching:
            ins = tuple([(n, batching[d]) for n in inputs])
            found.append(Factor((*ins, *both), ins, indices[d]))
        elif kind:
            found.append(Factor(both, (), indices[d]))
    return Rule(found, kind, 0)


def _windows(
    op: ir.Operation,
    dimensions: Iterable[tuple[int, int]],
    halo: Callable[[int, int, int], Halo],
    count: int = 1,
) -> list[Factor]:
    """Return a factor for each pair of dimensions, of the first `count` operands and of the results.

    `halo` gets the number of the pair and the sizes of both."""
    can_move = not any("quant" in str(value.type) for value in op.operands)
    found, before, after = list[Factor](), shape_of(op.operands[0]), shape_of(op.results[0])
    for number, (d, to) in enumerate(dimensions):
        one = halo(number, before[d], after[to])
        if before[d] and after[to] and (can_move or one.is_own):
            places = tuple([(o, d) for o in range(count)]), tuple([(r, to) for r in range(len(op.results))])
            found.append(Factor(*places, math.gcd(before[d], after[to]), (one,) * count))
    return found


def _ints(op: ir.Operation, name: str, count: int) -> Sequence[int]:
    """Return a list of an op's attributes; ones if it is left out."""
    return ints_of(op.attributes[name]) if name in op.attributes else (1,) * count


def _same_dimensions(op: ir.Operation) -> list[tuple[int, int]]:
    return [(d, d) for d in range(len(shape_of(op.operands[0])))]


def _reduce_window(op: ir.Operation) -> list[Factor]:
    rank = len(shape_of(op.operands[0]))
    names = ("window_strides", "window_dimensions", "window_dilations", "base_dilations")
    strides, sizes, apart, dilations = [_ints(op, name, rank) for name in names]
    low = padding_of(op, rank)[:, 0].tolist()

    def halo(d: int, size: int, result: int) -> Halo:
        return Halo(size, result, d, -low[d], strides[d], (sizes[d] - 1) * apart[d] + 1, dilations[d])

    return _windows(op, _same_dimensions(op), halo, len(op.results))


def _slice(op: ir.Operation) -> list[Factor]:
    starts, strides = [ints_of(op.attributes[name]) for name in ("start_indices", "strides")]
    return _windows(op, _same_dimensions(op), lambda d, size, result: Halo(size, result, d, starts[d], strides[d]))


def _pad(op: ir.Operation) -> list[Factor]:
    low, between = [ints_of(op.attributes[name]) for name in ("edge_padding_low", "interior_padding")]
    return _windows(
        op, _same_dimensions(op), lambda d, size, result: Halo(size, result, d, -low[d], dilation=between[d] + 1)
    )


def _reverse(op: ir.Operation) -> list[Factor]:
    turned = ints_of(op.attributes["dimensions"])
    return _windows(op, _same_dimensions(op), lambda d, size, result: Halo(size, result, d, reversed=d in turned))


def _concatenate(op: ir.Operation) -> list[Factor]:
    """Return a rule with windows that reach over the ends of each operand into the next."""
    joined, count = int_of(op.attributes["dimension"]), len(op.operands)
    found = _alike(op, [d for d, _ in _same_dimensions(op) if d != joined], range(count), [0])
    sizes, result = [shape_of(value)[joined] for value in op.operands], shape_of(op.results[0])[joined]
    if all(sizes) and "quant" not in str(op.results[0].type):
        halos = [Halo(size, result, joined, -sum(sizes[:n])) for n, size in enumerate(sizes)]
        operands = tuple([(n, joined) for n in range(count)])
        found.append(Factor(operands, ((0, joined),), math.gcd(result, *sizes), tuple(halos)))
    return found


def _select_and_scatter(op: ir.Operation) -> list[Factor]:
    """Return a rule for windows that neither overlap nor leave gaps."""
    shape, source = [shape_of(value) for value in op.operands[:2]]
    sizes, strides = [_ints(op, name, len(shape)) for name in ("window_dimensions", "window_strides")]
    padding = padding_of(op, len(shape))
    return [
        Factor(((0, d), (1, d)), ((0, d),), source[d])
        for d, size in enumerate(shape)
        if sizes[d] == strides[d] and source[d] * sizes[d] == size and not padding[d].any()
    ]


def _same_size(op: ir.Operation) -> list[Factor]:
    """Return a rule for dynamic slices and updates: dimensions that they take or replace whole."""
    count = 2 if op.name == "stablehlo.dynamic_update_slice" else 1
    shape, part = shape_of(op.operands[0]), shape_of(op.operands[1] if count == 2 else op.results[0])
    return _alike(op, [d for d, size in enumerate(shape) if part[d] == size], range(count), [0])


def _all_but(dimensions: Callable[[ir.Operation, int], Iterable[int]]) -> Callable[[ir.Operation], list[Factor]]:
    """A rule for ops whose operands and results have the same dimensions; `dimensions` lists those needed whole."""

    def find(op: ir.Operation) -> list[Factor]:
        rank = len(shape_of(op.operands[0]))
        kept = set(range(rank)) - set(dimensions(op, rank))
        return _alike(op, sorted(kept), range(len(op.operands)), range(len(op.results)))

    return find


def _normalize(op: ir.Operation) -> list[Factor]:
    feature = int_of(op.attributes["feature_index"])
    positions = [
        tuple([(n, feature if len(shape_of(value)) > 1 else 0) for n, value in enumerate(values)])
        for values in (op.operands, op.results)
    ]
    shape = shape_of(op.operands[0])
    found = [Factor(positions[0], positions[1], shape[feature])]
    if op.name == "stablehlo.batch_norm_inference":
        found += _alike(op, [d for d in range(len(shape)) if d != feature], [0], [0])
    return found


_last_two = _all_but(lambda _, rank: (rank - 2, rank - 1))
_RULES: dict[str, Callable[[ir.Operation], list[Factor] | Rule]] = {
    f"stablehlo.{name}": find
    for name, find in {
        "batch_norm_grad": _normalize,
        "batch_norm_inference": _normalize,
        "batch_norm_training": _normalize,
        "bitcast_convert": _bits,
        "broadcast_in_dim": _broadcast,
        "cholesky": _last_two,
        "concatenate": _concatenate,
        "convolution": _convolution,
        "dot": _dot,
        "dot_general": _dot,
        "dynamic_slice": _same_size,
        "dynamic_update_slice": _same_size,
        "fft": _all_but(lambda op, rank: range(rank - len(ints_of(op.attributes["fft_length"])), rank)),
        "gather": _gather,
        "iota": _iota,
        "optimization_barrier": _barrier,
        "pad": _pad,
        "reduce": _reduce,
        "reduce_window": _reduce_window,
        "reshape": _reshape,
        "reverse": _reverse,
        "scatter": _scatter,
        "select_and_scatter": _select_and_scatter,
        "slice": _slice,
        "sort": _all_but(lambda op, _: [int_of(op.attributes["dimension"])]),
        "transpose": _transpose,
        "triangular_solve": _last_two,
    }.items()
}
