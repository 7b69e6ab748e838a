"""Routines for one matrix, run on the stacks of matrices of a custom call, in the call's layouts.

The kernels that JAX calls read matrices from memory in column-major order. If a layout says otherwise, or nothing,
which means row-major, they see the same memory with other indices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from ...bindings.types import TensorType, TupleType, ValueType
from .call import CustomCall, Layout
from .registry import Handler, runs

Routine = Callable[..., Sequence[Any]]
"""Takes a matrix, vector or number for each operand; returns the results, with None for a workspace. Results that
the call lacks are left out."""

Order = Literal["column-major", "row-major", "as the program"]
"""The memory order of matrices that a kernel expects: a fixed one, or the program's own."""

RoutineOf = Callable[..., Routine]
"""Takes a `CustomCall`, and the operands that are options."""


def runs_on_matrices(
    targets: Sequence[str],
    results: str,
    routine_of: RoutineOf,
    cores: Sequence[int] = (2,),
    first: int = 0,
    *,
    has_workspaces: bool = False,
    order: Order = "column-major",
) -> Handler:
    """Register a batched matrix routine for these targets; see `for_each_matrix`.

    Args:
        targets: The targets of custom calls.
        results: A description of the call's results.
        routine_of: Takes the call and the operands before the `first`, and returns the routine of one matrix.
        cores: The ranks of the operands of the routine.
        first: The index of the first operand with matrices.
        has_workspaces: Whether workspaces come after the matrices.
        order: The memory order of matrices that the kernel expects.
    """

    @runs(*targets)
    def handler(call: CustomCall, *operands: Any) -> Any:
        routine, stacks = routine_of(call, *operands[:first]), operands[first:]
        return for_each_matrix(call, routine, stacks[: len(cores)] if has_workspaces else stacks, cores, first, order)

    handler.__doc__ = results
    return handler


def for_each_matrix(
    call: CustomCall,
    routine: Routine,
    operands: Sequence[Any],
    cores: Sequence[int],
    first: int = 0,
    order: Order = "column-major",
) -> Any:
    """The results of `routine` for each index of the leading dimensions, stacked in the types of the call's results.

    `cores` has the rank of what the routine takes of each operand, `first` is the number of the first of them among
    the call's operands. Workspaces, results past those of the routine, and all results where no operand has elements
    are zero.
    """
    layouts = None if order == "as the program" else call.operand_layouts
    stacks = [
        _exchanged(
            np.asarray(operand),
            None if layouts is None else layouts[first + index],
            core if order == "column-major" else 0,
            to_kernel=True,
        )
        for index, (operand, core) in enumerate(zip(operands, cores, strict=True))
    ]
    batch = stacks[0].shape[: stacks[0].ndim - cores[0]]
    has_elements = any(stack.size for stack in stacks)
    rows = [routine(*[stack[index] for stack in stacks]) for index in np.ndindex(batch)] if has_elements else []
    columns = list(zip(*rows, strict=True))
    whole = call.result_types[0] if call.result_types else None
    types = whole.types if isinstance(whole, TupleType) else call.result_types
    results = [_result(call, type_, index, columns, batch, order) for index, type_ in enumerate(types)]
    return results[0] if len(results) == 1 and not isinstance(whole, TupleType) else tuple(results)


def _exchanged(array: np.ndarray, layout: Layout | None, core: int, *, to_kernel: bool) -> np.ndarray:
    """The array with the indices of a kernel that expects its last two dimensions (if `core` is 2) column-major, or
    what such a kernel wrote with the program's indices."""
    rank = array.ndim
    row_major = tuple(range(rank - 1, -1, -1))
    program = row_major if layout is None else layout
    kernel = (rank - 2, rank - 1, *row_major[2:]) if core == 2 else row_major
    written, read = (program, kernel) if to_kernel else (kernel, program)
    if written == read:
        return array
    memory = array.transpose(written[::-1]).reshape(-1)
    outer_first = read[::-1]
    return memory.reshape([array.shape[dimension] for dimension in outer_first]).transpose(np.argsort(outer_first))


def _result(
    call: CustomCall,
    type_: ValueType,
    index: int,
    columns: list[tuple[Any, ...]],
    batch: tuple[int, ...],
    order: Order,
) -> np.ndarray:
    if not isinstance(type_, TensorType):
        raise call.op.error(f"expects a tensor, not {type_}")
    values = columns[index] if index < len(columns) else (None,)
    if values[0] is None:
        shape = type_.static_shape if type_.is_static else (*batch, *type_.shape[len(batch) :])
        if None in shape:
            raise call.op.error(f"has no elements to tell the size of {type_} from")
        return np.zeros([size for size in shape if size is not None], type_.dtype)
    core = np.ndim(values[0]) if order == "column-major" else 0
    result = np.array(values, type_.dtype).reshape((*batch, *np.shape(values[0])))
    layouts = None if order == "as the program" else call.result_layouts
    return _exchanged(result, None if layouts is None else layouts[index], core, to_kernel=False)
