"""gather and scatter are the official interpreter's, bit by bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from structures import ELEMENTS, Draw, assert_same, body, generators, ints, program, run, shapes, tensor, values

from stablehlo_py.conformance.generate.structures import Addressing, addressing
from stablehlo_py.conformance.generate.values import BOOLEAN, COMPLEX, FLOATS, INTEGERS, dtype_of


def index_values(draw: Draw, shape: list[int]) -> tuple[np.ndarray, str]:
    """Indices mostly near the bounds, and their element type. Unsigned ones stay small, see the test below."""
    element = draw(st.sampled_from(["i8", "i32", "i64", "ui8"]))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    low = 0 if element == "ui8" else -2
    return generator.integers(low, 5, shape).astype(dtype_of(element)), element


def drawn_addressing(draw: Draw) -> Addressing:
    """Dimension numbers for a tensor of up to four dimensions."""
    return addressing(draw(generators()), draw(st.integers(0, 4)))


@given(st.data())
def test_gather(data: st.DataObject) -> None:
    draw: Draw = data.draw
    a, element = drawn_addressing(draw), draw(st.sampled_from(ELEMENTS))
    indices, index_element = index_values(draw, a.indices_shape)
    operands = [values(draw, a.shape, element), indices]
    op = f'"stablehlo.gather"(%0, %1) {{{a.gather_attributes}, slice_sizes = {ints(a.slice_sizes)}}}'
    result = tensor(a.sliced_shape, element)
    static = assert_same(program(operands, [element, index_element], [result], op), operands)
    operands.append(np.array(a.slice_sizes, np.int64))
    op = f'"stablehlo.dynamic_gather"(%0, %1, %2) {{{a.gather_attributes}}}'
    dynamic = assert_same(program(operands, [element, index_element, "i64"], [result], op), operands)
    assert static[0].tobytes() == dynamic[0].tobytes()


def scatter_text(a: Addressing, update_computation: str) -> str:
    return f'"stablehlo.scatter"(%0, %1, %2) ({update_computation}) {{{a.scatter_attributes}}}'


@given(st.data())
def test_scatter(data: st.DataObject) -> None:
    draw: Draw = data.draw
    a = drawn_addressing(draw)
    kind = draw(st.sampled_from(["update", "add", "multiply", "maximum", "minimum", "or", "several"]))
    elements = {"or": [*BOOLEAN, *INTEGERS], "update": ELEMENTS, "several": [*INTEGERS, *FLOATS]}
    numbers = [*INTEGERS, *FLOATS, *(COMPLEX if kind in ("add", "multiply") else [])]
    element = draw(st.sampled_from(elements.get(kind, numbers)))
    indices, index_element = index_values(draw, a.indices_shape)
    tame = kind in ("add", "multiply", "several")
    operands = [values(draw, a.shape, element, tame=tame), indices, values(draw, a.sliced_shape, element, tame=tame)]
    result = tensor(a.shape, element)
    text = program(operands, [element, index_element, element], [result], scatter_text(a, body(kind, element)))
    assert_same(text, operands)


@given(st.data())
def test_scatter_with_many_updates_of_few_elements(data: st.DataObject) -> None:
    draw: Draw = data.draw
    kind = draw(st.sampled_from(["update", "add", "maximum", "several"]))
    element = draw(st.sampled_from(["i32", "f32", "bf16"]))
    count = draw(st.integers(0, 100))
    indices = np.random.default_rng(count).integers(-1, 6, (count, 1)).astype(np.int32)
    operands = [values(draw, [5], element, tame=True), indices, values(draw, [count], element, tame=True)]
    a = Addressing([5], [1], [0], [], [0], [count, 1], [], 1, [], [count])
    text = program(operands, [element, "i32", element], [tensor([5], element)], scatter_text(a, body(kind, element)))
    assert_same(text, operands)


@given(st.data())
def test_torch_index_select(data: st.DataObject) -> None:
    """Against its definition, since the official interpreter lacks it."""
    draw: Draw = data.draw
    shape = draw(st.integers(1, 4).flatmap(lambda rank: shapes(rank, smallest=1)))
    dim = draw(st.integers(0, len(shape) - 1))
    batch_dims = draw(st.integers(0, dim))
    index_shape = shape[:batch_dims] + draw(st.lists(st.integers(1, 3), max_size=2))
    operand, index = values(draw, shape, "i32"), np.zeros(index_shape, np.int32)
    index[...] = np.random.default_rng(draw(st.integers(0, 1000))).integers(0, shape[dim], index_shape)
    expected = np.empty(shape[:dim] + index_shape[batch_dims:] + shape[dim + 1 :], np.int32)
    for position in np.ndindex(*expected.shape):
        after = dim + len(index_shape) - batch_dims
        taken = index[position[:batch_dims] + position[dim:after]]
        expected[position] = operand[(*position[:dim], taken, *position[after:])]
    op = f'"stablehlo.torch_index_select"(%0, %1) {{dim = {dim} : i64, batch_dims = {batch_dims} : i64}}'
    text = program([operand, index], ["i32", "i32"], [tensor(expected.shape, "i32")], op)
    (result,) = run(text, [operand, index])
    assert np.array_equal(result, expected)
