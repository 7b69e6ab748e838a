"""Folds: bit by bit where the order of operations cannot matter, else as close as a sum in order would be."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from structures import Draw, assert_close, assert_same, body, generators, ints, program, shapes, tensor, values

from stablehlo_py.conformance.generate.structures import windows
from stablehlo_py.conformance.generate.values import FLOATS, FOLDS, INTEGERS, dtype_of

EXACT_BODIES = [*FOLDS, "several", "branches"]


def exact_case(draw: Draw) -> tuple[str, str]:
    """A body and an element type for which every order of operations gives the same bits."""
    kind = draw(st.sampled_from(EXACT_BODIES))
    if kind in ("and", "or", "xor"):
        return kind, draw(st.sampled_from(["i1", *INTEGERS]))
    if kind in ("maximum", "minimum"):
        return kind, draw(st.sampled_from([*INTEGERS, *FLOATS]))
    if kind == "branches":
        return kind, draw(st.sampled_from(["i32", "ui8"]))
    if kind == "several":
        return kind, draw(st.sampled_from(["i1"]))
    return kind, draw(st.sampled_from(["i1", *INTEGERS]))


@given(st.data())
def test_reduce(data: st.DataObject) -> None:
    draw: Draw = data.draw
    (kind, element), shape = exact_case(draw), draw(shapes())
    dimensions = draw(st.permutations(range(len(shape))))[: draw(st.integers(0, len(shape)))]
    operands = [values(draw, shape, element), values(draw, [], element)]
    result = tensor([size for d, size in enumerate(shape) if d not in dimensions], element)
    op = f'"stablehlo.reduce"(%0, %1) ({body(kind, element)}) {{dimensions = {ints(dimensions)}}}'
    assert_same(program(operands, [element] * 2, [result], op), operands)


@given(st.data())
def test_sums_of_floats(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element = draw(st.sampled_from(["bf16", "f16", "f32", "f64", "complex<f32>"]))
    count = draw(st.integers(0, 300))
    generator = np.random.default_rng(count)
    operands = [generator.random((count, 2)).astype(dtype_of(element)), values(draw, [], element, tame=True)]
    op = f'"stablehlo.reduce"(%0, %1) ({body("add", element)}) {{dimensions = array<i64: 0>}}'
    text = program(operands, [element] * 2, [tensor([2], element)], op)
    # what the official order, one after the other, may be off by
    precision = {"bf16": 2.0**-8, "f16": 2.0**-11, "f64": 2.0**-53}.get(element, 2.0**-24)
    tolerance = (count + 1) * precision
    (ours,) = assert_close(text, operands, rtol=2 * tolerance, atol=8 * tolerance)
    exact = np.asarray(operands[0], np.complex128).sum(axis=0) + np.complex128(operands[1])
    assert (np.abs(np.asarray(ours, np.complex128) - exact) <= tolerance * (np.abs(exact) + 8)).all()


def argmax(first: str, second: str) -> str:
    """A body of two operands: the larger first one, and the second that belongs to it."""
    return (
        f"^bb0(%x0: {first}, %x1: {second}, %y0: {first}, %y1: {second}):\n"
        f" %p = stablehlo.compare GE, %x0, %y0 : ({first}, {first}) -> tensor<i1>\n"
        f" %r0 = stablehlo.select %p, %x0, %y0 : tensor<i1>, {first}\n"
        f" %r1 = stablehlo.select %p, %x1, %y1 : tensor<i1>, {second}\n"
        f" stablehlo.return %r0, %r1 : {first}, {second}"
    )


@given(st.data())
def test_reduce_of_two_operands(data: st.DataObject) -> None:
    draw: Draw = data.draw
    shape = draw(st.integers(1, 3).flatmap(lambda rank: shapes(rank, 0, 5)))
    element, dimension = draw(st.sampled_from(["f32", "i32", "bf16"])), draw(st.integers(0, len(shape) - 1))
    index = np.broadcast_to(np.arange(shape[dimension], dtype=np.int32), [shape[dimension]])
    index = np.moveaxis(np.zeros(shape, np.int32) + 0, dimension, -1) + index
    operands = [values(draw, shape, element, tame=True), np.moveaxis(index, -1, dimension).copy()]
    operands += [np.asarray(-100).astype(operands[0].dtype), np.asarray(-1, np.int32)]
    kept = shape[:dimension] + shape[dimension + 1 :]
    region = argmax(tensor([], element), "tensor<i32>")
    op = f'"stablehlo.reduce"(%0, %1, %2, %3) ({{{region}}}) {{dimensions = {ints([dimension])}}}'
    results = [tensor(kept, element), tensor(kept, "i32")]
    assert_same(program(operands, [element, "i32"] * 2, results, op), operands)


@given(st.data())
def test_reduce_window(data: st.DataObject) -> None:
    draw: Draw = data.draw
    (kind, element), shape = exact_case(draw), draw(st.integers(0, 3).flatmap(lambda rank: shapes(rank, 0, 6)))
    w = windows(draw(generators()), shape, dilated=True)
    operands = [values(draw, shape, element), values(draw, [], element)]
    op = f'"stablehlo.reduce_window"(%0, %1) ({body(kind, element)}) {{{w.attributes}}}'
    assert_same(program(operands, [element] * 2, [tensor(w.sizes, element)], op), operands)


@given(st.data())
def test_select_and_scatter(data: st.DataObject) -> None:
    draw: Draw = data.draw
    shape = draw(st.integers(1, 3).flatmap(lambda rank: shapes(rank, 1, 5)))
    w = windows(draw(generators()), shape, dilated=False)
    element = draw(st.sampled_from(["i32", "f32", "bf16"]))
    operands = [values(draw, shape, element, tame=True), values(draw, w.sizes, element, tame=True)]
    operands.append(np.zeros((), dtype_of(element)))
    scalar = tensor([], element)
    select = (
        f"^bb0(%x: {scalar}, %y: {scalar}): %p = stablehlo.compare {draw(st.sampled_from(['GE', 'LT']))}, %x, %y : "
        f"({scalar}, {scalar}) -> tensor<i1>\n stablehlo.return %p : tensor<i1>"
    )
    op = f'"stablehlo.select_and_scatter"(%0, %1, %2) ({{{select}}}, {body("add", element)}) {{{w.attributes}}}'
    assert_same(program(operands, [element] * 3, [tensor(shape, element)], op), operands)
