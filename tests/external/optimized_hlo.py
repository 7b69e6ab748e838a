#!/usr/bin/env python3
"""Imports the HLO of JAX programs, and compares its results with the StableHLO's and the executable's.

    tools/run external/optimized_hlo [--passes] [NAME ...]

Each program is compiled for the CPU and imported before and after XLA's passes, with `--passes` after each of them, and
as `stablehlo_py.export` writes it. The reference runs what was imported. Its results have the bits of the program in
StableHLO, or are among those that the specification permits the executable: XLA's passes reorder sums and fuse
roundings. The exit code is 1 if a result is neither, if one has other bits before the passes, or if more than two
programs are refused.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxlib import _hlo

import stablehlo_py
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.debug.allowed.spread import first_beyond
from stablehlo_py.debug.bisect_passes import dump_hlo
from stablehlo_py.engines import Engine, Limits, open_engine
from stablehlo_py.errors import StablehloError

RNG = np.random.default_rng(0)
WHOLE = _hlo.HloPrintOptions()
WHOLE.print_large_constants = True
# Texts of a program, from the first on, that XLA's converter changes before the passes: it writes complex functions as
# formulas of real ones, and x for x + 0.0, which our export prevents.
CONVERTED = {"complex_numbers": 2, "sums_with_zero": 1}
PROGRAMS: dict[str, tuple[Callable[..., Any], Sequence[np.ndarray]]] = {}


def program(*of: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a program; `of` has its arguments: arrays, and shapes of random f32 arrays."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        arrays = [each if isinstance(each, np.ndarray) else real(*each) for each in of]
        PROGRAMS[function.__name__] = (function, arrays)
        return function

    return register


def real(*shape: int) -> np.ndarray:
    """Return random numbers."""
    return RNG.normal(size=shape).astype(np.float32)


def whole(low: int, high: int, *shape: int, dtype: str = "int32") -> np.ndarray:
    """Return random integers."""
    return RNG.integers(low, high, shape).astype(dtype)


def positive(size: int) -> np.ndarray:
    """Return a symmetric matrix with positive eigenvalues."""
    a = real(size, size)
    return (a @ a.T + size * np.eye(size)).astype(np.float32)


# Layers --------------------------------------------------------------------------------------------------------------


@program((8, 16), (16, 32), (32, 4))
def perceptron(x, w, v):
    return jax.nn.gelu(x @ w, approximate=False) @ v


@program((128, 256), (256, 192))
def large_matmul(x, w):
    return jnp.maximum(x @ w + 1, 0)


@program((2, 12, 12, 3), (3, 3, 3, 8))
def convolution(x, w):
    y = lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return lax.reduce_window(jax.nn.relu(y), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


@program((2, 6, 10), (4, 3, 3))
def grouped_convolution(x, w):
    return lax.conv_general_dilated(x, w, (1,), [(2, 0)], rhs_dilation=(2,), feature_group_count=2)


@program((4, 6, 16), (16,), (16,))
def layer_norm(x, scale, bias):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias


@program((8, 16))
def softmax(x):
    return jax.nn.softmax(x), jax.nn.log_softmax(x), jax.nn.logsumexp(x, axis=0)


@program((2, 6, 2, 8), (2, 6, 2, 8), (2, 6, 2, 8))
def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 3
    masked = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), scores, -1e30)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(masked), v)


@program((8, 16), (16, 16), (16, 16), (8, 16))
def gradient_step(x, w, v, wanted):
    def loss(weights):
        return jnp.mean((jnp.tanh(x @ weights[0]) @ weights[1] - wanted) ** 2)

    value, gradients = jax.value_and_grad(loss)((w, v))
    return value, jax.tree.map(lambda a, g: a - 0.1 * g, (w, v), gradients)


@program((6, 8), (6, 8), (6, 8), (6, 8))
def adam(w, m, v, g):
    m, v = 0.9 * m + 0.1 * g, 0.999 * jnp.abs(v) + 0.001 * g * g
    scale = jnp.minimum(1.0, 1.0 / jnp.sqrt((g * g).sum()))
    return w - 1e-3 * (scale * m / 0.1) / (jnp.sqrt(v / 0.001) + 1e-8), m, v


@program((2, 12, 12, 3), (3, 3, 3, 4))
def convolution_gradient(x, w):
    def loss(w, x):
        return (lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) ** 2).sum()

    return jax.grad(loss, (0, 1))(w, x)


@program(whole(0, 50, 4, 6), (50, 8))
def embedding_gradient(tokens, table):
    return jax.grad(lambda table: jnp.tanh(table[tokens]).sum())(table)


@program((4, 8), (8, 24), (6, 4, 8))
def recurrent(h, w, xs):
    def step(h, x):
        r, z, n = jnp.split((h + x) @ w, 3, -1)
        h = jax.nn.sigmoid(z) * h + (1 - jax.nn.sigmoid(z)) * jnp.tanh(jax.nn.sigmoid(r) * n)
        return h, h.sum()

    return lax.scan(step, h, xs)


# Control flow --------------------------------------------------------------------------------------------------------


@program((5,), whole(5, 6))
def bounded_while(x, count):
    return lax.while_loop(lambda c: c[0] < count, lambda c: (c[0] + 1, jnp.sin(c[1]) * 2), (0, x))


@program((7,), whole(1, 2))
def branches(x, which):
    return lax.switch(which, [jnp.sin, lambda x: x[::-1] * 2, lambda x: jnp.cumsum(x)], x), lax.cond(
        x[0] > 0, lambda x: x + 1, lambda x: x - 1, x
    )


@program((3, 8, 8), (4, 8))
def rematerialized_scan(weights, x):
    def layer(carry, w):
        return jax.checkpoint(lambda c: jnp.tanh(c @ w) + c)(carry), None

    return jax.grad(lambda weights: (lax.scan(layer, x, weights)[0] ** 2).mean())(weights)


# Movement ------------------------------------------------------------------------------------------------------------


@program((4, 16))
def sorted_rows(x):
    return jnp.sort(x, axis=1), jnp.argsort(x, axis=0), jnp.median(x)


@program((4, 16))
def largest(x):
    return lax.top_k(x, 3)


@program((10, 4), whole(0, 10, 5), (5, 4))
def scattered(x, rows, updates):
    return x.at[rows].add(updates), x.at[rows].max(updates), x[rows], x.at[1, :2].set(0)


@program((6, 8), whole(0, 4))
def dynamic_slices(x, start):
    return lax.dynamic_slice(x, (start, 1), (2, 4)), lax.dynamic_update_slice(x, x[:2, :3], (start, start))


@program((3, 4, 5, 6))
def transposed(x):
    y = x.transpose(3, 0, 2, 1).reshape(6, 15, 4) * 2
    return y.transpose(1, 0, 2), jnp.concatenate([y, y[:, ::-1]], 0), jnp.pad(y, ((0, 0), (1, 2), (0, 0)))


@program((4, 16), whole(0, 2, 4, 16))
def selected(x, mask):
    return jnp.where(mask > 0, x, -x), jnp.clip(x, -0.5, 0.5), jnp.roll(x, 3, axis=1), jnp.isnan(x).any()


# Numbers -------------------------------------------------------------------------------------------------------------


@program((8, 16))
def cumulative(x):
    return jnp.cumsum(x, 0), jnp.cumprod(x, 1), lax.cummax(x, 0), lax.associative_scan(jnp.logaddexp, x, axis=1)


@program((12, 33))
def reductions(x):
    return x.sum(), x.max(1), x.argmax(0), x.std(0), jnp.prod(x, 0), (x > 0).all(1), jnp.linalg.norm(x)


@program((4, 16))
def fourier(x):
    return jnp.fft.rfft(x).real, jnp.abs(jnp.fft.fft(x)), jnp.fft.irfft(jnp.fft.rfft(x) * 2)


@program((40,))
def special_functions(x):
    y = jnp.abs(x) + 0.1
    return lax.erf(x), lax.erf_inv(jnp.tanh(x)), lax.lgamma(y), lax.digamma(y), jnp.sinh(x), jnp.arctan2(x, y), y**x


@program(whole(-99, 99, 40), whole(1, 99, 40))
def integers(x, y):
    return x // y, x % y, x << 2, x ^ y, lax.population_count(x), lax.clz(y), x.astype("uint8"), x.sum(), (x * y).max()


@program(whole(-9, 9, 8, 16, dtype="int8"), whole(-9, 9, 16, 4, dtype="int8"))
def quantized(x, w):
    return lax.dot(x, w, preferred_element_type=jnp.int32), (x.astype(jnp.float32) * 0.5).round().astype(jnp.int8)


@program((8, 16), (16, 8))
def brain_floats(x, w):
    x, w = x.astype(jnp.bfloat16), w.astype(jnp.bfloat16)
    return jax.nn.silu(x @ w), (x * 2 + 1).sum(-1), x.astype(jnp.float16)


@program(whole(0, 99, 2, dtype="uint32"))
def random_numbers(key):
    return jax.random.normal(key, (16,)), jax.random.bernoulli(key, 0.3, (8,)), jax.random.permutation(key, 12)


@program((6, 6), (6, 6))
def complex_numbers(x, y):
    z = x + 1j * y
    return (z @ z).real, jnp.abs(jnp.exp(z)), jnp.conj(z * 2 + 1)


@program(positive(6), (6, 2))
def factorized(a, b):
    lower = jnp.linalg.cholesky(a)
    return lower, lax.linalg.triangular_solve(lower, b, left_side=True, lower=True)


@program((4, 5, 6), (4, 6, 7))
def batched_matmul(x, w):
    return jnp.einsum("bij,bjk->bki", x, w), jax.vmap(jnp.outer)(x[:, 0], w[:, 0])


# Values that text may lose -------------------------------------------------------------------------------------------


@program((4,))
def signs_of_zero(x):
    return x * -0.0, jnp.float32(1) / (x * 0 + jnp.array([-0.0, 0.0, -0.0, 1.0], jnp.float32)), jnp.copysign(x, -0.0)


@program((4,))
def special_values(x):
    found = jnp.array([jnp.nan, -jnp.inf, 1e-45, -0.0], jnp.float32)
    return found, jnp.where(x > 9, x, found), jnp.maximum(found, x), found.astype(jnp.bfloat16), lax.sort(found)


@program((2,))
def complex_values(x):
    z = jnp.array([complex(np.nan, 1), complex(-0.0, -np.inf)], jnp.complex64)
    return z, jnp.conj(z), x + 1j * z.imag


@program((6,))
def small_floats(x):
    types = (jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.float16, jnp.bfloat16)
    values = [-0.0, 2.0, -1.5, 0.25, 0, 1]
    return [(jnp.array(values, type_) * x.astype(type_)).astype(jnp.float32) for type_ in types]


@program(whole(0, 2, 6), whole(0, 2, 6))
def booleans(x, y):
    p, q, truth = x > 0, y > 0, jnp.array([True, True, False, True, False, True])
    return p & q, p | truth, p ^ q, jnp.logical_or(truth, truth), (p + truth), (p * q).sum(), jnp.any(p), jnp.all(q)


@program((6,))
def initial_values(x):
    return x[:0].sum(), lax.reduce(x, jnp.float32(-0.0), lax.add, (0,)), jnp.min(x, initial=-0.0), jnp.prod(x[:0])


@program((5,))
def rounding(x):
    y = x * 10
    return jnp.round(y), jnp.floor(y), jnp.ceil(y), jnp.trunc(y), jnp.sign(y), lax.reduce_precision(y, 5, 10)


@program((6,), (6,))
def comparisons(x, y):
    zeros = jnp.array([0.0, -0.0, 0.0, -0.0, jnp.nan, 1.0], jnp.float32)
    return x < y, zeros == 0, jnp.maximum(zeros, -0.0), jnp.minimum(zeros, 0.0), jnp.nextafter(x, y), jnp.signbit(zeros)


@program((6,))
def sums_with_zero(x):
    negative = jnp.where(x > 0, -0.0, x)
    return negative + 0.0, negative - jnp.float32(-0.0), 0.0 + negative, negative * 1.0, negative + jnp.zeros(6)


# More of jax.numpy ---------------------------------------------------------------------------------------------------


@program((4, 6), (6,))
def statistics(x, w):
    return jnp.var(x, 0), jnp.average(x, 1, w), jnp.percentile(x, 30), jnp.histogram(x, 5)[0], jnp.cov(x)


@program((12,), whole(0, 12, 5))
def selections(x, k):
    return x[k], jnp.take(x, k - 3, mode="wrap"), jnp.searchsorted(jnp.sort(x), x), x[::-2], jnp.partition(x, 4)


@program((6,), (4,))
def polynomials(p, x):
    return jnp.polyval(p, x), jnp.convolve(p, x), jnp.correlate(p, x), jnp.interp(x, jnp.sort(p), p)


@program((3, 4), (3, 4))
def joined(x, y):
    return jnp.stack([x, y], 1), jnp.kron(x, y), jnp.tile(x, (2, 1)), jnp.repeat(y, 2, 0), jnp.block([[x, y], [y, x]])


@program(whole(-50, 50, 8, dtype="int8"), whole(0, 200, 8, dtype="uint8"))
def small_integers(x, y):
    return x + x, x * y.astype("int8"), y - 201, x >> 1, y >> 3, jnp.abs(x), x.astype("int32") ** 2, lax.rem(x, x + 101)


@program(whole(0, 2**31 - 1, 6, dtype="uint32"))
def bits_of_numbers(x):
    floats = lax.bitcast_convert_type(x, jnp.float32)
    return floats, lax.bitcast_convert_type(floats, jnp.uint32), x ^ (x << 13), lax.bitcast_convert_type(x, jnp.uint8)


@program((2, 5, 5, 2))
def windows(x):
    ones, zero = (1, 2, 2, 1), jnp.float32(0)
    average = lax.reduce_window(x, zero, lax.add, ones, (1, 1, 1, 1), "SAME") / 4
    return average, jax.grad(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, ones, ones, "VALID").sum())(x)


@program((3, 5))
def loops(x):
    def row(i, total):
        return total.at[i].add(x[i % 3, i])

    return lax.fori_loop(0, 5, row, jnp.zeros(5)), lax.map(jnp.cumsum, x), jax.vmap(lambda r: r - r.mean())(x)


@program((4, 4), (4,))
def solved(a, b):
    return jnp.linalg.solve(a, b), jnp.linalg.det(a), jnp.linalg.inv(a), jnp.linalg.matrix_power(a, 3), jnp.trace(a)


@program((8,))
def distributions(x):
    return (
        jax.nn.softplus(x),
        jax.nn.sigmoid(x),
        jax.scipy.stats.norm.pdf(x),
        jax.nn.one_hot(x.astype(int), 2),
        jax.nn.elu(x),
    )


# The comparison ------------------------------------------------------------------------------------------------------


def attempt(
    engine: Engine,
    text: str,
    arguments: Sequence[np.ndarray],
    module: Sequence[np.ndarray],
    wanted: Sequence[np.ndarray],
) -> str:
    """Import and run HLO text, and return whether it agrees with the program in StableHLO, or with the executable."""
    try:
        program = bytecode_of(stablehlo_py.parse(text))
    except StablehloError as error:
        return f"refused: {error}"
    outcome = engine.run(program, arguments)
    if not outcome.ok:
        return f"refused: {outcome}"
    if [one.tobytes() for one in outcome.results] == [np.asarray(one).tobytes() for one in module]:
        return "same bits"
    found = first_beyond(program, arguments, wanted, outcome.results)
    return "permitted" if found is None else f"DIFFERS: result {found[0]}"


def stages(name: str, each_pass: bool) -> tuple[list[np.ndarray], list[np.ndarray], list[tuple[str, str]]]:
    """Return the results of a program in StableHLO and of the executable, and its HLO by the pass before."""
    function, arguments = PROGRAMS[name]
    lowered = jax.jit(function, keep_unused=True).lower(*arguments)
    compiled = lowered.compile()
    wanted = [np.asarray(one) for one in jax.tree.leaves(compiled(*arguments))]
    optimized = compiled.runtime_executable().hlo_modules()[0].to_string(WHOLE)
    program = stablehlo_py.parse(str(lowered.compiler_ir()))
    exported = stablehlo_py.export(program, "hlo-text").decode()
    texts = [("before", lowered.as_text("hlo")), ("exported", exported)]
    if each_pass:
        with tempfile.TemporaryDirectory() as folder:
            _, dumps = dump_hlo(str(lowered.compiler_ir()).encode(), arguments, Limits(), Path(folder))
            texts += [(after, path.read_text(encoding="utf-8")) for after, path in dumps]
    module = stablehlo_py.interpret(program, list(arguments))
    return module, wanted, [*texts, ("after", optimized)]


def main() -> None:
    """Print a line for each program."""
    chosen = [name for name in sys.argv[1:] if name != "--passes"]
    counts, refused, changed = Counter[str](), set[str](), list[str]()
    start = time.process_time()
    engine = open_engine("reference")
    for name in chosen or PROGRAMS:
        module, wanted, texts = stages(name, "--passes" in sys.argv)
        found = [(after, attempt(engine, text, PROGRAMS[name][1], module, wanted)) for after, text in texts]
        verdicts = [verdict.partition(":")[0] for _, verdict in found]
        counts.update(f"{verdict} {('before', 'exported', 'after')[min(n, 2)]}" for n, verdict in enumerate(verdicts))
        refused |= {name} if "refused" in verdicts else set()
        changed += [name] if "permitted" in verdicts[CONVERTED.get(name, 0) : 2] else []
        others = [f"{after}: {verdict}" for after, verdict in found if verdict != "same bits"]
        fusions = texts[-1][1].count(" fusion(")
        print(f"{name:22} {fusions:3} fusions {len(texts):3} texts", *others or ["same bits"], flush=True)
    print(f"{len(chosen or PROGRAMS)} programs: {dict(counts)}, {time.process_time() - start:.1f} s")
    engine.close()
    is_wrong = any(verdict.startswith("DIFFERS") for verdict in counts)
    sys.exit(1 if is_wrong or changed or len(refused) > 2 else 0)


if __name__ == "__main__":
    main()
