"""Ops that move elements, attributes or operands telling where: the loops of the spec's formulas."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product

import numpy as np

from ..case import Case, Expected, Operand, single
from ..catalog import Draw, cases_of
from ..generate.structures import pad_widths, padded_size
from ..generate.structures import shape as draw_shape
from ..generate.texts import ints
from ..generate.values import ELEMENTS
from .choosing import draw_elements
from .conversion import iota_values

case_of = partial(single, source="the spec's formula, index by index")
KINDS = {"ordinary": (2, 3, 4), "empty": (2, 0, 3), "one": (1, 1, 1), "scalar": (), "odd": (3, 7, 5)}
LARGE = {"large": (67, 131)}
_IOTA = {"ordinary": (2, 3, 4), "one": (1,), "empty": (0, 2), "odd": (3, 17), "wrap-around": (300,)}
_PADDING = {"negative padding": ([-1, 1], [2, -1], [0, 1]), "dilation": ([0, 1], [1, 0], [2, 1])}

Position = tuple[int, ...]


def shapes_of(element: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The sizes that every op is tried with."""
    yield from {**KINDS, **(LARGE if element in ("i32", "f32") else {})}.items()


def _shaped(op: str, draw: Draw) -> Iterator[tuple[str, str, tuple[int, ...], random.Random]]:
    """Each element type, kind and shape, with a stream of random numbers."""
    for element in draw.only(ELEMENTS):
        for kind, sizes in shapes_of(element):
            yield element, kind, sizes, draw(op, element, kind)


def draw_tensor(
    element: str, sizes: Sequence[int], generator: random.Random, kind: str = "special values"
) -> np.ndarray:
    """A tensor of any element type, special values among the elements."""
    return draw_elements(element, kind, math.prod(sizes), generator).reshape(tuple(sizes))


def by_index(sizes: Sequence[int], operand: np.ndarray, source_of: Callable[[Position], Position]) -> np.ndarray:
    """result[index] = operand[source_of(index)]."""
    result = np.empty(tuple(sizes), operand.dtype)
    for index in np.ndindex(*sizes):
        result[index] = operand[source_of(index)]
    return result


def index_operand(values: Sequence[int], element: str = "i64") -> Operand:
    """A one-dimensional operand of sizes or positions."""
    return element, np.array(values, np.int32 if element == "i32" else np.int64)


@cases_of("transpose", "reverse")
def transpose_or_reverse(op: str, draw: Draw) -> Iterator[Case]:
    """transpose: result[i] = operand[permuted i]; reverse: counts some dimensions from the end."""
    for element, kind, sizes, generator in _shaped(op, draw):
        operand, rank = draw_tensor(element, sizes, generator), len(sizes)
        orders = [generator.sample(range(rank), rank) for _ in range(2)] if rank > 1 else [list(range(rank))]
        for order in orders[: 1 if kind == "large" else 2]:
            if op == "transpose":
                result, text = _transposed(operand, order), f"permutation = {ints(order)}"
            else:
                some = order[: max(1, rank - 1)]
                result, text = _reversed(operand, some), f"dimensions = {ints(some)}"
            yield case_of(op, element, kind, [operand], [result], text)


def _transposed(operand: np.ndarray, order: Sequence[int]) -> np.ndarray:
    back = [order.index(d) for d in range(len(order))]
    return by_index([operand.shape[d] for d in order], operand, lambda i: tuple([i[d] for d in back]))


def _reversed(operand: np.ndarray, dimensions: Sequence[int]) -> np.ndarray:
    def source_of(index: Position) -> Position:
        return tuple([operand.shape[d] - 1 - at if d in dimensions else at for d, at in enumerate(index)])

    return by_index(operand.shape, operand, source_of)


@cases_of("reshape", "dynamic_reshape")
def reshape(op: str, draw: Draw) -> Iterator[Case]:
    """The same elements in row-major order under other sizes."""
    for element, kind, sizes, generator in _shaped(op, draw):
        operand = draw_tensor(element, sizes, generator)
        for target in {(operand.size,), (1, operand.size, 1), tuple(reversed(sizes))}:
            dynamic = [index_operand(target)] if op == "dynamic_reshape" else []
            yield case_of(op, element, kind, [operand, *dynamic], [operand.copy().reshape(target)])


@cases_of("broadcast_in_dim", "dynamic_broadcast_in_dim")
def broadcast_in_dim(op: str, draw: Draw) -> Iterator[Case]:
    """Sizes of 1 are repeated, dimensions may be permuted."""
    for element, kind, shape, generator in _shaped(op, draw):
        rank = len(shape)
        for keep in {rank, max(rank - 1, 0)}:
            dims = generator.sample(range(rank), keep)
            operand = draw_tensor(element, [generator.choice((1, shape[d])) for d in dims], generator)
            pairs = list(zip(dims, operand.shape, strict=True))
            result = by_index(shape, operand, lambda i, pairs=pairs: tuple(0 if n == 1 else i[d] for d, n in pairs))
            dynamic = [index_operand(shape, "i32")] if op == "dynamic_broadcast_in_dim" else []
            yield case_of(op, element, kind, [operand, *dynamic], [result], f"broadcast_dimensions = {ints(dims)}")


@cases_of("broadcast")
def broadcast(op: str, draw: Draw) -> Iterator[Case]:
    """New dimensions in front."""
    for element, kind, generator in draw.each(op, ELEMENTS, tuple(KINDS)):
        operand = draw_tensor(element, KINDS[kind], generator)
        result = by_index((2, 1, *operand.shape), operand, lambda i: i[2:])
        yield case_of(op, element, kind, [operand], [result], "broadcast_sizes = array<i64: 2, 1>")


@cases_of("pad", "dynamic_pad")
def pad(op: str, draw: Draw) -> Iterator[Case]:
    """Low, high and interior padding, negative ones too."""
    for element, kind, generator in draw.each(op, ELEMENTS, ("padding", *_PADDING, "empty", "scalar", "odd")):
        shape = KINDS.get(kind, tuple(draw_shape(generator, 2, 2, 4)))
        low, high, gaps = _PADDING.get(kind, pad_widths(generator, shape))
        if kind == "padding":
            low, high, gaps = [abs(n) for n in low], [abs(n) for n in high], [0] * len(shape)
        sizes = [padded_size(*widths) for widths in zip(shape, low, high, gaps, strict=True)]
        operand, value = draw_tensor(element, shape, generator), draw_tensor(element, (), generator)
        result = np.full(tuple(sizes), value, operand.dtype)
        for index in np.ndindex(*shape):
            position = tuple([i * (gap + 1) + start for i, gap, start in zip(index, gaps, low, strict=True)])
            if all(0 <= at < size for at, size in zip(position, sizes, strict=True)):
                result[position] = operand[index]
        dynamic = map(index_operand, (low, high, gaps)) if op == "dynamic_pad" else ()
        text = f"edge_padding_low = {ints(low)}, edge_padding_high = {ints(high)}, interior_padding = {ints(gaps)}"
        yield case_of(op, element, kind, [operand, value, *dynamic], [result], "" if op == "dynamic_pad" else text)


@cases_of("concatenate")
def concatenate(op: str, draw: Draw) -> Iterator[Case]:
    """One to four operands, empty ones among them."""
    kinds = {"ordinary": (2, 3), "one": (2,), "empty": (2, 0, 1), "odd": (1, 5, 3, 1)}
    for element, (kind, parts), dimension in product(draw.only(ELEMENTS), kinds.items(), (0, 1)):
        generator = draw(op, element, kind, dimension)
        operands = [draw_tensor(element, (part, 3)[:: 1 - 2 * dimension], generator) for part in parts]
        result, start = np.empty((sum(parts), 3)[:: 1 - 2 * dimension], operands[0].dtype), 0
        for operand in operands:
            for index in np.ndindex(*operand.shape):
                position = (index[0] + start, index[1]) if dimension == 0 else (index[0], index[1] + start)
                result[position] = operand[index]
            start += operand.shape[dimension]
        yield case_of(op, element, kind, operands, [result], f"dimension = {dimension} : i64")


@cases_of("slice", "real_dynamic_slice")
def slice_(op: str, draw: Draw) -> Iterator[Case]:
    """result[i] = operand[start + i * stride]."""
    for element in draw.only(ELEMENTS):
        for kind, dimension_sizes in shapes_of(element):
            for number in range(2):
                generator = draw(op, element, kind, number)
                operand = draw_tensor(element, dimension_sizes, generator)
                start = [generator.randint(0, size) for size in dimension_sizes]
                limit = [generator.randint(low, size) for low, size in zip(start, dimension_sizes, strict=True)]
                strides = [generator.randint(1, 3) for _ in dimension_sizes]
                ranges = [range(*box) for box in zip(start, limit, strides, strict=True)]
                sizes = list(map(len, ranges))
                result = by_index(sizes, operand, lambda i, r=ranges: tuple(map(range.__getitem__, r, i)))
                operands = [operand, *(map(index_operand, (start, limit, strides)) if op != "slice" else ())]
                text = f"start_indices = {ints(start)}, limit_indices = {ints(limit)}, strides = {ints(strides)}"
                yield case_of(op, element, kind, operands, [result], text if op == "slice" else "")


@cases_of("iota", "dynamic_iota")
def iota(op: str, draw: Draw) -> Iterator[Case]:
    """result[i] = i along one dimension."""
    for element in draw.only(ELEMENTS[1:]):
        for kind, sizes in _IOTA.items():
            if kind == "wrap-around" and element not in ("i32", "f32", "f64", "i64", "f16", "bf16", "ui16"):
                continue
            for dimension in range(len(sizes)):
                line = iota_values(element, sizes[dimension])
                result = by_index(sizes, line, lambda i, dimension=dimension: (i[dimension],))
                operands = [index_operand(sizes)] if op == "dynamic_iota" else []
                yield case_of(op, element, kind, operands, [result], f"iota_dimension = {dimension} : i64")


@cases_of("get_dimension_size")
def get_dimension_size(op: str, draw: Draw) -> Iterator[Case]:
    """A size as i32."""
    kinds = {"ordinary": (2, 3, 4), "empty": (0, 5), "one": (1,)}
    for element, kind, generator in draw.each(op, ELEMENTS, tuple(kinds)):
        operand = draw_tensor(element, kinds[kind], generator)
        for dimension, size in enumerate(operand.shape):
            expected = Expected(np.array(size, np.int32), "i32")
            yield case_of(op, element, kind, [operand], [expected], f"dimension = {dimension} : i64")
