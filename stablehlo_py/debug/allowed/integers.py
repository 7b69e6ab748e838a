"""Enclosures of integers and booleans: one value, or any where an op overflows or is undefined; see `allowed`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...bindings import ir
from ...bindings.build import refresh_type
from ...bindings.bytecode import bytecode_of
from ...bindings.elements import constant_value, from_numpy
from ...bindings.types import Kind, dtype_name, element_type
from ...bindings.walk import body_of, functions, operations
from ...engines.reference import backend
from ...errors import StablehloError
from .enclosures import Allowed, Mask, Question, interval, meaning
from .measures import parts_of
from .sums import combines, is_sum

_OVERFLOW = "Errors: integer overflows result in implementation-defined behavior (#1157)"
_QUOTIENT = "Errors: a quotient that is no integer of the type is implementation-defined (#1157)"
_ARITHMETIC: dict[str, Callable[..., npt.NDArray[Any]]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "power": np.power,
    "negate": np.negative, "abs": np.abs,
}  # fmt: skip


def integers(question: Question, index: int) -> Allowed:
    """The enclosure of a result of integers or booleans."""
    wanted, short = question.wanted[index], question.op.name.partition(".")[2]
    free, sentence = None, meaning(short)
    if element_type(dtype_name(wanted.dtype)).kind is not Kind.BOOLEAN:
        free, sentence = _overflows(question, short, index), _OVERFLOW
    if short in ("divide", "remainder"):
        dividend, divisor = question.operands
        lowest = np.iinfo(dividend.dtype).min if dividend.dtype.kind in "iu" else 0
        free = np.asarray((divisor == 0) | ((dividend == lowest) & (divisor == -1) & (lowest < 0)))
        sentence = _QUOTIENT
    if free is None or not free.any():
        sentence = meaning(short)
    bounds = parts_of(wanted)
    return interval(question, wanted, bounds, bounds, wanted.dtype, sentence, free)


def beyond(exact: npt.NDArray[Any], dtype: np.dtype) -> Mask:
    """The numbers that an integer type cannot hold."""
    lowest, highest = element_type(dtype_name(dtype)).bounds
    return np.asarray(~((exact >= np.longdouble(int(lowest))) & (exact <= np.longdouble(int(highest)))))


def _overflows(question: Question, short: str, index: int) -> Mask | None:
    """The elements that are too large for their type, or that partial sums or products of some order are."""
    wanted = question.wanted[index]
    if short in _ARITHMETIC:
        operands = [parts_of(operand)[:, 0] for operand in question.operands]
        if short == "negate" and wanted.dtype.kind == "u":  # it is a bitcast
            return None
        with np.errstate(all="ignore"):
            return beyond(_ARITHMETIC[short](*operands), wanted.dtype).reshape(wanted.shape)
    product = combines(question.op, "multiply")
    if not product and not is_sum(question.op):
        return None
    try:
        run = _in_doubles(question)
        with np.errstate(all="ignore"):
            sizes = run(lambda array: np.maximum(np.abs(array), float(product)))[index].astype(np.longdouble)
            exact = sizes if product else run(lambda array: array)[index].astype(np.longdouble)
    except (ir.MLIRError, StablehloError):  # the op takes no floats
        return None
    scale = (1 + 2.0**-40 if wanted.dtype.itemsize == 8 else 1) / 2  # double precision rounds these
    return beyond((sizes + exact) * scale, wanted.dtype) | beyond((exact - sizes) * scale, wanted.dtype)


def _in_doubles(question: Question) -> Callable[[Callable[[np.ndarray], np.ndarray]], Sequence[np.ndarray]]:
    """The op with its integers in double precision, but for indices, as a function of a change of its operands."""
    extract = question.extractor.ops([question.op], question.results)
    (function,) = functions(extract.module.operation).values()
    indices = {inner.operands[len(inner.operands) // 2] for inner in operations(function)
               if inner.name == "stablehlo.scatter"}  # fmt: skip
    with extract.module.operation.location:
        for op in operations(function):
            blocks = [block for region in op.regions for block in region.blocks]
            for value in (*op.results, *(argument for block in blocks for argument in block.arguments)):
                if value not in indices:
                    _widen(op, value)
    refresh_type(function)
    extract.module.operation.verify()
    program = backend().load(bytecode_of(extract.module))
    turned = [argument not in indices for argument in body_of(function).arguments]

    def run(change: Callable[[np.ndarray], np.ndarray]) -> Sequence[np.ndarray]:
        given = zip((question.values[value] for value in extract.inputs), turned, strict=True)
        return program([change(array.astype(np.float64)) if turn else array for array, turn in given])

    return run


def _widen(op: ir.Operation, value: ir.Value) -> None:
    """Make a result or argument of an op a tensor of f64 if it is one of integers."""
    type_ = value.type
    if not isinstance(type_, ir.RankedTensorType) or not isinstance(type_.element_type, ir.IntegerType):
        return
    constant = np.asarray(constant_value(op)).astype(np.float64) if op.name == "stablehlo.constant" else None
    value.set_type(ir.RankedTensorType.get(type_.shape, ir.F64Type.get()))
    if constant is not None:
        op.attributes["value"] = from_numpy(constant, value.type)
