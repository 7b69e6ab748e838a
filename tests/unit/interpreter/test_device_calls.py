"""Custom calls for TPUs and GPUs: both forms, every option, and what they leave unread."""

from __future__ import annotations

import itertools
import math
import struct
from typing import Any

import numpy as np
import pytest
from called_targets import call, type_of
from parsed import parsed
from test_matrix_calls import INFO, adjoint, hermitian, matrices, near, one_triangle, options, positive, real

from stablehlo_py.interpreter.program import Program

WORK = np.zeros(7)


@pytest.fixture(autouse=True)
def _scipy():
    pytest.importorskip("scipy", reason="the linear algebra of custom calls needs scipy (stablehlo-py[scipy])")


@pytest.mark.parametrize("layouts", [True, False])
@pytest.mark.parametrize(
    ("config", "lower"),
    [("1,1,100,1e-6", True), ("0,1,100,1e-6", False), ("1,0,100,1e-6", True), (" 1 ,1", True), ("11,0", False)],
)
def test_eigenvalues_on_tpus(config: str, lower: bool, layouts: bool) -> None:
    a = hermitian("z")
    given = one_triangle(a, lower=lower)
    v, w = call("Eigh", [given], [a, real(a[:, 0])], f'backend_config = "{config}"', layouts)
    near(v * w[:, np.newaxis] @ adjoint(v), a)
    assert np.all(np.diff(w) >= 0), f"not ascending: {w}"


@pytest.mark.parametrize("layouts", [True, False])
@pytest.mark.parametrize("prefix", ["s", "z"])
def test_factors_on_tpus(prefix: str, layouts: bool) -> None:
    a = matrices(prefix, 5, 3)
    qr, tau = call("Qr", [a], [a, a[:, 0]], layouts=layouts)
    (q,) = call("ProductOfElementaryHouseholderReflectors", [qr, tau], [a], layouts=layouts)
    near(q @ np.triu(qr)[:, :3], a)
    near(adjoint(q) @ q, np.broadcast_to(np.eye(3), (2, 3, 3)))
    for rows, columns in ((4, 4), (5, 3), (3, 5)):
        a, size = matrices(prefix, rows, columns), min(rows, columns)
        places = np.zeros((2, rows), np.int32)
        lu, pivots, order = call("LuDecomposition", [a], [a, places[:, :size], places], layouts=layouts)
        product = (np.tril(lu, -1) + np.eye(rows, columns))[..., :size] @ np.triu(lu)[:, :size]
        near(product, np.take_along_axis(a, order[..., np.newaxis], axis=1), f"{rows}x{columns}")
        swapped = np.stack([np.arange(rows)] * 2)
        for batch, row in itertools.product(range(2), range(size)):
            swapped[batch, [row, pivots[batch, row]]] = swapped[batch, [pivots[batch, row], row]]
        np.testing.assert_array_equal(order, swapped)


def descriptor(*numbers: int) -> str:
    text = "".join(f"\\{byte:02X}" for byte in struct.pack(f"<{len(numbers)}i", *numbers))
    return f'api_version = 2 : i32, backend_config = "{text}"'


# The second number of a descriptor is which triangle is meant: CUDA's and ROCm's constants.
TRIANGLES = [
    ("cu", "", descriptor(0, 0, 2, 4), True),
    ("cu", "", descriptor(0, 1, 2, 4), False),
    ("hip", "", descriptor(1, 122, 2, 4), True),
    ("hip", "", descriptor(122, 121, 2, 4), False),
    ("cu", "_ffi", options(lower=True), True),
    ("hip", "_ffi", options(lower=False), False),
]


@pytest.mark.parametrize(("platform", "suffix", "config", "lower"), TRIANGLES)
def test_either_triangle_on_gpus(platform: str, suffix: str, config: str, lower: bool) -> None:
    a, more = positive("z"), [] if suffix else [WORK]
    given = one_triangle(a, lower=lower)
    factor, info, *_ = call(f"{platform}solver_potrf{suffix}", [given], [a, INFO, *more], config)
    near(np.tril(factor) @ adjoint(np.tril(factor)) if lower else adjoint(np.triu(factor)) @ np.triu(factor), a)
    assert info.tolist() == [0, 0]
    for name in ("syevd", "syevj"):
        v, w, info, *_ = call(f"{platform}solver_{name}{suffix}", [given], [a, real(a[:, 0]), INFO, *more], config)
        near(v * w[:, np.newaxis] @ adjoint(v), a, name)
        assert info.tolist() == [0, 0]
    results = [a, real(a[:, 0]), real(a[:, 0, :3]), a[:, 0, :3], INFO, *more]
    _, d, e, _, _, *_ = call(f"{platform}solver_sytrd{suffix}", [given], results, config)
    form = np.stack([np.diag(d[i]) + np.diag(e[i], 1) + np.diag(e[i], -1) for i in range(2)])
    near(np.linalg.eigvalsh(form), np.linalg.eigvalsh(a))


def test_workspaces_after_the_matrices_are_left_alone() -> None:
    a = positive("d")
    factor, info, work = call(
        "cusolver_potrf", [a, np.ones((2, 3))], [a, INFO, np.ones((2, 3))], descriptor(0, 0, 2, 4)
    )
    near(np.tril(factor) @ adjoint(np.tril(factor)), a)
    assert (info.tolist(), work.tolist()) == ([0, 0], [[0.0] * 3] * 2)


@pytest.mark.parametrize(
    "target",
    [
        *[f"{p}sparse_gtsv2{s}" for p in ("cu", "hip") for s in ("_ffi", "", "_f32", "_f64")],
        *[f"{p}tridiagonal_solve_perturbed{s}" for p in ("", "cu_", "hip_") for s in ("_ffi", "")],
    ],
)
def test_tridiagonal_systems_on_gpus(target: str) -> None:
    lower, main, upper = [matrices("d", 5, 1, seed)[..., 0] for seed in range(3)]
    main, b = main + 4, matrices("d", 5, 2, 3)
    (x,) = call(target, [lower, main, upper, b], [b])
    whole = np.stack([np.diag(main[i]) + np.diag(lower[i, 1:], -1) + np.diag(upper[i, :-1], 1) for i in range(2)])
    near(whole @ x, b)


def test_a_tridiagonal_system_has_a_solution_and_workspaces_alone() -> None:
    lower, main, upper = [np.ones((2, 3))] * 3
    b, work = matrices("d", 3, 2), np.ones((2, 4), np.uint8)
    (alone,) = call("cusparse_gtsv2_ffi", [lower, 4 * main, upper, b], [b])
    x, zeros = call("cusparse_gtsv2_f64", [lower, 4 * main, upper, b], [b, work])
    np.testing.assert_array_equal(x, alone)
    np.testing.assert_array_equal(zeros, np.zeros((2, 4), np.uint8), strict=True)
    types = [type_of(each) for each in (lower, main, upper, b)]
    given = ", ".join(f"%{number}: {type_}" for number, type_ in enumerate(types))
    result = f"tuple<{types[-1]}>"
    text = f"""func.func @main({given}) -> {result} {{
      %r = stablehlo.custom_call @cusparse_gtsv2_ffi(%0, %1, %2, %3) : ({", ".join(types)}) -> {result}
      return %r : {result} }}"""
    ((within,),) = Program(parsed(text)).run([lower, 4 * main, upper, b])
    (row_major,) = call("cusparse_gtsv2_ffi", [lower, 4 * main, upper, b], [b], layouts=False)
    np.testing.assert_array_equal(within, row_major)


@pytest.mark.parametrize("platform", ["cu", "hip"])
@pytest.mark.parametrize(
    "config", ["", *[options(left=left, right=right) for left in (True, False) for right in (True, False)]]
)
@pytest.mark.parametrize("prefix", ["d", "z"])
def test_eigenvectors_on_gpus(prefix: str, config: str, platform: str) -> None:
    """Vectors are computed unless the options say no."""
    a = matrices(prefix)
    vectors = a.astype(np.complex128)
    config = config or options(compute=True)
    found = call(f"{platform}solver_geev_ffi", [a], [a, vectors[:, 0], vectors, vectors, INFO], config)
    same, w, left, right, info = found
    np.testing.assert_array_equal(same, a)
    near(np.sort_complex(w), np.sort_complex(np.linalg.eigvals(a)))
    near(a @ right, right * w[:, np.newaxis])
    near(adjoint(left) @ a, w[..., np.newaxis] * adjoint(left))
    asked = "left = false" not in config, "right = false" not in config
    assert (bool(left.any()), bool(right.any()), info.tolist()) == (*asked, [0, 0])


def svd_types(rows: int, columns: int, *, full: bool) -> tuple[np.ndarray, np.ndarray]:
    size = min(rows, columns)
    return np.zeros((2, rows, rows if full else size)), np.zeros((2, columns if full else size, columns))


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize(("rows", "columns"), [(5, 3), (3, 5), (4, 4)])
@pytest.mark.parametrize("name", ["cusolver_gesvd", "hipsolver_gesdd"])
def test_singular_vectors_on_gpus_are_as_many_as_asked_for(name: str, rows: int, columns: int, full: bool) -> None:
    a, size = matrices("d", rows, columns), min(rows, columns)
    u_type, vt_type = svd_types(rows, columns, full=full)
    values = a[:, 0, :size] if columns >= size else a[:, :size, 0]
    expected = np.linalg.svd(a, compute_uv=False)

    def check(s: np.ndarray, u: np.ndarray, vt: np.ndarray, what: str) -> None:
        near(s, expected, what)
        near(u[..., :size] * s[:, np.newaxis] @ vt[:, :size], a, what)
        assert (u.shape, vt.shape) == (u_type.shape, vt_type.shape)

    if rows >= columns:
        config = options(compute_uv=True, full_matrices=full)
        same, s, u, vt, info = call(f"{name}_ffi", [a], [a, values, u_type, vt_type, INFO], config)
        check(s, u, vt, "typed options")
        np.testing.assert_array_equal(same, a)
        assert info.tolist() == [0, 0]
    # In older calls a wide matrix is the transpose of what the library sees, and U and V change places.
    older = [a, values, u_type, vt_type, INFO, WORK] if rows >= columns else [a, values, vt_type, u_type, INFO, WORK]
    _, s, first, second, _, _ = call(name, [a], older, descriptor(0, 0), layouts=rows >= columns)
    check(s, *((first, second) if rows >= columns else (second, first)), "a descriptor")


@pytest.mark.parametrize(
    "config", [options(compute_uv=False, full_matrices=True), options(compute_uv=False, full_matrices=False)]
)
def test_singular_values_alone_on_gpus(config: str) -> None:
    a = matrices("d", 5, 3)
    u_type, vt_type = svd_types(5, 3, full="full_matrices = true" in config)
    _, s, u, vt, _ = call("cusolver_gesvd_ffi", [a], [a, a[:, 0], u_type, vt_type, INFO], config)
    near(s, np.linalg.svd(a, compute_uv=False))
    assert not u.any()
    assert not vt.any()
    _, s, *_ = call("cusolver_gesvd", [a], [a, a[:, 0], np.zeros(2), np.zeros(2), INFO, WORK], descriptor(0, 0))
    near(s, np.linalg.svd(a, compute_uv=False))


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize(("rows", "columns"), [(5, 3), (3, 5)])
@pytest.mark.parametrize("name", ["cusolver_gesvdj", "hipsolver_gesvdp_ffi"])
def test_jacobi_singular_vectors_on_gpus(name: str, rows: int, columns: int, full: bool) -> None:
    """The second ones are V, and not its adjoint."""
    a, size = matrices("z", rows, columns), min(rows, columns)
    u_type, vt_type = [each.astype(np.complex128) for each in svd_types(rows, columns, full=full)]
    values = real(u_type[:, 0, :size])
    _, s, u, v, info = call(name, [a], [a, values, u_type, vt_type.swapaxes(1, 2), INFO])
    near(u[..., :size] * s[:, np.newaxis] @ adjoint(v)[:, :size], a)
    assert info.tolist() == [0, 0]


@pytest.mark.parametrize("target", ["cu_lu_pivots_to_permutation_ffi", "hip_lu_pivots_to_permutation"])
def test_orders_of_rows_skip_pivots_outside(target: str) -> None:
    pivots = np.array([[3, 1, 3, 3], [-1, 4, 5, 0], [1, 2, 3, 3]], np.int32)
    (order,) = call(target, [pivots], [np.zeros((3, 4), np.int32)], layouts=False)
    assert order.tolist() == [[3, 1, 0, 2], [3, 1, 2, 0], [1, 2, 3, 0]]
    stack = np.stack([pivots, pivots[::-1]])
    (orders,) = call(target, [stack], [np.zeros((2, 3, 4), np.int32)], layouts=False)
    assert orders.tolist() == [order.tolist(), order[::-1].tolist()]
    (one,) = call(target, [pivots[0]], [np.zeros(4, np.int32)], layouts=False)
    assert one.tolist() == order[0].tolist()
    (longer,) = call(target, [pivots], [np.zeros((3, 6), np.int32)], layouts=False)
    assert longer.tolist() == [[3, 1, 0, 2, 4, 5], [3, 4, 5, 0, 1, 2], [1, 2, 3, 0, 4, 5]]


def test_cholesky_updates_of_stacks() -> None:
    a, w = positive("d"), matrices("d", 4, 1)[..., 0] * [[1, 0, 1, 1], [0, 1, 1, 1]]
    r = adjoint(np.linalg.cholesky(a))
    updated, _ = call("cu_cholesky_update_ffi", [r, w], [r, w], layouts=False)
    near(adjoint(updated) @ updated, a + w[..., np.newaxis] * w[:, np.newaxis])


@pytest.mark.parametrize("platform", ["cu", "hip"])
@pytest.mark.parametrize("suffix", ["_ffi", ""])
def test_random_words_of_keys_and_counters(platform: str, suffix: str) -> None:
    """The first two operands are the key: the known answers of Random123 for Threefry 2x32 of 20 rounds."""
    key = [np.full(2, word, np.uint32) for word in (0x13198A2E, 0x03707344)]
    counter = [np.full(2, word, np.uint32) for word in (0x243F6A88, 0x85A308D3)]
    words = call(f"{platform}_threefry2x32{suffix}", [*key, *counter], [key[0], key[1]])
    assert [word.tolist() for word in words] == [[0xC4923A9C] * 2, [0x483DF7A0] * 2]


@pytest.mark.parametrize(
    ("target", "operands"),
    [("cusolver_getrf", 1), ("hipblas_getrf_batched_ffi", 1), ("cublas_getrf_batched", 1), ("hipsolver_getrf_ffi", 1)],
)
def test_lu_factors_on_gpus(target: str, operands: int) -> None:
    a: Any = matrices("z")
    pivots = np.zeros((2, 4), np.int32)
    found = call(target, [a] * operands, [a, pivots, INFO])
    expected = call("lapack_zgetrf_ffi", [a], [a, pivots, INFO])
    assert len(expected) == 3
    for result, value in zip(found, expected, strict=True):
        np.testing.assert_array_equal(result, value)


def perturbed(lower: list[float], main: list[float], upper: list[float], b: list[float], dtype: type = float) -> Any:
    """The solution of a tridiagonal system, with the elements outside of the matrix NaN."""
    given = [np.array([math.nan, *lower], dtype), np.array(main, dtype), np.array([*upper, math.nan], dtype)]
    right = np.array(b, dtype)[:, np.newaxis]
    return call("tridiagonal_solve_perturbed", [*given, right], [right], layouts=False)[0][:, 0].tolist()


EPS, TINY = 2.0**-52, 2.0**-1022


@pytest.mark.parametrize(
    ("lower", "main", "upper", "b", "last"),
    [
        ([0.0], [3.0, 0.0], [0.0], [6.0, 1.0], 1 / (3 * EPS)),
        ([0.0], [3.0, -0.0], [0.0], [6.0, 1.0], -1 / (3 * EPS)),
        ([0.0], [1.0, 0.0], [-5.0], [0.0, 1.0], 1 / (5 * EPS)),
        ([2.0, 0.0], [0.0, 1.0, 0.0], [1.0, 7.0], [0.0, 0.0, 1.0], 1 / (7 * EPS)),  # the second diagonal of U has a 7
        ([1.0], [1.0, 1.0], [1.0], [0.0, 1.0], 1 / EPS),  # a pivot that vanishes on the way
        ([0.0], [0.0, 0.0], [0.0], [1.0, 1.0], 1 / TINY),
        ([0.0], [1.0, 2.0**-1030], [0.0], [1.0, 2.0**-20], 2.0**1010),  # small, and the quotient is finite
        ([0.0], [1.0, 2.0**-1000], [0.0], [1.0, 2.0**-2], 2.0**998),
        ([0.0], [1.0, 2.0**-1000], [0.0], [1.0, 2.0**30], 2.0**30 / EPS),  # it would overflow
        ([0.0], [8.0, 4.0], [1.0], [1.0, 2.0], 0.5),
        ([0.0], [1.0, 0.0], [0.0], [1.0, 0.0], 0.0),  # nothing over a pivot of nothing
    ],
)
def test_pivots_that_would_overflow_are_moved_by_the_rounding_error_of_the_largest(
    lower: list[float], main: list[float], upper: list[float], b: list[float], last: float
) -> None:
    found = perturbed(lower, main, upper, b)
    assert found[-1] == pytest.approx(last, rel=1e-12), f"{found[-1]!r} in place of {last!r}"
    assert all(map(math.isfinite, found))


def test_rows_are_exchanged_where_the_next_is_larger_by_its_scale() -> None:
    random = np.random.default_rng(0)
    for size in (1, 2, 3, 4, 7):
        lower, main, upper = random.standard_normal((3, 12, size))
        main[::3] *= size % 2
        whole = np.stack([np.diag(main[i]) + np.diag(lower[i, 1:], -1) + np.diag(upper[i, :-1], 1) for i in range(12)])
        b = random.standard_normal((12, size, 1))
        (found,) = call("tridiagonal_solve_perturbed", [lower, main, upper, b], [b], layouts=False)
        np.testing.assert_allclose(found, np.linalg.solve(whole, b), rtol=1e-8)
    singles = perturbed([1, 1], [0, 0, 4], [2, 1], [2, 3, 5], np.float32)
    whole = [[0, 2, 0], [1, 0, 1], [0, 1, 4]]
    np.testing.assert_allclose(singles, np.linalg.solve(whole, [2, 3, 5]), rtol=1e-6)


@pytest.mark.parametrize("dense", [np.arange(8.0).reshape(4, 2) + 1, np.arange(4.0) + 1])
def test_products_of_rows_that_are_compressed(dense: np.ndarray) -> None:
    """Rows may be empty, hold a column twice, and begin after the first value."""
    values, columns = np.array([9.0, 2.0, 3.0, 4.0, 5.0, 9.0]), np.array([0, 3, 0, 0, 2, 1], np.int32)
    starts = np.array([1, 2, 2, 4, 5], np.int32)
    matrix = np.zeros((4, 4))
    for row, (first, last) in enumerate(itertools.pairwise(starts)):
        for index in range(first, last):
            matrix[row, columns[index]] += values[index]
    product = matrix @ dense
    (found,) = call("cpu_csr_sparse_dense_ffi", [values, starts, columns, dense], [product], layouts=False)
    np.testing.assert_array_equal(found, product)
