"""gather and scatter are the official interpreter's, bit by bit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from elements import BOOLEAN, COMPLEX, FLOATS, INTEGERS, dtype_of
from hypothesis import given
from hypothesis import strategies as st
from structures import ELEMENTS, Draw, assert_same, body, ints, program, run, shapes, tensor, values


@dataclass(frozen=True)
class Addressing:
    """How indices address a tensor of `shape`: valid dimension numbers of a gather, and of a scatter alike."""

    shape: list[int]
    slice_sizes: list[int]
    removed: list[int]
    batching: list[int]
    index_map: list[int]
    indices_shape: list[int]
    indices_batching: list[int]
    index_vector_dim: int
    offset_dims: list[int]
    sliced_shape: list[int]


def addressing(draw: Draw) -> Addressing:
    shape = draw(shapes(smallest=1))
    rank = len(shape)
    order = draw(st.permutations(range(rank)))
    batching = sorted(order[: draw(st.integers(0, min(rank, 2)))])
    others = [d for d in order if d not in batching]
    index_map = others[: draw(st.integers(0, len(others)))]
    slice_sizes = [1 if d in batching else draw(st.integers(1, shape[d])) for d in range(rank)]
    collapsed = sorted(d for d in others if slice_sizes[d] == 1 and draw(st.booleans()))
    batch_shape = draw(st.lists(st.integers(1, 3), max_size=2)) + [shape[d] for d in batching]
    where = draw(st.permutations(range(len(batch_shape))))
    batch_shape = [batch_shape[i] for i in where]
    positions = [where.index(len(batch_shape) - len(batching) + i) for i in range(len(batching))]
    index_vector_dim = draw(st.integers(0, len(batch_shape)))
    indices_shape = list(batch_shape)
    if len(index_map) != 1 or draw(st.booleans()):
        indices_shape.insert(index_vector_dim, len(index_map))
    else:
        index_vector_dim = len(batch_shape)
    kept = [d for d in range(rank) if d not in collapsed and d not in batching]
    total = len(batch_shape) + len(kept)
    offset_dims = sorted(draw(st.permutations(range(total)))[: len(kept)])
    sizes, batch = iter([slice_sizes[d] for d in kept]), iter(batch_shape)
    sliced_shape = [next(sizes if d in offset_dims else batch) for d in range(total)]
    return Addressing(
        shape=shape,
        slice_sizes=slice_sizes,
        removed=collapsed,
        batching=batching,
        index_map=index_map,
        indices_shape=indices_shape,
        indices_batching=[p + (p >= index_vector_dim) for p in positions],
        index_vector_dim=index_vector_dim,
        offset_dims=offset_dims,
        sliced_shape=sliced_shape,
    )


def index_values(draw: Draw, shape: list[int]) -> tuple[np.ndarray, str]:
    """Indices mostly near the bounds, and their element type. Unsigned ones stay small, see the test below."""
    element = draw(st.sampled_from(["i8", "i32", "i64", "ui8"]))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    low = 0 if element == "ui8" else -2
    return generator.integers(low, 5, shape).astype(dtype_of(element)), element


@given(st.data())
def test_gather(data: st.DataObject) -> None:
    draw: Draw = data.draw
    a, element = addressing(draw), draw(st.sampled_from(ELEMENTS))
    indices, index_element = index_values(draw, a.indices_shape)
    operands = [values(draw, a.shape, element), indices]
    dims = (
        f"#stablehlo.gather<offset_dims = {a.offset_dims}, collapsed_slice_dims = {a.removed}, "
        f"operand_batching_dims = {a.batching}, start_indices_batching_dims = {a.indices_batching}, "
        f"start_index_map = {a.index_map}, index_vector_dim = {a.index_vector_dim}>"
    )
    op = f'"stablehlo.gather"(%0, %1) {{dimension_numbers = {dims}, slice_sizes = {ints(a.slice_sizes)}}}'
    result = tensor(a.sliced_shape, element)
    static = assert_same(program(operands, [element, index_element], [result], op), operands)
    operands.append(np.array(a.slice_sizes, np.int64))
    op = f'"stablehlo.dynamic_gather"(%0, %1, %2) {{dimension_numbers = {dims}}}'
    dynamic = assert_same(program(operands, [element, index_element, "i64"], [result], op), operands)
    assert static[0].tobytes() == dynamic[0].tobytes()


def scatter_text(a: Addressing, update_computation: str) -> str:
    return (
        f'"stablehlo.scatter"(%0, %1, %2) ({{{update_computation}}}) {{'
        f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {a.offset_dims}, "
        f"inserted_window_dims = {a.removed}, input_batching_dims = {a.batching}, "
        f"scatter_indices_batching_dims = {a.indices_batching}, scatter_dims_to_operand_dims = {a.index_map}, "
        f"index_vector_dim = {a.index_vector_dim}>}}"
    )


@given(st.data())
def test_scatter(data: st.DataObject) -> None:
    draw: Draw = data.draw
    a = addressing(draw)
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
