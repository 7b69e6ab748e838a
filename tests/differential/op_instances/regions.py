"""Ops with regions."""

from __future__ import annotations

from hypothesis import strategies as st

from . import ELEMENTS, Break, Draw, Instance, dimension, grown, i64, i64s, instances_of, other, pairs, shape, tensor
from .contraction import windows_that_fit


def body(arguments: list[str], returned: list[int]) -> str:
    """A region that takes scalars of these element types and returns some of them."""
    names = ", ".join(f"%a{position}: tensor<{element}>" for position, element in enumerate(arguments))
    values = ", ".join(f"%a{position}" for position in returned)
    types = ", ".join(f"tensor<{arguments[position]}>" for position in returned)
    return f"{{ ^bb0({names}): stablehlo.return {values} : {types} }}"


@instances_of("reduce")
def reduce(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    sizes = shape(draw, 1)
    elements = [draw(st.sampled_from(ELEMENTS)) for _ in range(draw(st.integers(1, 2)))]
    count = len(elements)
    dimensions = draw(st.permutations(range(len(sizes))))[: draw(st.integers(1, len(sizes)))]
    kept = [size for d, size in enumerate(sizes) if d not in dimensions]
    operands = (*(tensor(sizes, element) for element in elements), *(tensor([], element) for element in elements))
    instance = Instance(
        op,
        operands,
        tuple(tensor(kept, element) for element in elements),
        {"dimensions": i64s(dimensions)},
        (body(elements * 2, list(range(count))),),
    )
    breaks = [
        Break("C4", instance.with_attributes(dimensions=i64s([len(sizes), *dimensions[1:]]))),
        Break("C4", instance.with_attributes(dimensions=i64s([-1, *dimensions[1:]]))),
        Break("C5", instance.with_attributes(dimensions=i64s([*dimensions, dimensions[0]]))),
        Break("C6", Instance(op, operands, instance.results, instance.attributes, (body(elements, [0]),))),
        Break("C7", instance.with_result(0, tensor([*kept, 1], elements[0]))),
        Break("C8", instance.with_result(0, tensor(kept, other(draw, ELEMENTS, elements[0])))),
    ]
    if count == 2:
        wrong = tensor(grown(sizes, dimension(draw, sizes)), elements[1])
        breaks.append(Break("C1", instance.with_operand(1, wrong)))
    return instance, breaks


@instances_of("reduce_window")
def reduce_window(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1, 3)
    small = st.integers(1, 3)
    windows, strides, base, dilation = ([draw(small) for _ in sizes] for _ in range(4))
    padding = [(draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in sizes]
    result = [
        windows_that_fit(size, windows[d], strides[d], *padding[d], base[d], dilation[d])
        for d, size in enumerate(sizes)
    ]
    attributes = {
        "window_dimensions": i64s(windows),
        "window_strides": i64s(strides),
        "base_dilations": i64s(base),
        "window_dilations": i64s(dilation),
        "padding": pairs(padding),
    }
    operands = (tensor(sizes, element), tensor([], element))
    instance = Instance(op, operands, (tensor(result, element),), attributes, (body([element] * 2, [0]),))
    wrong = dimension(draw, sizes)

    def at(values: list[int], value: int) -> str:
        return i64s([value if d == wrong else old for d, old in enumerate(values)])

    return instance, [
        Break("C4", instance.with_attributes(window_dimensions=i64s([*windows, 1]))),
        Break("C5", instance.with_attributes(window_dimensions=at(windows, 0))),
        Break("C6", instance.with_attributes(window_strides=i64s([*strides, 1]))),
        Break("C7", instance.with_attributes(window_strides=at(strides, -1))),
        Break("C8", instance.with_attributes(base_dilations=i64s([*base, 1]))),
        Break("C9", instance.with_attributes(base_dilations=at(base, 0))),
        Break("C10", instance.with_attributes(window_dilations=i64s([*dilation, 1]))),
        Break("C11", instance.with_attributes(window_dilations=at(dilation, 0))),
        Break("C12", instance.with_attributes(padding=pairs([*padding, (0, 0)]))),
        Break("C13", Instance(op, operands, instance.results, attributes, (body([element], [0]),))),
        Break("C15", instance.with_result(0, tensor(grown(result, wrong), element))),
        Break("C16", instance.with_result(0, tensor(result, other(draw, ELEMENTS, element)))),
    ]


@instances_of("sort")
def sort(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    sizes = shape(draw, 1)
    elements = [draw(st.sampled_from(ELEMENTS)) for _ in range(draw(st.integers(1, 3)))]
    rank = len(sizes)
    kinds = tuple(tensor(sizes, element) for element in elements)
    pairwise = [element for element in elements for _ in range(2)]
    arguments = ", ".join(f"%a{position}: tensor<{element}>" for position, element in enumerate(pairwise))
    comparator = (
        f"{{ ^bb0({arguments}): %t = stablehlo.constant dense<true> : tensor<i1> stablehlo.return %t : tensor<i1> }}"
    )
    attributes = {"dimension": i64(draw(st.integers(-rank, rank - 1)))}
    instance = Instance(op, kinds, kinds, attributes, (comparator,))
    return instance, [
        Break("C2", instance.with_result(0, tensor(sizes, other(draw, ELEMENTS, elements[0])))),
        Break("C3", instance.with_result(0, tensor(grown(sizes, dimension(draw, sizes)), elements[0]))),
        Break("C4", instance.with_attributes(dimension=i64(rank))),
        Break("C4", instance.with_attributes(dimension=i64(-rank - 1))),
        Break("C5", Instance(op, kinds, kinds, attributes, (body(["i1"], [0]),))),
    ]


@instances_of("map")
def map_(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    sizes = shape(draw, 1)
    elements = [draw(st.sampled_from(ELEMENTS)) for _ in range(draw(st.integers(1, 3)))]
    chosen = draw(st.integers(0, len(elements) - 1))
    operands = tuple(tensor(sizes, element) for element in elements)
    attributes = {"dimensions": i64s(range(len(sizes)))}
    results = (tensor(sizes, elements[chosen]),)
    instance = Instance(op, operands, results, attributes, (body(elements, [chosen]),))
    longer = grown(sizes, dimension(draw, sizes))
    return instance, [
        Break("C1", instance.with_result(0, tensor(longer, elements[chosen]))),
        Break("C3", instance.with_attributes(dimensions=i64s(range(len(sizes) - 1)))),
        Break("C4", Instance(op, operands, results, attributes, (body([*elements, "i1"], [chosen]),))),
        Break("C4", instance.with_result(0, tensor(sizes, other(draw, ELEMENTS, elements[chosen])))),
    ]


@instances_of("select_and_scatter")
def select_and_scatter(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1, 3, smallest=1)
    windows, strides = ([draw(st.integers(1, 3)) for _ in sizes] for _ in range(2))
    source = [windows_that_fit(size, windows[d], strides[d], 0, 0, 1, 1) for d, size in enumerate(sizes)]
    select = (
        f"{{ ^bb0(%a: tensor<{element}>, %b: tensor<{element}>): %t = stablehlo.constant dense<true> : tensor<i1>"
        " stablehlo.return %t : tensor<i1> }"
    )
    attributes = {"window_dimensions": i64s(windows), "window_strides": i64s(strides)}
    operands = (tensor(sizes, element), tensor(source, element), tensor([], element))
    instance = Instance(op, operands, (operands[0],), attributes, (select, body([element] * 2, [0])))
    wrong = dimension(draw, sizes)
    return instance, [
        Break("C2", instance.with_operand(1, tensor(grown(source, wrong), element))),
        Break("C4", instance.with_attributes(window_dimensions=i64s([*windows, 1]))),
        Break("C5", instance.with_attributes(window_dimensions=i64s([0, *windows[1:]]))),
        Break("C6", instance.with_attributes(window_strides=i64s([*strides, 1]))),
        Break("C7", instance.with_attributes(window_strides=i64s([-1, *strides[1:]]))),
        Break("C11", instance.with_result(0, tensor(grown(sizes, wrong), element))),
        Break("C12", instance.with_result(0, tensor(sizes, other(draw, ELEMENTS, element)))),
    ]
