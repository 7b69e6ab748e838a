"""Products and ops built from products: dot, einsum and convolution."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from string import ascii_letters
from typing import Any

import numpy as np

from ...debug.allowed.widths import operand_reach, roundoff_of, sum_reach
from ..case import PROFILE, Case, Expected, single
from ..catalog import Draw, cases_of
from ..generate.structures import GROUPS, ConvolutionCase, Product, convolution, padding_attribute, product
from ..generate.values import BYTES, COMPLEX, INTEGERS, WIDE_FLOATS, array_from, dtype_of, part_of, wide
from ..oracle import scalars
from ..oracle.rounding import array_of, format_of
from .elementwise import draw_integers, scalars_of

SUM_SOURCE = "sums of rational numbers; any order of additions is within the bounds"
_to_fractions: Callable[[np.ndarray], Any] = np.frompyfunc(lambda number: Fraction(float(number)), 1, 1)


def exact_parts(array: np.ndarray) -> list[np.ndarray]:
    """The elements as exact numbers: an array of them, or one for each part of complex numbers."""
    if array.dtype.kind == "c":
        return [_to_fractions(np.real(array)), _to_fractions(np.imag(array))]
    if array.dtype.kind in "iu" or array.dtype.name.startswith(("int", "uint")):
        return [np.array(scalars_of(array), object).reshape(array.shape)]
    return [np.asarray(_to_fractions(wide(array)), object)]


def contracted(config: str, *operands: np.ndarray) -> list[np.ndarray]:
    """The parts of the exact sums of elements, or of products of two, that a configuration of `einsum` names."""
    (first, *rest), *others = [exact_parts(operand) for operand in operands]

    def sums(*parts: np.ndarray) -> np.ndarray:
        return np.asarray(np.einsum(config, *parts), object)

    if not others:
        return [sums(part) for part in (first, *rest)]
    second = others[0]
    if not rest:
        return [sums(first, second[0])]
    real = sums(first, second[0]) - sums(rest[0], second[1])
    return [np.asarray(real, object), np.asarray(sums(first, second[1]) + sums(rest[0], second[0]), object)]


def exact_array(parts: Sequence[np.ndarray], element: str) -> np.ndarray:
    """Exact numbers as elements: integers wrap around, floats are rounded once. Zeros are positive."""
    dtype, shape = dtype_of(element), parts[0].shape
    if element in COMPLEX:
        return (parts[0].astype(np.float64) + 1j * parts[1].astype(np.float64)).astype(dtype)
    if element in INTEGERS:
        return scalars.wrapped_array(map(int, parts[0].flat), element).reshape(shape)
    return array_of([number if number else 0.0 for number in parts[0].flat], element, shape)


def summed(value: np.ndarray, element: str) -> Expected:
    """An exact sum: of floats the sign of a zero is open, as the initial zero may take part or not."""
    if element in INTEGERS:
        return Expected(value, element)
    parts = np.stack([np.real(value), np.imag(value)], -1) if element in COMPLEX else wide(value)
    bounds = np.asarray(parts, np.float64)
    return Expected(value, element, "bounds", low=bounds, high=bounds)


def bounded(
    sums: np.ndarray,
    totals: np.ndarray,
    count: int,
    element: str,
    *,
    products: bool = True,
    operands: float = 0.0,
    unit: float = 0.0,
) -> Expected:
    """Bounds for sums of `count` rational numbers in a float type, in any order, from the sums of their magnitudes.

    Terms may be products, of operands that are rounded too; sums may be made in a type of less precision, whose
    roundoff is the `unit`.
    """
    near, total = sums.astype(np.float64), totals.astype(np.float64)
    reach = sum_reach(dtype_of(element), near, total, count, PROFILE, products=products, unit=unit)
    errors = _to_fractions(reach + operand_reach(operands, total))
    low, high = [(sums + sign * errors).astype(np.float64) for sign in (-1, 1)]
    return Expected(exact_array([sums], element), element, "bounds", low=low, high=high)


case_of = partial(single, source="sums of products of rational numbers, by the spec's formula")
WHOLE_SOURCE = "sums of integers, added exactly"
LARGE_SUMS = "large sums"
TYPES = [*INTEGERS, *BYTES[:5], *WIDE_FLOATS, *COMPLEX]
_LARGE = Product([2, 250, 64], [2, 64, 70], [2, 250, 70], [0], [0], [2], [1])
_EDGES = Product([4, 125, 64], [4, 64, 70], [4, 125, 70], [0], [0], [2], [1])
_PLAIN_CONVOLUTION = (
    "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, "
    "feature_group_count = 1 : i64, batch_group_count = 1 : i64"
)


def small_numbers(element: str, sizes: Sequence[int], generator: random.Random) -> np.ndarray:
    """Numbers whose products and sums are exact in the type."""
    size = math.prod(sizes)
    if element in INTEGERS:
        return draw_integers(element, "wrap-around", size, generator).reshape(tuple(sizes))

    def one() -> float:
        return generator.choice((-1.0, -0.5, 0.0, 0.5, 1.0, 1.0))

    return array_from([complex(one(), one()) if element in COMPLEX else one() for _ in range(size)], element, sizes)


def _config(p: Product) -> str:
    """The dimension numbers of a dot_general as a configuration of `einsum`."""
    names, lhs, rhs = iter(ascii_letters), [""] * len(p.lhs), [""] * len(p.rhs)
    pairs = zip((*p.lhs_batching, *p.lhs_contracting), (*p.rhs_batching, *p.rhs_contracting), strict=True)
    for left, right in pairs:
        lhs[left] = rhs[right] = next(names)
    lhs, rhs = [[name if name else next(names) for name in side] for side in (lhs, rhs)]
    batch = [lhs[dim] for dim in p.lhs_batching]
    result = [*batch, *(name for name in lhs if name not in rhs), *(name for name in rhs if name not in lhs)]
    return f"{''.join(lhs)},{''.join(rhs)}->{''.join(result)}"


def _bounded_products(p: Product, lhs: np.ndarray, rhs: np.ndarray, element: str, **units: Any) -> Expected:
    """The bounds of the sums of a dot_general, from its exact operands."""
    (sums,), (totals,) = [contracted(_config(p), *each) for each in ((lhs, rhs), (np.abs(lhs), np.abs(rhs)))]
    return bounded(sums, totals, math.prod(p.lhs[dim] for dim in p.lhs_contracting), element, **units)


@cases_of("dot_general")
def dot_general(op: str, draw: Draw) -> Iterator[Case]:
    """Dimensions in any order, none to contract, and contracted ones without elements."""
    for element in draw.only(TYPES):
        for kind in ("ordinary", "empty", "odd"):
            for number in range(4 if element in ("i32", "f32") else 1):
                generator = draw(op, element, kind, number)
                p = product(generator, 0 if kind == "empty" else 1, 5 if kind == "odd" else 3)
                lhs, rhs = small_numbers(element, p.lhs, generator), small_numbers(element, p.rhs, generator)
                value = exact_array(contracted(_config(p), lhs, rhs), element)
                yield case_of(op, element, kind, [lhs, rhs], [summed(value, element)], p.attributes)
    for element in draw.only(WIDE_FLOATS):
        generator = draw(op, element, "cancelling")
        p = Product([3, 33], [33, 2], [3, 2], [], [], [1], [0])
        lhs, rhs = [cancelling(element, each, generator) for each in (p.lhs, p.rhs)]
        expected = _bounded_products(p, lhs, rhs, element)
        yield single(op, element, "cancelling", [lhs, rhs], [expected], p.attributes, source=SUM_SOURCE)


@cases_of("dot_general")
def large_products(op: str, draw: Draw) -> Iterator[Case]:
    """Enough products for engines to turn to their fastest ways."""
    p = _LARGE
    for element in draw.only(("i8", "ui8", "i32", "i64", "bf16", "f32", "f64", "complex<f32>")):
        generator = draw(op, element, "large")
        lhs, rhs = [_whole_numbers(element, each, generator) for each in (p.lhs, p.rhs)]
        wide_type = np.complex128 if element in COMPLEX else np.int64
        exact = sum(lhs.astype(wide_type)[:, :, [k]] * rhs.astype(wide_type)[:, [k], :] for k in range(p.lhs[2]))
        expected = [summed(np.asarray(exact).astype(dtype_of(element)), element)]
        yield single(op, element, "large", [lhs, rhs], expected, p.attributes, source=WHOLE_SOURCE)
    for element in draw.only(("i32", "ui32", "i64")):  # sums that a float of 24 bits does not hold
        generator = draw(op, element, "large, odd sums")
        drawn = [[generator.choice((1099, 1101)) for _ in range(math.prod(each))] for each in (p.lhs, p.rhs)]
        lhs, rhs = [np.array(each).reshape(shape) for each, shape in zip(drawn, (p.lhs, p.rhs), strict=True)]
        lhs[0, 0, 0], rhs[0, 0, 0] = 1, -1 if element.startswith("i") else 1
        expected = [np.matmul(lhs, rhs).astype(dtype_of(element))]
        operands = [each.astype(dtype_of(element)) for each in (lhs, rhs)]
        yield single(op, element, "large", operands, expected, p.attributes, source=WHOLE_SOURCE)


@cases_of("dot_general")
def large_sums(op: str, draw: Draw) -> Iterator[Case]:
    """As many products, whose sums have to be rounded: of any size, and in the middle between two results."""
    for element in draw.only(("bf16", "f32", "f64")):
        for numbers in (cancelling, tied):
            generator = draw(op, element, LARGE_SUMS, numbers.__name__)
            lhs, rhs = [numbers(element, each, generator) for each in (_LARGE.lhs, _LARGE.rhs)]
            if numbers is tied:
                lhs[:, :, 0] = rhs[:, 0] = 2.0 ** ((format_of(element).digits + 1) // 2)
            expected = _summed_exactly(lhs, rhs, element)
            yield single(op, element, LARGE_SUMS, [lhs, rhs], [expected], _LARGE.attributes, source=SUM_SOURCE)


@cases_of("dot_general")
def edges_of_sums(op: str, draw: Draw) -> Iterator[Case]:
    """By batches: terms that are positive, that cancel, that are next to the least number, with factors far from 1."""
    p = _EDGES
    for element in draw.only(("bf16", "f32", "f64")):
        generator, least = draw(op, element, LARGE_SUMS, "edges"), format_of(element).least
        lhs, rhs = [cancelling(element, each, generator) for each in (p.lhs, p.rhs)]
        lhs[0], rhs[0] = np.abs(lhs[0]), np.abs(rhs[0])
        lhs[1, :, 32:], rhs[1, 32:] = lhs[1, :, :32], -rhs[1, :32]
        half, far = 2.0 ** (least // 2), 2.0 ** (-least - 60)
        expected = _summed_exactly(lhs, rhs, element, (1, 1, Fraction(half) ** 2, 1))
        factors = np.array([generator.choice((far, 1 / far)) for _ in range(p.lhs[2])])
        scales = np.stack([np.ones_like(factors)] * 2 + [np.full_like(factors, half), factors])[:, np.newaxis]
        scales_of_rhs = np.moveaxis(np.concatenate([scales[:3], 1 / scales[3:]]), 1, 2)
        operands = [(wide(lhs) * scales).astype(lhs.dtype), (wide(rhs) * scales_of_rhs).astype(rhs.dtype)]
        yield single(op, element, LARGE_SUMS, operands, [expected], p.attributes, source=SUM_SOURCE)


@cases_of("dot_general")
def deciding_terms(op: str, draw: Draw) -> Iterator[Case]:
    """Terms that cancel; 2^-30 (1 + 2^-53), the middle between two doubles, less 2^-107; 15 or 32 times 2^-111."""
    for element in draw.only(("f64",)):
        p, lhs = _LARGE, np.tile([1.0, -1.0, 2.0**-30, 4097 * 2.0**-43] + [2.0**-111] * 32 + [0.0] * 28, (2, 250, 1))
        rhs = np.tile([[1.0], [1.0], [1.0], [4095 * 2.0**-64], *[[1.0]] * 60], (2, 1, 70))
        lhs[:, ::2, 19:] = 0.0
        two = _bounded_products(p, lhs[:, :2], rhs[:, :, :1], element)
        value, low, high = [np.tile(np.asarray(each), (1, 125, 70)) for each in (two.value, two.low, two.high)]
        expected = Expected(value, element, "bounds", low=low, high=high)
        yield single(op, element, LARGE_SUMS, [lhs, rhs], [expected], p.attributes, source=SUM_SOURCE)


@cases_of("dot_general")
def large_complex_sums(op: str, draw: Draw) -> Iterator[Case]:
    """Many products of complex numbers: each part is a sum of twice as many."""
    for element in draw.only(("complex<f32>",)):
        generator, part = draw(op, element, LARGE_SUMS), part_of(element)
        a, b, c, d = [cancelling(part, each, generator) for each in (*[_LARGE.lhs] * 2, *[_LARGE.rhs] * 2)]
        left = np.concatenate([a, b], 2)
        sums = [_summed_exactly(left, np.concatenate(each, 1), part) for each in ((c, -d), (d, c))]
        low, high = [np.stack([np.asarray(getattr(each, end)) for each in sums], -1) for end in ("low", "high")]
        value = np.stack([each.value for each in sums], -1).view(dtype_of(element))[..., 0]
        operands = [np.stack(each, -1).view(dtype_of(element))[..., 0] for each in ((a, b), (c, d))]
        expected = Expected(value, element, "bounds", low=low, high=high)
        yield single(op, element, LARGE_SUMS, operands, [expected], _LARGE.attributes, source=SUM_SOURCE)


def _summed_exactly(
    lhs: np.ndarray, rhs: np.ndarray, element: str, scales: Sequence[Fraction | int] = (1, 1)
) -> Expected:
    """Batches of matrices multiplied in Python's integers, times the scale of each batch; any order of additions is
    within the bounds."""
    scaled = [np.array(list(map(int, each.astype(np.float64).reshape(-1) * 2.0**70)), object).reshape(each.shape)
              for each in (lhs, rhs)]  # fmt: skip
    units = np.array([Fraction(scale, 1 << 140) for scale in scales], object)[:, np.newaxis, np.newaxis]
    sums, totals = [np.matmul(*each) * units for each in (scaled, [np.abs(one) for one in scaled])]
    return bounded(sums, totals, lhs.shape[2], element)


def _whole_numbers(element: str, sizes: Sequence[int], generator: random.Random) -> np.ndarray:
    """Small integers, whose products have few enough bits for every type; any integers of integer types."""
    if element in INTEGERS:
        return small_numbers(element, sizes, generator)
    drawn = [generator.randint(-2, 2) * (1 - 1j if element in COMPLEX else 1) for _ in range(math.prod(sizes))]
    return array_from(drawn, element, sizes)


def cancelling(element: str, sizes: Sequence[int], generator: random.Random) -> np.ndarray:
    """Numbers of both signs and many magnitudes."""
    drawn = [(generator.random() - 0.5) * 2.0 ** generator.randrange(-5, 6) for _ in range(math.prod(sizes))]
    return array_from(drawn, element, sizes)


def tied(element: str, sizes: Sequence[int], generator: random.Random) -> np.ndarray:
    """Ones of both signs, and a few numbers that are too small to count unless they decide a tie."""
    drawn = [generator.choice((-1, 1)) * generator.choice((1.0,) * 60 + (2.0**-30,)) for _ in range(math.prod(sizes))]
    return array_from(drawn, element, sizes)


# The type of operands, the type of sums, the number of products of parts, and the bits of operands that take part.
_ALGORITHMS = (
    *(("f16", "f16", 1, 11), ("f16", "f32", 1, 11), ("bf16", "bf16", 1, 8), ("bf16", "f32", 1, 8)),
    *(("bf16", "f32", 3, 15), ("bf16", "f32", 6, 22), ("bf16", "f32", 9, 22), ("tf32", "f32", 1, 11)),
    *(("tf32", "f32", 3, 20), ("f32", "f32", 1, 24), ("f64", "f64", 1, 53)),
)


def _rounded(number: Fraction, digits: int) -> Fraction:
    """A number rounded to some significant bits, ties to even."""
    unit = Fraction(2) ** (math.floor(math.log2(abs(number))) + 1 - digits) if number else Fraction(1)
    return round(number / unit) * unit


@cases_of("dot_general")
def algorithms(op: str, draw: Draw) -> Iterator[Case]:
    """Operands rounded to a precision, ties among them, or split into parts of it; sums of another precision."""
    for precision, sums, count, digits in _ALGORITHMS:
        for element in draw.only(("f64",) if precision == "f64" else ("f32",)):
            generator = draw(op, element, "algorithm", precision, sums, count)
            p = Product([2, 3, 4], [2, 4, 3], [2, 3, 3], [0], [0], [2], [1])
            operands = [_near_ties(element, each, digits, generator) for each in (p.lhs, p.rhs)]
            kept = digits if count == 1 else 53
            taken = [
                np.array([float(_rounded(Fraction(float(x)), kept)) for x in each.flat]).reshape(each.shape)
                for each in operands
            ]
            parts = roundoff_of(precision, count) if count > 1 else 0.0
            expected = _bounded_products(p, taken[0], taken[1], element, operands=parts, unit=roundoff_of(sums))
            text = (
                f"{p.attributes}, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = {precision}, "
                f"rhs_precision_type = {precision}, accumulation_type = {sums}, lhs_component_count = 1, "
                f"rhs_component_count = 1, num_primitive_operations = {count}, allow_imprecise_accumulation = false>"
            )
            yield single(op, element, "algorithm", operands, [expected], text, source=SUM_SOURCE)


def _near_ties(element: str, sizes: Sequence[int], digits: int, generator: random.Random) -> np.ndarray:
    """Numbers of one bit more than `digits`, which are halfway between two of that precision, and others."""
    whole = [
        generator.choice((2 * generator.randrange(1 << digits - 1, 1 << digits) + 1, generator.randrange(1, 1 << 24)))
        for _ in range(math.prod(sizes))
    ]
    drawn = [generator.choice((-1, 1)) * number / 2 ** number.bit_length() for number in whole]
    return array_from(drawn, element, sizes)


# The sizes of the labels, and for each op its configurations by kind of case.
_SIZES = dict(zip("abcijk", (3, 4, 2, 3, 2, 4), strict=True))
_VECTORS_AND_MATRICES = ("ab,bc->ac", "ab,b->a", "a,a->")
_CONFIGS = {
    "dot": {"ordinary": _VECTORS_AND_MATRICES},
    "einsum": {
        "ordinary": _VECTORS_AND_MATRICES,
        "several forms": ("bij,bjk->bki", "a,ab->b", "ab,c->ca", "ab,bc->c", "aa,b->ab"),
    },
    "unary_einsum": {"ordinary": ("ab->ba", "ab->a")},
}


@cases_of(*_CONFIGS)
def einsum(op: str, draw: Draw) -> Iterator[Case]:
    """Vectors and matrices; batches, operands of different ranks, transposed results, sums over a label of one operand,
    diagonals."""
    for element in draw.only(TYPES):
        for kind, configs in _CONFIGS[op].items():
            for config in configs:
                generator, sides = draw(op, element, config), config.partition("->")[0].split(",")
                sizes = {"a": 5} if config == "a,a->" else _SIZES
                operands = [small_numbers(element, [sizes[label] for label in side], generator) for side in sides]
                value = exact_array(contracted(config, *operands), element)
                text = "" if op == "dot" else f'einsum_config = "{config}"'
                yield case_of(op, element, kind, operands, [summed(value, element)], text)


def _convolved(c: ConvolutionCase, lhs: np.ndarray, rhs: np.ndarray) -> list[np.ndarray]:
    """The parts of the exact result of a convolution, one position of the window after the other."""
    rank, batch, features = len(c.spatial), c.sizes[0]["b"] // c.batch_groups, c.sizes[1]["i"]
    first = lhs.transpose([c.layouts[0].index(name) for name in ("b", *range(rank), "f")])
    second = rhs.transpose([c.layouts[1].index(name) for name in (*range(rank), "i", "o")])
    second = np.flip(second, tuple([dim for dim in range(rank) if c.reversal[dim]]))
    first = np.pad(first, [(0, 0), *[(0, 1)] * rank, (0, 0)])  # what is padding comes from the zeros at the end
    outputs = [c.sizes[2][dim] for dim in range(rank)]
    sums = list[list[np.ndarray]]()
    for window in np.ndindex(*c.kernel):
        taken = list[np.ndarray]()
        for dim, step in enumerate(window):
            at = np.arange(outputs[dim]) * c.strides[dim] + step * c.rhs_dilation[dim] - c.padding[dim][0]
            position, between = at // c.lhs_dilation[dim], at % c.lhs_dilation[dim]
            inside = (between == 0) & (position >= 0) & (position < c.spatial[dim])
            taken.append(np.where(inside, position, c.spatial[dim]))
        inputs, channels = np.arange(len(first)), np.arange(c.groups * features)
        covered = first[np.ix_(inputs, *taken, channels)]
        covered = covered.reshape(c.batch_groups, batch, *outputs, c.groups, features)
        kernel = second[window].reshape(features, c.groups, c.batch_groups, -1)
        sums.append(contracted("hb...gi,igho->b...gho", covered, kernel))
    back = [("b", *range(rank), "f").index(name) for name in c.layouts[2]]
    shape = batch, *outputs, c.sizes[2]["f"]
    return [np.sum(part, axis=0).reshape(shape).transpose(back) for part in zip(*sums, strict=True)]


@cases_of("convolution")
def convolve_by_default(op: str, draw: Draw) -> Iterator[Case]:
    """Without strides, padding, dilation and reversal."""
    for element in draw.only(TYPES):
        lhs, rhs = [small_numbers(element, each, draw(op, element)) for each in ((2, 3, 4, 1), (2, 2, 1, 2))]
        windows = np.lib.stride_tricks.sliding_window_view(lhs, (2, 2), (1, 2))
        expected = summed(exact_array(contracted("bxyiuv,uvio->bxyo", windows, rhs), element), element)
        yield case_of(op, element, "ordinary", [lhs, rhs], [expected], _PLAIN_CONVOLUTION)


@cases_of("convolution")
def large_convolution(op: str, draw: Draw) -> Iterator[Case]:
    """So many elements in all windows that engines go through them in parts."""
    size, width = 91, 5
    for element in draw.only(("i32", "f32")):
        generator, wanted = draw(op, element, "large"), size + 1 - width
        shapes = ((1, size, size, 1), (width, width, 1, 1))
        lhs, rhs = [_whole_numbers(element, each, generator) for each in shapes]
        value = sum(
            lhs[:, i : i + wanted, j : j + wanted].astype(np.int64) * int(rhs[i, j, 0, 0])
            for i, j in np.ndindex(width, width)
        )
        expected = summed(np.asarray(value).astype(dtype_of(element)), element)
        yield single(op, element, "large", [lhs, rhs], [expected], _PLAIN_CONVOLUTION, source=WHOLE_SOURCE)


@cases_of("convolution", "dynamic_conv")
def convolve(op: str, draw: Draw) -> Iterator[Case]:
    """Strides, dilation of both operands, padding of both signs, reversal, groups of features and of batches."""
    for element in draw.only(TYPES):
        for number in range(12 if element in ("i8", "i32", "f32") else 4):
            generator = draw(op, element, number)
            c = convolution(generator, grouping=GROUPS[number % len(GROUPS)])
            lhs, rhs = [small_numbers(element, c.shape(which), generator) for which in (0, 1)]
            dilated = any(size > 1 for size in (*c.lhs_dilation, *c.rhs_dilation))
            kind = "dilation" if dilated else "padding" if any(map(any, c.padding)) else "ordinary"
            expected = summed(exact_array(_convolved(c, lhs, rhs), element), element)
            padding = ("i64", np.array(c.padding, np.int64).reshape(len(c.padding), 2))
            operands = [lhs, rhs, *([padding] if op == "dynamic_conv" else [])]
            static = f", {padding_attribute(c.padding)}" if c.padding and op == "convolution" else ""
            yield case_of(op, element, kind, operands, [expected], c.attributes + static)
