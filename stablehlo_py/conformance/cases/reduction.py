"""Folds of elements: reduce, reduce_window, select_and_scatter, map, batch normalization; bodies that are unusual."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from functools import reduce as reduce_all
from itertools import product

import numpy as np

from ...debug.allowed.spread import tolerance_of
from ...interpreter.element_types.ulp import epsilon, spacing
from ..case import Case, Expected, single
from ..catalog import Draw, Family, cases_of
from ..generate.structures import WindowCase, windows
from ..generate.texts import body, ints, tensor
from ..generate.values import (
    BOOLEAN,
    COMPLEX,
    ELEMENTS,
    FINITE_ONLY,
    FLOATS,
    FOLDS,
    INTEGERS,
    WIDE_FLOATS,
    array_from,
    dtype_of,
    identity,
)
from . import indexing, reduction
from .choosing import draw_elements
from .contraction import SUM_SOURCE, bounded, cancelling, exact_parts, small_numbers, summed
from .indexing import combined
from .movement import case_of, draw_tensor

_PERTURBED = 4
SIZES = {"ordinary": (3, 4), "empty": (0, 3), "one": (1, 1), "odd": (5, 7)}


def fold_types(fold: str) -> list[str]:
    """Return the types whose folds do not depend on their order."""
    if fold in ("and", "or", "xor"):
        return [*BOOLEAN, *INTEGERS]
    if fold in ("maximum", "minimum"):
        return [*INTEGERS, *FLOATS]
    return [*INTEGERS, *WIDE_FLOATS, *(COMPLEX if fold == "add" else [])]


def draw_exact(fold: str, element: str, sizes: Sequence[int], generator: random.Random) -> np.ndarray:
    """Elements whose fold is exact in any order."""
    if element in (*WIDE_FLOATS, *COMPLEX) and fold in ("add", "multiply"):
        if fold == "multiply":
            drawn = [generator.choice((-1.0, 1.0, 0.5, 2.0)) for _ in range(math.prod(sizes))]
            return array_from(drawn, element, sizes)
        return small_numbers(element, sizes, generator)
    return draw_tensor(element, sizes, generator, "ordinary" if element in FINITE_ONLY else "special values")


def folded(fold: str, element: str, start: object, values: Sequence[object]) -> object:
    """All values, one after the other."""
    return reduce_all(partial(combined, fold, element), values, start)


@cases_of("reduce")
def reduce(op: str, draw: Draw) -> Iterator[Case]:
    """Any dimensions, none, all; no elements; NaN and zeros of both signs."""
    for fold in FOLDS:
        for element in draw.only(fold_types(fold)):
            for kind, sizes in SIZES.items():
                generator = draw(op, fold, element, kind)
                operand = draw_exact(fold, element, sizes, generator)
                dims = generator.choice(([0], [1], [0, 1], [])) if kind != "empty" else [0]
                init = identity(fold, element)
                kept = [d for d in range(2) if d not in dims]
                result = np.empty([sizes[d] for d in kept], operand.dtype)
                for index in np.ndindex(*result.shape):
                    at = dict(zip(kept, index, strict=True))
                    row = operand[tuple([at.get(d, slice(None)) for d in range(2)])]
                    result[index] = folded(fold, element, init[()], list(np.asarray(row).reshape(-1)))
                region = body(fold, element)
                expected = summed(result, element) if fold == "add" and element != "i1" else result
                yield case_of(op, element, kind, [operand, init], [expected], f"dimensions = {ints(dims)}", region)
    yield from _sums(op, draw)
    yield from _argmax(op, draw)
    yield from _extremes(op, draw)


def _extremes(op: str, draw: Draw) -> Iterator[Case]:
    """The largest and the smallest of every three special values, among them zeros of both signs."""
    every = list(product((0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan), repeat=3))
    for element in draw.only(WIDE_FLOATS):
        for fold in ("maximum", "minimum"):
            operand, init = np.array(every).T.astype(dtype_of(element)), identity(fold, element)
            value = np.array([folded(fold, element, init[()], list(column)) for column in operand.T], operand.dtype)
            text = "dimensions = array<i64: 0>"
            yield case_of(op, element, "special values", [operand, init], [value], text, body(fold, element))


def _sums(op: str, draw: Draw) -> Iterator[Case]:
    """Sums whose order matters to the last bits."""
    for element in draw.only(WIDE_FLOATS):
        for count in (17, 1000):
            generator = draw(op, element, "cancelling", count)
            operand, init = cancelling(element, (count, 2), generator), np.zeros((), dtype_of(element))
            (terms,) = exact_parts(operand)
            expected = bounded(terms.sum(0), np.abs(terms).sum(0), count, element, products=False)
            text, region = "dimensions = array<i64: 0>", body("add", element)
            yield single(op, element, "cancelling", [operand, init], [expected], text, region, source=SUM_SOURCE)


def _argmax(op: str, draw: Draw) -> Iterator[Case]:
    """Two operands: the largest value and the first position of it."""
    for element in draw.only(("i32", "f32", "bf16", "ui8")):
        generator, scalar = draw(op, element, "several operands"), tensor((), element)
        keys = array_from([generator.randint(0, 9) for _ in range(24)], element, (4, 6))
        positions = np.broadcast_to(np.arange(6, dtype=np.int32), (4, 6)).copy()
        region = (
            f"{{^bb0(%x0: {scalar}, %x1: tensor<i32>, %y0: {scalar}, %y1: tensor<i32>):\n"
            f" %a = stablehlo.compare GT, %x0, %y0 : ({scalar}, {scalar}) -> tensor<i1>\n"
            f" %b = stablehlo.compare EQ, %x0, %y0 : ({scalar}, {scalar}) -> tensor<i1>\n"
            " %c = stablehlo.compare LT, %x1, %y1 : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            " %d = stablehlo.and %b, %c : tensor<i1>\n %p = stablehlo.or %a, %d : tensor<i1>\n"
            f" %r0 = stablehlo.select %p, %x0, %y0 : tensor<i1>, {scalar}\n"
            " %r1 = stablehlo.select %p, %x1, %y1 : tensor<i1>, tensor<i32>\n"
            f" stablehlo.return %r0, %r1 : {scalar}, tensor<i32>}}"
        )
        best = [max(range(6), key=lambda position, row=row: (float(row[position]), -position)) for row in keys]
        results = [keys[range(4), best], Expected(np.array(best, np.int32), "i32")]
        inits = [np.array(0).astype(dtype_of(element)), ("i32", np.array(99, np.int32))]
        operands = [keys, ("i32", positions), *inits]
        yield case_of(op, element, "several operands", operands, results, "dimensions = array<i64: 1>", region)


def window_elements(w: WindowCase, operand: np.ndarray, index: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The positions in the operand that the window at an index covers; those in padding and between are left out."""
    for offset in np.ndindex(*w.dimensions):
        position = list[int]()
        for d, step in enumerate(offset):
            at = index[d] * w.strides[d] + step * w.window_dilations[d] - w.padding[d][0]
            position.append(at // w.base_dilations[d] if at % w.base_dilations[d] == 0 else -1)
        if all(0 <= at < size for at, size in zip(position, operand.shape, strict=True)):
            yield tuple(position)


def _folded_windows(op: str, element: str, kind: str, fold: str, w: WindowCase, operand: np.ndarray) -> Case:
    """The case of one `reduce_window`: every window folded from the identity on, element by element."""
    init = identity(fold, element)
    result = np.empty(w.sizes, operand.dtype)
    for index in np.ndindex(*w.sizes):
        taken = [operand[position] for position in window_elements(w, operand, index)]
        result[index] = folded(fold, element, init[()], taken)
    expected = [summed(result, element) if fold == "add" else result]
    return case_of(op, element, kind, [operand, init], expected, w.attributes, body(fold, element))


@cases_of("reduce_window")
def reduce_window(op: str, draw: Draw) -> Iterator[Case]:
    """Strides, padding of both signs, dilation of the operand and of the window."""
    for fold in ("add", "maximum", "minimum", "multiply", "or"):
        for element, kind in product(draw.only(fold_types(fold)), ("ordinary", "padding", "dilation")):
            generator = draw(op, fold, element, kind)
            sizes = tuple([generator.randint(1, 5) for _ in range(generator.randint(1, 2))])
            w = windows(generator, sizes, dilated=kind == "dilation", widest=4, padded=kind != "ordinary")
            yield _folded_windows(op, element, kind, fold, w, draw_exact(fold, element, sizes, generator))


@cases_of("reduce_window")
def wide_windows(op: str, draw: Draw) -> Iterator[Case]:
    """Windows of many elements that overlap; engines share the work of their common parts."""
    for element in draw.only(("i32", "ui8", "f32", "bf16")):
        for fold, width, dilation in (("add", 9, 1), ("maximum", 12, 1), ("minimum", 13, 2), ("add", 31, 1)):
            generator = draw(op, element, "large", fold, width)
            length = (width - 1) * dilation + 5
            w = WindowCase([length, 2], [width, 1], [1, 1], [1, 1], [dilation, 1], [(2, 1), (0, 0)], [8, 2])
            yield _folded_windows(op, element, "large", fold, w, draw_exact(fold, element, w.shape, generator))


@cases_of("reduce_window")
def cumulative_sums(op: str, draw: Draw) -> Iterator[Case]:
    """So many elements in all windows together that engines share the work."""
    count = 2000
    for element in draw.only(("i32", "f32")):
        operand = draw_exact("add", element, (count,), draw(op, element, "cumulative"))
        w = WindowCase([count], [count], [1], [1], [1], [(count - 1, 0)], [count])
        value = np.cumsum(operand, dtype=operand.dtype)
        expected = [summed(value, element)]
        operands = [operand, identity("add", element)]
        yield case_of(op, element, "large", operands, expected, w.attributes, body("add", element))


@cases_of("reduce_window")
def strided_sums(op: str, draw: Draw) -> Iterator[Case]:
    """As many elements, in windows that overlap less."""
    width, stride, count = 1024, 64, 2100
    for element in draw.only(("i32",)):
        operand = draw_exact("add", element, (width + stride * (count - 1), 2), draw(op, element, "strided"))
        w = WindowCase([*operand.shape], [width, 2], [stride, 1], [1, 1], [1, 1], [(0, 0), (0, 0)], [count, 1])
        sums = np.concatenate([[0], np.cumsum(operand.sum(axis=1, dtype=np.int64))])
        value = (sums[width::stride] - sums[:-width:stride]).astype(operand.dtype).reshape(-1, 1)
        operands = [operand, identity("add", element)]
        yield case_of(op, element, "large", operands, [value], w.attributes, body("add", element))


@cases_of("select_and_scatter")
def select_and_scatter(op: str, draw: Draw) -> Iterator[Case]:
    """Each source element goes to the element of its window that is selected: here the first of the largest."""
    for element in draw.only(("i32", "i8", "ui16", "f32", "bf16", "f16", "f64")):
        for kind, lowest in (("ordinary", -8), ("padding", -8), ("padding", -60)):
            if element.startswith("u") and lowest < -8:
                continue
            generator = draw(op, element, kind, *(["negative"] if lowest < -8 else []))
            sizes = (generator.randint(3, 5), generator.randint(3, 5))
            w = windows(generator, sizes, dilated=False, widest=3, padded=False)
            if kind == "padding":
                dimensions = [max(2, n) for n in w.dimensions]
                results = [(e + 2 - n) // s + 1 for e, n, s in zip(sizes, dimensions, w.strides, strict=True)]
                w = replace(w, dimensions=dimensions, padding=[(1, 1), (1, 1)], sizes=results)
            numbers = range(0 if element.startswith("u") else lowest, 40 if lowest == -8 else 0)
            operand = array_from(generator.sample(numbers, math.prod(sizes)), element, sizes)
            given = array_from([generator.randint(0, 3) for _ in range(math.prod(w.sizes))], element, w.sizes)
            result = np.zeros(sizes, np.int64)
            for index in np.ndindex(*w.sizes):
                covered = list(window_elements(w, operand, index))
                result[max(covered, key=lambda position, values=operand: float(values[position]))] += int(given[index])
            t = tensor((), element)
            compare = f"%p = stablehlo.compare GE, %x, %y : ({t}, {t}) -> tensor<i1>"
            select = f"{{^bb0(%x: {t}, %y: {t}):\n {compare}\n stablehlo.return %p : tensor<i1>}}"
            operands = [operand, given, np.zeros((), dtype_of(element))]
            region = f"{select}, {body('add', element)}"
            yield case_of(op, element, kind, operands, [result.astype(dtype_of(element))], w.attributes, region)


@cases_of("map")
def map_(op: str, draw: Draw) -> Iterator[Case]:
    """A function of scalars, element by element."""
    for element in draw.only(ELEMENTS):
        generator = draw(op, element)
        lhs, rhs = [draw_elements(element, "ordinary", 12, generator).reshape(3, 4) for _ in range(2)]
        t = tensor((), element)
        region = f"{{^bb0(%x: {t}, %y: {t}):\n stablehlo.return %y : {t}}}"
        text = "dimensions = array<i64: 0, 1>"
        yield case_of(op, element, "ordinary", [lhs, rhs], [rhs], text, region)
        fold = "and" if element == "i1" else "add"
        if element in INTEGERS or element == "i1":
            flat = [folded(fold, element, a, [b]) for a, b in zip(lhs.reshape(-1), rhs.reshape(-1), strict=True)]
            expected = [np.array(flat, object).astype(lhs.dtype).reshape(3, 4)]
            yield case_of(op, element, "ordinary", [lhs, rhs], expected, text, body(fold, element))


@cases_of("map")
def map_any_number(op: str, draw: Draw) -> Iterator[Case]:
    """Functions of one scalar and of three, and one that does not depend on its argument."""
    for element in draw.only(("i32", "f32", "ui8", "bf16")):
        generator, t = draw(op, element, "operands"), tensor((), element)
        drawn = [array_from([generator.randint(0, 3) for _ in range(6)], element) for _ in range(3)]
        number, text = "2.0" if element in FLOATS else "2", "dimensions = array<i64: 0>"
        twice = f" %s0 = stablehlo.add %x, %x : {t}\n stablehlo.return %s0 : {t}"
        added = f" %s0 = stablehlo.add %x, %y : {t}\n %s1 = stablehlo.add %s0, %z : {t}\n stablehlo.return %s1 : {t}"
        constant = f" %c = stablehlo.constant dense<{number}> : {t}\n stablehlo.return %c : {t}"
        for kind, names, lines, result in (
            ("1 operands", ["%x"], twice, drawn[0] + drawn[0]),
            ("3 operands", ["%x", "%y", "%z"], added, drawn[0] + (drawn[1] + drawn[2])),
            ("constant", ["%x"], constant, np.full(6, 2).astype(dtype_of(element))),
        ):
            region = f"{{^bb0({', '.join(f'{name}: {t}' for name in names)}):\n{lines}}}"
            yield case_of(op, element, kind, drawn[: len(names)], [result], text, region)


def _normal(element: str, sizes: Sequence[int], generator: random.Random) -> np.ndarray:
    return array_from([generator.gauss(0, 1) for _ in range(math.prod(sizes))], element, sizes)


@cases_of("batch_norm_inference", "batch_norm_training", "batch_norm_grad")
def batch_norm(op: str, draw: Draw) -> Iterator[Case]:
    """The spec's formulas in double precision, as far as operands that are a unit off take them."""
    for element in draw.only(("f32", "f64", "f16", "bf16")):
        for feature_index in (0, 1):
            generator, shape = draw(op, element, feature_index), (4, 3)
            features = shape[feature_index]
            x, dy = _normal(element, shape, generator), _normal(element, shape, generator)
            scale, offset, mean = [_normal(element, (features,), generator) for _ in range(3)]
            variance = np.abs(_normal(element, (features,), generator)) + dtype_of(element).type(0.5)
            operands = [each.astype(np.float64) for each in (x, scale, offset, mean, variance, dy)]
            results = _batch_norm(op, feature_index, *operands)
            steps = [[1 + generator.randint(-1, 1) * epsilon(x.dtype) for _ in operands] for _ in range(_PERTURBED)]
            others = [_batch_norm(op, feature_index, *map(np.multiply, operands, each)) for each in steps]
            given = {
                "batch_norm_inference": [x, scale, offset, mean, variance],
                "batch_norm_training": [x, scale, offset],
                "batch_norm_grad": [x, scale, mean, variance, dy],
            }[op]
            expected = [_spread(*each, element) for each in zip(results, zip(*others, strict=True), strict=True)]
            text = f"epsilon = 0.125 : f32, feature_index = {feature_index} : i64"
            source = "the spec's formulas in double precision"
            yield single(op, element, "ordinary", given, expected, text, source=source)


def _spread(result: np.ndarray, others: Sequence[np.ndarray], element: str) -> Expected:
    """What is allowed of several ops together, given what the formula has for other operands."""
    dtype, tolerance = dtype_of(element), tolerance_of(result, others)
    allowed = np.maximum(tolerance.ulp * spacing(result, dtype), np.reshape(tolerance.absolute, result.shape))
    low, high = [np.asarray(result + sign * allowed, np.float64) for sign in (-1, 1)]
    return Expected(result.astype(dtype), element, "bounds", low=low, high=high)


def _batch_norm(op: str, feature: int, x: np.ndarray, scale: np.ndarray, offset: np.ndarray, mean: np.ndarray,
                variance: np.ndarray, dy: np.ndarray) -> list[np.ndarray]:  # fmt: skip
    axes, line = (1 - feature,), (-1, 1) if feature == 0 else (1, -1)
    if op == "batch_norm_training":
        mean, variance = x.mean(axes), x.var(axes)
    m, v, s, o = [each.reshape(line) for each in (mean, variance, scale, offset)]
    deviation = np.sqrt(v + 0.125)
    if op != "batch_norm_grad":
        normal = s * (x - m) / deviation + o
        return [normal] if op == "batch_norm_inference" else [normal, mean, variance]
    count = x.shape[axes[0]]
    centred = x - m
    by_deviation = (dy * centred).sum(axes, keepdims=True) / (v + 0.125)
    inner = count * dy - dy.sum(axes, keepdims=True) - centred * by_deviation
    grad_scale = (dy * centred / deviation).sum(axes)
    return [s / deviation / count * inner, grad_scale, dy.sum(axes)]


_FOLDS: dict[str, Family] = {
    "reduce": reduction.reduce,
    "reduce_window": reduction.reduce_window,
    "scatter": indexing.scatter,
}
_NARROWER = {"f64": "f32", "f32": "bf16"}


@cases_of(*_FOLDS)
def with_branches(op: str, draw: Draw) -> Iterator[Case]:
    """The smaller of two integers by a comparison and a branch."""
    for element in draw.only(INTEGERS):
        recognised = body("minimum", element)
        for case in _FOLDS[op](op, replace(draw, types=(element,))):
            if recognised in case.module:
                module = case.module.replace(recognised, body("branches", element))
                yield replace(case, kind="branches", module=module)


@cases_of(*_FOLDS)
def wider(op: str, draw: Draw) -> Iterator[Case]:
    """Operands of a narrower type than the body's arguments and the results."""
    for element in draw.only(_NARROWER):
        for case in _FOLDS[op](op, replace(draw, types=(element,))):
            made = _with_narrow_operands(case, element) if case.kind == "ordinary" else None
            if made is not None:
                yield made


def _with_narrow_operands(case: Case, element: str) -> Case | None:
    """Return the case with operands in a narrower type; None without a sum, or if the operands do not fit."""
    narrower = _NARROWER[element]
    with np.errstate(all="ignore"):
        inputs = [a.astype(dtype_of(narrower)) if a.dtype == dtype_of(element) else a for a in case.inputs]
    fit = [np.array_equal(a.astype(b.dtype), b) for a, b in zip(inputs, case.inputs, strict=True)]
    if not all(fit) or body("add", element) not in case.module:
        return None
    parameters, arrow, rest = case.module.partition(") -> (")
    rest, colon, signature = rest.rpartition(" : (")
    operands, other_arrow, results = signature.partition(") -> (")
    parameters, operands = parameters.replace(element, narrower), operands.replace(element, narrower)
    module = parameters + arrow + rest + colon + operands + other_arrow + results
    types = tuple([text.replace(element, narrower) for text in case.parameters])
    return replace(case, kind="wider results", module=module, inputs=tuple(inputs), parameters=types)
