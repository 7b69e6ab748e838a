"""Data movement is the official interpreter's, bit by bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from structures import ELEMENTS, Draw, assert_same, ints, program, run, shapes, tensor, values

TYPES = st.sampled_from(ELEMENTS)


@given(st.data())
def test_broadcast_in_dim(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element, shape = draw(TYPES), draw(shapes())
    dimensions = draw(st.permutations(range(len(shape))))[: draw(st.integers(0, len(shape)))]
    operand = values(draw, [draw(st.sampled_from([1, shape[d]])) for d in dimensions], element)
    op = f'"stablehlo.broadcast_in_dim"(%0) {{broadcast_dimensions = {ints(dimensions)}}}'
    assert_same(program([operand], [element], [tensor(shape, element)], op), [operand])


@given(st.data())
def test_transpose_and_reverse(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element, shape = draw(TYPES), draw(shapes())
    operand = values(draw, shape, element)
    permutation = draw(st.permutations(range(len(shape))))
    op = f'"stablehlo.transpose"(%0) {{permutation = {ints(permutation)}}}'
    result = tensor([shape[d] for d in permutation], element)
    assert_same(program([operand], [element], [result], op), [operand])
    dimensions = permutation[: draw(st.integers(0, len(shape)))]
    op = f'"stablehlo.reverse"(%0) {{dimensions = {ints(dimensions)}}}'
    assert_same(program([operand], [element], [tensor(shape, element)], op), [operand])


@given(st.data())
def test_reshape(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element, factors = draw(TYPES), draw(shapes(4))
    splits = sorted(draw(st.lists(st.integers(0, 4), max_size=3)))
    parts = [factors[a:b] for a, b in zip([0, *splits], [*splits, 4], strict=True)]
    operand = values(draw, factors, element)
    result = tensor([int(np.prod(part)) for part in parts], element)
    assert_same(program([operand], [element], [result], '"stablehlo.reshape"(%0)'), [operand])


@given(st.data())
def test_pad(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element, shape = draw(TYPES), draw(shapes())
    rank = len(shape)
    interior = draw(shapes(rank, 0, 2))
    low, high = [draw(st.lists(st.integers(-3, 3), min_size=rank, max_size=rank)) for _ in range(2)]
    for d in range(rank):  # the result's size must not be negative
        dilated = max(shape[d] - 1, 0) * (interior[d] + 1) + 1 if shape[d] else 0
        high[d] = max(high[d], -low[d] - dilated)
    sizes = [low[d] + high[d] + (max(shape[d] - 1, 0) * (interior[d] + 1) + 1 if shape[d] else 0) for d in range(rank)]
    operands = [values(draw, shape, element), values(draw, [], element)]
    attributes = f"edge_padding_low = {ints(low)}, edge_padding_high = {ints(high)}"
    op = f'"stablehlo.pad"(%0, %1) {{{attributes}, interior_padding = {ints(interior)}}}'
    static = assert_same(program(operands, [element] * 2, [tensor(sizes, element)], op), operands)
    operands += [np.array(part, np.int64) for part in (low, high, interior)]
    op = '"stablehlo.dynamic_pad"(%0, %1, %2, %3, %4)'
    elements = [element] * 2 + ["i64"] * 3
    dynamic = assert_same(program(operands, elements, [tensor(sizes, element)], op), operands)
    assert static[0].tobytes() == dynamic[0].tobytes()


@given(st.data())
def test_concatenate(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element, shape = draw(TYPES), draw(st.integers(1, 4).flatmap(shapes))
    dimension = draw(st.integers(0, len(shape) - 1))
    sizes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    operands = [values(draw, [*shape[:dimension], size, *shape[dimension + 1 :]], element) for size in sizes]
    result = tensor([*shape[:dimension], sum(sizes), *shape[dimension + 1 :]], element)
    names = ", ".join(f"%{index}" for index in range(len(sizes)))
    op = f'"stablehlo.concatenate"({names}) {{dimension = {dimension} : i64}}'
    assert_same(program(operands, [element] * len(sizes), [result], op), operands)


@given(st.data())
def test_slice(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element, shape = draw(TYPES), draw(shapes())
    operand = values(draw, shape, element)
    starts = [draw(st.integers(0, size)) for size in shape]
    limits = [draw(st.integers(start, size)) for start, size in zip(starts, shape, strict=True)]
    strides = draw(shapes(len(shape), 1, 3))
    sizes = [len(range(*box)) for box in zip(starts, limits, strides, strict=True)]
    attributes = f"start_indices = {ints(starts)}, limit_indices = {ints(limits)}, strides = {ints(strides)}"
    op = f'"stablehlo.slice"(%0) {{{attributes}}}'
    static = assert_same(program([operand], [element], [tensor(sizes, element)], op), [operand])
    operands = [operand, *[np.array(part, np.int64) for part in (starts, limits, strides)]]
    op = '"stablehlo.real_dynamic_slice"(%0, %1, %2, %3)'
    text = program(operands, [element, "i64", "i64", "i64"], [tensor(sizes, element)], op)
    assert run(text, operands)[0].tobytes() == static[0].tobytes()  # the official interpreter lacks this op


@given(st.data())
def test_dynamic_slice_and_update(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element, shape = draw(TYPES), draw(shapes())
    sizes = [draw(st.integers(0, size)) for size in shape]
    index = draw(st.sampled_from(["i8", "i32", "i64"]))
    starts = [values(draw, [], index) for _ in shape]
    operand, update = values(draw, shape, element), values(draw, sizes, element)
    names = "".join(f", %{position + 1}" for position in range(len(shape)))
    op = f'"stablehlo.dynamic_slice"(%0{names}) {{slice_sizes = {ints(sizes)}}}'
    text = program([operand, *starts], [element, *[index] * len(shape)], [tensor(sizes, element)], op)
    assert_same(text, [operand, *starts])
    names = "".join(f", %{position + 2}" for position in range(len(shape)))
    op = f'"stablehlo.dynamic_update_slice"(%0, %1{names})'
    operands = [operand, update, *starts]
    text = program(operands, [element, element, *[index] * len(shape)], [tensor(shape, element)], op)
    assert_same(text, operands)


@given(st.data())
def test_shapes_as_operands(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element, shape = draw(TYPES), draw(st.integers(1, 4).flatmap(shapes))
    wanted = np.array(shape, np.int32)
    dimension = draw(st.integers(0, len(shape) - 1))
    result = tensor(shape, element)
    number = element if element != "i1" else "i32"
    op = f'"stablehlo.dynamic_iota"(%0) {{iota_dimension = {dimension} : i64}}'
    assert_same(program([wanted], ["i32"], [tensor(shape, number)], op), [wanted])
    operand = values(draw, [draw(st.sampled_from([1, shape[dimension]]))], element)
    op = f'"stablehlo.dynamic_broadcast_in_dim"(%0, %1) {{broadcast_dimensions = {ints([dimension])}}}'
    assert_same(program([operand, wanted], [element, "i32"], [result], op), [operand, wanted])
    operand = values(draw, [int(np.prod(shape))], element)
    op = '"stablehlo.dynamic_reshape"(%0, %1)'
    assert_same(program([operand, wanted], [element, "i32"], [result], op), [operand, wanted])
