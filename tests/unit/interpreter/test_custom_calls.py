"""Custom calls: targets of JAX that have no kernel on CPUs to compare with, older forms, and users' handlers."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from called_targets import call

import stablehlo_py
from stablehlo_py.errors import InterpreterError, StablehloError, UnsupportedOpError
from stablehlo_py.interpreter.custom_calls import find_handler, kind_of, registry
from stablehlo_py.interpreter.custom_calls.lookup import targets
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

MATRIX = np.random.default_rng(0).standard_normal((2, 4, 4))
SYMMETRIC = MATRIX + MATRIX.swapaxes(-1, -2)
POSITIVE = MATRIX @ MATRIX.swapaxes(-1, -2) + np.eye(4)


def int32(*values):
    return [np.int32(value) for value in values]


INFO = np.zeros(2, np.int32)
VECTOR = np.zeros((2, 4))
WORK = np.zeros(7)


@pytest.fixture(autouse=True)
def _scipy():
    pytest.importorskip("scipy", reason="the linear algebra of custom calls needs scipy (stablehlo-py[scipy])")


def test_older_factorizations_take_sizes_before_the_matrix():
    low, info = call("lapack_dpotrf", [*int32(1, 2, 4), POSITIVE], [MATRIX, INFO])
    np.testing.assert_allclose(np.tril(low) @ np.tril(low).swapaxes(-1, -2), POSITIVE)
    assert not info.any()
    lu, pivots, info = call("lapack_dgetrf", [*int32(2, 4, 4), MATRIX], [MATRIX, VECTOR.astype(np.int32), INFO])
    newer = call("lapack_dgetrf_ffi", [MATRIX], [MATRIX, VECTOR.astype(np.int32), INFO])
    np.testing.assert_array_equal(lu, newer[0])
    np.testing.assert_array_equal(pivots, newer[1])
    qr, tau, info, work = call("lapack_dgeqrf", [*int32(2, 4, 4, 7), MATRIX], [MATRIX, VECTOR, INFO, WORK])
    assert not info.any()
    assert not work.any()
    q, info, _ = call("lapack_dorgqr", [*int32(2, 4, 4, 4, 7), qr, tau], [MATRIX, INFO, WORK])
    np.testing.assert_allclose(q @ np.triu(qr), MATRIX, atol=1e-12)


def test_older_spectral_calls():
    work = [WORK, np.zeros(3, np.int32)]
    v, w, _, *_ = call("lapack_dsyevd", [*int32(1, 2, 4), SYMMETRIC], [MATRIX, VECTOR, INFO, *work])
    np.testing.assert_allclose(v * w[:, None] @ v.swapaxes(-1, -2), SYMMETRIC, atol=1e-12)
    options = [np.int32(1), np.int32(1), *int32(2, 4, 4, 7)]
    _, s, u, vt, _, *_ = call(
        "lapack_dgesdd", [*options, MATRIX], [MATRIX, VECTOR, MATRIX, MATRIX, INFO, np.zeros(3, np.int32), WORK]
    )
    np.testing.assert_allclose(u * s[:, None] @ vt, MATRIX, atol=1e-12)
    letters = [np.uint8(ord("N")), np.uint8(ord("V"))]
    square, vectors = np.zeros((4, 4)), MATRIX.astype(complex)
    *_, wr, wi, _, vr, _ = call(
        "lapack_dgeev", [*int32(2, 4), *letters, MATRIX], [square] * 3 + [VECTOR, VECTOR, vectors, vectors, INFO]
    )
    np.testing.assert_allclose(MATRIX @ vr, vr * (wr + 1j * wi)[:, None], atol=1e-12)
    letters = [np.uint8(ord("V")), np.uint8(ord("N"))]
    t, _, _, z, _, _ = call(
        "lapack_dgees", [*int32(2, 4), *letters, MATRIX], [MATRIX, VECTOR, VECTOR, MATRIX, INFO, INFO]
    )
    np.testing.assert_allclose(z @ t @ z.swapaxes(-1, -2), MATRIX, atol=1e-12)
    t, w, *_ = call(
        "lapack_zgees", [*int32(2, 4), *letters, vectors],
        [vectors, np.zeros(4), VECTOR.astype(complex), vectors, INFO, INFO],
    )[::2]  # fmt: skip
    np.testing.assert_allclose(np.diagonal(t, axis1=1, axis2=2), w)


def test_older_reductions_and_solves():
    short = np.zeros((2, 3))
    h, *_ = call("lapack_dgehrd", [*int32(4, 1, 4, 4, 2, 7), MATRIX], [MATRIX, short, INFO, WORK])
    newer = call(
        "lapack_dgehrd_ffi", [MATRIX], [MATRIX, short, INFO], "mhlo.backend_config = {low = 1 : i32, high = 4 : i32}"
    )
    np.testing.assert_array_equal(h, newer[0])
    _, d, e, *_ = call("lapack_dsytrd", [*int32(4, 1, 4, 2, 7), SYMMETRIC], [MATRIX, VECTOR, short, short, INFO, WORK])
    values = [np.diag(d[0]) + np.diag(e[0], 1) + np.diag(e[0], -1), SYMMETRIC[0]]
    np.testing.assert_allclose(*map(np.linalg.eigvalsh, values), atol=1e-12)
    options = [*int32(1, 1, 0, 0, 4, 4, 2), np.float64(2)]
    (x,) = call("blas_dtrsm", [*options, MATRIX, SYMMETRIC], [MATRIX])
    np.testing.assert_allclose(np.tril(MATRIX) @ x, 2 * SYMMETRIC, atol=1e-10)


@pytest.mark.parametrize("name", ["gesdd", "gesvd"])
def test_the_routine_of_a_call_is_that_of_its_name(name, monkeypatch):
    from stablehlo_py.interpreter.custom_calls import lapack

    ran: list[str] = []
    routine = lapack._routine
    monkeypatch.setattr(lapack, "_routine", lambda name, *rest: ran.append(name) or routine(name, *rest))
    results = [MATRIX, VECTOR, MATRIX, MATRIX, INFO]
    _, s, u, vt, _ = call(f"lapack_d{name}_ffi", [MATRIX], results, "mhlo.backend_config = {mode = 65 : ui8}")
    assert ran == [name] * 2
    np.testing.assert_allclose(u * s[:, None] @ vt, MATRIX, atol=1e-12)


def descriptor(*numbers: int) -> str:
    return "".join(f"\\{byte:02X}" for byte in struct.pack(f"<{len(numbers)}i", *numbers))


@pytest.mark.parametrize(("target", "upper"), [("cusolver_syevd", 1), ("hipsolver_syevj", 121)])
def test_older_gpu_calls_have_descriptors(target, upper):
    half = np.triu(SYMMETRIC)
    config = f'api_version = 2 : i32, backend_config = "{descriptor(0, upper, 2, 4, 7)}"'
    v, w, _, _ = call(target, [half], [MATRIX, VECTOR, INFO, WORK], config)
    np.testing.assert_allclose(v * w[:, None] @ v.swapaxes(-1, -2), SYMMETRIC, atol=1e-12)


@pytest.mark.parametrize("platform", ["cu", "hip"])
def test_gpu_factorizations(platform):
    lower = "mhlo.backend_config = {lower = false}"
    upper, _ = call(f"{platform}solver_potrf_ffi", [POSITIVE], [MATRIX, INFO], lower)
    np.testing.assert_allclose(np.triu(upper).swapaxes(-1, -2) @ np.triu(upper), POSITIVE)
    a, tau = call(f"{platform}blas_geqrf_batched_ffi", [MATRIX], [MATRIX, VECTOR])
    (q,) = call(f"{platform}solver_orgqr_ffi", [a, tau], [MATRIX])
    options = "mhlo.backend_config = {left = true, transpose = false}"
    (product,) = call(f"{platform}solver_ormqr_ffi", [a, tau, np.triu(a)], [MATRIX], options)
    np.testing.assert_allclose(product, MATRIX, atol=1e-12)
    np.testing.assert_allclose(q @ np.triu(a), MATRIX, atol=1e-12)
    wide = MATRIX[:, :2]
    config = "mhlo.backend_config = {compute_uv = true, full_matrices = false}"
    _, s, u, v, _ = call(
        f"{platform}solver_gesvdj_ffi", [wide], [wide, VECTOR[:, :2], wide[:, :, :2], wide.swapaxes(1, 2), INFO], config
    )
    np.testing.assert_allclose(u * s[:, None] @ v.swapaxes(-1, -2), wide, atol=1e-12)


@pytest.mark.parametrize("platform", ["cu", "hip"])
def test_gpu_eigenvalues_and_products(platform):
    config = "mhlo.backend_config = {left = true, right = true}"
    results = [MATRIX, VECTOR.astype(complex), MATRIX.astype(complex), MATRIX.astype(complex), INFO]
    _, w, left, right, info = call(f"{platform}solver_geev_ffi", [MATRIX], results, config)
    np.testing.assert_allclose(MATRIX @ right, right * w[:, None], atol=1e-12)
    np.testing.assert_allclose(
        left.conj().swapaxes(-1, -2) @ MATRIX, w[..., None] * left.conj().swapaxes(-1, -2), atol=1e-12
    )
    assert info.tolist() == [0, 0]
    for transpose in (False, True):
        config = f"mhlo.backend_config = {{transpose = {str(transpose).lower()}}}"
        a = MATRIX[..., :3].swapaxes(-1, -2) if transpose else MATRIX[..., :3]
        operands = [a, POSITIVE, np.float64(2), np.float64(3)]
        (product,) = call(f"{platform}solver_syrk_ffi", operands, [MATRIX], config, layouts=False)
        np.testing.assert_allclose(product, 2 * MATRIX[..., :3] @ MATRIX[..., :3].swapaxes(-1, -2) + 3 * POSITIVE)


@pytest.mark.parametrize("platform", ["cu", "hip"])
def test_hybrid_calls_of_gpus(platform):
    """They are those of CPUs on a matrix that comes from the device."""
    config = 'mhlo.backend_config = {left = true, magma = "auto", right = true}'
    vectors = [MATRIX.astype(complex)] * 2
    real, imaginary, left, right, info = call(
        f"{platform}hybrid_eig_real", [MATRIX], [VECTOR, VECTOR, *vectors, INFO], config
    )
    w = real + 1j * imaginary
    np.testing.assert_allclose(MATRIX @ right, right * w[:, None], atol=1e-12)
    adjoint = left.conj().swapaxes(-1, -2)
    np.testing.assert_allclose(adjoint @ MATRIX, w[..., None] * adjoint, atol=1e-12)
    a = MATRIX * (1 + 2j)
    w, left, right, info = call(f"{platform}hybrid_eig_comp", [a], [VECTOR.astype(complex), *vectors, INFO], config)
    np.testing.assert_allclose(a @ right, right * w[:, None], atol=1e-12)
    assert info.tolist() == [0, 0]
    pivots = np.zeros((2, 4), np.int32)
    qr, order, tau = call(f"{platform}hybrid_geqp3", [MATRIX, pivots], [MATRIX, pivots, VECTOR])
    expected = call("lapack_dgeqp3_ffi", [MATRIX, pivots], [MATRIX, pivots, VECTOR])
    for result, value in zip((qr, order, tau), expected, strict=True):
        np.testing.assert_array_equal(result, value)


def test_cholesky_update():
    r, w = np.linalg.cholesky(POSITIVE[0]).T, MATRIX[0, 0] * [1, 0, 1, 1]
    updated, _ = call("cu_cholesky_update_ffi", [r, w], [r, w], layouts=False)
    np.testing.assert_allclose(updated.T @ updated, POSITIVE[0] + np.outer(w, w))
    np.testing.assert_array_equal(np.tril(updated, -1), 0)


def test_gpu_svd_of_a_wide_matrix_goes_by_its_transpose():
    wide = MATRIX[:, :2]
    config = "mhlo.backend_config = {compute_uv = true, full_matrices = true, transposed = true}"
    results = [wide, VECTOR[:, :2], MATRIX, wide[:, :, :2], INFO]
    _, s, vt, u, _ = call("cusolver_gesvd_ffi", [wide], results, config, layouts=False)
    np.testing.assert_allclose(u * s[:, None] @ vt[:, :2], wide, atol=1e-12)


def test_gpu_random_words_are_those_of_threefry():
    zero, ones = np.zeros(2, np.uint32), np.full(2, 0xFFFFFFFF, np.uint32)
    for target in ("cu_threefry2x32_ffi", "hip_threefry2x32"):
        first = call(target, [zero] * 4, [zero, zero])
        second = call(target, [ones] * 4, [zero, zero])
        # The known answers of Random123 for Threefry 2x32 of 20 rounds.
        assert [words[0] for words in first] == [0x6B200159, 0x99BA4EFE]
        assert [words[0] for words in second] == [0x1CB996FC, 0xBB002BE7]


def test_top_k_takes_the_first_of_equal_elements():
    x = np.array([[1, 3, 3, np.nan, -np.inf]], np.float32)
    _, indices = call("TopK", [x], [x[:, :3], np.zeros((1, 3), np.int32)], layouts=False)
    np.testing.assert_array_equal(indices, [[3, 1, 2]])
    smallest = "mhlo.attributes = {k = 2 : i64, largest = false}"
    _, indices = call("mhlo.topk", [x], [x[:, :2], np.zeros((1, 2), np.int32)], smallest, layouts=False)
    np.testing.assert_array_equal(indices, [[4, 0]])
    for largest in ("mhlo.attributes = {k = 3 : i64}", "mhlo.attributes = {k = 3 : i64, largest = true}"):
        _, indices = call("mhlo.topk", [x], [x[:, :3], np.zeros((1, 3), np.int32)], largest, layouts=False)
        np.testing.assert_array_equal(indices, [[3, 1, 2]])


@pytest.mark.parametrize(
    ("target", "function"),
    [("mhlo.erf", "erf"), ("mhlo.tan", "tan"), ("mhlo.sinh", "sinh"), ("stablehlo.tanh", "tanh")],
)
def test_targets_stand_for_ops(target, function):
    scipy_special = pytest.importorskip("scipy.special")
    x = np.linspace(-1, 1, 5)
    (result,) = call(target, [x], [x], layouts=False)
    expected = getattr(np, function)(x) if hasattr(np, function) else getattr(scipy_special, function)(x)
    np.testing.assert_allclose(result, expected, rtol=1e-14)


def test_what_cannot_run_says_what_it_is():
    for target, word in {
        "tpu_custom_call": "Pallas",
        "mosaic_gpu_v2": "Mosaic GPU",
        "__gpu$xla.gpu.triton": "Triton",
        "tf.call_tf_function": "TensorFlow",
        "xla_ffi_python_cpu_callback": "callback",
        "xla_python_gpu_callback": "callback",
    }.items():
        assert word in kind_of(target)
        with pytest.raises(UnsupportedOpError, match=word) as error:
            call(target, [MATRIX], [MATRIX], layouts=False)
        assert "custom_call_handler" in error.value.notes[0]
        assert find_handler(target) is None
    assert not any(kind_of(target) for target in targets() if "sparse_gtsv" not in target)


def test_a_handler_may_return_python_numbers_and_lists():
    @stablehlo_py.custom_call_handler("test.python")
    def python(call, x):
        return [[1.5, 2], int(x.sum()), True]

    x = np.arange(3)
    text = """func.func @main(%x: tensor<3xi64>) -> (tensor<2xbf16>, tensor<i8>, tensor<i1>) {
      %r:3 = stablehlo.custom_call @test.python(%x) : (tensor<3xi64>) -> (tensor<2xbf16>, tensor<i8>, tensor<i1>)
      return %r#0, %r#1, %r#2 : tensor<2xbf16>, tensor<i8>, tensor<i1>
    }"""
    results = stablehlo_py.interpret(stablehlo_py.parse(text), [x])
    assert [result.tolist() for result in results] == [[1.5, 2], 3, True]
    with pytest.raises(InterpreterError, match=r"handler returned 600, expected tensor<i8>"):
        stablehlo_py.interpret(stablehlo_py.parse(text), [x * 200])


def test_a_handler_sees_the_options_of_jax():
    seen = {}

    @stablehlo_py.custom_call_handler("test.options")
    def options(call, x):
        seen.update(call.backend_config, layouts=call.result_layouts, **call.frontend_attributes)
        return x

    config = (
        'mhlo.backend_config = {factor = 2.5 : f32, flag = true, n = 3 : ui8}, mhlo.frontend_attributes = {a = "b"}'
    )
    call("test.options", [MATRIX], [MATRIX], config)
    assert seen == {"factor": 2.5, "flag": True, "n": 3, "a": "b", "layouts": ((1, 2, 0),)}


def test_users_handlers_win():
    @stablehlo_py.custom_call_handler("LayoutConstraint")
    def doubled(call, x):
        return 2 * x

    try:
        np.testing.assert_array_equal(call("LayoutConstraint", [MATRIX], [MATRIX])[0], 2 * MATRIX)
    finally:
        from stablehlo_py.interpreter.custom_calls import registry

        del registry.USERS["LayoutConstraint"]
    np.testing.assert_array_equal(call("LayoutConstraint", [MATRIX], [MATRIX])[0], MATRIX)


def test_without_scipy_the_error_names_the_extra(monkeypatch):
    import sys

    from stablehlo_py.interpreter.custom_calls import lapack

    lapack._library.cache_clear()
    monkeypatch.setitem(sys.modules, "scipy.linalg", None)
    try:
        with pytest.raises(UnsupportedOpError, match="needs scipy") as error:
            call("lapack_dgetrf_ffi", [MATRIX], [MATRIX, VECTOR.astype(np.int32), INFO])
        assert "stablehlo-py[scipy]" in error.value.notes[0]
    finally:
        lapack._library.cache_clear()


FACTOR = """
func.func @main(%operand: tensor<?x2xf32>, %shape: tensor<2xi32>) -> tensor<?x2xf32> {
  %result = stablehlo.custom_call @lapack_spotrf_ffi(%operand, %shape) {
    indices_of_shape_operands = dense<1> : tensor<1xi64>, mhlo.backend_config = {uplo = 76 : ui8}
  } : (tensor<?x2xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  return %result : tensor<?x2xf32>
}"""


@pytest.mark.parametrize(
    ("old", "new", "shape", "message"),
    [
        ("", "", [3, 2], r"produced tensor<2x2xf32> as result 0, expected tensor<3x2xf32> by its shape operand"),
        ("", "", [-2, 2], r"shape operand 1 \[-2, 2\] for result 0, expected a shape of tensor<\?x2xf32>"),
        ("", "", [2, 3], r"shape operand 1 \[2, 3\] for result 0, expected a shape of tensor<\?x2xf32>"),
        ("dense<1>", "dense<2>", [2, 2], "has 2 in indices_of_shape_operands, expected .* one of its 2 operands"),
        ("dense<1>", "dense<0>", [2, 2], r"has tensor<\?x2xf32> as shape operand 0, expected a 1-dimensional tensor"),
        ("tensor<2xi32>", "tensor<2xf32>", [2, 2], r"has tensor<2xf32> as shape operand 1, expected a 1-dimensional"),
        ("1> : tensor<1x", "[0, 1]> : tensor<2x", [2, 2], "has 2 indices_of_shape_operands, expected 1, one for each"),
        ("dense<1> : tensor<1xi64>", '"last"', [2, 2], 'has "last" as indices_of_shape_operands, expected a tensor'),
        ("indices_of", "indices", [2, 2], "'lapack_spotrf_ffi' with operands, .* that its handler does not know"),
        ("uplo", "side", [2, 2], "'lapack_spotrf_ffi' with operands, .* that its handler does not know"),
    ],
)
def test_calls_that_do_not_fit_their_target_or_shapes(old, new, shape, message):
    module = stablehlo_py.parse(FACTOR.replace(old, new) if old else FACTOR)
    dtype = np.float32 if "2xf32" in new else np.int32
    with pytest.raises(InterpreterError, match=message) as caught:
        stablehlo_py.interpret(module, [np.eye(2, dtype=np.float32), np.array(shape, dtype)])
    assert caught.value.op == "stablehlo.custom_call"


def test_a_result_that_does_not_fit_into_memory_is_refused_before_its_handler_runs(monkeypatch):
    monkeypatch.setitem(registry.USERS, "lapack_spotrf_ffi", lambda *_: pytest.fail("the handler runs"))
    program = Program(stablehlo_py.parse(FACTOR), Settings(max_memory=1 << 20))
    with pytest.raises(StablehloError, match=rf"needs {8 << 20} bytes, more than the limit of"):
        program.run([np.eye(2, dtype=np.float32), np.array([1 << 20, 2], np.int32)])


def test_users_see_the_call_of_a_run(monkeypatch):
    seen = []

    def handler(call, operand):
        seen.append((call.result_types[0].shape, call.operand_layouts, operand.shape))
        return np.zeros(call.result_types[0].static_shape, np.float32)

    monkeypatch.setitem(registry.USERS, "zeros", handler)
    program = Program(
        stablehlo_py.parse(
            """func.func @main(%shape: tensor<1xi32>, %operand: tensor<?x1xf32>) -> tensor<?xf32> {
              %result = stablehlo.custom_call @zeros(%shape, %operand) {
                indices_of_shape_operands = dense<0> : tensor<1xi64>,
                operand_layouts = [dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>],
                result_layouts = [dense<0> : tensor<1xindex>]
              } : (tensor<1xi32>, tensor<?x1xf32>) -> tensor<?xf32>
              return %result : tensor<?xf32>
            }"""
        )
    )
    for size in (2, 5, 2, 0):
        (result,) = program.run([np.array([size], np.int32), np.zeros((size, 1), np.float32)])
        np.testing.assert_array_equal(result, np.zeros(size, np.float32))
    assert seen == [((size,), ((0, 1),), (size, 1)) for size in (2, 5, 2, 0)]


def test_errors_of_users_handlers_are_theirs(monkeypatch):
    def handler(call, operand):
        raise KeyError("size")

    monkeypatch.setitem(registry.USERS, "mine", handler)
    text = "func.func @main(%a: tensor<f32>) { stablehlo.custom_call @mine(%a) : (tensor<f32>) -> ()\n return }"
    with pytest.raises(InterpreterError, match=r"runs code of yours, which raises KeyError: 'size'"):
        stablehlo_py.interpret(stablehlo_py.parse(text), [np.float32(1)])


@pytest.mark.parametrize(
    "config",
    [
        *("", "{", "[]", r"{\22all_gather_dimension\22: 0}"),
        r"{\22all_gather_dimension\22: \22x\22, \22replica_groups\22: [[0]]}",
        r"{\22all_gather_dimension\22: 0, \22replica_groups\22: 3}",
    ],
)
def test_an_asynchronous_collective_that_cannot_be_read_is_an_error_at_its_place(config):
    attributes = f'{{mhlo.frontend_attributes = {{async_collective_config = "{config}"}}}}'
    module = stablehlo_py.parse(
        f"""func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = stablehlo.custom_call @"all-gather-start"(%a) {attributes} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}}""",
        source_name="f.mlir",
    )
    with pytest.raises(InterpreterError, match=r"^f\.mlir:2:8: error: .*(cannot be read|requires attribute)") as caught:
        stablehlo_py.interpret(module, [np.ones(2, np.float32)])
    assert caught.value.op in ("stablehlo.custom_call", "stablehlo.all_gather")


def test_a_buffer_has_the_type_of_the_result_and_zeros():
    text = """func.func @main() -> (tensor<2x3xf32>, tensor<i8>) {
      %0 = stablehlo.custom_call @AllocateBuffer() : () -> tensor<2x3xf32>
      %1:2 = stablehlo.custom_call @AllocateBuffer() : () -> (tensor<0xf32>, tensor<i8>)
      return %0, %1#1 : tensor<2x3xf32>, tensor<i8>
    }"""
    first, second = stablehlo_py.load(text)()
    assert (first.shape, first.dtype, first.tolist()) == ((2, 3), np.float32, [[0.0] * 3] * 2)
    assert (second.shape, second.dtype, second.tolist()) == ((), np.int8, 0)
