"""Decompositions of PyTorch ops that torch-mlir lowers to something else, or not at all.

Each has the results of its op, for all arguments. An op in its own decomposition stays as it is.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...bindings.torch_dialect import torch_module

Table = dict[Any, Callable[..., Any]]
# Ops that torch-mlir leaves whole; torch has decompositions for them.
_OF_TORCH = (
    *("upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d"),
    *("adaptive_max_pool2d", "adaptive_max_pool3d", "addmv", "unfold"),
)
_POOLS = ("max_pool2d_with_indices", "max_pool3d_with_indices")
_BITWISE = ("bitwise_and", "bitwise_or", "bitwise_xor")
_SHIFTS = {"bitwise_left_shift": "__lshift__", "bitwise_right_shift": "__rshift__"}
_COMPARISONS = ("lt", "le", "gt", "ge")


def decompositions() -> Table:
    """Return torch-mlir's table of decompositions, extended by torch's and by this file's."""
    aten = importlib.import_module("torch").ops.aten
    of_torch = importlib.import_module("torch._decomp").get_decompositions
    table: Table = dict(torch_module("extras.fx_decomp_util").get_decomposition_table())
    table.update(of_torch([getattr(aten, name) for name in _OF_TORCH if hasattr(aten, name)]))
    table.update(_Own(of_torch([getattr(aten, name) for name in _POOLS])).table())
    return table


class _Own:
    """Decompositions of this package, into ops that torch-mlir lowers well."""

    def __init__(self, pools: Table) -> None:
        self.torch, self.pools = importlib.import_module("torch"), pools
        self.aten = self.torch.ops.aten
        self._inside = False

    def table(self) -> Table:
        """Return the decompositions by op."""
        aten, plain_index = self.aten, partial(self.plainly, self.aten.index.Tensor)
        found: Table = {
            aten.index.Tensor: self.index,
            aten._unsafe_index.Tensor: plain_index,
            aten.index_put.default: self.index_put,
            aten.empty.memory_format: self.empty,
            aten.diagonal.default: self.diagonal,
            aten.erfc.default: self.erfc,
            **self.with_numbers(aten.remainder, self.remainder),
            **self.with_numbers(aten.fmod, aten.fmod.Tensor),
        }
        for name in _BITWISE:
            found.update(self.with_numbers(getattr(aten, name), getattr(aten, name).Tensor))
        for name, sign in _SHIFTS.items():
            shift = partial(self.same_shapes, getattr(aten, name).Tensor)
            found.update(self.with_numbers(getattr(aten, name), shift))
            found.update(self.with_numbers(getattr(aten, sign), shift))
        for name in _COMPARISONS:
            found[getattr(aten, name).Scalar] = partial(self.compare, getattr(aten, name).Scalar)
        found.update({op: partial(self.pool, op) for op in self.pools})
        return found

    def with_numbers(self, op: Any, on_tensors: Callable[..., Any]) -> Table:
        """Return decompositions of the forms of a binary op: of tensors, and with a number in place of one."""

        def second(x: Any, number: Any) -> Any:
            return on_tensors(x, self.torch.full_like(x, number, dtype=self.torch.result_type(x, number)))

        def first(number: Any, x: Any) -> Any:
            return on_tensors(self.torch.full_like(x, number, dtype=self.torch.result_type(x, number)), x)

        forms = {"Tensor": on_tensors, "Scalar": second, "Tensor_Scalar": second, "Scalar_Tensor": first}
        return {getattr(op, name): form for name, form in forms.items()
                if name in op.overloads() and form is not getattr(op, name)}  # fmt: skip

    def plainly(self, op: Any, *operands: Any) -> Any:
        """Return the op's results, the op itself left as it is."""
        self._inside = True
        try:
            return op(*operands)
        finally:
            self._inside = False

    def same_shapes(self, op: Any, x: Any, y: Any) -> Any:
        """Apply an op to tensors of one shape."""
        return NotImplemented if self._inside else self.plainly(op, *self.torch.broadcast_tensors(x, y))

    def compare(self, op: Any, x: Any, number: Any) -> Any:
        """Compare floats with a float: the folder takes an integer's bits for one."""
        return op(x, float(number)) if x.is_floating_point() and isinstance(number, int) else NotImplemented

    def remainder(self, x: Any, y: Any) -> Any:
        """Return the remainder with the sign of the divisor; the lowering gives it the sign of the dividend."""
        rest = self.aten.fmod.Tensor(x, y)
        return self.torch.where((rest != 0) & ((rest < 0) ^ (y < 0)), rest + y, rest)

    def diagonal(self, x: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
        """Return the elements on a diagonal."""
        x = x.movedim((dim1, dim2), (-2, -1))
        *batch, rows, columns = x.shape
        row, column = max(-offset, 0), max(offset, 0)
        if not (isinstance(rows, int) and isinstance(columns, int) and row < rows and column < columns):
            return NotImplemented
        size = min(rows - row, columns - column)
        indices = [self.torch.arange(first, first + size) for first in (row, column)]
        return self.plainly(self.aten.index.Tensor, x, [None] * len(batch) + indices)

    def erfc(self, x: Any) -> Any:
        """Return the complement of the error function."""
        return 1 - x.erf()

    def empty(self, size: Any, dtype: Any = None, **_: Any) -> Any:
        """Return a tensor of any values."""
        return self.torch.zeros(size, dtype=dtype)

    def index(self, x: Any, indices: Sequence[Any]) -> Any:
        """Return the elements at these indices; the lowering does not count negative ones from the end."""
        return NotImplemented if self._inside else self.plainly(self.aten.index.Tensor, x, self._from_start(x, indices))

    def index_put(self, x: Any, indices: Sequence[Any], values: Any, accumulate: bool = False) -> Any:
        """Return `x` with other values at these indices; where a mask gets a single value, it is selected."""
        if self._inside:
            return NotImplemented
        mask = indices[0]
        if len(indices) == 1 and mask.dtype == self.torch.bool and values.ndim == 0 and not accumulate:
            return self.torch.where(mask.reshape(*mask.shape, *[1] * (x.ndim - mask.ndim)), values, x)
        return self.plainly(self.aten.index_put.default, x, self._from_start(x, indices), values, accumulate)

    def _from_start(self, x: Any, indices: Sequence[Any]) -> list[Any]:
        dimension, found, masks = 0, list[Any](), (self.torch.bool, self.torch.uint8)
        for index in indices:
            if index is None or index.dtype in masks:
                found.append(index)
                dimension += 1 if index is None else index.ndim
            else:
                found.append(self.torch.where(index < 0, index + x.shape[dimension], index))
                dimension += 1
        return found

    def pool(self, op: Any, x: Any, size: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1,
             ceil_mode: bool = False) -> Any:  # fmt: skip
        """Return the maxima of windows, by torch's decomposition if a window may end beyond the padding."""
        if ceil_mode:
            return self.pools[op](x, size, stride, padding, dilation, ceil_mode)
        return NotImplemented if stride else op(x, size, size, padding, dilation)
