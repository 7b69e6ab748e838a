"""Ops that read and write parts of tensors."""

from __future__ import annotations

from hypothesis import strategies as st

from . import ELEMENTS, INTEGERS, Break, Draw, Instance, dimension, grown, i64s, instances_of, other, shape, tensor

INDICES = tuple(element for element in INTEGERS if element != "i4")


def _at(values: list[int], position: int, value: int) -> list[int]:
    return [value if index == position else old for index, old in enumerate(values)]


@instances_of("slice")
def slice_(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1)
    starts = [draw(st.integers(0, size)) for size in sizes]
    limits = [draw(st.integers(start, size)) for start, size in zip(starts, sizes, strict=True)]
    strides = [draw(st.integers(1, 3)) for _ in sizes]
    result = [-(-(limits[d] - starts[d]) // strides[d]) for d in range(len(sizes))]
    attributes = {"start_indices": i64s(starts), "limit_indices": i64s(limits), "strides": i64s(strides)}
    instance = Instance(op, (tensor(sizes, element),), (tensor(result, element),), attributes)
    wrong = dimension(draw, sizes)
    return instance, [
        Break("C1", instance.with_result(0, tensor(result, other(draw, ELEMENTS, element)))),
        Break("C2", instance.with_attributes(strides=i64s([*strides, 1]))),
        Break("C3", instance.with_attributes(start_indices=i64s(_at(starts, wrong, -1)))),
        Break("C3", instance.with_attributes(limit_indices=i64s(_at(limits, wrong, sizes[wrong] + 1)))),
        Break("C3", instance.with_attributes(start_indices=i64s(_at(starts, wrong, limits[wrong] + 1)))),
        Break("C4", instance.with_attributes(strides=i64s(_at(strides, wrong, draw(st.integers(-2, 0)))))),
        Break("C5", instance.with_result(0, tensor(grown(result, wrong), element))),
    ]


@instances_of("dynamic_slice")
def dynamic_slice(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1)
    slices = [draw(st.integers(0, size)) for size in sizes]
    index = tensor([], draw(st.sampled_from(INDICES)))
    operands = (tensor(sizes, element), *[index] * len(sizes))
    instance = Instance(op, operands, (tensor(slices, element),), {"slice_sizes": i64s(slices)})
    wrong = dimension(draw, sizes)
    breaks = [
        Break("C1", instance.with_result(0, tensor(slices, other(draw, ELEMENTS, element)))),
        Break("C2", instance.with_attributes(slice_sizes=i64s([*slices, 1]))),
        Break("C4", instance.with_attributes(slice_sizes=i64s(_at(slices, wrong, sizes[wrong] + 1)))),
        Break("C4", instance.with_attributes(slice_sizes=i64s(_at(slices, wrong, -1)))),
        Break("C5", instance.with_result(0, tensor(grown(slices, wrong), element))),
    ]
    if len(sizes) > 1:
        another = "tensor<i32>" if index != "tensor<i32>" else "tensor<i64>"
        breaks.append(Break("C3", instance.with_operand(1, another)))
    return instance, breaks


@instances_of("dynamic_update_slice")
def dynamic_update_slice(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1)
    update = [draw(st.integers(0, size)) for size in sizes]
    index = tensor([], draw(st.sampled_from(INDICES)))
    operands = (tensor(sizes, element), tensor(update, element), *[index] * len(sizes))
    instance = Instance(op, operands, (tensor(sizes, element),))
    wrong = dimension(draw, sizes)
    return instance, [
        Break("C1", instance.with_result(0, tensor(grown(sizes, wrong), element))),
        Break("C2", instance.with_operand(1, tensor(update, other(draw, ELEMENTS, element)))),
        Break("C3", instance.with_operand(1, tensor([*update, 0], element))),
        Break("C4", Instance(op, operands[:-1], instance.results)),
        Break("C6", instance.with_operand(1, tensor(_at(update, wrong, sizes[wrong] + 1), element))),
    ]


@instances_of("gather")
def gather(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    """Rows, columns and so on of an operand: the indexed dimensions are collapsed, the others taken whole."""
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1, smallest=1)
    rank = len(sizes)
    indexed = sorted(draw(st.permutations(range(rank)))[: draw(st.integers(1, rank))])
    batch = shape(draw, 0, 2)
    slices = [1 if d in indexed else size for d, size in enumerate(sizes)]
    offsets = [size for d, size in enumerate(sizes) if d not in indexed]
    result = [*batch, *offsets]
    offset_dims = list(range(len(batch), len(result)))

    def numbers(**changes: object) -> str:
        entries = {
            "offset_dims": offset_dims,
            "collapsed_slice_dims": indexed,
            "start_index_map": indexed,
            "index_vector_dim": len(batch),
        } | changes
        return f"#stablehlo.gather<{', '.join(f'{name} = {value}' for name, value in entries.items())}>"

    indices = tensor([*batch, len(indexed)], draw(st.sampled_from(INDICES)))
    attributes = {"dimension_numbers": numbers(), "slice_sizes": i64s(slices)}
    instance = Instance(op, (tensor(sizes, element), indices), (tensor(result, element),), attributes)
    whole = dimension(draw, sizes)
    return instance, [
        Break("C2", instance.with_attributes(dimension_numbers=numbers(index_vector_dim=len(batch) + 2))),
        Break("C3", instance.with_attributes(dimension_numbers=numbers(start_index_map=[*indexed, rank]))),
        Break("C5", instance.with_attributes(dimension_numbers=numbers(offset_dims=[d + 1 for d in offset_dims])))
        if offset_dims
        else Break("C1", instance.with_attributes(dimension_numbers=numbers(offset_dims=[0]))),
        Break("C9", instance.with_attributes(slice_sizes=i64s(_at(slices, indexed[0], 2)))),
        Break("C19", instance.with_attributes(dimension_numbers=numbers(start_index_map=[*indexed[1:], rank]))),
        Break("C20", instance.with_attributes(slice_sizes=i64s([*slices, 1]))),
        Break("C21", instance.with_attributes(slice_sizes=i64s(_at(slices, whole, -1)))),
        Break("C22", instance.with_result(0, tensor([*result, 1], element))),
        Break("C23", instance.with_result(0, tensor(result, other(draw, ELEMENTS, element)))),
    ]
