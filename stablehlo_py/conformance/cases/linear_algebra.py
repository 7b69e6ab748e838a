"""Triangular systems, Cholesky factors and Fourier transforms: results that are known because they were put in."""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Iterator

import numpy as np

from ...debug.allowed.enclosures import outward
from ...debug.allowed.widths import last_rounding, residual, transform_reach
from ...interpreter.element_types.ulp import epsilon
from ..case import Case, Expected, single
from ..catalog import Draw, cases_of
from ..generate.texts import ints
from ..generate.values import COMPLEX, dtype_of
from ..oracle.functions import transform
from .complex_numbers import draw_complex, near

TYPES = ["bf16", "f16", "f32", "f64", *COMPLEX]


def _within(value: np.ndarray, element: str, reach: np.ndarray) -> Expected:
    """Each part within a distance of the value, and rounded to its type."""
    dtype = dtype_of(element)
    parts, allowed = np.real(value), reach
    if element in COMPLEX:
        parts, allowed = np.stack([np.real(value), np.imag(value)], -1), reach[..., None]
    low, high = [np.asarray(parts + sign * allowed, np.longdouble) for sign in (-1, 1)]
    if last_rounding(dtype):
        low, high = outward(low, high, dtype)
    ends = low.astype(np.float64), high.astype(np.float64)
    return Expected(_narrow(value, dtype), element, "bounds", low=ends[0], high=ends[1])


def _solution_reach(matrix: np.ndarray, x: np.ndarray, left: bool, dtype: np.dtype) -> np.ndarray:
    """How far a solution of a system is off whose residual is as large as allowed."""
    inverse, sizes, order = np.abs(np.linalg.inv(matrix)), np.abs(matrix), matrix.shape[-1]
    if left:
        return inverse @ residual(sizes @ np.abs(x), order, dtype)
    return residual(np.abs(x) @ sizes, order, dtype) @ inverse


def _factor_reach(factor: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The same of a lower Cholesky factor, to first order."""
    inverse, sizes = np.abs(np.linalg.inv(factor)), np.abs(factor)
    allowed = residual(sizes @ sizes.swapaxes(-1, -2), factor.shape[-1], dtype)
    return sizes @ np.tril(inverse @ allowed @ inverse.swapaxes(-1, -2))


def _whole(element: str, sizes: tuple[int, ...], generator: random.Random) -> np.ndarray:
    """Small whole numbers, of a complex type off the real axis."""

    def one() -> int:
        return generator.randint(-3, 3)

    size = int(np.prod(sizes))
    drawn = [complex(one(), one() if element in COMPLEX else 0) for _ in range(size)]
    return np.array(drawn, np.complex128).reshape(sizes)


@cases_of("triangular_solve")
def triangular_solve(op: str, draw: Draw) -> Iterator[Case]:
    """Systems of small whole numbers, made from their solutions."""
    for element in draw.only(TYPES):
        for number in range(12):
            generator = draw(op, element, number)
            left, lower, unit = [bool(number >> bit & 1) for bit in range(3)]
            transpose = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")[number % 3]
            kind = "batches" if number >= 8 else "ordinary"
            size, columns, batch = generator.randint(1, 4), generator.randint(1, 3), (2,) if number >= 8 else ()
            a = _whole(element, (*batch, size, size), generator)
            a[..., range(size), range(size)] = 1 if unit else 2
            triangle = np.tril(a) if lower else np.triu(a)
            if unit:  # what stands there is not read
                a[..., range(size), range(size)] = 7
            x = _whole(element, (*batch, size, columns) if left else (*batch, columns, size), generator)
            applied = triangle if transpose == "NO_TRANSPOSE" else triangle.swapaxes(-1, -2)
            applied = applied.conj() if transpose == "ADJOINT" else applied
            b = (applied @ x if left else x @ applied) + 0.0  # the sign of a zero depends on the order of additions
            flags = f"left_side = {left}, lower = {lower}, unit_diagonal = {unit}".lower()
            text = f"{flags}, transpose_a = #stablehlo<transpose {transpose}>"
            operands = [_narrow(each, dtype_of(element)) for each in (a, b)]
            expected = _within(x, element, _solution_reach(applied, x, left, dtype_of(element)))
            source = "the solution that the system was made from"
            yield single(op, element, kind, operands, [expected], text, source=source)


def _narrow(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return (array if dtype.kind == "c" else np.real(array)).astype(dtype)


@cases_of("cholesky")
def cholesky(op: str, draw: Draw) -> Iterator[Case]:
    """Matrices that are products of known factors; the other triangle of the result is the implementation's."""
    for element in draw.only(TYPES):
        for number, batch in enumerate([(), (), (3,), (0,)]):
            for lower in (True, False):
                generator, size = draw(op, element, number, lower), number + 1
                factor = np.tril(_whole(element, (*batch, size, size), generator))
                factor[..., range(size), range(size)] = 0.5 if number == 1 else 3
                a = _narrow(factor @ factor.conj().swapaxes(-1, -2), dtype_of(element))
                value = factor if lower else factor.conj().swapaxes(-1, -2)
                reach = _factor_reach(factor, dtype_of(element))
                allowed = _within(value, element, reach if lower else reach.swapaxes(-1, -2))
                expected = _one_triangle(allowed, lower)
                kind = "empty" if batch == (0,) else "batches" if batch else "ordinary"
                text = f"lower = {str(lower).lower()}"
                yield single(op, element, kind, [a], [expected], text, source="the factor it was made from")


def _one_triangle(expected: Expected, lower: bool) -> Expected:
    """The bounds for one triangle; anything in the other."""
    low, high = expected.low, expected.high
    if low is None or high is None:
        return expected
    size = expected.value.shape[-1]
    rows, columns = np.triu_indices(size, 1) if lower else np.tril_indices(size, -1)
    where = (..., rows, columns, *([slice(None)] if expected.element in COMPLEX else []))
    low[where], high[where] = -np.inf, np.inf
    return expected


def _transformed(values: np.ndarray, lengths: list[int], sign: int) -> np.ndarray:
    """The discrete Fourier transform over the last dimensions, by its definition.

    Products of matrices and of complex numbers would round otherwise on other processors, and so the kit's operands.
    """
    parts = np.stack([np.real(values), np.imag(values)]).astype(np.float64)
    for axis, length in enumerate(reversed(lengths), 1):
        roots = [cmath.exp(sign * 2j * cmath.pi * n / length) for n in range(length)]
        cosines, sines = np.array([root.real for root in roots]), np.array([root.imag for root in roots])
        columns = np.moveaxis(parts, -axis, -1)[..., np.newaxis]
        totals = np.zeros((*columns.shape[:-2], length))
        for n in range(length):
            (a, b), powers = columns[..., n, :], n * np.arange(length) % length
            cosine, sine = cosines[powers], sines[powers]
            totals += np.stack([a * cosine - b * sine, a * sine + b * cosine])
        parts = np.moveaxis(totals, -1, -axis) / (length if sign > 0 else 1)
    return parts[0] + 1j * parts[1]


def _transform_reach(kind: str, given: np.ndarray, lengths: list[int], dtype: np.dtype) -> np.ndarray:
    """How far a transform is off, of operands that are rounded to their type."""
    axes, count = tuple(range(-len(lengths), 0)), math.prod(lengths)
    sizes = np.abs(given).sum(axes, keepdims=True) * (2 if kind == "IRFFT" else 1) / (count if kind[0] == "I" else 1)
    rounded = epsilon(dtype) / 2 * sizes if kind == "IRFFT" else 0  # other operands are whole numbers
    return transform_reach(sizes, count, dtype) + rounded


@cases_of("fft")
def fft(op: str, draw: Draw) -> Iterator[Case]:
    """All four transforms, of one to three dimensions, of odd and even lengths."""
    for width in (32, 64):
        if not draw.only([f"f{width}", f"complex<f{width}>"]):
            continue
        for kind in ("FFT", "IFFT", "RFFT", "IRFFT"):
            for number, lengths in enumerate([[5], [8], [3, 4], [2, 3, 4], [1], [17], [6, 34], [512]]):
                generator = draw(op, width, kind, number)
                real, whole = f"f{width}", f"complex<f{width}>"
                sizes = (2, *lengths)
                operand = _whole(real if kind in ("RFFT", "IRFFT") else whole, sizes, generator)
                half = lengths[-1] // 2 + 1
                if kind == "RFFT":
                    given, value = np.real(operand), _transformed(operand, lengths, -1)[..., :half]
                elif kind == "IRFFT":
                    given, value = _transformed(operand, lengths, -1)[..., :half], operand
                else:
                    given, value = operand, _transformed(operand, lengths, -1 if kind == "FFT" else 1)
                source, target = (real if kind == "RFFT" else whole), (real if kind == "IRFFT" else whole)
                text = f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {ints(lengths)}"
                expected = _within(value, target, _transform_reach(kind, given, lengths, dtype_of(real)))
                operands = [(source, _narrow(given.astype(np.complex128), dtype_of(source)))]
                case_kind = "odd" if lengths[-1] % 2 else "ordinary"
                yield single(op, source, case_kind, operands, [expected], text, source="the transform's definition")
        yield from _rounded_transforms(op, f"complex<f{width}>", draw)
        yield from _transforms_of_nothing(op, f"f{width}", f"complex<f{width}>")


def _transforms_of_nothing(op: str, real: str, whole: str) -> Iterator[Case]:
    """Of rows without elements, and of no rows: the type of a real transform has half of the row."""
    for kind, source, target, length, shape, wanted in (
        ("FFT", whole, whole, 0, (2, 0), (2, 0)),
        ("RFFT", real, whole, 8, (0, 8), (0, 5)),
        ("IRFFT", whole, real, 8, (0, 5), (0, 8)),
    ):
        text = f"fft_type = #stablehlo<fft_type {kind}>, fft_length = array<i64: {length}>"
        operands = [(source, np.zeros(shape, dtype_of(source)))]
        results = [Expected(np.zeros(wanted, dtype_of(target)), target)]
        yield single(op, source, "empty", operands, results, text, source="the transform's definition")


def _rounded_transforms(op: str, element: str, draw: Draw) -> Iterator[Case]:
    """Transforms of numbers with many bits, which have to be rounded."""
    for length in (3, 4, 6, 8, 15, 19):
        operand = draw_complex(element, draw(op, element, "ties", length), length)
        exact = transform(operand.tolist())
        text = f"fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: {length}>"
        reach = transform_reach(np.abs(operand.astype(np.complex128)).sum(), length, operand.dtype)
        expected = near(op, exact, element, (length,), reach)
        source = "the transform's definition, by mpmath"
        yield single(op, element, "rounded", [operand], [expected], text, source=source)
