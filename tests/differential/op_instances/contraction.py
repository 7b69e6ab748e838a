"""Products of tensors, and what is done with matrices."""

from __future__ import annotations

from hypothesis import strategies as st

from . import (
    COMPLEX,
    ELEMENTS,
    FLOATS,
    Break,
    Draw,
    Instance,
    grown,
    i64,
    i64s,
    instances_of,
    other,
    pairs,
    shape,
    tensor,
)


@instances_of("dot_general")
def dot_general(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element = draw(st.sampled_from(ELEMENTS))
    batching, contracting = shape(draw, 0, 2), shape(draw, 0, 2)
    rows, columns = shape(draw, 0, 2), shape(draw, 0, 2)
    lhs, rhs = [*batching, *rows, *contracting], [*contracting, *batching, *columns]
    lhs_batching = list(range(len(batching)))
    lhs_contracting = list(range(len(batching) + len(rows), len(lhs)))
    rhs_contracting = list(range(len(contracting)))
    rhs_batching = list(range(len(contracting), len(contracting) + len(batching)))

    def numbers(**changes: list[int]) -> str:
        entries = {
            "lhs_batching_dimensions": lhs_batching,
            "rhs_batching_dimensions": rhs_batching,
            "lhs_contracting_dimensions": lhs_contracting,
            "rhs_contracting_dimensions": rhs_contracting,
        } | changes
        return f"#stablehlo.dot<{', '.join(f'{name} = {value}' for name, value in entries.items())}>"

    result = [*batching, *rows, *columns]
    operands = (tensor(lhs, element), tensor(rhs, element))
    instance = Instance(op, operands, (tensor(result, element),), {"dot_dimension_numbers": numbers()})
    wrong = {
        "C1": numbers(lhs_batching_dimensions=[*lhs_batching, len(lhs)]),
        "C2": numbers(rhs_contracting_dimensions=[*rhs_contracting, len(rhs)]),
    }
    if contracting:
        wrong["C6"] = numbers(lhs_contracting_dimensions=[len(lhs), *lhs_contracting[1:]])
        wrong["C8"] = numbers(rhs_contracting_dimensions=[-1, *rhs_contracting[1:]])
    if batching:
        wrong["C5"] = numbers(lhs_batching_dimensions=[-1, *lhs_batching[1:]])
        wrong["C7"] = numbers(rhs_batching_dimensions=[len(rhs), *rhs_batching[1:]])
    if batching and contracting:
        wrong["C3"] = numbers(lhs_contracting_dimensions=[lhs_batching[0], *lhs_contracting[1:]])
        wrong["C4"] = numbers(rhs_batching_dimensions=[rhs_contracting[0], *rhs_batching[1:]])
    breaks = [Break(number, instance.with_attributes(dot_dimension_numbers=text)) for number, text in wrong.items()]
    breaks.append(Break("C12", instance.with_result(0, tensor([*result, 1], element))))
    if contracting:
        breaks.append(Break("C10", instance.with_operand(1, tensor(grown(rhs, rhs_contracting[0]), element))))
    if batching:
        breaks.append(Break("C9", instance.with_operand(1, tensor(grown(rhs, rhs_batching[0]), element))))
    return instance, breaks


def windows_that_fit(size: int, window: int, stride: int, low: int, high: int, base: int, dilation: int) -> int:
    """How many windows fit; the formula that convolution and reduce_window share."""
    dilated = 0 if size == 0 else (size - 1) * base + 1
    padded = low + dilated + high
    covered = 0 if window == 0 else (window - 1) * dilation + 1
    return 0 if padded == 0 or covered > padded else (padded - covered) // stride + 1


@instances_of("convolution")
def convolution(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element = draw(st.sampled_from(ELEMENTS))
    spatial = draw(st.integers(1, 2))
    small = st.integers(1, 3)

    def each(strategy: st.SearchStrategy[int]) -> list[int]:
        return [draw(strategy) for _ in range(spatial)]

    sizes, windows = each(st.integers(0, 6)), each(small)
    strides, low, high = each(small), each(st.integers(0, 2)), each(st.integers(0, 2))
    base, dilation = each(small), each(small)
    groups = draw(st.sampled_from(((1, 1), (2, 1), (1, 2))))
    feature_groups, batch_groups = groups
    batch, features, outputs = (2 * draw(small) for _ in range(3))
    out = [
        windows_that_fit(sizes[d], windows[d], strides[d], low[d], high[d], base[d], dilation[d])
        for d in range(spatial)
    ]
    dims = ", ".join(map(str, range(spatial)))
    attributes = {
        "dimension_numbers": f"#stablehlo.conv<[b, {dims}, f]x[{dims}, i, o]->[b, {dims}, f]>",
        "window_strides": i64s(strides),
        "padding": pairs(list(zip(low, high, strict=True))),
        "lhs_dilation": i64s(base),
        "rhs_dilation": i64s(dilation),
        "feature_group_count": i64(feature_groups),
        "batch_group_count": i64(batch_groups),
    }
    lhs = [batch, *sizes, features]
    rhs = [*windows, features // feature_groups, outputs]
    result = [batch // batch_groups, *out, outputs]
    instance = Instance(op, (tensor(lhs, element), tensor(rhs, element)), (tensor(result, element),), attributes)
    place = draw(st.integers(0, spatial - 1))

    def at(values: list[int], value: int) -> list[int]:
        return [value if d == place else old for d, old in enumerate(values)]

    return instance, [
        Break("C1", instance.with_operand(1, tensor([1, *rhs], element))),
        Break("C2", instance.with_attributes(window_strides=i64s([*strides, 1]))),
        Break("C3", instance.with_attributes(window_strides=i64s(at(strides, 0)))),
        Break("C4", instance.with_attributes(padding=pairs([(0, 0)] * (spatial + 1)))),
        Break("C5", instance.with_attributes(lhs_dilation=i64s([*base, 1]))),
        Break("C6", instance.with_attributes(lhs_dilation=i64s(at(base, -1)))),
        Break("C7", instance.with_attributes(rhs_dilation=i64s(dilation[1:] or [1, 1]))),
        Break("C8", instance.with_attributes(rhs_dilation=i64s(at(dilation, 0)))),
        Break("C14", instance.with_operand(1, tensor(grown(rhs, spatial), element))),
        Break("C21", instance.with_attributes(feature_group_count=i64(0))),
        Break("C22", instance.with_attributes(batch_group_count=i64(-1))),
        Break("C25", instance.with_result(0, tensor(grown(result, place + 1), element))),
        Break("C26", instance.with_result(0, tensor([*result, 1], element))),
        Break("C27", instance.with_operand(1, tensor(rhs, other(draw, ELEMENTS, element)))),
    ]


@instances_of("cholesky")
def cholesky(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    elements = ("f32", "f64", *COMPLEX)
    element, batch = draw(st.sampled_from(elements)), shape(draw, 0, 2)
    size = draw(st.integers(0, 5))
    kind = tensor([*batch, size, size], element)
    instance = Instance(op, (kind,), (kind,), {"lower": draw(st.sampled_from(("true", "false")))})
    flat, wide = tensor([size], element), tensor([*batch, size, size + 1], element)
    return instance, [
        Break("C1", instance.with_result(0, tensor([*batch, size, size], other(draw, elements, element)))),
        Break("C2", instance.with_operand(0, flat).with_result(0, flat)),
        Break("C3", instance.with_operand(0, wide).with_result(0, wide)),
    ]


@instances_of("triangular_solve")
def triangular_solve(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    elements = ("f32", "f64", *COMPLEX)
    element, batch = draw(st.sampled_from(elements)), shape(draw, 0, 2)
    size, columns = draw(st.integers(1, 5)), draw(st.integers(0, 5))
    left = draw(st.booleans())
    b = [*batch, size, columns] if left else [*batch, columns, size]
    attributes = {
        "left_side": str(left).lower(),
        "lower": "true",
        "unit_diagonal": "false",
        "transpose_a": "#stablehlo<transpose NO_TRANSPOSE>",
    }
    operands = (tensor([*batch, size, size], element), tensor(b, element))
    instance = Instance(op, operands, (operands[1],), attributes)
    return instance, [
        Break("C1", instance.with_operand(0, tensor([*batch, size, size], other(draw, elements, element)))),
        Break("C2", instance.with_operand(1, tensor([1, *b], element)).with_result(0, tensor([1, *b], element))),
        Break("C3", instance.with_operand(0, tensor([*batch, size, size + 1], element))),
        Break("C3", instance.with_operand(0, tensor([*batch, size + 1, size + 1], element))),
        Break("C4", instance.with_result(0, tensor([*b, 1], element))),
    ]


@instances_of("fft")
def fft(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    kind = draw(st.sampled_from(("FFT", "IFFT", "RFFT", "IRFFT")))
    real = draw(st.sampled_from(("f32", "f64")))
    lengths = shape(draw, 1, 3, smallest=1)
    batch = shape(draw, 0, 2)
    halved = [*lengths[:-1], lengths[-1] // 2 + 1]
    operand = [*batch, *(halved if kind == "IRFFT" else lengths)]
    result = [*batch, *(halved if kind == "RFFT" else lengths)]
    operand_element = real if kind == "RFFT" else f"complex<{real}>"
    result_element = real if kind == "IRFFT" else f"complex<{real}>"
    attributes = {"fft_type": f"#stablehlo<fft_type {kind}>", "fft_length": i64s(lengths)}
    operands = (tensor(operand, operand_element),)
    instance = Instance(op, operands, (tensor(result, result_element),), attributes)
    wrong = f"complex<{real}>" if kind == "RFFT" else real
    return instance, [
        Break("C2", instance.with_operand(0, tensor(operand, wrong))),
        Break("C3", instance.with_attributes(fft_length=i64s([]))),
        Break("C3", instance.with_attributes(fft_length=i64s([1, 1, 1, 1]))),
        Break("C5", instance.with_result(0, tensor([*result, 1], result_element))),
    ]


@instances_of("batch_norm_inference")
def batch_norm_inference(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(FLOATS)), shape(draw, 1)
    feature = draw(st.integers(0, len(sizes) - 1))
    operand, channel = tensor(sizes, element), tensor([sizes[feature]], element)
    attributes = {"epsilon": "0.25 : f32", "feature_index": i64(feature)}
    instance = Instance(op, (operand, *[channel] * 4), (operand,), attributes)
    too_many = tensor([sizes[feature] + 1], element)
    return instance, [
        Break("C1", instance.with_attributes(feature_index=i64(len(sizes)))),
        Break("C2", instance.with_operand(1, tensor([sizes[feature]], other(draw, FLOATS, element)))),
        *(Break(f"C{position + 2}", instance.with_operand(position, too_many)) for position in (2, 3, 4)),
        Break("C7", instance.with_result(0, tensor(grown(sizes, feature), element))),
    ]
