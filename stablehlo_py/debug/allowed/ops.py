"""The one notion of an allowed result: for an op and its operands, the values that the specification permits.

Each result of an op has an enclosure, which says of every element of an engine's result whether it is allowed, and the
sentence that it comes from:

| ops | allowed |
|---|---|
| data movement, comparisons, integers | the value; anything where integers overflow |
| addition, subtraction, multiplication, division | the correctly rounded value |
| conversions | both neighbours: the spec leaves rounding to the implementation |
| functions | the exact value, widened by `result_accuracy`, otherwise by a profile |
| sums, contractions, convolutions, windows, scatters | what any order of additions gives, see `sums` |
| decompositions, triangular systems | matrices with a small residual |
| loops, branches, calls, other bodies | what the reference gives in other precisions, see `spread` |
| what the spec leaves to the implementation | anything |

Zeros of either sign count as one value, and so do all NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...bindings import ir
from ...bindings.attributes import CALLS
from ...bindings.build import refresh_type
from ...bindings.bytecode import bytecode_of
from ...bindings.elements import constant_value, from_numpy
from ...bindings.types import Kind, dtype_name, element_type
from ...bindings.walk import body_of, functions, operations
from ...dialect.facts import facts
from ...engines.reference import backend
from ...errors import StablehloError, UnsupportedOpError
from ...interpreter.element_types.ulp import epsilon, largest, smallest_normal, spacing
from .enclosures import (
    COMPLEX,
    Allowed,
    Mask,
    Question,
    Wide,
    anything,
    flushed,
    has_denormals,
    interval,
    meaning,
    outward,
)
from .measures import is_float, parts_of
from .orders import order_left_open, sorted_in_any_order
from .spread import spread_of_op
from .sums import combines, is_sum, structured
from .widths import PAD, Accuracy, accuracy, around, complex_reach

_OVERFLOW = "Errors: integer overflows result in implementation-defined behavior (#1157)"
_QUOTIENT = "Errors: a quotient that is no integer of the type is implementation-defined (#1157)"
_ON_INTEGERS: dict[str, Callable[..., npt.NDArray[Any]]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "power": np.power,
    "negate": np.negative, "abs": np.abs,
}  # fmt: skip


def integers(question: Question, index: int) -> Allowed:
    """Return the enclosure of a result of integers or booleans."""
    wanted, short = question.wanted[index], question.op.name.partition(".")[2]
    free, sentence = None, meaning(short)
    if element_type(dtype_name(wanted.dtype)).kind is not Kind.BOOLEAN:
        free, sentence = _overflows(question, short, index), _OVERFLOW
    if short in ("divide", "remainder"):
        dividend, divisor = question.operands
        lowest, _ = element_type(dtype_name(dividend.dtype)).bounds
        free = np.asarray((divisor == 0) | ((dividend == lowest) & (divisor == -1)))
        sentence = _QUOTIENT
    if free is None or not free.any():
        sentence = meaning(short)
    bounds = parts_of(wanted)
    return interval(question, wanted, bounds, bounds, wanted.dtype, sentence, free)


def beyond(exact: npt.NDArray[Any], dtype: np.dtype) -> Mask:
    """Return the numbers that an integer type cannot hold."""
    lowest, highest = element_type(dtype_name(dtype)).bounds
    return np.asarray(~((exact >= np.longdouble(int(lowest))) & (exact <= np.longdouble(int(highest)))))


def _overflows(question: Question, short: str, index: int) -> Mask | None:
    """Return the elements that are too large for their type, or that partial sums or products of some order are."""
    wanted = question.wanted[index]
    if short in _ON_INTEGERS:
        operands = [parts_of(operand)[:, 0] for operand in question.operands]
        if short == "negate" and element_type(dtype_name(wanted.dtype)).kind is Kind.UNSIGNED:  # it is a bitcast
            return None
        return np.asarray(beyond(_ON_INTEGERS[short](*operands), wanted.dtype)).reshape(wanted.shape)
    product = combines(question.op, "multiply")
    if not product and not is_sum(question.op):
        return None
    try:
        run = _in_doubles(question)
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


_ROUNDED = "the operation of IEEE-754, which is rounded to nearest"
_CONVERTED = "convert: where a value cannot be represented exactly, the behavior is TBD (#180): either neighbour"
_NO_NAN = "reduce_precision: a format without mantissa bits has no NaN"
_UNKNOWN_UNITS = 60.0  # functions that no standard has an accuracy for
_ALWAYS = {
    "stablehlo.rng": "rng: the exact way how random numbers are generated is implementation-defined",
    "stablehlo.rng_bit_generator": "rng_bit_generator: DEFAULT is an implementation-defined algorithm",
    "stablehlo.custom_call": "custom_call: the operation is implementation-defined",
}
_SEVERAL_STEPS = ("stablehlo.batch_norm_grad", "stablehlo.batch_norm_inference", "stablehlo.batch_norm_training")
_ARITHMETIC: dict[str, Callable[..., Wide]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
}  # fmt: skip


_FUNCTIONS: dict[str, Callable[..., npt.NDArray[Any]]] = {
    "atan2": np.arctan2, "cbrt": np.cbrt, "cosine": np.cos, "exponential": np.exp, "exponential_minus_one": np.expm1,
    "log": np.log, "log_plus_one": np.log1p, "power": np.power, "sine": np.sin, "sqrt": np.sqrt, "tan": np.tan,
    "tanh": np.tanh,
}  # fmt: skip


@np.errstate(all="ignore")
def allowed(question: Question) -> list[Allowed]:
    """Return the enclosure of each result of an op."""
    try:
        found = _allowed(question)
    except UnsupportedOpError:  # tied to the bits of its type
        found = spread_of_op(question)
    if not question.profile.flushes or facts(question.op.name).is_control_flow:
        return found
    if not any(has_denormals(operand) for operand in question.floats):
        return found
    values = question.with_operands(lambda _, array: flushed(array))
    other = replace(question, values=values, wanted=question.run(values))
    return [_either(*both) for both in zip(found, _allowed(other), strict=True)]


def _allowed(question: Question) -> list[Allowed]:
    found, open_ = _in_order(question), order_left_open(question)
    if open_ is None:
        return found
    return [one.opened(mask, open_[0]) for one, mask in zip(found, open_[1], strict=True)]


def _in_order(question: Question) -> list[Allowed]:
    op, name = question.op, question.op.name
    if name in _ALWAYS and (name != "stablehlo.rng_bit_generator" or "DEFAULT" in str(op.attributes["rng_algorithm"])):
        return [anything(wanted, _ALWAYS[name]) for wanted in question.wanted]
    found = sorted_in_any_order(question)
    found = structured(question) if found is None else found
    if found is not None:
        return found
    known = facts(name)
    if known.is_control_flow or known.opaque or "." not in name or name in CALLS or name in _SEVERAL_STEPS:
        return spread_of_op(question)
    if len(op.regions) and not all(facts(inner.name).floats == "exact" or not _has_floats(inner)
                                   for inner in operations(op)[1:] if not facts(inner.name).ends):  # fmt: skip
        return spread_of_op(question)
    found = [_elementwise(question, index) for index in range(len(question.wanted))]
    if name.startswith("stablehlo."):
        return found
    return [_either(*both) for both in zip(found, spread_of_op(question), strict=True)]


def _has_floats(op: ir.Operation) -> bool:
    values = (*op.operands, *op.results)
    types = (value.type.element_type for value in values if isinstance(value.type, ir.RankedTensorType))
    return any(isinstance(type_, (ir.FloatType, ir.ComplexType)) for type_ in types)


def _elementwise(question: Question, index: int) -> Allowed:
    """Return the enclosure of an op that computes each element by itself, or moves elements."""
    wanted, dtype = question.wanted[index], question.types[index]
    short = question.op.name.partition(".")[2]
    if short == "convert":
        return _converted(question, wanted, dtype)
    if not is_float(wanted.dtype):
        return integers(question, index)
    if wanted.dtype.kind == "c" or (short == "abs" and question.operands[0].dtype.kind == "c"):
        return _complex(question, short, wanted)
    if facts(question.op.name).floats == "exact" or short in ("remainder", "iota", "dynamic_iota", "reduce_precision"):
        found = interval(question, wanted, parts_of(wanted), parts_of(wanted), dtype, meaning(short))
        if short == "reduce_precision" and not ir.IntegerAttr(question.op.attributes["mantissa_bits"]).value:
            return found.opened(np.isnan(question.operands[0]), _NO_NAN)
        return found
    operands = [parts_of(operand) for operand in question.operands]
    if short in _ARITHMETIC:
        return _rounded(question, _ARITHMETIC[short](*operands), wanted, dtype)
    chosen = accuracy(question.op, dtype, question.profile)
    if short == "logistic":
        return _by_formula(question, np.longdouble(1) / (1 + np.exp(-operands[0])), wanted, dtype, chosen)
    if short == "rsqrt":
        exact = np.longdouble(1) / np.sqrt(operands[0])
    elif short in _FUNCTIONS:
        exact = _FUNCTIONS[short](*operands)
    else:  # of CHLO, or quantized
        exact, chosen = parts_of(wanted), replace(chosen, units=chosen.units + _UNKNOWN_UNITS)
    low, high = around(exact, dtype, chosen)
    return interval(question, wanted, low, high, dtype, chosen.sentence)


def _rounded(question: Question, exact: Wide, wanted: np.ndarray, dtype: np.dtype) -> Allowed:
    """Return the correctly rounded value: the reference's, unless the engine computes in another type."""
    nearest = parts_of(wanted)
    if dtype == wanted.dtype:
        return interval(question, wanted, nearest, nearest, dtype, _ROUNDED)
    if epsilon(dtype) > epsilon(wanted.dtype):
        step = spacing(exact, dtype)
        nearest = np.rint(exact / step) * step
        return interval(question, wanted, nearest, nearest, dtype, _ROUNDED)
    pad = PAD * np.abs(exact) + spacing(exact, dtype)
    return interval(question, wanted, np.minimum(exact - pad, nearest), np.maximum(exact + pad, nearest), dtype,
                    _ROUNDED)  # fmt: skip


def _by_formula(question: Question, exact: Wide, wanted: np.ndarray, dtype: np.dtype, chosen: Accuracy) -> Allowed:
    """Return a logistic function: zero where exp(-x), a step of the spec's formula, is too large for the type."""
    low, high = around(exact, dtype, chosen)
    overflows = exact * largest(dtype) < 1
    free = None if element_type(dtype_name(dtype)).has_infinity else np.asarray(overflows.any(1)).reshape(wanted.shape)
    return interval(question, wanted, np.where(overflows, 0, low), high, dtype, chosen.sentence, free)


def _converted(question: Question, wanted: np.ndarray, dtype: np.dtype) -> Allowed:
    """Both neighbours of a converted value; anything where an integer type cannot hold it."""
    operand = question.operands[0]
    exact = parts_of(np.real(operand) if operand.dtype.kind == "c" and wanted.dtype.kind != "c" else operand)
    if not is_float(wanted.dtype):
        free = None
        if element_type(dtype_name(wanted.dtype)).kind is not Kind.BOOLEAN:
            free = beyond(np.trunc(exact), wanted.dtype).any(1).reshape(wanted.shape)
        bounds = parts_of(wanted)
        return interval(question, wanted, bounds, bounds, wanted.dtype, _CONVERTED, free)
    if wanted.dtype.kind == "c" and exact.shape[-1] == 1:
        exact = np.concatenate([exact, np.zeros_like(exact)], -1)
    free = None
    if not element_type(dtype_name(dtype)).has_infinity:
        free = np.asarray((np.abs(exact) > largest(dtype)).any(1)).reshape(wanted.shape)
    return interval(question, wanted, *outward(exact, exact, dtype), dtype, _CONVERTED, free)


def _complex(question: Question, short: str, wanted: np.ndarray) -> Allowed:
    """Complex arithmetic and functions: an error in proportion to the magnitude of the result."""
    dtype, exact = wanted.dtype, parts_of(wanted)
    if facts(question.op.name).floats == "exact" and short not in ("abs", "sign"):
        return interval(question, wanted, exact, exact, dtype, meaning(short))
    if short in ("add", "subtract"):
        return interval(question, wanted, exact, exact, dtype, _ROUNDED)
    chosen, size = accuracy(question.op, dtype, question.profile), np.sqrt((exact * exact).sum(1, keepdims=True))
    if not question.op.name.startswith("stablehlo."):
        chosen = replace(chosen, units=chosen.units + _UNKNOWN_UNITS)
    reach = complex_reach(short, size, dtype, chosen)
    low, high = around(exact, dtype, chosen) if short == "abs" else (exact - reach, exact + reach)
    found = interval(question, wanted, low, high, dtype, chosen.sentence)
    return found.opened(_has_exceptions(question, short, exact).reshape(wanted.shape), COMPLEX)


def _has_exceptions(question: Question, short: str, exact: Wide) -> Mask:
    """Where a complex result, or a square of an operand's part, is no normal number; see `COMPLEX`."""
    squared = [parts_of(operand) for operand in question.floats]
    if short == "log_plus_one":
        squared.append(squared[0] + [1, 0])
    found = ~np.isfinite(exact).all(1)
    for parts, operand in zip(squared, question.floats * 2, strict=False):
        large, small = largest(operand.dtype) ** 0.5 / 4, smallest_normal(operand.dtype) ** 0.5 * 4
        sizes = np.abs(parts).max(1)
        unusual = ~(sizes < large) | ((sizes < small) & (sizes > 0))
        is_of_elements = unusual.size in (1, found.size)  # unlike the operands of a scatter
        found |= np.broadcast_to(unusual, found.shape) if is_of_elements else unusual.any()
    if short == "power":
        found |= ~np.broadcast_to(squared[0].any(1), found.shape)
    if short == "sign":  # whose NaN the spec defines
        found &= ~np.isnan(squared[0]).any(1)
    return np.asarray(found)


def _either(first: Allowed, second: Allowed) -> Allowed:
    """Return an enclosure that allows the results of either of two."""

    def outside(given: np.ndarray) -> Mask:
        return first.outside(given) & second.outside(given)

    def outside_if_specified(given: np.ndarray) -> Mask:
        return first.strays(given) & second.strays(given)

    opening = first.opening or second.opening
    return replace(
        first,
        outside=outside,
        free=first.free | second.free,
        opening=opening,
        outside_if_specified=outside_if_specified,
    )
