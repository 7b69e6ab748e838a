"""convolution and dynamic_conv."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...bindings.dimension_numbers import ConvDimensionNumbers
from ..op import Kernel, Op, ProgramContext
from ..registry import evaluates
from ..settings import require_memory
from .bodies import Array
from .matmul import multiplication
from .movement import pad_array
from .parts import in_parts
from .slicing import as_indices
from .window import count_windows


@dataclass(frozen=True)
class Convolution:
    """The attributes of a convolution, by the names of the spec. Spec: convolution, I3 to I18."""

    dims: ConvDimensionNumbers
    window_strides: tuple[int, ...]
    lhs_dilation: tuple[int, ...]
    rhs_dilation: tuple[int, ...]
    window_reversal: tuple[bool, ...]
    feature_group_count: int
    batch_group_count: int
    program: ProgramContext
    dtype: np.dtype

    @staticmethod
    def of(op: Op) -> Convolution:
        """Return the attributes of convolution or dynamic_conv, with the spec's defaults."""
        dims = ConvDimensionNumbers.of(op.attribute("dimension_numbers"))
        ones = (1,) * len(dims.input_spatial_dimensions)
        return Convolution(
            dims,
            op.ints("window_strides", ones),
            op.ints("lhs_dilation", ones),
            op.ints("rhs_dilation", ones),
            tuple(map(bool, op.attribute("window_reversal", [False] * len(ones)))),
            op.int("feature_group_count"),
            op.int("batch_group_count"),
            op.program,
            op.tensor_result().dtype,
        )


def in_groups(array: np.ndarray, axis: int, count: int) -> np.ndarray:
    """Return the array with one axis cut into `count` groups, which are a new first axis."""
    shape = (*array.shape[:axis], count, array.shape[axis] // count, *array.shape[axis + 1 :])
    return np.moveaxis(array.reshape(shape), axis, 0)


def windows_of(lhs: np.ndarray, sizes: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> np.ndarray:
    """Return a view [group, batch, window..., index in it..., feature] of lhs, [group, batch, spatial..., feature]."""
    group, batch, *spatial, feature = lhs.shape
    group_step, batch_step, *steps, feature_step = lhs.strides
    counts = map(count_windows, spatial, sizes, strides, dilations)
    windows = np.lib.stride_tricks.as_strided(
        lhs.view(np.dtype((np.void, lhs.itemsize))),  # numpy cannot find f8E5M2 again by its code, "<f1"
        (group, batch, *counts, *sizes, feature),
        (group_step, batch_step, *np.multiply(steps, strides), *np.multiply(steps, dilations), feature_step),
        writeable=False,
    )
    return windows.view(lhs.dtype)


def convolve(lhs: Array, rhs: Array, padding: np.ndarray, c: Convolution) -> np.ndarray:
    """Return the dot products between windows of lhs and slices of rhs, group by group. Spec: convolution."""
    dims, rank = c.dims, len(c.window_strides)
    lhs = lhs.transpose(dims.input_batch_dimension, *dims.input_spatial_dimensions, dims.input_feature_dimension)
    rhs = rhs.transpose(
        *dims.kernel_spatial_dimensions, dims.kernel_input_feature_dimension, dims.kernel_output_feature_dimension
    )
    rhs = rhs[tuple([slice(None, None, -1 if reversal else 1) for reversal in c.window_reversal])]
    low, high = [0, *padding[:, 0].tolist(), 0], [0, *padding[:, 1].tolist(), 0]
    padded = pad_array(lhs, np.zeros((), lhs.dtype), low, high, [0, *[dilation - 1 for dilation in c.lhs_dilation], 0])
    axis, groups = (0, c.batch_group_count) if c.batch_group_count > 1 else (rank + 1, c.feature_group_count)
    kernel = in_groups(rhs, rank + 1, groups)
    windows = windows_of(in_groups(padded, axis, groups), kernel.shape[1:-2], c.window_strides, c.rhs_dilation)
    shape, outputs = windows.shape[: rank + 2], kernel.shape[-1]
    kernel = kernel.reshape(groups, math.prod(kernel.shape[1:-1]), outputs)
    require_memory((*shape, outputs), c.dtype)
    multiply = multiplication(c.program, math.prod(shape) * kernel.shape[1] * outputs)

    def products(part: np.ndarray) -> np.ndarray:
        rows = part.reshape(groups, math.prod(part.shape[1 : rank + 2]), kernel.shape[1])
        return multiply(rows, kernel, c.dtype).reshape(*part.shape[: rank + 2], outputs)

    result = in_parts(products, windows, (*shape, outputs), c.dtype, at_least=lhs.nbytes + rhs.nbytes)
    result = np.moveaxis(result, 0, -2).reshape(*shape[1:], groups * outputs)
    order = [dims.output_batch_dimension, *dims.output_spatial_dimensions, dims.output_feature_dimension]
    return result.transpose(np.argsort(order))


@evaluates("stablehlo.convolution")
def convolution(op: Op) -> Kernel:
    """Dot products between windows of lhs and slices of rhs. Spec: convolution."""
    attributes = Convolution.of(op)
    padding = op.elements("padding", np.array([[0, 0]] * len(attributes.window_strides), np.int64).reshape(-1, 2))
    return lambda lhs, rhs: convolve(lhs, rhs, padding, attributes)


@evaluates("stablehlo.dynamic_conv")
def dynamic_conv(op: Op) -> Kernel:
    """As convolution, with padding an operand. Spec: dynamic_conv."""
    attributes = Convolution.of(op)
    count = len(attributes.dims.input_spatial_dimensions)
    # The verifier lets these pass.
    constraints = (("C2", "window_strides"), ("C5", "lhs_dilation"), ("C7", "rhs_dilation"), ("C9", "window_reversal"))
    for constraint, name in constraints:
        values = getattr(attributes, name)
        if len(values) != count:
            raise op.error(f"has {len(values)} {name}, expected {count} ({constraint})")
        if name != "window_reversal" and min(values, default=1) < 1:
            raise op.error(f"has {name} {list(values)}, expected positive numbers (C{int(constraint[1:]) + 1})")
    return lambda lhs, rhs, padding: convolve(lhs, rhs, as_indices(padding), attributes)
