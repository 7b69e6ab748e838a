"""Enclosures of sums, products and decompositions; see `allowed`.

Each of the n - 1 additions of n terms is off by at most a unit of roundoff of its partial sum, in any order or tree, in
their type or a wider one (Jeannerod and Rump, 2013). No partial sum is larger than all positive terms, or all negative
terms. Where both are alike, half the bound suffices.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ...bindings import ir
from ...bindings.attributes import is_set
from ...bindings.dimension_numbers import ConvDimensionNumbers, DotAlgorithm, DotDimensionNumbers
from ...bindings.walk import body_of
from ...interpreter.element_types.ulp import epsilon, largest, smallest_normal
from ..programs.slices import Values
from .enclosures import COMPLEX, Allowed, Mask, Question, Wide, anything, interval
from .measures import is_float, parts_of, wide_type
from .widths import (
    EXTRA_TERMS,
    factor_reach,
    last_rounding,
    operand_reach,
    residual,
    roundoff_of,
    sum_reach,
    transform_reach,
)

_WINDOWS = "convolution: dot products of rhs and windows of padded_lhs, whose padding_value is 0, in any order"
_ORDER = {
    "dot": "dot_general: products and sums of elements; the spec guarantees no accuracy",
    "dot_general": "dot_general: products and sums of elements; the spec guarantees no accuracy",
    "einsum": "dot_general: products and sums of elements; the spec guarantees no accuracy",
    "convolution": _WINDOWS,
    "dynamic_conv": _WINDOWS,
    "reduce": "reduce: the order of reductions is implementation-defined",
    "reduce_window": "reduce: the order of reductions is implementation-defined",
    "scatter": "scatter: schedule is an implementation-defined permutation of the updates",
    "select_and_scatter": "scatter: schedule is an implementation-defined permutation of the updates",
}
_EXCEPTIONS = "; Errors: exceptions give what IEEE-754 says, as 0 * inf gives NaN"
_CONTRACTIONS = ("dot", "dot_general", "einsum", "convolution", "dynamic_conv")
_TRIANGLE = "cholesky: the output values in the opposite triangle are implementation-defined"
_UNDEFINED = "cholesky: for a matrix that is not Hermitian positive-definite the behavior is undefined"
_FOURIER = "fft: sums of elements times roots of unity; the spec guarantees no accuracy"
_RESIDUAL = "a solution in floating point: its residual is no larger than substitution in any order leaves it"


def structured(question: Question) -> list[Allowed] | None:
    """Return the enclosures of an op whose results depend on many elements; None for other ops."""
    short = question.op.name.partition(".")[2]
    if not any(is_float(wanted.dtype) for wanted in question.wanted):
        return None
    if short in ("cholesky", "triangular_solve"):
        return [(_cholesky if short == "cholesky" else _triangular)(question)]
    if short == "fft":
        return [_transform(question)]
    if is_sum(question.op):
        return _sums(question, short)
    if combines(question.op, "multiply"):
        return _products(question, short)
    return None


def is_sum(op: ir.Operation) -> bool:
    """Whether an op adds elements, or products of elements."""
    return op.name.partition(".")[2] in _CONTRACTIONS or combines(op, "add")


def combines(op: ir.Operation, name: str) -> bool:
    """Whether the body of a reduction applies one op to its arguments, each result to its own."""
    if op.name.partition(".")[2] not in _ORDER or not len(op.regions):
        return False
    block = body_of(op, len(op.regions) - 1)
    inner = [each.operation for each in block.operations][:-1]
    count = len(op.results) if op.name != "stablehlo.select_and_scatter" else 1
    if len(inner) != count or any(each.name != f"stablehlo.{name}" for each in inner):
        return False
    pairs = [{block.arguments[number], block.arguments[number + count]} for number in range(count)]
    return all(set(each.operands) == pair for each, pair in zip(inner, pairs, strict=True))


def _changed(question: Question, change: Callable[[np.ndarray], np.ndarray]) -> Values:
    """The values with the elements that are combined changed; those of select_and_scatter's operand only choose."""
    kept = question.op.name == "stablehlo.select_and_scatter"
    return question.with_operands(lambda number, array: array if kept and not number else change(array))


def _sums(question: Question, short: str) -> list[Allowed]:
    """Return the exact sums, in double precision, widened by the bound."""

    def sizes(array: np.ndarray) -> np.ndarray:
        return np.abs(np.where(np.isfinite(array), array, np.zeros((), array.dtype))).astype(array.dtype)

    exact = question.run(question.values, "f64")
    sums = question.run(_changed(question, sizes), "f64")
    counts = question.run(_changed(question, np.ones_like), "f64") if short not in _CONTRACTIONS else None
    found = list[Allowed]()
    for index, wanted in enumerate(question.wanted):
        dtype = question.types[index]
        if not is_float(wanted.dtype):
            found.append(interval(question, wanted, parts_of(wanted), parts_of(wanted), dtype, _ORDER[short]))
            continue
        type_ = wide_type(wanted.dtype, dtype)
        terms = _terms(question, short) if counts is None else parts_of(counts[index], type_)[..., :1]
        wide, magnitudes = parts_of(exact[index], type_), parts_of(sums[index], type_)
        additions = _partial_sums(question, index) if short == "reduce" and dtype.kind != "c" else None
        low, high, overflows = _bounds(question, dtype, wide, magnitudes, terms, additions)
        undefined = ~np.isfinite(parts_of(sums[index]))  # larger than double precision
        if dtype.kind == "c":
            undefined = undefined | ~np.isfinite(wide) | overflows[0]
        free = np.asarray(undefined.any(1)).reshape(wanted.shape)
        sentence = _ORDER[short] + ("" if np.isfinite(wide).all() else _EXCEPTIONS)
        sums_of = interval(question, wanted, low, high, dtype, sentence, free, overflows)
        found.append(replace(sums_of, opening=COMPLEX) if dtype.kind == "c" else sums_of)
    return found


def _partial_sums(question: Question, index: int) -> Wide | None:
    """Return the largest sum that the magnitudes of all partial sums can have, of reductions that start from zero.

    A partial sum of k terms is no larger than the k largest terms of one sign; a tree has no more than one for each k.
    """
    start = len(question.operands) // 2 + index
    if question.operands[start].any():
        return None
    operand = question.operands[index].astype(np.float64)
    dims = list(ir.DenseI64ArrayAttr(question.op.attributes["dimensions"]))
    terms = np.moveaxis(operand, dims, range(-len(dims), 0))
    terms = terms.reshape(*terms.shape[: terms.ndim - len(dims)], -1)
    signs = [np.where(np.isfinite(terms), sign * terms, 0) for sign in (1, -1)]
    largest_first = [-np.sort(-np.maximum(one, 0), axis=-1) for one in signs]
    sums = np.maximum(*(np.cumsum(one, axis=-1) for one in largest_first))
    return sums[..., 1:].sum(-1).reshape(-1, 1)


def _products(question: Question, short: str) -> list[Allowed]:
    """The exact products, widened by a rounding for each factor; anything where a partial product may be too large or
    too small for the type."""

    def only(choose: Callable[..., npt.NDArray[Any]], array: np.ndarray) -> np.ndarray:
        one = np.ones((), array.dtype)
        sizes = np.where(np.isfinite(array) & (array != 0), np.abs(array).astype(array.dtype), one)
        return choose(sizes, one).astype(array.dtype)

    extremes = (_changed(question, partial(only, choose)) for choose in (np.maximum, np.minimum))
    exact, large, small = (question.run(values, "f64") for values in (question.values, *extremes))
    found = list[Allowed]()
    factors = EXTRA_TERMS + max(operand.size for operand in question.operands)
    for index, wanted in enumerate(question.wanted):
        dtype, value = question.types[index], parts_of(exact[index])
        sizes = np.sqrt((value * value).sum(1, keepdims=True))
        bound = factor_reach(factors, sizes, dtype)
        most, least = largest(dtype), smallest_normal(dtype)
        if dtype.kind == "c":
            most, least = most**0.5 / 4, least**0.5 * 4
        far = ~(parts_of(large[index])[..., 0] < most) | ~(parts_of(small[index])[..., 0] > least)
        if dtype.kind == "c":
            far |= ~np.isfinite(value).all(1)
        one = interval(question, wanted, value - bound, value + bound, dtype, _ORDER[short], far.reshape(wanted.shape))
        found.append(replace(one, opening=COMPLEX) if dtype.kind == "c" else one)
    return found


def _bounds(
    question: Question,
    dtype: np.dtype,
    exact: Wide,
    sizes: Wide,
    terms: Wide | int,
    additions: Wide | None,
) -> tuple[Wide, Wide, tuple[Mask, Mask]]:
    """Return the bounds of sums, from the sums of the magnitudes of their terms and the number of these.

    Return also where partial sums of the negative terms, and of the positive ones, may be too large for the type.
    """
    if dtype.kind == "c":
        sizes = np.broadcast_to(2 * np.abs(sizes).max(1, keepdims=True), exact.shape)
    precision, unit = _algorithm(question)
    bound = sum_reach(
        dtype, exact, sizes, terms, question.profile, products=question.op.name.partition(".")[2] in _CONTRACTIONS,
        converted=dtype.kind == "c" or dtype != question.wanted[0].dtype, unit=unit, additions=additions,
    )  # fmt: skip
    bound += operand_reach(precision, sizes)
    bound += (terms + EXTRA_TERMS) * 2.0**-52 * sizes  # the exact sums are in double precision
    parts = np.stack([sizes - exact, sizes + exact])
    parts = parts.max(0, keepdims=True) if dtype.kind == "c" else np.where(np.isfinite(exact), parts, 2 * sizes)
    below, above = np.broadcast_to(~(parts / 2 + bound < largest(dtype)) & ~np.isnan(exact), (2, *exact.shape))
    bound = np.where(np.isfinite(exact), bound, 0)
    return exact - bound, exact + bound, (below, above)


def _algorithm(question: Question) -> tuple[float, float]:
    """Return the roundoff of operands and of sums that the algorithm of a contraction names; 0 for none."""
    if "algorithm" not in question.op.attributes:
        return 0.0, 0.0
    named = DotAlgorithm.of(question.op.attributes["algorithm"])
    precisions = named.lhs_precision_type, named.rhs_precision_type
    operands = max(roundoff_of(precision, named.num_primitive_operations) for precision in precisions)
    exact = operands <= epsilon(question.operands[0].dtype) / 2
    return 0.0 if exact else operands, roundoff_of(named.accumulation_type)


def _terms(question: Question, short: str) -> int:
    """Return the number of products that are added for each element of a contraction."""
    lhs, rhs = question.operands[:2]
    if short in ("dot", "dot_general"):
        return math.prod(
            lhs.shape[dim] for dim in DotDimensionNumbers.of_op(question.op, lhs.ndim).lhs_contracting_dimensions
        )
    if short == "einsum":
        return max(lhs.size, rhs.size)
    dims = ConvDimensionNumbers.of(question.op.attributes["dimension_numbers"])
    return rhs.size // max(rhs.shape[dims.kernel_output_feature_dimension], 1)


def _transform(question: Question) -> Allowed:
    """Return a Fourier transform: sums of elements times roots of unity."""
    wanted, dtype, operand = question.wanted[0], question.types[0], question.operands[0]
    axes = tuple(range(-len(ir.DenseI64ArrayAttr(question.op.attributes["fft_length"])), 0))
    kind = str(question.op.attributes["fft_type"])
    size = np.abs(operand).astype(np.longdouble).sum(axes, keepdims=True)
    terms = math.prod((wanted if "IRFFT" in kind else operand).shape[axis] for axis in axes)
    size *= (2 if "IRFFT" in kind else 1) / (terms if "fft_type I" in kind else 1)
    bound = np.broadcast_to(transform_reach(size, terms, dtype), wanted.shape).reshape(-1, 1)
    exact = parts_of(wanted)
    free = np.asarray((~(bound < largest(dtype)) | ~np.isfinite(exact)).any(1)).reshape(wanted.shape)
    return interval(question, wanted, exact - bound, exact + bound, dtype, _FOURIER, free)


def _cholesky(question: Question) -> Allowed:
    """Factors whose product with their adjoint is the operand, up to rounding."""
    wanted, operand = question.wanted[0], question.operands[0]
    lower = is_set(question.op, "lower")
    kept = np.broadcast_to((np.tril if lower else np.triu)(np.ones(wanted.shape[-2:], bool)), wanted.shape)
    if not np.isfinite(parts_of(np.where(kept, wanted, np.zeros((), wanted.dtype)))).all():
        return anything(wanted, _UNDEFINED)
    matrix = _wide(operand)
    other = np.swapaxes(matrix, -1, -2).conj()
    diagonal = np.eye(matrix.shape[-1], dtype=bool)
    matrix = np.where(kept, matrix, other)
    matrix = np.where(diagonal, np.real(matrix), matrix)
    dtype = question.types[0]

    def outside(given: np.ndarray) -> Mask:
        factor = np.where(kept, _wide(given), 0)
        factor = factor if lower else np.swapaxes(factor, -1, -2).conj()
        adjoint = np.swapaxes(factor, -1, -2).conj()
        with np.errstate(all="ignore"):
            products = np.abs(factor) @ np.abs(adjoint)
            bound = residual(products, matrix.shape[-1], dtype) + 2 * last_rounding(dtype) * products
            wrong: Mask = ~(np.abs(matrix - factor @ adjoint) <= bound)
        diagonal_of = np.real(np.diagonal(factor, axis1=-2, axis2=-1))
        negative: Mask = (diagonal_of < 0)[..., None, :]
        return (wrong | negative) & kept

    return Allowed(wanted, outside, _TRIANGLE, ~kept)


def _triangular(question: Question) -> Allowed:
    """Solutions of the system, up to rounding."""
    wanted, (a, b), op = question.wanted[0], question.operands, question.op
    lower, left, unit_diagonal = (is_set(op, name) for name in ("lower", "left_side", "unit_diagonal"))
    matrix = (np.tril if lower else np.triu)(_wide(a))
    if unit_diagonal:
        matrix = np.where(np.eye(a.shape[-1], dtype=bool), 1, matrix)
    transpose = str(op.attributes["transpose_a"])
    if "NO_TRANSPOSE" not in transpose:
        matrix = np.swapaxes(matrix, -1, -2)
    matrix = matrix.conj() if "ADJOINT" in transpose else matrix
    if not np.isfinite(parts_of(wanted)).all():
        return anything(wanted, "triangular_solve: division by zero or overflow: no finite solution")
    right, dtype = _wide(b), question.types[0]

    def outside(given: np.ndarray) -> Mask:
        x = _wide(given)
        with np.errstate(all="ignore"):
            sizes = np.abs(matrix), np.abs(x)
            products = sizes[0] @ sizes[1] if left else sizes[1] @ sizes[0]
            bound = residual(products, a.shape[-1], dtype) + last_rounding(dtype) * products
            inside: Mask = np.abs(right - (matrix @ x if left else x @ matrix)) <= bound
        return ~inside

    return Allowed(wanted, outside, _RESIDUAL)


def _wide(array: np.ndarray) -> npt.NDArray[Any]:
    """Return an array in double precision; products of matrices are fast in it."""
    return array if array.dtype.kind == "c" and array.dtype.itemsize == 16 else array.astype(
        np.complex128 if array.dtype.kind == "c" else np.float64
    )  # fmt: skip
