"""Products and sums: of integers and of floats that are small integers, bit by bit the official interpreter's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from structures import Draw, assert_close, assert_same, generators, ints, program, run, shapes, tensor, values

from stablehlo_py.conformance.generate.structures import convolution, padding_attribute, product
from stablehlo_py.conformance.generate.values import INTEGERS

EXACT = [*INTEGERS, "bf16", "f16", "f32", "f64", "complex<f32>", "complex<f64>"]


@given(st.data())
def test_dot_general(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element = draw(st.sampled_from(EXACT))
    p = product(draw(generators()))
    lhs, rhs = [values(draw, shape, element, tame=element not in INTEGERS) for shape in (p.lhs, p.rhs)]
    op = f'"stablehlo.dot_general"(%0, %1) {{{p.attributes}}}'
    result = tensor(p.result, element)
    if any(p.lhs[d] == 0 for d in p.lhs_contracting):  # officially one product is made where there is none to make
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
    element, c = draw(st.sampled_from(EXACT)), convolution(draw(generators()))
    lhs, rhs = [values(draw, c.shape(which), element, tame=element not in INTEGERS) for which in (0, 1)]
    result = tensor(c.shape(2), element)
    static_padding = f", {padding_attribute(c.padding)}" if c.padding else ""
    op = f'"stablehlo.convolution"(%0, %1) {{{c.attributes}{static_padding}}}'
    static = assert_same(program([lhs, rhs], [element] * 2, [result], op), [lhs, rhs])
    operands = [lhs, rhs, np.array(c.padding, np.int64).reshape(len(c.padding), 2)]
    op = f'"stablehlo.dynamic_conv"(%0, %1, %2) {{{c.attributes}}}'
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
