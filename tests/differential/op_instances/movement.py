"""Ops that move elements: shapes and permutations."""

from __future__ import annotations

from math import prod

from hypothesis import strategies as st

from . import ELEMENTS, Break, Draw, Instance, dimension, grown, i64, i64s, instances_of, other, pairs, shape, tensor


@instances_of("transpose")
def transpose(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1)
    permutation = draw(st.permutations(range(len(sizes))))
    result = [sizes[source] for source in permutation]
    instance = Instance(op, (tensor(sizes, element),), (tensor(result, element),), {"permutation": i64s(permutation)})
    return instance, [
        Break("C1", instance.with_result(0, tensor(result, other(draw, ELEMENTS, element)))),
        Break("C2", instance.with_attributes(permutation=i64s([*permutation, len(sizes)]))),
        Break("C2", instance.with_attributes(permutation=i64s([len(sizes) if p == 0 else p for p in permutation]))),
        Break("C3", instance.with_result(0, tensor(grown(result, dimension(draw, result)), element))),
    ]


@instances_of("reverse")
def reverse(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1)
    dimensions = draw(st.permutations(range(len(sizes))))[: draw(st.integers(1, len(sizes)))]
    kind = tensor(sizes, element)
    instance = Instance(op, (kind,), (kind,), {"dimensions": i64s(dimensions)})
    return instance, [
        Break("C1", instance.with_result(0, tensor(grown(sizes, dimension(draw, sizes)), element))),
        Break("C2", instance.with_attributes(dimensions=i64s([*dimensions, dimensions[0]]))),
        Break("C3", instance.with_attributes(dimensions=i64s([len(sizes), *dimensions[1:]]))),
        Break("C3", instance.with_attributes(dimensions=i64s([-1, *dimensions[1:]]))),
    ]


@instances_of("reshape")
def reshape(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1, smallest=1)
    cut = draw(st.integers(0, len(sizes)))
    result = [prod(sizes[:cut]), prod(sizes[cut:])]
    instance = Instance(op, (tensor(sizes, element),), (tensor(result, element),))
    return instance, [
        Break("C1", instance.with_result(0, tensor(result, other(draw, ELEMENTS, element)))),
        Break("C2", instance.with_result(0, tensor(grown(result, draw(st.integers(0, 1))), element))),
    ]


@instances_of("broadcast_in_dim")
def broadcast_in_dim(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, result = draw(st.sampled_from(ELEMENTS)), shape(draw, 1, smallest=2)
    dimensions = draw(st.permutations(range(len(result))))[: draw(st.integers(1, len(result)))]
    sizes = [draw(st.sampled_from((1, result[target]))) for target in dimensions]
    attributes = {"broadcast_dimensions": i64s(dimensions)}
    instance = Instance(op, (tensor(sizes, element),), (tensor(result, element),), attributes)
    wrong = dimension(draw, sizes)
    return instance, [
        Break("C1", instance.with_result(0, tensor(result, other(draw, ELEMENTS, element)))),
        Break("C2", instance.with_attributes(broadcast_dimensions=i64s(dimensions[1:]))),
        Break("C3", instance.with_attributes(broadcast_dimensions=i64s([len(result), *dimensions[1:]]))),
        Break(
            "C4",
            Instance(
                op,
                (tensor([*sizes, sizes[0]], element),),
                (tensor(result, element),),
                {"broadcast_dimensions": i64s([*dimensions, dimensions[0]])},
            ),
        ),
        Break(
            "C5", instance.with_operand(0, tensor([7 if d == wrong else size for d, size in enumerate(sizes)], element))
        ),
    ]


@instances_of("concatenate")
def concatenate(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1)
    along = dimension(draw, sizes)
    dimension_sizes = draw(st.lists(st.integers(0, 6), min_size=2, max_size=4))
    kinds = [
        [dimension_size if d == along else size for d, size in enumerate(sizes)] for dimension_size in dimension_sizes
    ]
    result = [sum(dimension_sizes) if d == along else size for d, size in enumerate(sizes)]
    operands = tuple(tensor(kind, element) for kind in kinds)
    instance = Instance(op, operands, (tensor(result, element),), {"dimension": i64(along)})
    breaks = [
        Break("C1", instance.with_operand(1, tensor(kinds[1], other(draw, ELEMENTS, element)))),
        Break("C2", instance.with_operand(1, tensor([*kinds[1], 1], element))),
        Break("C4", instance.with_attributes(dimension=i64(len(sizes)))),
        Break("C5", instance.with_result(0, tensor(result, other(draw, ELEMENTS, element)))),
        Break("C6", instance.with_result(0, tensor(grown(result, along), element))),
    ]
    if len(sizes) > 1:
        across = draw(st.sampled_from([d for d in range(len(sizes)) if d != along]))
        breaks.append(Break("C2", instance.with_operand(1, tensor(grown(kinds[1], across), element))))
    return instance, breaks


@instances_of("pad")
def pad(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1)
    low = [draw(st.integers(0, 3)) for _ in sizes]
    high = [draw(st.integers(0, 3)) for _ in sizes]
    interior = [draw(st.integers(0, 2)) for _ in sizes]
    result = [
        low[d] + size + max(size - 1, 0) * interior[d] + high[d]
        for d, size in enumerate(sizes)
    ]  # fmt: skip
    attributes = {
        "edge_padding_low": i64s(low),
        "edge_padding_high": i64s(high),
        "interior_padding": i64s(interior),
    }
    instance = Instance(op, (tensor(sizes, element), tensor([], element)), (tensor(result, element),), attributes)
    return instance, [
        Break("C1", instance.with_operand(1, tensor([], other(draw, ELEMENTS, element)))),
        Break("C2", instance.with_attributes(edge_padding_low=i64s([*low, 0]))),
        Break("C3", instance.with_attributes(interior_padding=i64s([-1, *interior[1:]]))),
        Break("C4", instance.with_result(0, tensor(grown(result, dimension(draw, sizes)), element))),
        Break("C4", instance.with_attributes(edge_padding_low=i64s([-result[0] - 1, *low[1:]]))),
    ]


@instances_of("iota")
def iota(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element = draw(st.sampled_from([e for e in ELEMENTS if e != "i1"]))
    sizes = shape(draw, 1)
    instance = Instance(op, (), (tensor(sizes, element),), {"iota_dimension": i64(dimension(draw, sizes))})
    return instance, [Break("C1", instance.with_attributes(iota_dimension=i64(wrong))) for wrong in (-1, len(sizes))]


@instances_of("get_dimension_size")
def get_dimension_size(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    sizes = shape(draw, 1)
    operands = (tensor(sizes, draw(st.sampled_from(ELEMENTS))),)
    instance = Instance(op, operands, ("tensor<i32>",), {"dimension": i64(dimension(draw, sizes))})
    return instance, [Break("C1", instance.with_attributes(dimension=i64(wrong))) for wrong in (-1, len(sizes))]


@instances_of("bitcast_convert")
def bitcast_convert(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    narrow, wide, ratio = draw(
        st.sampled_from((("i8", "f32", 4), ("f16", "ui64", 4), ("i16", "i32", 2), ("i4", "i8", 2)))
    )
    sizes = shape(draw)
    kinds = [tensor([*sizes, ratio], narrow), tensor(sizes, wide)]
    if draw(st.booleans()):
        kinds.reverse()
    instance = Instance(op, (kinds[0],), (kinds[1],))
    return instance, [
        Break("C1", instance.with_operand(0, kinds[0].replace("<", "<5x", 1))),
        Break("C1", instance.with_result(0, kinds[1].replace("<", "<3x", 1))),
        Break("C2", instance.with_result(0, tensor(sizes, "complex<f32>"))),
    ]


@instances_of("all_to_all")
def all_to_all(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 2)
    count = draw(st.integers(2, 4))
    split, concat = draw(st.permutations(range(len(sizes))))[:2]
    operand = [size * count if d == split else size for d, size in enumerate(sizes)]
    result = [size * count if d == concat else size for d, size in enumerate(sizes)]
    groups = ", ".join(map(str, range(count)))
    attributes = {
        "split_dimension": i64(split),
        "concat_dimension": i64(concat),
        "split_count": i64(count),
        "replica_groups": f"dense<[[{groups}]]> : tensor<1x{count}xi64>",
    }
    instance = Instance(op, (tensor(operand, element),), (tensor(result, element),), attributes)
    return instance, [
        Break("C1", instance.with_attributes(split_dimension=i64(len(sizes)))),
        Break("C2", instance.with_operand(0, tensor(grown(operand, split), element))),
        Break("C3", instance.with_attributes(concat_dimension=i64(len(sizes)))),
        Break("C4", instance.with_attributes(split_count=i64(0))),
        Break("C8", instance.with_attributes(replica_groups="dense<[[0]]> : tensor<1x1xi64>")),
        Break("C9", instance.with_result(0, tensor(grown(result, concat), element))),
    ]


@instances_of("collective_permute")
def collective_permute(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    kind = tensor(shape(draw), draw(st.sampled_from(ELEMENTS)))
    count = draw(st.integers(2, 5))
    routes = list(enumerate(draw(st.permutations(range(count)))))
    instance = Instance(op, (kind,), (kind,), {"source_target_pairs": pairs(routes)})
    return instance, [
        Break("C2", instance.with_attributes(source_target_pairs=pairs([*routes, (0, count)]))),
        Break("C3", instance.with_attributes(source_target_pairs=pairs([*routes, (count, 0)]))),
        Break("C4", instance.with_attributes(source_target_pairs=pairs([*routes, (-1, count)]))),
        Break("C5", instance.with_result(0, kind.replace("<", "<2x", 1))),
    ]
