"""Programs that JAX exports for each platform that it can lower for, against XLA's values on the CPU."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from samples import chequered

import stablehlo_py

jax = pytest.importorskip("jax", reason="the programs are JAX's exports")
export = pytest.importorskip("jax.export")
jnp, lax = jax.numpy, jax.lax

PLATFORMS = ("cpu", "cuda", "rocm", "tpu")
RANDOM = np.random.default_rng(0)
SEGMENTS = np.array([0, 1, 0, 2, 2, 1, 3, 0], np.int32)
jit = cache(jax.jit)
CUMULATIVE = (lax.cumsum, lax.cumprod, lax.cummax, lax.cummin, lax.cumlogsumexp)


def normal(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


def positive(*shape: int) -> np.ndarray:
    """Symmetric positive definite matrices."""
    a = normal(*shape)
    return a @ a.swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1], dtype=np.float32)


def numpy_like(x: Any, y: Any) -> list[Any]:
    return [
        jnp.tanh(x @ y) + jnp.mean(x, 1, keepdims=True),
        jnp.percentile(x, 30, axis=1),
        jnp.einsum("ij,jk,lk->il", x, y, y),
        jnp.histogram(x, bins=5)[0],
        jnp.nan_to_num(jnp.log(x)),
        jax.scipy.special.digamma(jnp.abs(x) + 1),
    ]


def factors(a: Any, b: Any) -> list[Any]:
    """Factorizations by the parts that no choice of signs changes."""
    q, r = jnp.linalg.qr(b)
    u, s, v = jnp.linalg.svd(b, full_matrices=False)
    values, vectors = jnp.linalg.eigh(a)
    return [
        jnp.linalg.cholesky(a),
        *(q @ r, jnp.abs(r)),
        *((u * s[..., None, :]) @ v, s),
        *((vectors * values[..., None, :]) @ vectors.mT, values),
        lax.linalg.lu(a)[0],
        jnp.linalg.solve(a, b),
        lax.linalg.triangular_solve(a, b, left_side=True, lower=True),
    ]


def transforms(x: Any) -> list[Any]:
    return [jnp.fft.fft(x), jnp.fft.rfftn(x), jnp.fft.irfft(jnp.fft.rfft(x)), jnp.fft.ifft2(x)]


def numbers(key: Any) -> list[Any]:
    draws = [jax.random.uniform, jax.random.normal, jax.random.exponential]
    return [*[draw(key, shape=(5,)) for draw in draws], jax.random.permutation(key, 8), jax.random.bits(key, (3,))]


def cumulative(x: Any) -> list[Any]:
    return [scan(x, axis=axis, reverse=axis == 1) for scan in CUMULATIVE for axis in (0, 1)]


def scans(x: Any) -> list[Any]:
    return [
        *[jax.grad(lambda x, scan=scan: jnp.sum(scan(x) ** 2))(x) for scan in CUMULATIVE],
        jax.vmap(jnp.cumsum)(x.astype(jnp.bfloat16)).astype(jnp.float32),
        jnp.cumsum(x > 0),
        jnp.cumprod(x * (1 + 1j), axis=1),
        lax.scan(lambda carry, row: (carry * 0.5 + row, carry - row), jnp.zeros(x.shape[1]), x),
        lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (x, x)),
    ]


def orders(x: Any) -> list[Any]:
    return [
        jnp.sort(x, axis=0),
        jnp.argsort(x, axis=1, descending=True),
        lax.top_k(x, 3),
        lax.top_k(jnp.int32(x * 3), 2),
        lax.approx_max_k(x, 2, recall_target=1.0),
        jnp.argmax(x, 1),
        jax.grad(lambda x: jnp.sum(jnp.sort(x) * jnp.arange(x.shape[1])))(x),
    ]


def convolutions(image: Any, window: Any) -> list[Any]:
    def convolved(image: Any, window: Any, **options: Any) -> Any:
        options = {"window_strides": (1, 1), "padding": "SAME"} | options
        return lax.conv_general_dilated(image, window, dimension_numbers=("NHWC", "HWIO", "NHWC"), **options)

    def pooled(image: Any) -> Any:
        return lax.reduce_window(image, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    return [
        convolved(image, window, window_strides=(2, 2), rhs_dilation=(2, 2)),
        convolved(image, window[:, :, :1, :3], feature_group_count=3),
        jax.grad(lambda image: jnp.sum(pooled(convolved(image, window)) ** 2))(image),
    ]


@jax.custom_jvp
def squared(x: Any) -> Any:
    return x * x


squared.defjvp(lambda primals, tangents: (squared(*primals), 3 * primals[0] * tangents[0]))


def derivatives(x: Any) -> list[Any]:
    return [
        jax.vmap(jax.grad(squared))(x),
        jax.grad(lambda x: jnp.sum(jax.checkpoint(lambda y: jnp.sin(jnp.cos(y)))(x)))(x),
        jax.hessian(lambda x: jnp.sum(jnp.exp(x) * x))(x),
        lax.composite(lambda x: jnp.sin(x) * 2, "my.op")(x),
        jax.nn.gelu(x),
    ]


def branches(x: Any, index: Any) -> list[Any]:
    return [
        lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x),
        lax.switch(index[2], [jnp.sin, jnp.cos, jnp.tan], x),
        lax.while_loop(lambda state: state[0] < 5, lambda state: (state[0] + 1, state[1] * 1.1), (0, x)),
        lax.fori_loop(0, x.shape[0], lambda i, x: x.at[i].add(x[i - 1]), x),
    ]


def segments(x: Any, index: Any) -> list[Any]:
    sums = [jax.ops.segment_sum, jax.ops.segment_max, jax.ops.segment_min, jax.ops.segment_prod]
    return [
        *[combine(x, index, 4) for combine in sums],
        jnp.bincount(index, length=5),
        x.at[index].set(1.0),
        x.at[index + 5].get(mode="fill", fill_value=7),
    ]


KINDS: dict[Callable[..., Any], Sequence[np.ndarray]] = {
    numpy_like: (normal(4, 6), normal(6, 5)),
    factors: (positive(2, 4, 4), normal(2, 4, 3)),
    transforms: (normal(4, 6),),
    numbers: (np.array([0, 42], np.uint32),),
    cumulative: (normal(4, 6),),
    scans: (normal(4, 6),),
    orders: (normal(4, 6),),
    convolutions: (normal(2, 8, 8, 3), normal(3, 3, 3, 4)),
    derivatives: (normal(8),),
    branches: (normal(8), SEGMENTS),
    segments: (normal(8), SEGMENTS),
}


def assert_agrees(function: Callable[..., Any], exported: Any, arguments: Sequence[np.ndarray], *first: Any) -> None:
    """Compare the program's results with the function's on this machine; `first` stand before the arguments."""
    expected = [np.asarray(value) for value in jax.tree.leaves(jit(function)(*arguments))]
    results = stablehlo_py.interpret(stablehlo_py.deserialize(exported.mlir_module_serialized), [*first, *arguments])
    for index, (result, value) in enumerate(zip(results, expected, strict=True)):
        assert (result.shape, result.dtype) == (value.shape, value.dtype)
        np.testing.assert_allclose(result, value, rtol=2e-4, atol=2e-4, err_msg=f"result {index}")


@pytest.mark.parametrize(
    ("function", "platform"), chequered(list(KINDS), PLATFORMS, 4), ids=lambda value: getattr(value, "__name__", value)
)
def test_one_platform(function, platform):
    exported = export.export(jit(function), platforms=[platform])(*KINDS[function])
    assert_agrees(function, exported, KINDS[function])


@pytest.mark.parametrize("function", [cumulative, orders], ids=lambda function: function.__name__)
def test_one_program_for_all_platforms(function):
    """The first argument chooses the platform."""
    exported = export.export(jit(function), platforms=PLATFORMS)(*KINDS[function])
    for index in range(len(PLATFORMS)):
        assert_agrees(function, exported, KINDS[function], np.int32(index))


def windows(x: Any) -> list[Any]:
    rows = x.shape[0]
    sums = lax.reduce_window((x, x), (0.0, 1.0), lambda a, b: (a[0] + b[0], a[1] * b[1]), (rows, 2), (1, 1), "SAME")
    return [*cumulative(x), *sums, *lax.top_k(x.reshape(2, -1), rows), lax.approx_max_k(x.reshape(2, -1), rows)[0]]


def test_refined_to_static_ops():
    """Refinement finds the results of calls that take sizes as operands, which then become ops."""
    types = jax.ShapeDtypeStruct(export.symbolic_shape("b, 4"), np.float32)
    exported = export.export(jit(windows), platforms=["cuda"])(types)
    module = stablehlo_py.deserialize(exported.mlir_module_serialized)
    passes = "inline,stablehlo-shape-refinement-pipeline,func.func(stablehlo-canonicalize-dynamism)"
    stablehlo_py.run_passes(module, f"builtin.module(stablehlo-refine-arguments{{types=tensor<6x4xf32>}},{passes})")
    assert "?" not in re.sub('".*"', "", str(module))
    assert "stablehlo.dynamic_reduce_window" not in str(module)
    argument = normal(6, 4)
    expected = [np.asarray(value) for value in jit(windows)(argument)]
    for result, value in zip(stablehlo_py.interpret(module, [argument]), expected, strict=True):
        np.testing.assert_allclose(result, value, rtol=2e-4, atol=2e-4)


def squares(a: Any) -> list[Any]:
    return [jnp.linalg.cholesky(a), lax.linalg.lu(a)[0], jnp.linalg.inv(a)]


UNKNOWN: dict[Callable[..., Any], tuple[list[str], Callable[[int], list[np.ndarray]]]] = {
    factors: (["b, 4, 4", "b, 4, 3"], lambda size: [positive(size, 4, 4), normal(size, 4, 3)]),
    squares: (["b, n, n"], lambda size: [positive(2, size, size)]),
    cumulative: (["b, c"], lambda size: [normal(size, 4)]),
    orders: (["b, 6"], lambda size: [normal(size, 6)]),
}


@pytest.mark.parametrize(
    ("function", "platform"),
    chequered(list(UNKNOWN), PLATFORMS, 4),
    ids=lambda value: getattr(value, "__name__", value),
)
def test_unknown_sizes(function, platform):
    shapes, arguments_of = UNKNOWN[function]
    scope = export.SymbolicScope()
    types = [jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), np.float32) for shape in shapes]
    exported = export.export(jit(function), platforms=[platform])(*types)
    for size in (1, 3):
        assert_agrees(function, exported, arguments_of(size))
