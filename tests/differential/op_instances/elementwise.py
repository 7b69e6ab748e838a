"""Elementwise ops."""

from __future__ import annotations

from hypothesis import strategies as st

from stablehlo_py.conformance.generate import values

from . import (
    COMPLEX,
    ELEMENTS,
    FLOATS,
    INTEGERS,
    Break,
    Draw,
    Instance,
    dimension,
    grown,
    instances_of,
    other,
    shape,
    tensor,
)


def _drawn(types: list[str]) -> tuple[str, ...]:
    return tuple(element for element in ELEMENTS if element in types)


ARITHMETIC = (*INTEGERS, *FLOATS, *COMPLEX)
OTHER_RESULTS = ("abs", "imag", "is_finite", "real")
UNARY = {op: _drawn(types) for op, types in values.UNARY.items() if op not in OTHER_RESULTS}
BINARY = {op: _drawn(types) for op, types in values.BINARY.items()}


def _other_shape(draw: Draw, sizes: list[int]) -> list[int]:
    return grown(sizes, dimension(draw, sizes)) if sizes else [1]


@instances_of(*UNARY)
def unary(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(UNARY[op])), shape(draw)
    instance = Instance(op, (tensor(sizes, element),), (tensor(sizes, element),))
    return instance, [
        Break("C1", instance.with_result(0, tensor(_other_shape(draw, sizes), element))),
        Break("C1", instance.with_result(0, tensor(sizes, other(draw, UNARY[op], element)))),
    ]


@instances_of(*BINARY)
def binary(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(BINARY[op])), shape(draw)
    kind = tensor(sizes, element)
    instance = Instance(op, (kind, kind), (kind,))
    position = draw(st.integers(0, 1))
    return instance, [
        Break("C1", instance.with_operand(position, tensor(_other_shape(draw, sizes), element))),
        Break("C1", instance.with_operand(position, tensor(sizes, other(draw, BINARY[op], element)))),
        Break("C1", instance.with_result(0, tensor(_other_shape(draw, sizes), element))),
    ]


@instances_of("abs", "imag", "real")
def part(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    parts = {"complex<f32>": "f32", "complex<f64>": "f64"}
    elements = (*FLOATS, *COMPLEX, *(("i8", "i32") if op == "abs" else ()))
    element, sizes = draw(st.sampled_from(elements)), shape(draw)
    real = parts.get(element, element)
    instance = Instance(op, (tensor(sizes, element),), (tensor(sizes, real),))
    return instance, [
        Break("C1", instance.with_result(0, tensor(_other_shape(draw, sizes), real))),
        Break("C2", instance.with_result(0, tensor(sizes, other(draw, FLOATS, real)))),
    ]


@instances_of("is_finite", "convert")
def change(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    every = ("i1", *ARITHMETIC)
    element = draw(st.sampled_from(FLOATS if op == "is_finite" else every))
    result = "i1" if op == "is_finite" else draw(st.sampled_from(every))
    sizes = shape(draw)
    instance = Instance(op, (tensor(sizes, element),), (tensor(sizes, result),))
    return instance, [Break("C1", instance.with_result(0, tensor(_other_shape(draw, sizes), result)))]


@instances_of("complex")
def complex_(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(("f32", "f64"))), shape(draw)
    wrong = {"f32": "f64", "f64": "f32"}[element]
    kind = tensor(sizes, element)
    instance = Instance(op, (kind, kind), (tensor(sizes, f"complex<{element}>"),))
    return instance, [
        Break("C1", instance.with_operand(draw(st.integers(0, 1)), tensor(sizes, wrong))),
        Break("C2", instance.with_result(0, tensor(_other_shape(draw, sizes), f"complex<{element}>"))),
        Break("C3", instance.with_result(0, tensor(sizes, f"complex<{wrong}>"))),
    ]


@instances_of("compare")
def compare(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    elements = ("i1", *ARITHMETIC)
    element, sizes = draw(st.sampled_from(elements)), shape(draw)
    direction = draw(st.sampled_from(("EQ", "NE", "GE", "GT", "LE", "LT")))
    kind = tensor(sizes, element)
    attributes = {"comparison_direction": f"#stablehlo<comparison_direction {direction}>"}
    instance = Instance(op, (kind, kind), (tensor(sizes, "i1"),), attributes)
    return instance, [
        Break("C1", instance.with_operand(1, tensor(sizes, other(draw, elements, element)))),
        Break("C2", instance.with_operand(0, tensor(_other_shape(draw, sizes), element))),
        Break("C2", instance.with_result(0, tensor(_other_shape(draw, sizes), "i1"))),
    ]


@instances_of("select")
def select(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    elements = ("i1", *ARITHMETIC)
    element, sizes = draw(st.sampled_from(elements)), shape(draw, 1)
    kind = tensor(sizes, element)
    pred = tensor(draw(st.sampled_from((sizes, []))), "i1")
    instance = Instance(op, (pred, kind, kind), (kind,))
    return instance, [
        Break("C1", instance.with_operand(0, tensor(_other_shape(draw, sizes), "i1"))),
        Break("C2", instance.with_operand(2, tensor(sizes, other(draw, elements, element)))),
        Break("C2", instance.with_result(0, tensor(_other_shape(draw, sizes), element))),
    ]


@instances_of("clamp")
def clamp(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ARITHMETIC)), shape(draw, 1)
    bound = st.sampled_from((sizes, []))
    kinds = (tensor(draw(bound), element), tensor(sizes, element), tensor(draw(bound), element))
    instance = Instance(op, kinds, (kinds[1],))
    return instance, [
        Break("C1", instance.with_operand(0, tensor(_other_shape(draw, sizes), element))),
        Break("C2", instance.with_operand(2, tensor(_other_shape(draw, sizes), element))),
        Break("C3", instance.with_operand(0, kinds[0].replace(element, other(draw, ARITHMETIC, element)))),
        Break("C4", instance.with_result(0, tensor(_other_shape(draw, sizes), element))),
    ]


@instances_of("reduce_precision")
def reduce_precision(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(FLOATS)), shape(draw)
    attributes = {
        "exponent_bits": f"{draw(st.integers(1, 11))} : i32",
        "mantissa_bits": f"{draw(st.integers(0, 52))} : i32",
    }
    instance = Instance(op, (tensor(sizes, element),), (tensor(sizes, element),), attributes)
    return instance, [
        Break("C1", instance.with_result(0, tensor(sizes, other(draw, FLOATS, element)))),
        Break("C2", instance.with_attributes(exponent_bits=f"{-draw(st.integers(0, 3))} : i32")),
        Break("C3", instance.with_attributes(mantissa_bits=f"{-draw(st.integers(1, 3))} : i32")),
    ]
