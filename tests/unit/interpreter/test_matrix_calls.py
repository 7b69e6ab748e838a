"""Custom calls of linear algebra: every option and element type, held against numpy's products and solutions."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from called_targets import call

from stablehlo_py.errors import InterpreterError

TYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
INFO = np.zeros(2, np.int32)


@pytest.fixture(autouse=True)
def _scipy():
    pytest.importorskip("scipy", reason="the linear algebra of custom calls needs scipy (stablehlo-py[scipy])")


def matrices(prefix: str, rows: int = 4, columns: int = 4, seed: int = 0) -> np.ndarray:
    random, dtype = np.random.default_rng(seed), np.dtype(TYPES[prefix])
    values, imag = random.standard_normal((2, 2, rows, columns))
    return (values + 1j * imag if dtype.kind == "c" else values).astype(dtype)


def adjoint(a: np.ndarray) -> np.ndarray:
    return a.conj().swapaxes(-1, -2)


def hermitian(prefix: str) -> np.ndarray:
    a = matrices(prefix)
    return a + adjoint(a)


def positive(prefix: str) -> np.ndarray:
    a = matrices(prefix)
    return a @ adjoint(a) + np.eye(4, dtype=a.dtype)


def one_triangle(a: np.ndarray, *, lower: bool) -> np.ndarray:
    """The triangle, with other numbers in place of the other one, which a routine must not read."""
    own, other = (np.tril(a), np.triu(a * 7 + 3, 1)) if lower else (np.triu(a), np.tril(a * 7 + 3, -1))
    return (own + other).astype(a.dtype)


def real(array: np.ndarray) -> np.ndarray:
    return array.real.copy()


def near(found: Any, expected: Any, what: str = "") -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-3, err_msg=what)


def options(**values: Any) -> str:
    """The options of a call, letters as their codes."""
    texts = [
        f"{name} = {ord(value)} : ui8" if isinstance(value, str)
        else f"{name} = {str(value).lower()}" + ("" if isinstance(value, bool) else " : i32")
        for name, value in values.items()
    ]  # fmt: skip
    return f"mhlo.backend_config = {{{', '.join(texts)}}}"


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("prefix", TYPES)
def test_cholesky_factors_of_either_triangle(prefix: str, lower: bool) -> None:
    a = positive(prefix)
    factor, info = call(
        f"lapack_{prefix}potrf_ffi", [one_triangle(a, lower=lower)], [a, INFO], options(uplo="L" if lower else "U")
    )
    near(np.tril(factor) @ adjoint(np.tril(factor)) if lower else adjoint(np.triu(factor)) @ np.triu(factor), a)
    _, info = call(f"lapack_{prefix}potrf_ffi", [-a], [a, INFO], options(uplo="L"))
    assert info.tolist() == [1, 1]


@pytest.mark.parametrize("prefix", TYPES)
def test_lu_factors(prefix: str) -> None:
    for rows, columns in ((4, 4), (5, 3), (3, 5)):
        a, size = matrices(prefix, rows, columns), min(rows, columns)
        lu, pivots, info = call(f"lapack_{prefix}getrf_ffi", [a], [a, np.zeros((2, size), np.int32), INFO])
        for matrix, factors, swaps in zip(a, lu, pivots, strict=True):
            product = (np.tril(factors, -1) + np.eye(rows, columns))[:, :size] @ np.triu(factors)[:size]
            for row, swap in reversed(list(enumerate(swaps - 1))):
                product[[row, swap]] = product[[swap, row]]
            near(product, matrix)
    assert info.tolist() == [0, 0]


@pytest.mark.parametrize("prefix", TYPES)
def test_householder_vectors(prefix: str) -> None:
    complex_ = prefix in "cz"
    a = matrices(prefix, 5, 3)
    qr, tau = call(f"lapack_{prefix}geqrf_ffi", [a], [a, a[:, 0]])
    (q,) = call(f"lapack_{prefix}{'un' if complex_ else 'or'}gqr_ffi", [qr, tau], [a])
    near(q @ np.triu(qr)[:, :3], a)
    near(adjoint(q) @ q, np.broadcast_to(np.eye(3), (2, 3, 3)))
    for left, transpose in itertools.product((True, False), repeat=2):
        other = matrices(prefix, 5, 2) if left else matrices(prefix, 2, 5)
        (product,) = call(
            f"lapack_{prefix}{'un' if complex_ else 'or'}mqr_ffi",
            [qr, tau, other],
            [other],
            options(left=left, transpose=transpose),
        )
        whole = call(
            f"lapack_{prefix}{'un' if complex_ else 'or'}mqr_ffi",
            [qr, tau, np.stack([np.eye(5)] * 2).astype(a.dtype)],
            [matrices(prefix, 5, 5)],
            options(left=True, transpose=transpose),
        )[0]
        near(product, whole @ other if left else other @ whole, f"left {left}, transpose {transpose}")
        near((adjoint(whole) if transpose else whole)[:, :, :3], q)


@pytest.mark.parametrize("prefix", TYPES)
@pytest.mark.parametrize("fixed", [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 1]])
def test_pivoted_factors_keep_fixed_columns_in_front(prefix: str, fixed: list[int]) -> None:
    for rows in (2, 3, 5):
        a = matrices(prefix, rows, 4)
        tau = np.zeros((2, min(rows, 4)), a.dtype)
        given = np.array([fixed] * 2, np.int32)
        qr, order, tau = call(f"lapack_{prefix}geqp3_ffi", [a, given], [a, given, tau])
        complex_ = prefix in "cz"
        (q,) = call(
            f"lapack_{prefix}{'un' if complex_ else 'or'}mqr_ffi",
            [qr[..., : tau.shape[-1]], tau, np.triu(qr)],
            [qr],
            options(left=True, transpose=False),
        )
        columns = order - 1
        near(q, np.take_along_axis(a, columns[:, np.newaxis], axis=2), f"{rows} rows")
        front = {index for index, flag in enumerate(fixed) if flag}
        assert all(set(row[: len(front)].tolist()) == front for row in columns)
        if not any(fixed):
            sizes = np.abs(np.diagonal(qr, axis1=1, axis2=2))
            assert np.all(np.diff(sizes) <= 1e-4), f"the diagonal is not descending: {sizes}"


@pytest.mark.parametrize("routine", ["gesdd", "gesvd"])
@pytest.mark.parametrize("prefix", TYPES)
def test_singular_values_with_whole_reduced_and_no_vectors(prefix: str, routine: str) -> None:
    a, target = matrices(prefix, 5, 3), f"lapack_{prefix}{routine}_ffi"
    values, vectors = real(a[:, 0]), matrices(prefix, 3, 3)
    expected = np.linalg.svd(a, compute_uv=False)
    for mode, u_type in (("A", matrices(prefix, 5, 5)), ("S", a)):
        left, s, u, vt, info = call(target, [a], [a, values, u_type, vectors, INFO], options(mode=mode))
        near(s, expected)
        near(u[..., :3] * s[:, np.newaxis] @ vt, a, mode)
        near(adjoint(u) @ u, np.broadcast_to(np.eye(u.shape[-1]), (2, u.shape[-1], u.shape[-1])))
        assert info.tolist() == [0, 0]
        assert left.shape == a.shape
    _, s, u, vt, _ = call(target, [a], [a, values, a, vectors, INFO], options(mode="N"))
    near(s, expected)
    assert not u.any()
    assert not vt.any()


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("prefix", TYPES)
def test_eigenvalues_of_either_triangle(prefix: str, lower: bool) -> None:
    a = hermitian(prefix)
    target = f"lapack_{prefix}{'he' if prefix in 'cz' else 'sy'}evd_ffi"
    given, uplo = one_triangle(a, lower=lower), "L" if lower else "U"
    v, w, _ = call(target, [given], [a, real(a[:, 0]), INFO], options(mode="V", uplo=uplo))
    near(v * w[:, np.newaxis] @ adjoint(v), a)
    assert np.all(np.diff(w) >= 0), f"not ascending: {w}"
    _, same, _ = call(target, [given], [a, real(a[:, 0]), INFO], options(mode="N", uplo=uplo))
    near(same, w)


@pytest.mark.parametrize(("left", "right"), list(itertools.product("VN", repeat=2)))
@pytest.mark.parametrize("prefix", TYPES)
def test_eigenvalues_with_left_and_right_vectors(prefix: str, left: str, right: str) -> None:
    a, complex_ = matrices(prefix), prefix in "cz"
    vectors = a.astype(np.result_type(a.dtype, np.complex64))
    values = [vectors[:, 0]] if complex_ else [a[:, 0]] * 2
    *found, vl, vr, info = call(
        f"lapack_{prefix}geev_ffi",
        [a],
        [*values, vectors, vectors, INFO],
        options(compute_left=left, compute_right=right),
    )
    w = found[0] if complex_ else found[0] + 1j * found[1]
    near(np.sort_complex(w), np.sort_complex(np.linalg.eigvals(a)))
    near(adjoint(vl) @ a, w[..., np.newaxis] * adjoint(vl))
    near(a @ vr, vr * w[:, np.newaxis])
    assert (bool(vl.any()), bool(vr.any()), info.tolist()) == (left == "V", right == "V", [0, 0])


@pytest.mark.parametrize("mode", ["V", "N"])
@pytest.mark.parametrize("prefix", TYPES)
def test_schur_forms(prefix: str, mode: str) -> None:
    a, complex_ = matrices(prefix), prefix in "cz"
    values = [a[:, 0]] * (1 if complex_ else 2)
    t, vs, *found, selected, info = call(
        f"lapack_{prefix}gees_ffi", [a], [a, a, *values, INFO, INFO], options(mode=mode, sort="N")
    )
    w = found[0] if complex_ else found[0] + 1j * found[1]
    near(np.sort_complex(w), np.sort_complex(np.linalg.eigvals(a)))
    near(np.tril(t, -1 if complex_ else -2), 0)
    near(vs @ t @ adjoint(vs), a if mode == "V" else 0)
    assert (selected.tolist(), info.tolist()) == ([0, 0], [0, 0])


@pytest.mark.parametrize(("low", "high"), [(1, 4), (2, 4), (1, 3), (2, 3)])
@pytest.mark.parametrize("prefix", TYPES)
def test_hessenberg_forms_of_some_rows(prefix: str, low: int, high: int) -> None:
    a = matrices(prefix)
    for row, column in itertools.product(range(4), repeat=2):  # as balancing leaves it
        if row > column and (row + 1 > high or column + 1 < low):
            a[:, row, column] = 0
    h, tau, info = call(f"lapack_{prefix}gehrd_ffi", [a], [a, a[:, 0, :3], INFO], options(low=low, high=high))
    form = np.triu(h, -1)
    near(np.sort_complex(np.linalg.eigvals(form)), np.sort_complex(np.linalg.eigvals(a)))
    outside = [index for index in range(3) if not low <= index + 1 < high]
    near(tau[:, outside], 0)
    assert info.tolist() == [0, 0]


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("prefix", TYPES)
def test_tridiagonal_forms_of_either_triangle(prefix: str, lower: bool) -> None:
    a = hermitian(prefix)
    target = f"lapack_{prefix}{'he' if prefix in 'cz' else 'sy'}trd_ffi"
    results = [a, real(a[:, 0]), real(a[:, 0, :3]), a[:, 0, :3], INFO]
    _, d, e, _, info = call(target, [one_triangle(a, lower=lower)], results, options(uplo="L" if lower else "U"))
    for matrix, diagonal, beside in zip(a, d, e, strict=True):
        form = np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)
        near(np.linalg.eigvalsh(form), np.linalg.eigvalsh(matrix))
    assert info.tolist() == [0, 0]


@pytest.mark.parametrize(("side", "uplo", "trans", "diag"), list(itertools.product("LR", "LU", "NTC", "NU")))
@pytest.mark.parametrize("prefix", ["z"])
def test_triangular_systems(prefix: str, side: str, uplo: str, trans: str, diag: str) -> None:
    a = matrices(prefix) + 3 * np.eye(4, dtype=TYPES[prefix])
    b = matrices(prefix, 4, 3, 1) if side == "L" else matrices(prefix, 3, 4, 1)
    (x,) = call(f"lapack_{prefix}trsm_ffi", [a, b], [b], options(side=side, uplo=uplo, trans_x=trans, diag=diag))
    triangle = np.tril(a) if uplo == "L" else np.triu(a)
    if diag == "U":
        triangle = triangle - triangle * np.eye(4) + np.eye(4)
    op = {"N": triangle, "T": triangle.swapaxes(-1, -2), "C": adjoint(triangle)}[trans]
    near(op @ x if side == "L" else x @ op, b)


@pytest.mark.parametrize("prefix", TYPES)
@pytest.mark.parametrize("size", [1, 2, 4])
def test_tridiagonal_systems(prefix: str, size: int) -> None:
    lower, main, upper = [matrices(prefix, size, 1, seed)[..., 0] for seed in range(3)]
    main = main + 4
    b = matrices(prefix, size, 2)
    results = call(f"lapack_{prefix}gtsv_ffi", [lower, main, upper, b], [lower, main, upper, b, INFO])
    whole = np.zeros((2, size, size), b.dtype)
    for batch, row in itertools.product(range(2), range(size)):
        whole[batch, row, row] = main[batch, row]
        if row:
            whole[batch, row, row - 1], whole[batch, row - 1, row] = lower[batch, row], upper[batch, row - 1]
    near(whole @ results[3], b)
    for given, result in ((lower[:, 0], results[0][:, 0]), (upper[:, -1], results[2][:, -1])):
        np.testing.assert_array_equal(given, result)  # outside the matrix
    assert results[4].tolist() == [0, 0]
    singular = call(f"lapack_{prefix}gtsv_ffi", [lower * 0, main * 0, upper * 0, b], [lower, main, upper, b, INFO])
    assert singular[4].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("target", "config", "message"),
    [
        ("lapack_dpotrf_ffi", options(uplo="X"), "has uplo 'X', expected one of L, U"),
        ("lapack_dsyevd_ffi", options(mode="L", uplo="L"), "has mode 'L', expected one of V, N"),
        ("lapack_dgesdd_ffi", options(mode="V"), "has mode 'V', expected one of A, S, N"),
        (
            "lapack_dgeev_ffi",
            options(compute_left="V", compute_right="L"),
            "has compute_right 'L', expected one of V, N",
        ),
        ("lapack_dgees_ffi", options(mode="V", sort="S"), "has sort 'S', expected one of N"),
        (
            "lapack_dtrsm_ffi",
            options(side="L", uplo="L", trans_x="X", diag="N"),
            "has trans_x 'X', expected one of N, T, C",
        ),
    ],
)
def test_unknown_letters_are_refused(target: str, config: str, message: str) -> None:
    a = matrices("d")
    operands = [a, a] if "trsm" in target else [a]
    with pytest.raises(InterpreterError, match=message):
        call(target, operands, [a], config)


EMPTY = np.zeros((2, 0, 3))


@pytest.mark.parametrize(
    ("target", "operands", "results", "config"),
    [
        ("lapack_dgetrf_ffi", [EMPTY], [EMPTY, np.zeros((2, 0), np.int32), INFO], ""),
        ("lapack_dgeqrf_ffi", [EMPTY], [EMPTY, EMPTY[..., 0]], ""),
        ("lapack_dgesdd_ffi", [EMPTY], [EMPTY, EMPTY[..., 0], EMPTY[..., :0], EMPTY, INFO], options(mode="S")),
        ("lapack_dtrsm_ffi", [EMPTY[..., :0], EMPTY], [EMPTY], options(side="L", uplo="L", trans_x="N", diag="N")),
        (
            "lapack_dtrsm_ffi",
            [np.ones((2, 3, 3)), np.zeros((2, 3, 0))],
            [np.zeros((2, 3, 0))],
            options(side="L", uplo="L", trans_x="N", diag="N"),
        ),
        (
            "lapack_dgtsv_ffi",
            [np.ones((2, 3))] * 3 + [np.zeros((2, 3, 0))],
            [np.ones((2, 3))] * 3 + [np.zeros((2, 3, 0)), INFO],
            "",
        ),
        ("lapack_dorgqr_ffi", [np.zeros((2, 3, 0)), np.zeros((2, 0))], [np.zeros((2, 3, 0))], ""),
        (
            "lapack_dgehrd_ffi",
            [np.ones((2, 1, 1))],
            [np.ones((2, 1, 1)), np.zeros((2, 0)), INFO],
            options(low=1, high=1),
        ),
        (
            "lapack_dsytrd_ffi",
            [np.ones((2, 1, 1))],
            [np.ones((2, 1, 1)), np.ones((2, 1)), np.zeros((2, 0)), np.zeros((2, 0)), INFO],
            options(uplo="L"),
        ),
    ],
)
def test_matrices_without_elements_or_with_one(target: str, operands: Any, results: Any, config: str) -> None:
    found = call(target, operands, results, config)
    for result, expected in zip(found, results, strict=True):
        np.testing.assert_array_equal(result, expected, strict=True)
