"""Calls of before, whose options are operands, give what the calls with typed options give, for all options."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from called_targets import call
from test_matrix_calls import INFO, TYPES, adjoint, hermitian, matrices, near, one_triangle, options, positive, real

WORK = np.zeros(7)


@pytest.fixture(autouse=True)
def _scipy():
    pytest.importorskip("scipy", reason="the linear algebra of custom calls needs scipy (stablehlo-py[scipy])")


def numbers(*values: int) -> list[np.int32]:
    return [np.int32(value) for value in values]


def letters(*values: str) -> list[np.uint8]:
    return [np.uint8(ord(value)) for value in values]


def name(prefix: str, real_name: str, complex_name: str) -> str:
    return f"lapack_{prefix}{complex_name if prefix in 'cz' else real_name}"


def same(found: Sequence[Any], expected: Sequence[Any], what: str) -> None:
    for index, (one, other) in enumerate(zip(found, expected, strict=True)):
        np.testing.assert_array_equal(one, other, f"result {index} of {what}")


@pytest.mark.parametrize("prefix", TYPES)
def test_factorizations(prefix: str) -> None:
    a = positive(prefix)
    for lower, uplo in ((1, "L"), (0, "U")):
        given, results = one_triangle(a, lower=bool(lower)), [a, INFO]
        older = call(f"lapack_{prefix}potrf", [*numbers(lower, 2, 4), given], results)
        same(older, call(f"lapack_{prefix}potrf_ffi", [given], results, options(uplo=uplo)), f"potrf {uplo}")
    for rows, columns in ((4, 4), (5, 3), (3, 5)):
        a, size = matrices(prefix, rows, columns), min(rows, columns)
        results = [a, np.zeros((2, size), np.int32), INFO]
        older = call(f"lapack_{prefix}getrf", [*numbers(2, rows, columns), a], results)
        same(older, call(f"lapack_{prefix}getrf_ffi", [a], results), f"getrf {rows}x{columns}")
        tau = np.zeros((2, size), a.dtype)
        qr, found, info, work = call(f"lapack_{prefix}geqrf", [*numbers(2, rows, columns, 7), a], [a, tau, INFO, WORK])
        same([qr, found], call(f"lapack_{prefix}geqrf_ffi", [a], [a, tau]), f"geqrf {rows}x{columns}")
        assert (info.tolist(), work.tolist()) == ([0, 0], [0.0] * 7)
        if rows >= columns:
            target = name(prefix, "orgqr", "ungqr")
            q, info, work = call(target, [*numbers(2, rows, columns, size, 7), qr, found], [a, INFO, WORK])
            same([q], call(f"{target}_ffi", [qr, found], [a]), f"orgqr {rows}x{columns}")
            assert (info.tolist(), work.tolist()) == ([0, 0], [0.0] * 7)


@pytest.mark.parametrize("prefix", TYPES)
def test_singular_values(prefix: str) -> None:
    for (rows, columns), full, vectors in itertools.product([(5, 3), (3, 5)], (1, 0), (1, 0)):
        a, size = matrices(prefix, rows, columns), min(rows, columns)
        values = real(np.zeros((2, size), a.dtype))
        u = np.zeros((2, rows, rows if full else size), a.dtype)
        vt = np.zeros((2, columns if full else size, columns), a.dtype)
        found = call(
            f"lapack_{prefix}gesdd",
            [*numbers(full, vectors, 2, rows, columns, 7), a],
            [a, values, u, vt, INFO, np.zeros(3, np.int32), WORK],
        )
        mode = ("A" if full else "S") if vectors else "N"
        expected = call(f"lapack_{prefix}gesdd_ffi", [a], [a, values, u, vt, INFO], options(mode=mode))
        same(found[:5], expected, f"gesdd of {rows}x{columns}, mode {mode}")
        assert not any(each.any() for each in found[5:])


@pytest.mark.parametrize("prefix", TYPES)
def test_eigenvalues(prefix: str) -> None:
    a = hermitian(prefix)
    for lower, uplo in ((1, "L"), (0, "U")):
        given, target = one_triangle(a, lower=bool(lower)), name(prefix, "syevd", "heevd")
        results = [a, real(a[:, 0]), INFO]
        found = call(target, [*numbers(lower, 2, 4), given], [*results, WORK])
        same(found[:3], call(f"{target}_ffi", [given], results, options(mode="V", uplo=uplo)), f"{target} {uplo}")
        target = name(prefix, "sytrd", "hetrd")
        results = [a, real(a[:, 0]), real(a[:, 0, :3]), a[:, 0, :3], INFO]
        found = call(target, [*numbers(4, lower, 4, 2, 7), given], [*results, WORK])
        same(found[:5], call(f"{target}_ffi", [given], results, options(uplo=uplo)), f"{target} {uplo}")
    a = matrices(prefix)
    vectors = a.astype(np.result_type(a.dtype, np.complex64))
    values = [vectors[:, 0]] if prefix in "cz" else [a[:, 0]] * 2
    work = [np.zeros((4, 4), a.dtype)] * (2 if prefix in "cz" else 3)
    for left, right in itertools.product("VN", repeat=2):
        results = [*values, vectors, vectors, INFO]
        found = call(f"lapack_{prefix}geev", [*numbers(2, 4), *letters(left, right), a], [*work, *results])
        config = options(compute_left=left, compute_right=right)
        same(found[len(work) :], call(f"lapack_{prefix}geev_ffi", [a], results, config), f"geev {left}{right}")
        assert not any(each.any() for each in found[: len(work)])


@pytest.mark.parametrize("prefix", TYPES)
def test_schur_and_hessenberg_forms(prefix: str) -> None:
    a, complex_ = matrices(prefix), prefix in "cz"
    values = [a[:, 0]] * (1 if complex_ else 2)
    for mode in "VN":
        t, *found, vs, selected, info = call(
            f"lapack_{prefix}gees",
            [*numbers(2, 4), *letters(mode, "N"), a],
            [a, *([WORK] if complex_ else []), *values, a, INFO, INFO],
        )
        expected = call(f"lapack_{prefix}gees_ffi", [a], [a, a, *values, INFO, INFO], options(mode=mode, sort="N"))
        same([t, vs, *found[complex_:], selected, info], expected, f"gees {mode}")
        assert not (complex_ and found[0].any())
    for low, high in [(1, 4), (2, 4), (1, 3), (2, 3)]:
        results = [a, a[:, 0, :3], INFO]
        found = call(f"lapack_{prefix}gehrd", [*numbers(4, low, high, 4, 2, 7), a], [*results, WORK])
        expected = call(f"lapack_{prefix}gehrd_ffi", [a], results, options(low=low, high=high))
        same(found[:3], expected, f"gehrd {low} to {high}")


@pytest.mark.parametrize("prefix", TYPES)
def test_triangular_systems(prefix: str) -> None:
    a = matrices(prefix) + 3 * np.eye(4, dtype=TYPES[prefix])
    for left, lower, trans, unit in itertools.product((1, 0), (1, 0), (0, 1, 2), (1, 0)):
        b = matrices(prefix, 4, 3, 1) if left else matrices(prefix, 3, 4, 1)
        alpha = a.dtype.type(2)
        sizes = numbers(left, lower, trans, unit, b.shape[1], b.shape[2], 2)
        (found,) = call(f"blas_{prefix}trsm", [*sizes, alpha, a, b], [b])
        config = options(
            side="L" if left else "R", uplo="L" if lower else "U", trans_x="NTC"[trans], diag="U" if unit else "N"
        )
        (expected,) = call(f"lapack_{prefix}trsm_ffi", [a, 2 * b], [b], config)
        np.testing.assert_allclose(found, expected, rtol=1e-5, err_msg=config)


@pytest.mark.parametrize("target", ["lapack_{}mqr_ffi", "cusolver_ormqr_ffi", "hipsolver_ormqr_ffi"])
@pytest.mark.parametrize("prefix", TYPES)
def test_products_with_reflectors_of_every_size(prefix: str, target: str) -> None:
    """Q of no reflectors is the identity, and a matrix without elements stays one."""
    target = target.format(f"{prefix}{'un' if prefix in 'cz' else 'or'}")
    for rows, count, other in itertools.product((1, 3, 5), (0, 1, 3), (0, 1, 2)):
        if count > rows:
            continue
        a = matrices(prefix, rows, count)
        qr, tau = call(f"lapack_{prefix}geqrf_ffi", [a], [a, np.zeros((2, count), a.dtype)]) if count else (a, a[:, 0])
        eye = np.stack([np.eye(rows)] * 2).astype(a.dtype)
        (q,) = call(target, [qr, tau, eye], [eye], options(left=True, transpose=False))
        near(adjoint(q) @ q, eye)
        near(q[..., :count] @ np.triu(qr)[:, :count], a)
        if not count:
            np.testing.assert_array_equal(q, eye)
        for left, transpose in itertools.product((True, False), repeat=2):
            c = matrices(prefix, rows, other, 1) if left else matrices(prefix, other, rows, 1)
            op = adjoint(q) if transpose else q
            (found,) = call(target, [qr, tau, c], [c], options(left=left, transpose=transpose))
            near(found, op @ c if left else c @ op, f"{rows}, {count}, {other}, left {left}, transpose {transpose}")


@pytest.mark.parametrize("fixed", [[0, 0, 0], [0, 2, 0]])
def test_columns_of_a_matrix_without_rows_stay_where_they_are(fixed: list[int]) -> None:
    given = np.array([fixed] * 2, np.int32)
    a, tau = np.zeros((2, 0, 3)), np.zeros((2, 0))
    found = call("lapack_dgeqp3_ffi", [a, given], [a, given, tau])
    same(found, [a, given, tau], "geqp3")


@pytest.mark.parametrize("columns", [0, 1, 3])
@pytest.mark.parametrize("transpose", [True, False])
def test_rank_updates_add_what_there_is(transpose: bool, columns: int) -> None:
    random = np.random.default_rng(columns)
    a, c = random.standard_normal((2, 4, columns)), random.standard_normal((2, 4, 4))
    given = a.swapaxes(1, 2) if transpose else a
    for alpha, beta in ((2.0, 3.0), (0.5, 0.0), (0.0, -1.0)):
        config = options(transpose=transpose)
        operands = [given, c, np.float64(alpha), np.float64(beta)]
        (found,) = call("cusolver_syrk_ffi", operands, [c], config, layouts=False)
        near(found, alpha * a @ a.swapaxes(1, 2) + beta * c, f"{alpha} and {beta}")


@pytest.mark.parametrize("left", [True, False])
def test_products_with_wide_matrices_have_room_enough(left: bool, capfd: pytest.CaptureFixture[str]) -> None:
    """LAPACK prints where it gets too little room, and leaves the matrix as it is; so it does without any elements."""
    a = matrices("d", 3, 2)
    qr, tau = call("lapack_dgeqrf_ffi", [a], [a, np.zeros((2, 2))])
    config = options(left=left, transpose=False)
    (q,) = call("lapack_dormqr_ffi", [qr, tau, np.stack([np.eye(3)] * 2)], [np.zeros((2, 3, 3))], config)
    for other in (0, 1, 300):
        c = matrices("d", 3, other) if left else matrices("d", other, 3)
        (found,) = call("lapack_dormqr_ffi", [qr, tau, c], [c], config)
        near(found, q @ c if left else c @ q, f"{other} vectors")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("prefix", TYPES)
def test_no_reflectors_leave_the_first_columns_of_the_identity(prefix: str) -> None:
    for rows, columns in ((3, 2), (4, 4), (1, 1)):
        a = matrices(prefix, rows, columns)
        target = f"lapack_{prefix}{'un' if prefix in 'cz' else 'or'}gqr_ffi"
        (found,) = call(target, [a, a[:, 0, :0]], [a])
        np.testing.assert_array_equal(found, [np.eye(rows, columns)] * 2)


def test_any_number_but_zero_fixes_a_column() -> None:
    a = matrices("d", 3, 3)
    results = [a, np.zeros((2, 3), np.int32), np.zeros((2, 3))]
    expected = call("lapack_dgeqp3_ffi", [a, np.array([[0, 0, 1]] * 2, np.int32)], results)
    for number in (-1, 3):
        same(call("lapack_dgeqp3_ffi", [a, np.array([[0, 0, number]] * 2, np.int32)], results), expected, "geqp3")
    assert expected[1][:, 0].tolist() == [3, 3]


@pytest.mark.parametrize("prefix", TYPES)
def test_rows_and_columns_outside_of_a_hessenberg_form_stay(prefix: str) -> None:
    a = matrices(prefix, 5, 5)
    info = np.zeros(2, np.int32)
    for low, high in ((1, 5), (1, 3), (2, 4), (3, 5), (2, 2)):
        h, tau, _ = call(f"lapack_{prefix}gehrd_ffi", [a], [a, a[:, 0, :4], info], options(low=low, high=high))
        np.testing.assert_array_equal(h[:, high:], a[:, high:], f"{low} to {high}")
        np.testing.assert_array_equal(h[:, :, : low - 1], a[:, :, : low - 1], f"{low} to {high}")
        assert np.all(tau[:, [index for index in range(4) if not low <= index + 1 < high]] == 0)
        assert np.any(h != a) == (high > low + 1)
