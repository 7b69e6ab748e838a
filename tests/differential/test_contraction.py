"""Products and sums: of integers and of floats that are small integers, bit by bit the official interpreter's."""

from __future__ import annotations

import numpy as np
import pytest
from elements import INTEGERS
from hypothesis import given
from hypothesis import strategies as st
from structures import Draw, assert_close, assert_same, ints, program, run, shapes, tensor, values

EXACT = [*INTEGERS, "bf16", "f16", "f32", "f64", "complex<f32>", "complex<f64>"]


@given(st.data())
def test_dot_general(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element = draw(st.sampled_from(EXACT))
    batch, rows, columns, contracted = [draw(shapes(draw(st.integers(0, 2)), 0, 3)) for _ in range(4)]

    def arrange(free: list[int]) -> tuple[np.ndarray, list[int], list[int]]:
        sizes = batch + free + contracted
        order = draw(st.permutations(range(len(sizes))))
        place = [order.index(i) for i in range(len(sizes))]
        operand = values(draw, [sizes[i] for i in order], element, tame=element not in INTEGERS)
        kept = sorted(place[len(batch) : len(batch) + len(free)])
        free[:] = [operand.shape[d] for d in kept]
        return operand, place[: len(batch)], place[len(batch) + len(free) :]

    lhs, lhs_batching, lhs_contracting = arrange(rows)
    rhs, rhs_batching, rhs_contracting = arrange(columns)
    dims = (
        f"#stablehlo.dot<lhs_batching_dimensions = {lhs_batching}, rhs_batching_dimensions = {rhs_batching}, "
        f"lhs_contracting_dimensions = {lhs_contracting}, rhs_contracting_dimensions = {rhs_contracting}>"
    )
    op = f'"stablehlo.dot_general"(%0, %1) {{dot_dimension_numbers = {dims}}}'
    result = tensor(batch + rows + columns, element)
    if 0 in contracted:  # officially one product is made where there is none to make
        assert not np.any(run(program([lhs, rhs], [element] * 2, [result], op), [lhs, rhs])[0])
    else:
        assert_same(program([lhs, rhs], [element] * 2, [result], op), [lhs, rhs])


@pytest.mark.parametrize("element", ["i8", "i32", "i64", "ui64"])
def test_wide_integers_wrap_around(element: str) -> None:
    dtype = np.dtype(element.replace("ui", "uint").replace("i", "int") if "u" not in element else "uint64")
    info = np.iinfo(dtype)
    lhs = np.random.default_rng(1).integers(info.min, info.max, (3, 9), dtype)
    rhs = np.random.default_rng(2).integers(info.min, info.max, (9, 2), dtype)
    op = '"stablehlo.dot"(%0, %1)'
    (ours,) = run(program([lhs, rhs], [element] * 2, [tensor([3, 2], element)], op), [lhs, rhs])
    exact = lhs.astype(object) @ rhs.astype(object)
    wrapped = (exact - int(info.min)) % (int(info.max) - int(info.min) + 1) + int(info.min)
    assert ours.tolist() == wrapped.tolist()


@given(st.data())
def test_dot_general_of_other_floats(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element, count = draw(st.sampled_from(["f32", "f64"])), draw(st.integers(1, 50))
    generator = np.random.default_rng(draw(st.integers(0, 1000)))
    lhs, rhs = [generator.random(shape).astype(element.replace("f", "float")) for shape in ((3, count), (count, 2))]
    dims = "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
    op = f'"stablehlo.dot_general"(%0, %1) {{dot_dimension_numbers = {dims}}}'
    precision = 2.0**-24 if element == "f32" else 2.0**-53
    assert_close(program([lhs, rhs], [element] * 2, [tensor([3, 2], element)], op), [lhs, rhs], 2 * count * precision)


@given(st.data())
def test_convolution(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element, rank = draw(st.sampled_from(EXACT)), draw(st.integers(0, 2))
    groups, batch_groups = draw(st.sampled_from([(1, 1), (2, 1), (3, 1), (1, 2)]))
    batch, features, outputs = [draw(st.integers(1, 2)) * factor for factor in (batch_groups, groups, groups)]
    outputs *= batch_groups
    spatial, kernel = draw(shapes(rank, 1, 5)), draw(shapes(rank, 1, 3))
    strides, lhs_dilation, rhs_dilation = [draw(shapes(rank, 1, 2)) for _ in range(3)]
    padding = [[draw(st.integers(-1, 3)), draw(st.integers(0, 3))] for _ in range(rank)]
    reversal = [draw(st.booleans()) for _ in range(rank)]
    sizes: list[int] = []
    for d in range(rank):
        padded = (spatial[d] - 1) * lhs_dilation[d] + 1 + sum(padding[d])
        window = (kernel[d] - 1) * rhs_dilation[d] + 1
        sizes.append((padded - window) // strides[d] + 1 if padded > 0 and window <= padded else 0)
        padding[d][1] += max(0, 1 - padded)  # a padded dimension must not vanish
        sizes[d] = max(sizes[d], int(padded <= 0 and window == 1))
    layouts = [draw(st.permutations([*range(rank), *letters])) for letters in ("bf", "io", "bf")]
    names = "x".join(f"[{', '.join(map(str, layout))}]" for layout in layouts[:2])
    dims = f"#stablehlo.conv<{names}->[{', '.join(map(str, layouts[2]))}]>"
    extents = [
        {**dict(enumerate(spatial)), "b": batch, "f": features},
        {**dict(enumerate(kernel)), "i": features // groups, "o": outputs},
        {**dict(enumerate(sizes)), "b": batch // batch_groups, "f": outputs},
    ]
    lhs_shape, rhs_shape, result_shape = [
        [extent[name] for name in layout] for extent, layout in zip(extents, layouts, strict=True)
    ]
    lhs, rhs = [values(draw, shape, element, tame=element not in INTEGERS) for shape in (lhs_shape, rhs_shape)]
    attributes = (
        f"window_strides = {ints(strides)}, lhs_dilation = {ints(lhs_dilation)}, rhs_dilation = {ints(rhs_dilation)}, "
        f"dimension_numbers = {dims}, feature_group_count = {groups} : i64, batch_group_count = {batch_groups} : i64"
    )
    if rank:
        flags = ", ".join(map(str, reversal)).lower()
        attributes += f", window_reversal = array<i1: {flags}>"
    padded_attributes = f"{attributes}, padding = dense<{padding}> : tensor<{rank}x2xi64>" if rank else attributes
    result = tensor(result_shape, element)
    op = f'"stablehlo.convolution"(%0, %1) {{{padded_attributes}}}'
    static = assert_same(program([lhs, rhs], [element] * 2, [result], op), [lhs, rhs])
    operands = [lhs, rhs, np.array(padding, np.int64).reshape(rank, 2)]
    op = f'"stablehlo.dynamic_conv"(%0, %1, %2) {{{attributes}}}'
    dynamic = run(program(operands, [element, element, "i64"], [result], op), operands)
    assert static[0].tobytes() == dynamic[0].tobytes()


@given(st.data())
def test_triangular_solve(data: st.DataObject) -> None:
    """Small integers over powers of two: every step is exact."""
    draw: Draw = data.draw
    element, size, columns = draw(st.sampled_from(["f32", "f64", "complex<f64>"])), *draw(shapes(2, 1, 4))
    batch, left_side, lower, unit = draw(shapes(1, 1, 2)), *[draw(st.booleans()) for _ in range(3)]
    transpose = draw(st.sampled_from(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]))
    a = values(draw, [*batch, size, size], element, tame=True)
    diagonal = np.arange(size)
    a[..., diagonal, diagonal] = 1 if unit else 2
    a = (np.tril if lower else np.triu)(a)
    b = values(draw, [*batch, size, columns] if left_side else [*batch, columns, size], element, tame=True)
    flags = f"left_side = {left_side}, lower = {lower}, unit_diagonal = {unit}".lower()
    op = f'"stablehlo.triangular_solve"(%0, %1) {{{flags}, transpose_a = #stablehlo<transpose {transpose}>}}'
    text = program([a, b], [element] * 2, [tensor(b.shape, element)], op)
    (x,) = assert_close(text, [a, b], rtol=1e-6, atol=1e-6)
    applied = {"NO_TRANSPOSE": a, "TRANSPOSE": a.swapaxes(1, 2), "ADJOINT": a.conj().swapaxes(1, 2)}[transpose]
    np.testing.assert_allclose(applied @ x if left_side else x @ applied, b, rtol=1e-5, atol=1e-4)


@given(st.data())
def test_fft(data: st.DataObject) -> None:
    draw: Draw = data.draw
    shape, width = draw(st.integers(1, 3).flatmap(lambda rank: shapes(rank, 1, 6))), draw(st.sampled_from([32, 64]))
    length = shape[-draw(st.integers(1, len(shape))) :]
    kind = draw(st.sampled_from(["FFT", "IFFT", "RFFT", "IRFFT"]))
    half = [*shape[:-1], shape[-1] // 2 + 1]
    from_shape, to_shape = {"RFFT": (shape, half), "IRFFT": (half, shape)}.get(kind, (shape, shape))
    from_element = f"f{width}" if kind == "RFFT" else f"complex<f{width}>"
    to_element = f"f{width}" if kind == "IRFFT" else f"complex<f{width}>"
    operand = values(draw, from_shape, from_element, tame=True)
    op = f'"stablehlo.fft"(%0) {{fft_type = #stablehlo<fft_type {kind}>, fft_length = {ints(length)}}}'
    (ours,) = run(program([operand], [from_element], [tensor(to_shape, to_element)], op), [operand])
    axes = tuple(range(-len(length), 0))
    wide = operand.astype(np.float64 if kind == "RFFT" else np.complex128)
    expected = {
        "FFT": lambda: np.fft.fftn(wide, axes=axes),
        "IFFT": lambda: np.fft.ifftn(wide, axes=axes),
        "RFFT": lambda: np.fft.fftn(wide, axes=axes)[..., : half[-1]],
        "IRFFT": lambda: np.fft.irfftn(wide, s=length, axes=axes),
    }[kind]()
    np.testing.assert_allclose(ours, expected, rtol=1e-5, atol=1e-4 if width == 32 else 1e-12)


@given(st.data())
def test_cholesky(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element, lower = draw(st.sampled_from(["f32", "f64", "complex<f64>"])), draw(st.booleans())
    batch, size = draw(shapes(1, 0, 3)), draw(st.integers(1, 5))
    factor = np.tril(values(draw, [*batch, size, size], element, tame=True))
    factor[..., np.arange(size), np.arange(size)] = 3
    a = factor @ factor.conj().swapaxes(1, 2)
    op = f'"stablehlo.cholesky"(%0) {{lower = {str(lower).lower()}}}'
    (ours,) = run(program([a], [element], [tensor(a.shape, element)], op), [a])
    expected = factor if lower else factor.conj().swapaxes(1, 2)
    np.testing.assert_allclose(ours, expected, rtol=1e-3, atol=1e-3)
