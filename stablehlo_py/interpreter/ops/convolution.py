"""convolution and dynamic_conv."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...bindings.attributes import ConvDims
from ..op import Kernel, Op
from ..registry import evaluates
from ..settings import require_memory
from .bodies import Array
from .matmul import is_in_order
from .movement import pad_array
from .slicing import as_indices
from .window import count_windows

_CHUNK_BYTES = 1 << 16
"""The bytes of windows that are copied out at a time, or as many as the operands and the result have."""


def _groups_first(array: np.ndarray) -> np.ndarray:
    """The dimension before the last one as the first."""
    last = array.ndim - 1
    return array.transpose(last - 1, *range(last - 1), last)


class _Convolution:
    """The attributes of a convolution. Spec: convolution, I3 to I18."""

    def __init__(self, op: Op) -> None:
        self.dims = ConvDims.of(op.attribute("dimension_numbers"))
        count = len(self.dims.input_spatial_dimensions)
        ones = (1,) * count
        self.window_strides = op.ints("window_strides", ones)
        self.lhs_dilation = op.ints("lhs_dilation", ones)
        self.rhs_dilation = op.ints("rhs_dilation", ones)
        self.window_reversal = tuple(map(bool, op.attribute("window_reversal", (False,) * count)))
        self.feature_group_count = op.int("feature_group_count")
        self.batch_group_count = op.int("batch_group_count")
        self.dtype = op.tensor_result().dtype
        self.deterministic = op.program.settings.deterministic
        self.matmul = op.program.acceleration.matmul
        dims = self.dims
        order = [dims.output_batch_dimension, *dims.output_spatial_dimensions, dims.output_feature_dimension]
        self.output_order = tuple([order.index(d) for d in range(len(order))])

    def _grouped_lhs(self, lhs: Array, padding: np.ndarray) -> np.ndarray:
        """The padded lhs as [group, batch, spatial dimensions..., feature]."""
        dims = self.dims
        order = [dims.input_batch_dimension, *dims.input_spatial_dimensions, dims.input_feature_dimension]
        lhs = lhs.transpose(order)
        interior = [0, *[dilation - 1 for dilation in self.lhs_dilation], 0]
        low, high = [0, *padding[:, 0].tolist(), 0], [0, *padding[:, 1].tolist(), 0]
        padded = pad_array(lhs, lhs.dtype.type(0), low, high, interior)
        batch, *spatial, feature = padded.shape
        if self.batch_group_count > 1:
            return padded.reshape([self.batch_group_count, batch // self.batch_group_count, *spatial, feature])
        groups = self.feature_group_count
        return _groups_first(padded.reshape([batch, *spatial, groups, feature // groups]))

    def _grouped_rhs(self, rhs: Array) -> np.ndarray:
        """rhs as [group, spatial dimensions..., input feature, output feature], reversed where windows would be."""
        dims = self.dims
        spatial_dims = dims.kernel_spatial_dimensions
        rhs = rhs.transpose([*spatial_dims, dims.kernel_input_feature_dimension, dims.kernel_output_feature_dimension])
        rhs = rhs[tuple([slice(None, None, -1 if reversal else 1) for reversal in self.window_reversal])]
        *spatial, inputs, outputs = rhs.shape
        groups = self.feature_group_count * self.batch_group_count  # one of them is 1 (C23)
        return _groups_first(rhs.reshape([*spatial, inputs, groups, outputs // groups]))

    def _windows(self, lhs: np.ndarray, kernel_shape: Sequence[int]) -> np.ndarray:
        """All windows of the grouped lhs as [group, batch, spatial..., window..., feature], without copying."""
        group, batch, *spatial, feature = lhs.shape
        group_stride, batch_stride, *strides, feature_stride = lhs.strides
        counts = map(count_windows, spatial, kernel_shape, self.window_strides, self.rhs_dilation)
        steps = [stride * step for stride, step in zip(strides, self.window_strides, strict=True)]
        dilated = [stride * dilation for stride, dilation in zip(strides, self.rhs_dilation, strict=True)]
        windows = np.lib.stride_tricks.as_strided(
            lhs.view(np.dtype((np.void, lhs.itemsize))),  # numpy cannot find f8E5M2 again by its code, "<f1"
            (group, batch, *counts, *kernel_shape, feature),
            (group_stride, batch_stride, *steps, *dilated, feature_stride),
            writeable=False,
        )
        return windows.view(lhs.dtype)

    def _products(self, windows: np.ndarray, rhs: np.ndarray, lhs_bytes: int) -> np.ndarray:
        """The products of windows with the grouped rhs: [group, batch, spatial..., output feature]. Windows are copied
        out for a part of the batch, or of the first spatial dimension, at a time."""
        groups, outputs = rhs.shape[0], rhs.shape[-1]
        kernel = rhs.reshape(groups, math.prod(rhs.shape[1:-1]), outputs)
        spatial = windows.shape[2 : 2 + len(self.window_strides)]
        shape: tuple[int, ...] = (*windows.shape[:2], *spatial)
        require_memory((*shape, outputs), self.dtype)
        result = np.empty((*shape, outputs), self.dtype)
        in_order = is_in_order(result.size * kernel.shape[1], self.deterministic)
        first = spatial[0] if spatial else 1
        row_bytes = groups * math.prod(spatial[1:]) * max(kernel.shape[1], 1) * windows.itemsize
        chunk_bytes = max(_CHUNK_BYTES, lhs_bytes + rhs.nbytes + result.nbytes)
        rows = max(chunk_bytes // max(row_bytes, 1), 1)
        batch_step = max(rows // max(first, 1), 1)
        for start in range(0, shape[1], batch_step):
            for row in range(0, first, rows):
                part = np.index_exp[:, start : start + batch_step, row : row + rows][: min(len(shape), 3)]
                chunk = windows[part]
                size = math.prod(chunk.shape[1 : len(shape)])
                product = self.matmul(chunk.reshape(groups, size, kernel.shape[1]), kernel, self.dtype, in_order)
                result[part] = product.reshape(*chunk.shape[: len(shape)], outputs)
        return result

    def __call__(self, lhs: Array, rhs: Array, padding: np.ndarray) -> np.ndarray:
        """lhs convolved with rhs, with padding[d] = [low, high] around spatial dimension d."""
        grouped_rhs = self._grouped_rhs(rhs)
        windows = self._windows(self._grouped_lhs(lhs, padding), grouped_rhs.shape[1:-2])
        products = self._products(windows, grouped_rhs, lhs.nbytes)
        last = products.ndim - 1
        products = products.transpose(*range(1, last), 0, last)
        result = products.reshape(*products.shape[:-2], products.shape[-2] * products.shape[-1])
        return result.transpose(self.output_order)


@evaluates("stablehlo.convolution")
def convolution(op: Op) -> Kernel:
    """Dot products between windows of lhs and slices of rhs. Spec: convolution."""
    convolve = _Convolution(op)
    padding = op.elements("padding", np.zeros((len(convolve.window_strides), 2), np.int64))
    return lambda lhs, rhs: convolve(lhs, rhs, padding)


def _require_sizes(op: Op, convolve: _Convolution) -> None:
    """Raise `InterpreterError` for attributes that the verifier of dynamic_conv lets pass."""
    count = len(convolve.dims.input_spatial_dimensions)
    constraints = (("C2", "window_strides"), ("C5", "lhs_dilation"), ("C7", "rhs_dilation"), ("C9", "window_reversal"))
    for constraint, name in constraints:
        values = getattr(convolve, name)
        if len(values) != count:
            raise op.error(f"has {len(values)} {name}, expected {count} ({constraint})")
        if name != "window_reversal" and min(values, default=1) < 1:
            raise op.error(f"has {name} {list(values)}, expected positive numbers (C{int(constraint[1:]) + 1})")


def _require_shapes(op: Op, convolve: _Convolution, lhs: Array, rhs: Array, padding: np.ndarray) -> None:
    """Raise `InterpreterError` for operands whose shapes do not fit each other."""
    dims, groups = convolve.dims, convolve.feature_group_count
    batch, inputs = (lhs.shape[d] for d in (dims.input_batch_dimension, dims.input_feature_dimension))
    features, outputs = (
        rhs.shape[d] for d in (dims.kernel_input_feature_dimension, dims.kernel_output_feature_dimension)
    )
    expected = (len(convolve.window_strides), 2)
    if padding.shape != expected:
        raise op.error(f"has padding of shape {list(padding.shape)}, expected {list(expected)} (C4)")
    if features * groups != inputs:
        raise op.error(f"has {features} kernel input features in {groups} groups, expected {inputs} in all (C11, C14)")
    if batch % convolve.batch_group_count or outputs % convolve.batch_group_count or outputs % groups:
        raise op.error(f"has groups that do not divide {batch} batches, {outputs} output features (C10, C15, C16)")


@evaluates("stablehlo.dynamic_conv")
def dynamic_conv(op: Op) -> Kernel:
    """As convolution, with padding an operand. Spec: dynamic_conv."""
    convolve = _Convolution(op)
    _require_sizes(op, convolve)

    def kernel(lhs: Array, rhs: Array, padding: np.ndarray) -> np.ndarray:
        _require_shapes(op, convolve, lhs, rhs, padding)
        return convolve(lhs, rhs, as_indices(padding))

    return kernel
