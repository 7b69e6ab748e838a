"""Products and ops built from products: dot, convolution, triangular systems, Cholesky factors, Fourier transforms."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from ...debug.allowed.widths import roundoff_of
from ..case import Case, Expected, single
from ..generate.structures import GROUPS, Convolution, Product, convolution, padding_attribute, product
from ..generate.values import BYTES, COMPLEX, INTEGERS, WIDE_FLOATS, dtype_of, part_of, wide
from ..oracle.rounding import format_of
from ..registry import Draw, cases_of
from .elementwise import draw_integers
from .sums import SUM_SOURCE, Exact, bounded, exact_array, fractions_of, multiply, sum_bounds, summed, total

case_of = partial(single, source="sums of products of rational numbers, by the spec's formula")
WHOLE_SOURCE = "sums of integers, added exactly"
LARGE_SUMS = "large sums"
TYPES = [*INTEGERS, *BYTES[:5], *WIDE_FLOATS, *COMPLEX]


def small_numbers(element: str, sizes: Sequence[int], generator: random.Random) -> np.ndarray:
    """Numbers whose products and sums are exact in the type."""
    size = math.prod(sizes)
    if element in INTEGERS:
        return draw_integers(element, "wrap-around", size, generator).reshape(tuple(sizes))

    def one() -> float:
        return generator.choice((-1.0, -0.5, 0.0, 0.5, 1.0, 1.0))

    if element in COMPLEX:
        return np.array([complex(one(), one()) for _ in range(size)]).astype(dtype_of(element)).reshape(tuple(sizes))
    return np.array([one() for _ in range(size)]).astype(dtype_of(element)).reshape(tuple(sizes))


def _products(p: Product, lhs: np.ndarray, rhs: np.ndarray) -> list[list[Exact]]:
    """For each element of the result the products to add."""
    first = np.array(fractions_of(lhs) + [None], object)[:-1].reshape(lhs.shape)
    second = np.array(fractions_of(rhs) + [None], object)[:-1].reshape(rhs.shape)
    lhs_free = [d for d in range(lhs.ndim) if d not in (*p.lhs_batching, *p.lhs_contracting)]
    rhs_free = [d for d in range(rhs.ndim) if d not in (*p.rhs_batching, *p.rhs_contracting)]
    sums = list[list[Exact]]()
    for index in np.ndindex(*p.result):
        batch = index[: len(p.lhs_batching)]
        rows = index[len(batch) : len(batch) + len(lhs_free)]
        columns = index[len(batch) + len(lhs_free) :]
        terms = list[Exact]()
        for inner in np.ndindex(*[p.lhs[d] for d in p.lhs_contracting]):
            at = dict(zip((*p.lhs_batching, *lhs_free, *p.lhs_contracting), (*batch, *rows, *inner), strict=True))
            to = dict(zip((*p.rhs_batching, *rhs_free, *p.rhs_contracting), (*batch, *columns, *inner), strict=True))
            left, right = tuple([at[d] for d in range(lhs.ndim)]), tuple([to[d] for d in range(rhs.ndim)])
            terms.append(multiply(first[left], second[right]))
        sums.append(terms)
    return sums


@cases_of("dot_general")
def dot_general(op: str, draw: Draw) -> Iterator[Case]:
    """Dimensions in any order, none to contract, and contracted ones without elements."""
    for element in draw.only(TYPES):
        for kind in ("ordinary", "empty", "odd"):
            for number in range(4 if element in ("i32", "f32") else 1):
                generator = draw(op, element, kind, number)
                p = product(generator, 0 if kind == "empty" else 1, 5 if kind == "odd" else 3)
                lhs, rhs = small_numbers(element, p.lhs, generator), small_numbers(element, p.rhs, generator)
                value = exact_array([total(each, element) for each in _products(p, lhs, rhs)], element, p.result)
                yield case_of(op, element, kind, [lhs, rhs], [summed(value, element)], p.attributes)
    for element in draw.only(WIDE_FLOATS):
        generator = draw(op, element, "cancelling")
        p = Product([3, 33], [33, 2], [3, 2], [], [], [1], [0])
        lhs, rhs = [cancelling(element, each, generator) for each in (p.lhs, p.rhs)]
        expected = sum_bounds(_products(p, lhs, rhs), element, p.result)
        yield single(op, element, "cancelling", [lhs, rhs], [expected], p.attributes, source=SUM_SOURCE)


@cases_of("dot_general")
def large_products(op: str, draw: Draw) -> Iterator[Case]:
    """Enough products for engines to turn to their fastest ways."""
    p = Product([2, 250, 64], [2, 64, 70], [2, 250, 70], [0], [0], [2], [1])
    for element in draw.only(("i8", "ui8", "i32", "i64", "bf16", "f32", "f64", "complex<f32>")):
        generator = draw(op, element, "large")
        lhs, rhs = [_whole_numbers(element, each, generator) for each in (p.lhs, p.rhs)]
        wide_type = np.complex128 if element in COMPLEX else np.int64
        exact = sum(lhs.astype(wide_type)[:, :, [k]] * rhs.astype(wide_type)[:, [k], :] for k in range(p.lhs[2]))
        expected = [summed(np.asarray(exact).astype(dtype_of(element)), element)]
        yield single(op, element, "large", [lhs, rhs], expected, p.attributes, source=WHOLE_SOURCE)
    for element in draw.only(("i32", "ui32", "i64")):  # sums that a float of 24 bits does not hold
        generator = draw(op, element, "large, odd sums")
        lhs, rhs = [
            np.array([generator.choice((1099, 1101)) for _ in range(math.prod(each))]).reshape(each)
            for each in (p.lhs, p.rhs)
        ]
        lhs[0, 0, 0], rhs[0, 0, 0] = 1, -1 if element.startswith("i") else 1
        expected = [np.matmul(lhs, rhs).astype(dtype_of(element))]
        operands = [each.astype(dtype_of(element)) for each in (lhs, rhs)]
        yield single(op, element, "large", operands, expected, p.attributes, source=WHOLE_SOURCE)


@cases_of("dot_general")
def large_sums(op: str, draw: Draw) -> Iterator[Case]:
    """As many products, whose sums have to be rounded: of any size, and in the middle between two results."""
    p = Product([2, 250, 64], [2, 64, 70], [2, 250, 70], [0], [0], [2], [1])
    for element in draw.only(("bf16", "f32", "f64")):
        for numbers in (cancelling, tied):
            generator = draw(op, element, LARGE_SUMS, numbers.__name__)
            lhs, rhs = [numbers(element, each, generator) for each in (p.lhs, p.rhs)]
            if numbers is tied:
                lhs[:, :, 0] = rhs[:, 0] = 2.0 ** ((format_of(element).digits + 1) // 2)
            expected = _summed_exactly(lhs, rhs, element)
            yield single(op, element, LARGE_SUMS, [lhs, rhs], [expected], p.attributes, source=SUM_SOURCE)


@cases_of("dot_general")
def edges_of_sums(op: str, draw: Draw) -> Iterator[Case]:
    """By batches: terms that are positive, that cancel, that are next to the least number, with factors far from 1."""
    p = Product([4, 125, 64], [4, 64, 70], [4, 125, 70], [0], [0], [2], [1])
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
def large_complex_sums(op: str, draw: Draw) -> Iterator[Case]:
    """Many products of complex numbers: each part is a sum of twice as many."""
    p = Product([2, 250, 64], [2, 64, 70], [2, 250, 70], [0], [0], [2], [1])
    for element in draw.only(("complex<f32>",)):
        generator, part = draw(op, element, LARGE_SUMS), part_of(element)
        a, b = [cancelling(part, each, generator) for each in (p.lhs, p.lhs)]
        c, d = [cancelling(part, each, generator) for each in (p.rhs, p.rhs)]
        left = np.concatenate([a, b], 2)
        sums = [_summed_exactly(left, np.concatenate(each, 1), part) for each in ((c, -d), (d, c))]
        low, high = [np.stack([np.asarray(getattr(each, end)) for each in sums], -1) for end in ("low", "high")]
        value = np.stack([each.value for each in sums], -1).view(dtype_of(element))[..., 0]
        operands = [np.stack(each, -1).view(dtype_of(element))[..., 0] for each in ((a, b), (c, d))]
        expected = Expected(value, element, "bounds", low=low, high=high)
        yield single(op, element, LARGE_SUMS, operands, [expected], p.attributes, source=SUM_SOURCE)


def _summed_exactly(
    lhs: np.ndarray, rhs: np.ndarray, element: str, scales: Sequence[Fraction | int] = (1, 1)
) -> Expected:
    """Batches of matrices multiplied in Python's integers, times the scale of each batch; any order of additions is
    within the bounds."""
    scaled = [np.array(list(map(int, each.astype(np.float64).reshape(-1) * 2.0**70)), object).reshape(each.shape)
              for each in (lhs, rhs)]  # fmt: skip
    sums, sizes = np.matmul(*scaled), np.matmul(*[np.abs(each) for each in scaled])
    units = [Fraction(scale, 1 << 140) for scale in scales]
    exact, totals = [
        [number * unit for batch, unit in zip(each, units, strict=True) for number in batch.flat]
        for each in (sums, sizes)
    ]
    return bounded(exact, totals, lhs.shape[2], element, sums.shape)


def _whole_numbers(element: str, sizes: Sequence[int], generator: random.Random) -> np.ndarray:
    """Small integers, whose products have few enough bits for every type; any integers of integer types."""
    if element in INTEGERS:
        return small_numbers(element, sizes, generator)
    drawn = [generator.randint(-2, 2) * (1 - 1j if element in COMPLEX else 1) for _ in range(math.prod(sizes))]
    return np.array(drawn).astype(dtype_of(element)).reshape(tuple(sizes))


def cancelling(element: str, sizes: Sequence[int], generator: random.Random) -> np.ndarray:
    """Numbers of both signs and many magnitudes."""
    drawn = [(generator.random() - 0.5) * 2.0 ** generator.randrange(-5, 6) for _ in range(math.prod(sizes))]
    return np.array(drawn).astype(dtype_of(element)).reshape(tuple(sizes))


def tied(element: str, sizes: Sequence[int], generator: random.Random) -> np.ndarray:
    """Ones of both signs, and a few numbers that are too small to count unless they decide a tie."""
    drawn = [generator.choice((-1, 1)) * generator.choice((1.0,) * 60 + (2.0**-30,)) for _ in range(math.prod(sizes))]
    return np.array(drawn).astype(dtype_of(element)).reshape(tuple(sizes))


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
            lhs, rhs = [_near_ties(element, each, digits, generator) for each in (p.lhs, p.rhs)]
            taken = [_rounded(Fraction(float(x)), digits if count == 1 else 53) for x in (*lhs.flat, *rhs.flat)]
            rounded = np.array([float(x) for x in taken])
            terms = _products(p, rounded[: lhs.size].reshape(lhs.shape), rounded[lhs.size :].reshape(rhs.shape))
            parts = roundoff_of(precision, count) if count > 1 else 0.0
            expected = sum_bounds(terms, element, p.result, operands=parts, unit=roundoff_of(sums))
            text = (
                f"{p.attributes}, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = {precision}, "
                f"rhs_precision_type = {precision}, accumulation_type = {sums}, lhs_component_count = 1, "
                f"rhs_component_count = 1, num_primitive_operations = {count}, allow_imprecise_accumulation = false>"
            )
            yield single(op, element, "algorithm", [lhs, rhs], [expected], text, source=SUM_SOURCE)


def _near_ties(element: str, sizes: Sequence[int], digits: int, generator: random.Random) -> np.ndarray:
    """Numbers of one bit more than `digits`, which are halfway between two of that precision, and others."""
    whole = [
        generator.choice((2 * generator.randrange(1 << digits - 1, 1 << digits) + 1, generator.randrange(1, 1 << 24)))
        for _ in range(math.prod(sizes))
    ]
    drawn = [generator.choice((-1, 1)) * number / 2 ** number.bit_length() for number in whole]
    return np.array(drawn).astype(dtype_of(element)).reshape(tuple(sizes))


@cases_of("dot", "einsum")
def dot(op: str, draw: Draw) -> Iterator[Case]:
    """Vectors and matrices."""
    forms: dict[str, tuple[list[int], ...]] = {
        "ab,bc->ac": ([3, 4], [4, 2], [3, 2], [1], [0]),
        "ab,b->a": ([3, 4], [4], [3], [1], [0]),
        "a,a->": ([5], [5], [], [0], [0]),
    }
    for element in draw.only(TYPES):
        for config, (left, right, result, contracted, other) in forms.items():
            generator = draw(op, element, config)
            p = Product(left, right, result, [], [], contracted, other)
            lhs, rhs = small_numbers(element, left, generator), small_numbers(element, right, generator)
            value = exact_array([total(each, element) for each in _products(p, lhs, rhs)], element, result)
            text = f'einsum_config = "{config}"' if op == "einsum" else ""
            yield case_of(op, element, "ordinary", [lhs, rhs], [summed(value, element)], text)


@cases_of("einsum")
def einsum(op: str, draw: Draw) -> Iterator[Case]:
    """Batches, operands of different ranks, transposed results, sums over a label of one operand, diagonals."""
    for element in draw.only(TYPES):
        for config in ("bij,bjk->bki", "a,ab->b", "ab,c->ca", "ab,bc->c", "aa,b->ab"):
            labels, _, result = config.partition("->")
            sizes = dict(zip("abcijk", (3, 4, 2, 3, 2, 4), strict=True))
            generator, sides = draw(op, element, config), labels.split(",")
            operands = [small_numbers(element, [sizes[label] for label in side], generator) for side in sides]
            shape, summed_over = [sizes[label] for label in result], sorted(set(labels) - {",", *result})
            arrays = [np.array([*fractions_of(each), None], object)[:-1].reshape(each.shape) for each in operands]
            sums = list[Exact]()
            for index in np.ndindex(*shape):
                terms = list[Exact]()
                for inner in np.ndindex(*[sizes[label] for label in summed_over]):
                    at = dict(zip([*result, *summed_over], (*index, *inner), strict=True))
                    left, right = [
                        array[tuple([at[label] for label in side])] for array, side in zip(arrays, sides, strict=True)
                    ]
                    terms.append(multiply(left, right))
                sums.append(total(terms, element))
            expected = [summed(exact_array(sums, element, shape), element)]
            yield case_of(op, element, "several forms", operands, expected, f'einsum_config = "{config}"')


@cases_of("unary_einsum")
def unary_einsum(op: str, draw: Draw) -> Iterator[Case]:
    """A transposition, a sum, a diagonal."""
    for element in draw.only(TYPES):
        for config, order in (("ab->ba", (1, 0)), ("ab->a", None)):
            operand = small_numbers(element, [3, 4], draw(op, element, config))
            if order:
                value = np.array([[operand[j, i] for j in range(3)] for i in range(4)], operand.dtype)
            else:
                rows = [total(fractions_of(row), element) for row in operand]
                value = exact_array(rows, element, [3])
            yield case_of(op, element, "ordinary", [operand], [summed(value, element)], f'einsum_config = "{config}"')


def _convolved(c: Convolution, lhs: np.ndarray, rhs: np.ndarray, element: str) -> np.ndarray:
    """The result of a convolution, product by product."""
    first = np.array([*fractions_of(lhs), None], object)[:-1].reshape(lhs.shape)
    second = np.array([*fractions_of(rhs), None], object)[:-1].reshape(rhs.shape)
    rank, names = len(c.spatial), c.layouts
    result_shape = c.shape(2)
    features, outputs = c.sizes[1]["i"], c.sizes[2]["f"]
    batch_part = c.sizes[0]["b"] // c.batch_groups
    sums = list[Exact]()
    for index in np.ndindex(*result_shape):
        at = dict(zip(names[2], index, strict=True))
        group, batch_group = at["f"] // (outputs // c.groups), at["f"] // (outputs // c.batch_groups)
        terms = list[Exact]()
        for inner in np.ndindex(*c.kernel, features):
            window, feature = inner[:rank], inner[rank]
            position: dict[int | str, int] = {
                "b": at["b"] + batch_group * batch_part if c.batch_groups > 1 else at["b"],
                "f": group * features + feature,
            }
            for d in range(rank):
                padded = at[d] * c.strides[d] + window[d] * c.rhs_dilation[d] - c.padding[d][0]
                position[d] = padded // c.lhs_dilation[d] if padded % c.lhs_dilation[d] == 0 else -1
            if any(not 0 <= position[d] < c.spatial[d] for d in range(rank)):
                continue
            taken: dict[int | str, int] = {"i": feature, "o": at["f"]}
            taken |= {d: c.kernel[d] - 1 - window[d] if c.reversal[d] else window[d] for d in range(rank)}
            left = first[tuple([position[name] for name in names[0]])]
            terms.append(multiply(left, second[tuple([taken[name] for name in names[1]])]))
        sums.append(total(terms, element))
    return exact_array(sums, element, result_shape)


@cases_of("convolution")
def convolve_by_default(op: str, draw: Draw) -> Iterator[Case]:
    """Without strides, padding, dilation and reversal."""
    dims = "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"
    text = f"dimension_numbers = {dims}, feature_group_count = 1 : i64, batch_group_count = 1 : i64"
    for element in draw.only(TYPES):
        lhs, rhs = [small_numbers(element, each, draw(op, element)) for each in ((2, 3, 4, 1), (2, 2, 1, 2))]
        first, second = [np.array([*fractions_of(each), None], object)[:-1].reshape(each.shape) for each in (lhs, rhs)]
        sums = [
            total([multiply(first[b, x + i, y + j, 0], second[i, j, 0, f]) for i in (0, 1) for j in (0, 1)], element)
            for b, x, y, f in np.ndindex(2, 2, 3, 2)
        ]
        yield case_of(
            op, element, "ordinary", [lhs, rhs], [summed(exact_array(sums, element, [2, 2, 3, 2]), element)], text
        )


@cases_of("convolution")
def large_convolution(op: str, draw: Draw) -> Iterator[Case]:
    """So many elements in all windows that engines go through them in parts."""
    size, width = 91, 5
    dims = "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"
    text = f"dimension_numbers = {dims}, feature_group_count = 1 : i64, batch_group_count = 1 : i64"
    for element in draw.only(("i32", "f32")):
        generator, wanted = draw(op, element, "large"), size + 1 - width
        shapes = ((1, size, size, 1), (width, width, 1, 1))
        lhs, rhs = [_whole_numbers(element, each, generator) for each in shapes]
        value = sum(
            lhs[:, i : i + wanted, j : j + wanted].astype(np.int64) * int(rhs[i, j, 0, 0])
            for i, j in np.ndindex(width, width)
        )
        expected = summed(np.asarray(value).astype(dtype_of(element)), element)
        yield single(op, element, "large", [lhs, rhs], [expected], text, source=WHOLE_SOURCE)


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
            expected = summed(_convolved(c, lhs, rhs, element), element)
            padding = ("i64", np.array(c.padding, np.int64).reshape(len(c.padding), 2))
            operands = [lhs, rhs, *([padding] if op == "dynamic_conv" else [])]
            static = f", {padding_attribute(c.padding)}" if c.padding and op == "convolution" else ""
            yield case_of(op, element, kind, operands, [expected], c.attributes + static)
