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
from .contraction import matmul
from .movement import pad_array
from .slicing import as_indices
from .window import window_view

_CHUNK_BYTES = 1 << 22
"""How many bytes of windows are copied out at a time, or as many as the operands and the result have."""


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
        return np.moveaxis(padded.reshape([batch, *spatial, groups, feature // groups]), -2, 0)

    def _grouped_rhs(self, rhs: Array) -> np.ndarray:
        """rhs as [group, spatial dimensions..., input feature, output feature], reversed where windows would be."""
        dims = self.dims
        spatial_dims = dims.kernel_spatial_dimensions
        rhs = rhs.transpose([*spatial_dims, dims.kernel_input_feature_dimension, dims.kernel_output_feature_dimension])
        rhs = rhs[tuple([slice(None, None, -1 if reversal else 1) for reversal in self.window_reversal])]
        *spatial, inputs, outputs = rhs.shape
        groups = self.feature_group_count * self.batch_group_count  # one of them is 1 (C23)
        return np.moveaxis(rhs.reshape([*spatial, inputs, groups, outputs // groups]), -2, 0)

    def _windows(self, lhs: np.ndarray, kernel_shape: Sequence[int]) -> np.ndarray:
        """All windows of the grouped lhs: [group, batch, spatial..., window..., feature], without copying."""
        ones = (1, 1)
        view = window_view(
            lhs,
            (*ones, *kernel_shape, 1),
            (*ones, *self.window_strides, 1),
            (*ones, *self.rhs_dilation, 1),
        )
        rank = lhs.ndim
        last = [*range(2), *range(2, rank - 1), *range(rank + 2, 2 * rank - 1), rank - 1]
        return view.transpose([*last, rank, rank + 1, 2 * rank - 1]).reshape(
            [view.shape[axis] for axis in last]
        )

    def __call__(self, lhs: Array, rhs: Array, padding: np.ndarray) -> np.ndarray:
        """The products of all windows of lhs with rhs, for a part of the batch or of a spatial dimension at a time."""
        raise NotImplementedError
