"""Ops along a dimension that is cut which need values of other devices, and which Shardy's export refuses or takes for
ops on the parts: up to jaxlib 0.10.2 it lets `reverse`, convolutions with a padded window, gathers and random numbers
give other results than the global program.

Such operands are brought together along that dimension first, and the results are whole there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..bindings import ir, stablehlo_extension
from ..bindings.attributes import int_of, ints_of
from ..bindings.elements import to_numpy
from ..bindings.shardings import with_whole_dimensions
from ..bindings.walk import operations
from .attributes import SHARDING, sharding_of

Shape = Sequence[int]
Whole = tuple[dict[int, set[int]], set[int]]
"""The dimensions of operands, by their numbers, and of all results that are to be whole."""


def gather_in_front_of_windows(function: ir.Operation) -> None:
    """Let every device hold whole what ops in the function need along a dimension that is cut."""
    for op in operations(function):
        if op.name not in _WHOLE or not all(ir.ShapedType(value.type).has_static_shape for value in op.operands):
            continue
        operands, results = _WHOLE[op.name](op)
        if SHARDING in op.attributes and results:
            ranks = [ir.ShapedType(result.type).rank for result in op.results]
            text = with_whole_dimensions(str(op.attributes[SHARDING]), [{d for d in results if d < r} for r in ranks])
            op.attributes[SHARDING] = ir.Attribute.parse(text, op.context)
        for number, dimensions in operands.items():
            sharding = sharding_of(op.operands[number]) if dimensions else ""
            if sharding:
                _reshard_operand(op, number, with_whole_dimensions(sharding, [dimensions]))


def _along(
    dimensions: Callable[[ir.Operation, Shape], set[int]], count: int | None = 1
) -> Callable[[ir.Operation], Whole]:
    """The same dimensions of the first `count` operands, or with None of the first half, and of the results."""

    def whole(op: ir.Operation) -> Whole:
        found = dimensions(op, ir.ShapedType(op.operands[0].type).shape)
        return dict.fromkeys(range(len(op.operands) // 2 if count is None else count), found), found

    return whole


def _ints(op: ir.Operation, name: str, default: Sequence[int]) -> Sequence[int]:
    return ints_of(op.attributes[name]) if name in op.attributes else default


def _slice(op: ir.Operation, shape: Shape) -> set[int]:
    starts, limits, strides = [_ints(op, name, ()) for name in ("start_indices", "limit_indices", "strides")]
    kept = zip(starts, limits, strides, shape, strict=True)
    return {d for d, (start, limit, stride, size) in enumerate(kept) if (start, limit, stride) != (0, size, 1)}


def _pad(op: ir.Operation, shape: Shape) -> set[int]:
    paddings = [_ints(op, name, ()) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")]
    return {d for d in range(len(shape)) if any(padding[d] for padding in paddings)}


def _update(op: ir.Operation, shape: Shape) -> set[int]:
    update = ir.ShapedType(op.operands[1].type).shape
    return {d for d, size in enumerate(shape) if size != update[d]}


def _window(op: ir.Operation, shape: Shape) -> set[int]:
    ones = [1] * len(shape)
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    sizes = [_ints(op, name, ones) for name in names]
    padding = to_numpy(op.attributes["padding"]).tolist() if "padding" in op.attributes else [(0, 0)] * len(shape)
    return {d for d in range(len(shape)) if any(size[d] != 1 for size in sizes) or any(padding[d])}


def _convolution(op: ir.Operation) -> Whole:
    numbers = stablehlo_extension.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    operands = {0: {*numbers.input_spatial_dimensions}, 1: {*numbers.kernel_spatial_dimensions}}
    return operands, {*numbers.output_spatial_dimensions}


def _gather(op: ir.Operation) -> Whole:
    numbers = stablehlo_extension.GatherDimensionNumbers(op.attributes["dimension_numbers"])
    return {0: {*numbers.start_index_map}}, set()


def _scatter(op: ir.Operation) -> Whole:
    numbers = stablehlo_extension.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
    dimensions = {*numbers.scattered_dims_to_operand_dims}
    return dict.fromkeys(range(len(op.results)), dimensions), dimensions


def _normalized(op: ir.Operation, shape: Shape) -> set[int]:
    return set(range(len(shape))) - {int_of(op.attributes["feature_index"])}


def _random(op: ir.Operation) -> Whole:
    return {}, set(range(max(ir.ShapedType(result.type).rank for result in op.results)))


_WHOLE: dict[str, Callable[[ir.Operation], Whole]] = {
    "stablehlo.batch_norm_training": _along(_normalized),
    "stablehlo.convolution": _convolution,
    "stablehlo.dynamic_slice": _along(
        lambda op, shape: {d for d, size in enumerate(_ints(op, "slice_sizes", ())) if size != shape[d]}
    ),
    "stablehlo.dynamic_update_slice": _along(_update, 2),
    "stablehlo.gather": _gather,
    "stablehlo.pad": _along(_pad),
    "stablehlo.reduce_window": _along(_window, None),
    "stablehlo.reverse": _along(lambda op, _: {*_ints(op, "dimensions", ())}),
    "stablehlo.rng": _random,
    "stablehlo.rng_bit_generator": _random,
    "stablehlo.scatter": _scatter,
    "stablehlo.select_and_scatter": _along(_window, 2),
    "stablehlo.slice": _along(_slice),
}
"""The dimensions that an op needs whole, by its name."""


def _reshard_operand(op: ir.Operation, number: int, sharding: str) -> None:
    text = sharding.replace("#sdy.sharding_per_value<[<", "#sdy.sharding<").replace(">]>", ">")
    operand = op.operands[number]
    with op.context, op.location:
        op.operands[number] = ir.Operation.create(
            "sdy.reshard",
            [operand.type],
            [operand],
            {"sharding": ir.Attribute.parse(text)},
            ip=ir.InsertionPoint(op),
        ).results[0]
