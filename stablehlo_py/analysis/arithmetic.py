"""Arithmetic operations of an op, and the bytes that it reads and writes, from its types and attributes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..bindings import ir
from ..bindings.attributes import CALLS, int_of, ints_of
from ..bindings.dimension_numbers import ConvDimensionNumbers, DotDimensionNumbers
from ..bindings.elements import to_numpy
from ..bindings.walk import body_of
from ..dialect.facts import facts
from .sizes import Amount, Sizes, logarithm, weight

# Functions that hardware computes by tables or polynomials; counted apart from additions and multiplications.
TRANSCENDENTAL = frozenset(
    f"stablehlo.{name}"
    for name in ("atan2", "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic")
) | frozenset(f"stablehlo.{name}" for name in ("power", "rsqrt", "sine", "sqrt", "tan", "tanh"))
_FREE = frozenset({"stablehlo.constant", "stablehlo.bitcast_convert", "stablehlo.optimization_barrier"})

# Additions, multiplications and the like, where a multiplication with an addition counts as two; and transcendentals.
Counts = tuple[Amount, Amount]
NONE: Counts = (0, 0)


def operations(op: ir.Operation, sizes: Sizes) -> Counts:
    """Count the arithmetic of one run of an op, with the ops of its regions except in control flow.

    Args:
        op: The op. One that only moves elements takes nothing.
        sizes: The sizes of its operands and results.

    Returns:
        The two counts.
    """
    special = _SPECIAL.get(op.name)
    if special is not None:
        return special(op, sizes)
    if op.name in _RUNS_OF_BODY:
        runs = _RUNS_OF_BODY[op.name](op, sizes)
        runs = max(runs, 0) if isinstance(runs, int) else runs
        counts = [operations(inner.operation, sizes) for inner in body_of(op).operations]
        return sum([count for count, _ in counts]) * runs, sum([count for _, count in counts]) * runs
    if not facts(op.name).is_elementwise or op.name in _FREE or not len(op.results):
        return NONE
    count = sizes.count(op.results[0])
    return (0, count) if op.name in TRANSCENDENTAL else (count, 0)


def traffic(op: ir.Operation, sizes: Sizes) -> Amount:
    """Count the bytes that one run of an op reads and writes: all of its operands and results.

    Of what is sliced or gathered from the part that is taken counts, of what is updated the part that changes. Ops that
    run others move nothing themselves.
    """
    known = facts(op.name)
    if known.is_control_flow or known.is_constant or op.name in CALLS:
        return 0
    results: Amount = sum(map(sizes.bytes, op.results))
    if op.name in _READS_A_PART:
        return 2 * results + sum(map(sizes.bytes, list(op.operands)[1:]))
    if op.name == "stablehlo.dynamic_update_slice":
        _, update, *start = op.operands
        return 2 * sizes.bytes(update) + sum(map(sizes.bytes, start))
    if op.name == "stablehlo.scatter":
        count = len(op.results)
        indices, *updates = list(op.operands)[count:]
        return 3 * sum(map(sizes.bytes, updates)) + sizes.bytes(indices)
    return results + sum(map(sizes.bytes, op.operands))


_READS_A_PART = frozenset(
    f"stablehlo.{name}" for name in ("slice", "dynamic_slice", "real_dynamic_slice", "gather", "dynamic_gather")
)


def _dot(op: ir.Operation, sizes: Sizes) -> Counts:
    shape = sizes.shape(op.operands[0])
    if shape is None:
        return NONE
    contracted = DotDimensionNumbers.of_op(op, len(shape)).lhs_contracting_dimensions
    return 2 * sizes.count(op.results[0]) * math.prod([shape[dimension] for dimension in contracted]), 0


def _numbers(op: ir.Operation, name: str, default: Sequence[int]) -> tuple[int, ...]:
    return ints_of(op.attributes[name]) if name in op.attributes else tuple(default)


def _convolution(op: ir.Operation, sizes: Sizes) -> Counts:
    """Return products of an input and a kernel element; windows that reach into the padding have fewer."""
    lhs, rhs, result = sizes.shape(op.operands[0]), sizes.shape(op.operands[1]), sizes.shape(op.results[0])
    if lhs is None or rhs is None or result is None:
        return NONE
    dims = ConvDimensionNumbers.of(op.attributes["dimension_numbers"])
    ones = (1,) * len(dims.input_spatial_dimensions)
    strides = _numbers(op, "window_strides", ones)
    dilations = _numbers(op, "lhs_dilation", ones), _numbers(op, "rhs_dilation", ones)
    padding = to_numpy(op.attributes["padding"]).reshape(-1, 2) if "padding" in op.attributes else np.zeros((9, 2), int)
    products: Amount = 1
    for axis, dimension in enumerate(dims.input_spatial_dimensions):
        count = result[dims.output_spatial_dimensions[axis]]
        window, size = rhs[dims.kernel_spatial_dimensions[axis]], lhs[dimension]
        if not (isinstance(count, int) and isinstance(window, int) and isinstance(size, int)):
            products = products * count * window  # as if there were no padding
            continue
        starts = np.arange(count) * strides[axis] - padding[axis, 0]
        positions = starts[:, None] + np.arange(window) * dilations[1][axis]
        inside = (positions >= 0) & (positions % dilations[0][axis] == 0) & (positions // dilations[0][axis] < size)
        products = products * int(inside.sum())
    features = rhs[dims.kernel_input_feature_dimension] * result[dims.output_feature_dimension]
    return 2 * products * features * result[dims.output_batch_dimension], 0


def _comparisons(op: ir.Operation, sizes: Sizes) -> Amount:
    """n log2 n comparisons of a row of n elements."""
    shape = sizes.shape(op.operands[0])
    if not shape:
        return 0
    length = shape[int_of(op.attributes["dimension"])] if "dimension" in op.attributes else shape[-1]
    return sizes.count(op.operands[0]) * logarithm(length)


def _of_windows(op: ir.Operation, sizes: Sizes) -> Amount:
    return sizes.count(op.results[0]) * (math.prod(ints_of(op.attributes["window_dimensions"])) - 1)


# The number of runs of each op's first region.
_RUNS_OF_BODY: dict[str, Callable[[ir.Operation, Sizes], Amount]] = {
    "stablehlo.reduce": lambda op, sizes: sizes.count(op.operands[0]) - sizes.count(op.results[0]),
    "stablehlo.reduce_window": _of_windows,
    "stablehlo.map": lambda op, sizes: sizes.count(op.results[0]),
    "stablehlo.scatter": lambda op, sizes: sizes.count(op.operands[len(op.operands) - 1]),
    "stablehlo.sort": _comparisons,
}


def _fft(op: ir.Operation, sizes: Sizes) -> Counts:
    """5 n log2 n for each transform of n elements, the usual count for a complex one."""
    length = math.prod(ints_of(op.attributes["fft_length"]))
    count = max(sizes.count(op.operands[0]), sizes.count(op.results[0]), key=weight)
    return 5 * count * logarithm(length), 0


def _cholesky(op: ir.Operation, sizes: Sizes) -> Counts:
    shape = sizes.shape(op.operands[0])
    return NONE if shape is None else (math.prod(shape) * shape[-1] // 3, 0)


def _triangular_solve(op: ir.Operation, sizes: Sizes) -> Counts:
    shape = sizes.shape(op.operands[0])
    return NONE if shape is None else (sizes.count(op.operands[1]) * shape[-1], 0)


_SPECIAL: dict[str, Callable[[ir.Operation, Sizes], Counts]] = {
    "stablehlo.dot_general": _dot,
    "stablehlo.dot": _dot,
    "stablehlo.convolution": _convolution,
    "stablehlo.fft": _fft,
    "stablehlo.cholesky": _cholesky,
    "stablehlo.triangular_solve": _triangular_solve,
}
