"""Ops that take positions as operands: out of range they are clamped, or what they address is left out."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from ..case import Case, Expected
from ..catalog import Draw, cases_of
from ..generate.structures import Addressing, addressing
from ..generate.texts import body, ints, tensor
from ..generate.values import BOOLEAN, COMPLEX, ELEMENTS, FINITE_ONLY, FLOATS, INTEGERS, array_from, dtype_of
from ..oracle import scalars
from .choosing import draw_elements
from .movement import Position, by_index, case_of, draw_tensor, index_operand

INDEX_TYPES = ("i32", "i64", "i8", "ui8", "ui32")


def _starts(kind: str, sizes: tuple[int, ...], generator: random.Random, index: str) -> list[int]:
    """Positions in range, or out of it on both sides."""
    if kind == "out of range":
        low = 0 if index.startswith("u") else -100
        return [generator.choice((low, generator.randint(size, 100))) for size in sizes]
    return [generator.randint(0, size) for size in sizes]


@cases_of("dynamic_slice", "dynamic_update_slice")
def dynamic_slice(op: str, draw: Draw) -> Iterator[Case]:
    """The start is clamped so that the slice fits: 0 <= start <= size - size."""
    kinds = {"ordinary": (4, 5), "out of range": (4, 5), "empty": (0, 3), "scalar": (), "odd": (7, 3)}
    for element, (kind, shape) in product(draw.only(ELEMENTS), kinds.items()):
        is_far = kind == "out of range"
        for number in range(3 if is_far else 1):
            generator = draw(op, element, kind, number)
            index = INDEX_TYPES[number + 2 * (element == "i32") if is_far else generator.randrange(5)]
            sizes = [generator.randint(1 if is_far else 0, size) for size in shape]
            starts = _starts(kind, shape, generator, index)
            operand = draw_tensor(element, shape, generator)
            positions = [(index, np.array(start, np.int64).astype(dtype_of(index))) for start in starts]
            fitted = [max(0, min(at, whole - size)) for at, whole, size in zip(starts, shape, sizes, strict=True)]
            part = tuple(map(slice, fitted, map(sum, zip(fitted, sizes, strict=True))))
            if op == "dynamic_slice":
                result, text = operand[part].copy(), f"slice_sizes = {ints(sizes)}"
                yield case_of(op, element, kind, [operand, *positions], [result], text)
            else:
                update, result = draw_tensor(element, sizes, generator), operand.copy()
                result[part] = update
                yield case_of(op, element, kind, [operand, update, *positions], [result])


def _indices(a: Addressing, kind: str, generator: random.Random) -> tuple[str, np.ndarray]:
    """Indices in range or, one in three, out of it."""
    element = generator.choice(INDEX_TYPES)
    low, high = (0 if element.startswith("u") else -2, 6) if kind == "out of range" else (0, 1)
    drawn = [generator.randint(low, high) for _ in range(int(np.prod(a.indices_shape)))]
    return element, np.array(drawn, np.int64).reshape(a.indices_shape).astype(dtype_of(element))


def _start(a: Addressing, indices: np.ndarray, batch: tuple[int, ...]) -> list[int]:
    """The full start index of the spec for one position of the batch dimensions."""
    full = [0] * len(a.shape)
    if a.index_vector_dim == len(a.indices_shape):
        vector = [int(indices[batch])]
    else:
        d = a.index_vector_dim
        vector = [int(indices[(*batch[:d], position, *batch[d:])]) for position in range(len(a.index_map))]
    for value, dimension in zip(vector, a.index_map, strict=True):
        full[dimension] = value
    for operand_dim, indices_dim in zip(a.batching, a.indices_batching, strict=True):
        full[operand_dim] = batch[indices_dim - (indices_dim > a.index_vector_dim)]
    return full


def _split(a: Addressing, index: tuple[int, ...]) -> tuple[tuple[int, ...], list[int]]:
    """The batch index, and the offset in the operand, of an element of the slices."""
    batch = tuple([index[d] for d in range(len(index)) if d not in a.offset_dims])
    offsets = iter([index[d] for d in a.offset_dims])
    gone = {*a.removed, *a.batching}
    return batch, [0 if d in gone else next(offsets) for d in range(len(a.shape))]


def _update_positions(a: Addressing, indices: np.ndarray) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The index of each update with the position in the operand that it goes to; those out of range are left out."""
    for index in np.ndindex(*a.sliced_shape):
        batch, offset = _split(a, index)
        position = tuple(map(sum, zip(_start(a, indices, batch), offset, strict=True)))
        if all(0 <= at < size for at, size in zip(position, a.shape, strict=True)):
            yield index, position


@cases_of("gather", "dynamic_gather")
def gather(op: str, draw: Draw) -> Iterator[Case]:
    """Start indices are clamped so that every slice is within the operand."""
    for element in draw.only(ELEMENTS):
        for kind in ("ordinary", "out of range"):
            for number in range(6 if element in ("i32", "f32") else 2):
                generator = draw(op, element, kind, number)
                a = addressing(generator, generator.randint(1, 3))
                operand = draw_tensor(element, a.shape, generator)
                index_element, indices = _indices(a, kind, generator)
                result = np.empty(a.sliced_shape, operand.dtype)
                for index in np.ndindex(*a.sliced_shape):
                    batch, offset = _split(a, index)
                    start = _start(a, indices, batch)
                    bounds = zip(start, a.shape, a.slice_sizes, strict=True)
                    clamped = [max(0, min(at, whole - size)) for at, whole, size in bounds]
                    result[index] = operand[tuple(map(sum, zip(clamped, offset, strict=True)))]
                dynamic = [index_operand(a.slice_sizes)] if op == "dynamic_gather" else []
                text = a.gather_attributes + ("" if dynamic else f", slice_sizes = {ints(a.slice_sizes)}")
                yield case_of(op, element, kind, [operand, (index_element, indices), *dynamic], [result], text)


def combined(kind: str, element: str, old: Any, new: Any) -> Any:
    """The result of a region on an old and a new element."""
    if kind == "update":
        return new
    dtype = dtype_of(element)
    if element in COMPLEX:
        return dtype.type(old + new)
    if element in BOOLEAN:
        return dtype.type(scalars.BOOLEAN_BINARY[kind](bool(old), bool(new)))
    if element in INTEGERS:
        bits = int(element.lstrip("ui"))
        whole = scalars.INTEGER_BINARY[kind](int(old), int(new), bits)
        return np.array(scalars.wrapped(whole, bits, not element.startswith("u"))).astype(dtype)[()]
    exact = scalars.FLOAT_BINARY[kind](float(old), float(new))
    return np.array(float(exact)).astype(dtype)[()]


@cases_of("scatter")
def scatter(op: str, draw: Draw) -> Iterator[Case]:
    """Updates out of range are left out; a region combines what meets at one element."""
    for element in draw.only(ELEMENTS):
        choices = {"i1": ["update", "or"]}.get(
            element, ["update", "add"] if element in COMPLEX else ["update", "add", "maximum"]
        )
        for kind in ("ordinary", "out of range"):
            for number, combine in enumerate(choices * (2 if element in ("i32", "f32") else 1)):
                generator = draw(op, element, kind, number)
                a = addressing(generator, generator.randint(1, 3))
                exact = "ordinary" if element in (*FLOATS, *COMPLEX) else "special values"
                operand, updates = [_small(element, each, generator, exact) for each in (a.shape, a.sliced_shape)]
                index_element, indices = _indices(a, kind, generator)
                result = operand.copy()
                for index, position in _update_positions(a, indices):
                    result[position] = combined(combine, element, result[position], updates[index])
                unique = combine != "update" or _hits_once(a, indices)
                expected = Expected(result, element, "exact" if unique else "anything")
                operands = [operand, (index_element, indices), updates]
                yield case_of(op, element, kind, operands, [expected], a.scatter_attributes, body(combine, element))


@cases_of("gather", "scatter", "dynamic_slice")
def far_positions(op: str, draw: Draw) -> Iterator[Case]:
    """Positions of the narrowest type in a tensor of more elements than it counts, and of the widest beyond any."""
    for element in draw.only(("i32", "f32")):
        for index_element, kind in (("i8", "narrow positions"), ("ui8", "narrow positions"), ("ui64", "out of range")):
            generator, size = draw(op, element, kind, index_element), 60
            operand = draw_elements(element, "ordinary", size * 7, generator).reshape(size, 7)
            drawn = generator.sample(range(size), 8)
            if index_element == "ui64":
                drawn = [generator.choice((2**63 + at, 2**64 - 1 - at, at)) for at in drawn]
            indices = np.array(drawn, dtype_of(index_element))
            fitted = [min(at, size - 1) for at in drawn]
            if op == "dynamic_slice":
                operands = [operand, (index_element, indices[0].copy()), (index_element, indices[1] * 0)]
                yield case_of(op, element, kind, operands, [operand[[fitted[0]]]], "slice_sizes = array<i64: 1, 7>")
            elif op == "gather":
                text = (
                    "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
                    "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 7>"
                )
                yield case_of(op, element, kind, [operand, (index_element, indices)], [operand[fitted]], text)
            else:
                updates, result = draw_elements(element, "ordinary", 56, generator).reshape(8, 7), operand.copy()
                for at, update in zip(drawn, updates, strict=True):
                    if at < size:
                        result[at] = update
                text = (
                    "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], "
                    "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
                )
                region = body("update", element)
                yield case_of(op, element, kind, [operand, (index_element, indices), updates], [result], text, region)


@cases_of("scatter")
def scatter_extremes(op: str, draw: Draw) -> Iterator[Case]:
    """The larger or the smaller of the updates of an element, NaN and zeros of both signs among them."""
    for element in draw.only([each for each in FLOATS if each not in FINITE_ONLY]):
        for fold in ("maximum", "minimum"):
            generator = draw(op, element, fold)
            operand, updates = [draw_elements(element, "special values", count, generator) for count in (6, 40)]
            indices, result = np.array([[generator.randrange(6)] for _ in range(40)], np.int32), operand.copy()
            for update, (position,) in zip(updates, indices, strict=True):
                result[position] = combined(fold, element, result[position], update)
            numbers = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
            text, region = f"scatter_dimension_numbers = #stablehlo.scatter<{numbers}>", body(fold, element)
            yield case_of(op, element, "special values", [operand, ("i32", indices), updates], [result], text, region)


@cases_of("scatter")
def scatter_several(op: str, draw: Draw) -> Iterator[Case]:
    """Two operands and three, of different element types, each with updates of its own: sums, and the larger ones."""
    for element in draw.only(("i32", "f32", "ui8", "bf16")):
        for others in (("i32",), ("f32", "i8")):
            generator = draw(op, element, "several operands", len(others))
            a, elements = addressing(generator, 2), (element, *others)
            exact = ["ordinary" if each in FLOATS else "special values" for each in elements]
            operands, updates = [
                [_small(each, shape, generator, kind) for each, kind in zip(elements, exact, strict=True)]
                for shape in (a.shape, a.sliced_shape)
            ]
            index_element, indices = _indices(a, "out of range", generator)
            results, folds = [each.copy() for each in operands], ["add", "maximum", "add"]
            for index, position in _update_positions(a, indices):
                for each, fold, result, update in zip(elements, folds, results, updates, strict=False):
                    result[position] = combined(fold, each, result[position], update[index])
            types = [tensor((), each) for each in elements]
            old, new = [", ".join(f"%{name}{n}: {t}" for n, t in enumerate(types)) for name in "xy"]
            pairs = enumerate(zip(folds, types, strict=False))
            lines = "".join(f" %r{n} = stablehlo.{fold} %x{n}, %y{n} : {t}\n" for n, (fold, t) in pairs)
            names = ", ".join(f"%r{n}" for n in range(len(types)))
            region = f"{{^bb0({old}, {new}):\n{lines} stablehlo.return {names} : {', '.join(types)}}}"
            typed = [list(zip(elements, each, strict=True)) for each in (operands, updates)]
            given = [*typed[0], (index_element, indices), *typed[1]]
            expected = [Expected(result, each) for result, each in zip(results, elements, strict=True)]
            yield case_of(op, element, "several operands", given, expected, a.scatter_attributes, region)


def _small(element: str, sizes: list[int], generator: random.Random, kind: str) -> np.ndarray:
    """Elements whose sums are exact in any order."""
    if kind == "special values":
        return draw_tensor(element, sizes, generator)

    def one() -> complex:
        if element in COMPLEX:
            return complex(generator.randint(-3, 3), generator.randint(-3, 3))
        return generator.choice((0.0, 0.5, 0.5, 1.0))

    return array_from([one() for _ in range(math.prod(sizes))], element, sizes)


def _hits_once(a: Addressing, indices: np.ndarray) -> bool:
    """Whether no two updates go to one element: their order would be the implementation's."""
    positions = [position for _, position in _update_positions(a, indices)]
    return len(set(positions)) == len(positions)


@cases_of("torch_index_select")
def torch_index_select(op: str, draw: Draw) -> Iterator[Case]:
    """PyTorch's index_select, with batch dimensions."""
    for element in draw.only(ELEMENTS):
        for batch_dims, dim in ((0, 0), (0, 1), (1, 1)):
            generator = draw(op, element, batch_dims, dim)
            shape = (2, 3, 2)
            operand = draw_tensor(element, shape, generator)
            index_shape = (*shape[:batch_dims], 4)
            drawn = [generator.randrange(shape[dim]) for _ in range(int(np.prod(index_shape)))]
            index = np.array(drawn, np.int32).reshape(index_shape)
            sizes = (*shape[:dim], 4, *shape[dim + 1 :])

            def source_of(i: Position, index: np.ndarray = index, dim: int = dim, batch: int = batch_dims) -> Position:
                return *i[:dim], int(index[(*i[:batch], i[dim])]), *i[dim + 1 :]

            result = by_index(sizes, operand, source_of)
            text = f"dim = {dim} : i64, batch_dims = {batch_dims} : i64"
            yield case_of(op, element, "ordinary", [operand, ("i32", index)], [result], text)
