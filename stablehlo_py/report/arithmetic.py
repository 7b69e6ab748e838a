"""How many arithmetic operations an op takes, from its types and attributes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..bindings import ir
from ..bindings.attributes import ConvDims, DotDims, ints_of
from ..bindings.elements import to_numpy
from ..bindings.types import TensorType, TypeReader
from ..bindings.walk import body_of
from ..contracts.facts import facts

# Functions that hardware computes by tables or polynomials; counted apart from additions and multiplications.
TRANSCENDENTAL = frozenset(
    f"stablehlo.{name}"
    for name in ("atan2", "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic")
) | frozenset(f"stablehlo.{name}" for name in ("power", "rsqrt", "sine", "sqrt", "tan", "tanh"))
_FREE = frozenset({"stablehlo.constant", "stablehlo.bitcast_convert", "stablehlo.optimization_barrier"})

_types = TypeReader()


def shape_of(value: ir.Value) -> tuple[int, ...] | None:
    """The shape of a tensor of static shape; None for other values."""
    type_ = _types[value.type]
    return type_.static_shape if isinstance(type_, TensorType) and type_.is_static else None


def _size(value: ir.Value) -> int:
    shape = shape_of(value)
    return 0 if shape is None else math.prod(shape)


def operations(op: ir.Operation) -> tuple[int, int]:
    """Count what one run of an op takes, those of its regions included except in control flow.

    Returns:
        Additions, multiplications and the like, where a multiplication with an addition counts as two; and
        transcendental functions. Ops that only move elements take none.
    """
    special = _SPECIAL.get(op.name)
    if special is not None:
        return special(op)
    known = facts(op.name)
    if not known.is_elementwise or op.name in _FREE or not len(op.results):
        return 0, 0
    count = _size(op.results[0])
    return (0, count) if op.name in TRANSCENDENTAL else (count, 0)


def _dot_general(op: ir.Operation) -> tuple[int, int]:
    shape = shape_of(op.operands[0])
    if shape is None:
        return 0, 0
    contracted = DotDims.of(op.attributes["dot_dimension_numbers"]).lhs_contracting_dimensions
    return 2 * _size(op.results[0]) * math.prod(shape[dimension] for dimension in contracted), 0


def _dot(op: ir.Operation) -> tuple[int, int]:
    shape = shape_of(op.operands[0])
    return (0, 0) if shape is None else (2 * _size(op.results[0]) * shape[-1], 0)


def _numbers(op: ir.Operation, name: str, default: Sequence[int]) -> tuple[int, ...]:
    return ints_of(op.attributes[name]) if name in op.attributes else tuple(default)


def _convolution(op: ir.Operation) -> tuple[int, int]:
    """Products of an input and a kernel element; windows that reach into the padding have fewer."""
    lhs, rhs, result = shape_of(op.operands[0]), shape_of(op.operands[1]), shape_of(op.results[0])
    if lhs is None or rhs is None or result is None:
        return 0, 0
    dims = ConvDims.of(op.attributes["dimension_numbers"])
    ones = (1,) * len(dims.input_spatial_dimensions)
    strides = _numbers(op, "window_strides", ones)
    dilations = _numbers(op, "lhs_dilation", ones), _numbers(op, "rhs_dilation", ones)
    padding = to_numpy(op.attributes["padding"]).reshape(-1, 2) if "padding" in op.attributes else np.zeros((9, 2), int)
    products = 1
    for axis, dimension in enumerate(dims.input_spatial_dimensions):
        starts = np.arange(result[dims.output_spatial_dimensions[axis]]) * strides[axis] - padding[axis, 0]
        offsets = np.arange(rhs[dims.kernel_spatial_dimensions[axis]]) * dilations[1][axis]
        places = starts[:, None] + offsets
        inside = (places >= 0) & (places % dilations[0][axis] == 0) & (places // dilations[0][axis] < lhs[dimension])
        products *= int(inside.sum())
    features = rhs[dims.kernel_input_feature_dimension] * result[dims.output_feature_dimension]
    return 2 * products * features * result[dims.output_batch_dimension], 0


def _body(op: ir.Operation) -> tuple[int, int]:
    """What one run of the op's first region takes."""
    counts = [operations(inner.operation) for inner in body_of(op).operations]
    return sum(count for count, _ in counts), sum(count for _, count in counts)


def _runs_of_body(runs: int, op: ir.Operation) -> tuple[int, int]:
    plain, functions = _body(op)
    return plain * max(runs, 0), functions * max(runs, 0)


def _reduce(op: ir.Operation) -> tuple[int, int]:
    return _runs_of_body(_size(op.operands[0]) - _size(op.results[0]), op)


def _reduce_window(op: ir.Operation) -> tuple[int, int]:
    window = math.prod(ints_of(op.attributes["window_dimensions"]))
    return _runs_of_body(_size(op.results[0]) * (window - 1), op)


def _map(op: ir.Operation) -> tuple[int, int]:
    return _runs_of_body(_size(op.results[0]), op)


def _scatter(op: ir.Operation) -> tuple[int, int]:
    return _runs_of_body(_size(op.operands[len(op.operands) - 1]), op)


def _sort(op: ir.Operation) -> tuple[int, int]:
    """n log2 n comparisons of a row of n elements."""
    shape = shape_of(op.operands[0])
    if not shape:
        return 0, 0
    from ..bindings.attributes import int_of

    length = shape[int_of(op.attributes["dimension"])] if "dimension" in op.attributes else shape[-1]
    return _runs_of_body(_size(op.operands[0]) * math.ceil(math.log2(max(length, 1))), op)


def _fft(op: ir.Operation) -> tuple[int, int]:
    """5 n log2 n for each transform of n elements, the usual count for a complex one."""
    length = math.prod(ints_of(op.attributes["fft_length"]))
    count = max(_size(op.operands[0]), _size(op.results[0]))
    return 5 * count * math.ceil(math.log2(max(length, 1))), 0


def _cholesky(op: ir.Operation) -> tuple[int, int]:
    shape = shape_of(op.operands[0])
    return (0, 0) if shape is None else (math.prod(shape) * shape[-1] // 3, 0)


def _triangular_solve(op: ir.Operation) -> tuple[int, int]:
    shape = shape_of(op.operands[0])
    return (0, 0) if shape is None else (_size(op.operands[1]) * shape[-1], 0)


_SPECIAL: dict[str, Callable[[ir.Operation], tuple[int, int]]] = {
    "stablehlo.dot_general": _dot_general,
    "stablehlo.dot": _dot,
    "stablehlo.convolution": _convolution,
    "stablehlo.reduce": _reduce,
    "stablehlo.reduce_window": _reduce_window,
    "stablehlo.map": _map,
    "stablehlo.scatter": _scatter,
    "stablehlo.sort": _sort,
    "stablehlo.fft": _fft,
    "stablehlo.cholesky": _cholesky,
    "stablehlo.triangular_solve": _triangular_solve,
}
