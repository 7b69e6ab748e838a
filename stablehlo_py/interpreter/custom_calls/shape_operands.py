"""Operands of custom calls that give the shapes of results: `indices_of_shape_operands` in shape-polymorphic exports.

A handler sees the call that refinement leaves: without these operands, and with results of static types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.types import TensorType, ValueType
from ..op import Kernel, Op
from ..settings import require_memory
from ..values import belongs_to, type_text

SHAPE_OPERANDS = "indices_of_shape_operands"
_MAX_SHAPES = 16
"""The number of different shapes of results whose kernels a call keeps."""


def with_static_results(op: Op, kernel_of: Callable[[Op], Kernel]) -> Kernel:
    """Return the kernel of a call: `kernel_of` the op with the result types of a run, applied to its other operands.

    Raises:
        InterpreterError: `indices_of_shape_operands` is not one operand for each result, an operand that it names is
            no shape of its result, or the kernel's result has another shape.
    """
    if not op.has(SHAPE_OPERANDS):
        return kernel_of(op)
    indices = _checked_indices(op)
    kernel_of(op)  # an unknown target is refused before the first run
    others = [index for index in range(len(op.operand_types)) if index not in indices]
    operand_types = tuple([op.operand_types[index] for index in others])

    @lru_cache(maxsize=_MAX_SHAPES)
    def kernel_for(result_types: tuple[TensorType, ...]) -> Kernel:
        return kernel_of(Op(op.operation, op.name, operand_types, result_types, op.regions, op.program))

    def kernel(*operands: Any) -> Any:
        types = tuple([_static(op, i, operands[index], index) for i, index in enumerate(indices)])
        results = kernel_for(types)(*[operands[index] for index in others])
        _check_results(op, results if len(types) > 1 else (results,), types)
        return results

    return kernel


def _checked_indices(op: Op) -> tuple[int, ...]:
    if not isinstance(op.attribute(SHAPE_OPERANDS), ir.DenseIntElementsAttr):
        raise op.error(f"has {op.attribute(SHAPE_OPERANDS)} as {SHAPE_OPERANDS}, expected a tensor of integers")
    indices = op.ints(SHAPE_OPERANDS)
    count, operands, results = len(indices), len(op.operand_types), len(op.result_types)
    if count != results:
        raise op.error(f"has {count} {SHAPE_OPERANDS}, expected {results}, one for each result")
    for index in indices:
        if not 0 <= index < operands:
            raise op.error(f"has {index} in {SHAPE_OPERANDS}, expected an index of one of its {operands} operands")
        type_ = op.tensor_operand(index)
        if type_.rank != 1 or not type_.element_type.is_integer:
            raise op.error(f"has {type_} as shape operand {index}, expected a 1-dimensional tensor of integers")
    return indices


def _static(op: Op, result: int, operand: np.ndarray, index: int) -> TensorType:
    """Return the type of a result with the shape in an operand."""
    declared, shape = op.tensor_result(result), tuple(map(int, operand))
    if min(shape, default=0) < 0 or not declared.accepts(shape, declared.dtype):
        raise op.error(f"has shape operand {index} {list(shape)} for result {result}, expected a shape of {declared}")
    require_memory(shape, declared.dtype)
    return TensorType(shape, declared.element_type)


def _check_results(op: Op, results: Any, types: Sequence[ValueType]) -> None:
    if not isinstance(results, tuple) or len(results) != len(types):
        return  # reported by the check of all results
    for index, (result, type_) in enumerate(zip(results, types, strict=True)):
        if not belongs_to(result, type_):
            raise op.error(f"produced {type_text(result)} as result {index}, expected {type_} by its shape operand")
