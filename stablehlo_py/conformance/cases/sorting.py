"""sort: by one key and by two, stable and not, along any dimension, by the total order of floats."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cmp_to_key
from itertools import product

import numpy as np

from ...bindings.types import dtype_name
from ..case import Case, Expected, single
from ..catalog import Draw, cases_of
from ..generate.texts import tensor
from ..generate.values import BOOLEAN, FINITE_ONLY, FLOATS, INTEGERS, wide
from .choosing import draw_elements
from .elementwise import draw_floats
from .movement import case_of

TYPES = [*BOOLEAN, *INTEGERS, *FLOATS]


def comparator(elements: list[str], lines: str) -> str:
    """A region that computes %p."""
    arguments = ", ".join(
        f"%{side}{index}: {tensor((), element)}" for index, element in enumerate(elements) for side in "xy"
    )
    return f"{{^bb0({arguments}):\n {lines}\n stablehlo.return %p : tensor<i1>}}"


def comparison(name: str, direction: str, x: str, y: str, element: str, kind: str = "") -> str:
    """A line that compares two scalars."""
    t = tensor((), element)
    kind = f", {kind}" if kind else ""
    return f"%{name} = stablehlo.compare {direction}, {x}, {y}{kind} : ({t}, {t}) -> tensor<i1>\n"


def _keys(element: str, count: int, generator: random.Random, distinct: int = 0, kind: str = "ordinary") -> np.ndarray:
    """Draw keys; `distinct` limits the number of distinct keys."""
    pool = draw_elements(element, kind, distinct if distinct else count, generator)
    return pool[[generator.randrange(len(pool)) for _ in range(count)]] if distinct else pool


def _attributes(dimension: int, *, stable: bool) -> str:
    return f"dimension = {dimension} : i64, is_stable = {str(stable).lower()}"


def _order(keys: np.ndarray, *, descending: bool) -> list[int]:
    """The positions of the keys in order, equal ones as they stand."""
    number = float if dtype_name(keys.dtype) in FLOATS else int  # f64 does not have every i64
    return sorted(range(len(keys)), key=lambda position: number(keys[position]) * (-1 if descending else 1))


@cases_of("sort")
def sort(op: str, draw: Draw) -> Iterator[Case]:
    """Keys with a second operand that tells equal ones apart."""
    for element in draw.only(TYPES):
        whole = [("wrap-around", 17)] if element in INTEGERS else []
        for kind, count in (("ordinary", 9), ("empty", 0), ("one", 1), ("stability", 41), ("odd", 17), *whole):
            generator = draw(op, element, kind)
            drawn = kind if kind == "wrap-around" else "ordinary"
            keys = _keys(element, count, generator, distinct=3 if kind == "stability" else 0, kind=drawn)
            positions, descending = np.arange(count, dtype=np.int32), bool(generator.randrange(2))
            order = _order(keys, descending=descending)
            direction = "GT" if descending else "LT"
            region = comparator([element, "i32"], comparison("p", direction, "%x0", "%y0", element))
            results = [keys[order], Expected(positions[order], "i32")]
            yield case_of(op, element, kind, [keys, ("i32", positions)], results, _attributes(0, stable=True), region)
            if kind == "ordinary":  # by default along the last dimension
                (keys, positions), pair = [each[np.newaxis, np.newaxis] for each in (keys, positions)], (element, "i32")
                results = [Expected(each[..., order], name) for each, name in zip((keys, positions), pair, strict=True)]
                yield case_of(op, element, kind, [keys, ("i32", positions)], results, "is_stable = true", region)
            if kind == "stability":
                pair = zip((keys, positions), (element, "i32"), strict=True)
                loose = [keys[order], *(Expected(each[order], name, "any order") for each, name in pair)]
                three = comparator([element, element, "i32"], comparison("p", direction, "%x0", "%y0", element))
                text = _attributes(0, stable=False)
                yield case_of(op, element, "any order", [keys, keys, ("i32", positions)], loose, text, three)
        yield from _along(op, element, draw)
        if element in FLOATS and element not in FINITE_ONLY:
            yield _total_order(op, element, draw(op, element, "total order"))
    yield from _two_keys(op, draw)


@cases_of("sort")
def with_branches(op: str, draw: Draw) -> Iterator[Case]:
    """A comparator with a region inside, which engines cannot take for a comparison of keys: many equal, in lanes."""
    for element, count in product(draw.only(("i32", "f32", "ui8", "bf16")), (2, 5, 37)):
        keys = _keys(element, 3 * count, draw(op, element, "branches", count), distinct=9).reshape(3, count)
        positions = np.arange(3 * count, dtype=np.int32).reshape(3, count)
        orders = np.array([_order(row, descending=False) for row in keys])
        lines = comparison("a", "LT", "%x0", "%y0", element) + (
            " %b = stablehlo.constant dense<false> : tensor<i1>\n"
            ' %p = "stablehlo.if"(%a) ({stablehlo.return %a : tensor<i1>}, {stablehlo.return %b : tensor<i1>})'
            " : (tensor<i1>) -> tensor<i1>"
        )
        results = [np.take_along_axis(keys, orders, 1), Expected(np.take_along_axis(positions, orders, 1), "i32")]
        region, text = comparator([element, "i32"], lines), _attributes(1, stable=True)
        yield case_of(op, element, "branches", [keys, ("i32", positions)], results, text, region)


def _along(op: str, element: str, draw: Draw) -> Iterator[Case]:
    """Each dimension of a matrix, counted from both ends."""
    for dimension in (0, 1, -1):
        generator = draw(op, element, "along", dimension)
        keys = draw_elements(element, "ordinary", 15, generator).reshape(3, 5)
        moved = np.moveaxis(keys, dimension, -1)
        rows = [row[_order(row, descending=False)] for row in moved]
        value = np.ascontiguousarray(np.moveaxis(np.array(rows, keys.dtype), -1, dimension))
        region = comparator([element], comparison("p", "LT", "%x0", "%y0", element))
        yield case_of(op, element, "dimensions", [keys], [value], _attributes(dimension, stable=True), region)


def _total_order(op: str, element: str, generator: random.Random) -> Case:
    """The order -inf, …, -0.0, 0.0, …, inf; NaN is left out, as it has several bit patterns."""
    keys = draw_floats(element, "special values", 30, generator)
    keys = keys[~np.isnan(wide(keys))]

    def rank(position: int) -> tuple[float, float]:
        number = float(keys[position])
        return number, float(np.copysign(1, number))

    value = keys[sorted(range(len(keys)), key=rank)]
    region = comparator([element], comparison("p", "LT", "%x0", "%y0", element, "TOTALORDER"))
    source = "IEEE-754 totalOrder"
    return single(op, element, "total order", [keys], [value], _attributes(0, stable=True), region, source=source)


def _two_keys(op: str, draw: Draw) -> Iterator[Case]:
    """By a second key where the first are equal; and by a comparator that is not a comparison of operands."""
    for element in draw.only(("i32", "f32", "ui8")):
        generator = draw(op, element, "two keys")
        first, second = [_keys(element, 20, generator, distinct=count) for count in (3, 15)]
        lines = comparison("a", "LT", "%x0", "%y0", element) + comparison("b", "EQ", "%x0", "%y0", element)
        lines += comparison("c", "GT", "%x1", "%y1", element)
        lines += " %d = stablehlo.and %b, %c : tensor<i1>\n %p = stablehlo.or %a, %d : tensor<i1>"

        def compare(a: int, b: int, first: np.ndarray = first, second: np.ndarray = second) -> int:
            keys = (float(first[a]), -float(second[a])), (float(first[b]), -float(second[b]))
            return (keys[0] > keys[1]) - (keys[0] < keys[1])

        order = sorted(range(20), key=cmp_to_key(compare))
        results = [first[order], second[order]]
        region = comparator([element, element], lines)
        yield case_of(op, element, "two keys", [first, second], results, _attributes(0, stable=True), region)
    keys = np.arange(17, dtype=np.int32)[::-1].copy()
    lines = " %c = stablehlo.constant dense<3> : tensor<i32>\n %a = stablehlo.remainder %x0, %c : tensor<i32>\n"
    lines += " %b = stablehlo.remainder %y0, %c : tensor<i32>\n" + comparison("p", "LT", "%a", "%b", "i32")
    expected = [Expected(np.array(sorted(keys.tolist(), key=lambda key: key % 3), np.int32), "i32")]
    region = comparator(["i32"], lines)
    yield case_of(op, "i32", "stability", [("i32", keys)], expected, _attributes(0, stable=True), region)
