"""How far results of decompositions, transforms, products and windows may be off, against the bounds that they have."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from enclosures import program, reduced
from test_widths_of_enclosures import enclosures, reaches

from stablehlo_py.bindings.types import element_type

F = np.float32
EPSILON = 2.0**-23
RANDOM = np.random.default_rng(11)


def edge(is_inside: Callable[[float], bool]) -> float:
    """The largest number, of those up to 1, that is inside."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if is_inside(middle) else (low, middle)
    return low


def moved(value: np.ndarray, place: tuple[int, ...], by: complex) -> np.ndarray:
    changed = value.copy()
    changed[place] += by
    return changed


def matrices(dtype: np.dtype, order: int, *batch: int) -> np.ndarray:
    found = RANDOM.uniform(0.2, 1, (*batch, order, order)) + 2 * np.eye(order)
    return (found * np.exp(1j * RANDOM.uniform(0, 1, found.shape)) if dtype.kind == "c" else found).astype(dtype)


@pytest.mark.parametrize("element", ["f32", "complex<f32>"])
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("transpose", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
def test_solutions_have_residuals_of_rounding(
    element: str, unit: bool, left: bool, lower: bool, transpose: str
) -> None:
    dtype, order = element_type(element).dtype, 3
    a, b = matrices(dtype, order), matrices(dtype, order)[:, :2]
    b = b if left else np.ascontiguousarray(b.T)
    shape = "x".join(map(str, b.shape))
    options = f"left_side = {left}, lower = {lower}, unit_diagonal = {unit}".lower()
    line = (f'"stablehlo.triangular_solve"(%0, %1) {{{options}, transpose_a = #stablehlo<transpose {transpose}>}} : '
            f"(tensor<3x3x{element}>, tensor<{shape}x{element}>) -> tensor<{shape}x{element}>")  # fmt: skip
    (found,) = enclosures(program([f"3x3x{element}", f"{shape}x{element}"], f"{shape}x{element}", line), [a, b])
    wide = np.clongdouble if dtype.kind == "c" else np.longdouble
    matrix = (np.tril if lower else np.triu)(a.astype(wide))
    if unit:
        np.fill_diagonal(matrix, 1)
    matrix = {"NO_TRANSPOSE": matrix, "TRANSPOSE": matrix.T, "ADJOINT": matrix.conj().T}[transpose]
    double = np.complex128 if dtype.kind == "c" else np.float64
    x = np.linalg.solve(matrix.astype(double), b) if left else np.linalg.solve(matrix.T.astype(double), b.T).T
    assert not found.outside(x.astype(double)).any()
    for place in np.ndindex(x.shape):
        limit = edge(lambda by, place=place: not found.outside(moved(x, place, by)).any())
        near = moved(x, place, limit)
        sizes = (np.abs(matrix), np.abs(near)) if left else (np.abs(near), np.abs(matrix))
        bound = (4 * order + 16) * EPSILON * (sizes[0] @ sizes[1])
        off = np.abs(matrix @ near - b if left else near @ matrix - b)
        assert float((off / bound).max()) == pytest.approx(1, rel=1e-3), place


@pytest.mark.parametrize("element", ["f32", "complex<f32>"])
@pytest.mark.parametrize("lower", [False, True])
def test_factors_times_their_adjoints_are_the_matrix_up_to_rounding(element: str, lower: bool) -> None:
    """The other triangles of the operand and of the result are of no account; of several matrices each is."""
    dtype, order = element_type(element).dtype, 3
    double = np.complex128 if dtype.kind == "c" else np.float64
    half = matrices(dtype, order, 2)
    whole = (half.astype(double) @ np.swapaxes(half.astype(double), -1, -2).conj()).astype(dtype)
    keep = np.tril if lower else np.triu
    given = np.where(keep(np.ones((order, order), bool)), whole, F(99))
    type_ = f"2x3x3x{element}"
    line = f'"stablehlo.cholesky"(%0) {{lower = {str(lower).lower()}}} : (tensor<{type_}>) -> tensor<{type_}>'
    (found,) = enclosures(program([type_], type_, line), [given])
    diagonal = np.eye(order, dtype=bool)
    exact = np.where(diagonal, whole.real, np.where(keep(np.ones((order, order), bool)), whole, 0)).astype(double)
    exact = np.where(keep(np.ones((order, order), bool)), exact, np.swapaxes(exact, -1, -2).conj())
    factor = np.linalg.cholesky(exact)
    factor = factor if lower else np.swapaxes(factor, -1, -2).conj()
    noise = factor + np.where(keep(np.ones((order, order), bool)), 0, 7)
    assert not found.outside(noise).any()
    assert found.outside(-factor)[..., diagonal].all()
    for place in [(0, 0, 0), (1, 2, 2), (0, 2, 1) if lower else (0, 1, 2), (1, 2, 0) if lower else (1, 0, 2)]:
        limit = edge(lambda by, place=place: not found.outside(moved(factor, place, by)).any())
        near = moved(factor, place, limit)
        near = near if lower else np.swapaxes(near, -1, -2).conj()
        adjoint = np.swapaxes(near, -1, -2).conj()
        bound = (4 * order + 16) * EPSILON * (np.abs(near) @ np.abs(adjoint))
        assert float((np.abs(near @ adjoint - exact) / bound).max()) == pytest.approx(1, rel=1e-3), place
        matrix = found.outside(moved(factor, place, 2 * limit)).reshape(2, -1).any(-1).tolist()
        assert matrix == [place[0] == number for number in range(2)]
    assert (np.asarray(found.free) == ~np.broadcast_to(keep(np.ones((order, order), bool)), (2, 3, 3))).all()


def test_a_matrix_without_factors_is_left_open() -> None:
    line = '"stablehlo.cholesky"(%0) {lower = true} : (tensor<2x2xf32>) -> tensor<2x2xf32>'
    (found,) = enclosures(program(["2x2xf32"], "2x2xf32", line), [F([[1, 2], [2, 1]])])
    assert not found.outside(F([[5, 5], [5, 5]])).any()
    assert found.leaves_open(F([[5, 5], [5, 5]]))
    assert "undefined" in found.sentence


@pytest.mark.parametrize("kind", ["FFT", "IFFT", "RFFT", "IRFFT"])
@pytest.mark.parametrize("shape", [(6,), (2, 4), (3, 2, 4)])
def test_transforms_are_off_in_proportion_to_the_magnitudes_of_their_terms(kind: str, shape: tuple[int, ...]) -> None:
    """Along the last two dimensions at most; each lane has a bound of its own."""
    length = shape[-2:]
    is_real, is_half = kind == "RFFT", kind == "IRFFT"
    operand = RANDOM.uniform(0.5, 1, shape)
    if not is_real:
        operand = operand * np.exp(1j * RANDOM.uniform(0, 6, shape))
    source = (*shape[:-1], shape[-1] // 2 + 1) if is_half else shape
    operand = operand[tuple(map(slice, source))].astype(F if is_real else np.complex64)
    target = (*shape[:-1], shape[-1] // 2 + 1) if is_real else shape
    names = [f"{'x'.join(map(str, each))}x{element}" for each, element in (
        (source, "f32" if is_real else "complex<f32>"), (target, "f32" if is_half else "complex<f32>"))]  # fmt: skip
    attributes = f"fft_type = #stablehlo<fft_type {kind}>, fft_length = array<i64: {', '.join(map(str, length))}>"
    line = f'"stablehlo.fft"(%0) {{{attributes}}} : (tensor<{names[0]}>) -> tensor<{names[1]}>'
    (found,) = enclosures(program(names[:1], names[1], line), [operand])
    axes = tuple(range(-len(length), 0))
    wide = operand.astype(np.complex128 if not is_real else np.float64)
    exact = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn}.get(kind, lambda one, axes: np.fft.irfftn(
        one, length, axes))(wide, axes=axes)  # fmt: skip
    terms = math.prod(length)
    sizes = np.abs(wide).sum(axes, keepdims=True) * (2 if is_half else 1) / (terms if kind in ("IFFT", "IRFFT") else 1)
    bounds = np.broadcast_to((terms / 2 + 8) * EPSILON * sizes, exact.shape)
    reference = np.asarray(found.value, exact.dtype)  # which is a rounding from the exact one
    for (below, above), bound in zip(reaches(found, reference), bounds.reshape(-1), strict=True):
        assert below == pytest.approx(bound, rel=1e-5)
        assert above == pytest.approx(bound, rel=1e-5)


def test_products_are_off_by_a_unit_for_each_factor_in_any_order() -> None:
    factors = F([[1.5, 2.25, 0.75], [3.0, 1.0, 0.5]])
    (found,) = enclosures(reduced("multiply", factors, "f32"), [factors, np.ones((), F)])
    exact = factors.astype(np.float64).prod(-1)
    for (below, above), value in zip(reaches(found, exact), exact, strict=True):
        bound = (2 + factors.size) * EPSILON * value + np.spacing(F(value))
        assert (below, above) == (pytest.approx(bound, rel=1e-5), pytest.approx(bound, rel=1e-5))
    assert not found.opening


@pytest.mark.parametrize(
    ("factors", "is_free"),
    [([1e30, 1e-20, 1e-20], True), ([1e30, 1e-20, 1e-10], False),
     ([1e30, 1e30, 1e-30], True), ([1e-30, 1e-30, 1e30], True),
     ([0.0, 2.0, 3.0], False),
     ([np.inf, 2.0, 3.0], False), ([1e38, 1.0, 1.0], False), ([1e-37, 1.0, 1.0], False), ([1e38, 9.0, 1.0], True)],
)  # fmt: skip
def test_products_are_open_if_those_of_some_factors_are_no_numbers_of_the_type(
    factors: list[float], is_free: bool
) -> None:
    rows = np.array([factors, [1.0] * 3], F)
    (found,) = enclosures(reduced("multiply", rows, "f32"), [rows, np.ones((), F)])
    assert np.asarray(found.free).tolist() == [is_free, False]


CONVOLUTION = """stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{pad = [[1, 1]]}}
  {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}
  : (tensor<1x5x4xf32>, tensor<3x{depth}x2xf32>) -> tensor<1x5x2xf32>"""


@pytest.mark.parametrize(("groups", "depth"), [(1, 4), (2, 2)])
def test_convolutions_are_off_by_half_a_unit_for_each_of_their_products(groups: int, depth: int) -> None:
    a, k = RANDOM.uniform(0.5, 1, (1, 5, 4)).astype(F), RANDOM.uniform(0.5, 1, (3, depth, 2)).astype(F)
    line = CONVOLUTION.format(groups=groups, depth=depth)
    (found,) = enclosures(program(["1x5x4xf32", f"3x{depth}x2xf32"], "1x5x2xf32", line), [a, k])
    padded = np.pad(a[0].astype(np.float64), ((1, 1), (0, 0)))
    exact = np.zeros((1, 5, 2))
    for row in range(5):
        for feature in range(2):
            chosen = padded[row : row + 3]
            chosen = chosen if groups == 1 else chosen[:, 2 * feature : 2 * feature + 2]
            exact[0, row, feature] = (chosen * k[..., feature].astype(np.float64)).sum()
    for (below, above), size in zip(reaches(found, exact), exact.reshape(-1), strict=True):  # all terms are positive
        assert below == pytest.approx(above, rel=1e-6)
        assert above / (size * EPSILON) == pytest.approx(3 * depth / 2, rel=1e-4)


def test_a_product_by_letters_has_as_many_terms_as_its_larger_operand() -> None:
    a, b = RANDOM.uniform(0.5, 1, (2, 3)).astype(F), RANDOM.uniform(0.5, 1, (3, 4)).astype(F)
    types = "(tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>"
    line = f'"stablehlo.einsum"(%0, %1) {{einsum_config = "ij,jk->ik"}} : {types}'
    (found,) = enclosures(program(["2x3xf32", "3x4xf32"], "2x4xf32", line), [a, b])
    exact = a.astype(np.float64) @ b.astype(np.float64)
    for (_, above), size in zip(reaches(found, exact), exact.reshape(-1), strict=True):
        assert above / (size * EPSILON) == pytest.approx(12 / 2, rel=1e-4)


def scatter(op: str) -> str:
    return f"""%i = stablehlo.constant dense<[[0], [2], [0], [0]]> : tensor<4x1xi64>
      %r = "stablehlo.scatter"(%0, %i, %1) ({{
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.{op} %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }}) {{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
          scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}
        : (tensor<3xf32>, tensor<4x1xi64>, tensor<4xf32>) -> tensor<3xf32>"""


def test_scattered_sums_are_off_by_the_additions_of_their_own_element() -> None:
    text = program(["3xf32", "4xf32"], "3xf32", "X").replace("%r = X", scatter("add"))
    (found,) = enclosures(text, [F([1, 2, 3]), F([0.5, 0.25, 0.125, 0.75])])
    exact, additions = np.array([2.375, 2, 3.25]), [3, 0, 1]
    for (below, above), size, count in zip(reaches(found, exact), exact, additions, strict=True):
        assert (below, above) == (pytest.approx(count * size * EPSILON / 2, abs=1e-14, rel=1e-4),) * 2
