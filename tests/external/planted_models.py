"""Ops planted in JAX models in bf16 are found by `trace --against` the same model in f32; prints a line for each.

`tools/run external/planted_models` plants errors in ops of each model, inside loops where there are some. It ends with
exit code 1 unless each is named with its place, and the likeliest cause, if there is one, is of the same op.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug import examine
from stablehlo_py.debug.programs.inputs import Distribution, draw_arguments
from stablehlo_py.debug.programs.subject import place
from stablehlo_py.debug.tracing.against import trace_against
from stablehlo_py.engines import Engine, open_engine

OPS = ("add", "subtract", "multiply", "divide", "exponential", "tanh", "rsqrt", "logistic", "dot_general", "maximum")


def _norm(x: jax.Array) -> jax.Array:
    centered = x - x.mean(-1, keepdims=True)
    return centered * jax.lax.rsqrt((centered * centered).mean(-1, keepdims=True) + jnp.asarray(1e-3, x.dtype))


def transformer(x: jax.Array, qkv: jax.Array, up: jax.Array, down: jax.Array) -> jax.Array:
    """Four layers in a scan, with dropout."""

    def layer(x: jax.Array, given: Any) -> Any:
        key, qkv, up, down = given
        q, k, v = jnp.split(_norm(x) @ qkv, 3, -1)
        x = x + jax.nn.softmax(q @ k.T / jnp.asarray(8, x.dtype)) @ v
        hidden = jax.nn.gelu(_norm(x) @ up)
        return x + jnp.where(jax.random.bernoulli(key, 0.9, hidden.shape), hidden, 0) @ down, None

    keys = jax.random.split(jax.random.key(0), 4)
    return jax.lax.scan(layer, x, (keys, qkv, up, down))[0]


def convolutions(x: jax.Array, first: jax.Array, second: jax.Array, head: jax.Array) -> Any:
    """A step of training by gradient descent."""

    def loss(weights: Any) -> jax.Array:
        hidden = x
        for kernel in weights[:2]:
            hidden = jnp.tanh(jax.lax.conv(hidden, kernel, (2, 2), "SAME"))
        return jnp.square(hidden.reshape(x.shape[0], -1) @ weights[2]).mean()

    weights = first, second, head
    return [w - jnp.asarray(0.1, w.dtype) * g for w, g in zip(weights, jax.grad(loss)(weights), strict=True)]


def recurrence(x: jax.Array, w: jax.Array, u: jax.Array) -> jax.Array:
    """A gated recurrence over sixteen steps."""

    def step(h: jax.Array, one: jax.Array) -> Any:
        gate = jax.nn.sigmoid(one @ w)
        return gate * h + (1 - gate) * jnp.tanh(h @ u), None

    return jax.lax.scan(step, x[0], x)[0]


MODELS: dict[Callable[..., Any], list[tuple[int, ...]]] = {
    transformer: [(64, 128), (4, 128, 384), (4, 128, 512), (4, 512, 128)],
    convolutions: [(8, 3, 32, 32), (16, 3, 3, 3), (32, 16, 3, 3), (2048, 10)],
    recurrence: [(16, 8, 128), (128, 128), (128, 128)],
}


def exported(model: Callable[..., Any], dtype: str) -> ir.Module:
    """The model as a program."""
    shapes = [jax.ShapeDtypeStruct(shape, dtype) for shape in MODELS[model]]
    module = jax.jit(model).lower(*shapes).compiler_ir("stablehlo")
    return stablehlo_py.parse(module.operation.get_asm(enable_debug_info=True))


def candidates(module: ir.Module) -> list[ir.Operation]:
    """The ops on whole arrays of floats that an error can be planted in; those of regions of scalars are not."""
    return [op for op in operations(module.operation) if op.name.partition(".")[2] in OPS
            and len(ir.RankedTensorType(op.results[0].type).shape) > 1
            and isinstance(ir.RankedTensorType(op.results[0].type).element_type, ir.FloatType)]  # fmt: skip


def found(model: Callable[..., Any], seed: int, reference: Engine, planted: Engine) -> bool:
    """Plant an error, look for it, and print what was found; return whether that is right."""
    module = exported(model, "bfloat16")
    chosen = random.Random(seed).choice(candidates(module))
    chosen.attributes["planted"] = ir.StringAttr.get("negated", module.context)
    wanted, subject = place(chosen, 0), examine(module)
    arguments = draw_arguments(subject.function, seed, {None: Distribution("uniform", -0.5, 0.5)})
    start = time.perf_counter(), time.process_time()
    outcome = trace_against(subject, examine(exported(model, "float32")), arguments, reference, planted, cuts=0)
    seconds = time.perf_counter() - start[0], time.process_time() - start[1]
    culprit, last = outcome.culprit, outcome.cause
    here = culprit is not None and (culprit.op, culprit.location) == (wanted.op, wanted.location)
    right = here and (not last or last.startswith(str(culprit)))  # the mark is a change of the op itself
    times = f"{seconds[0]:.1f} s, {seconds[1]:.1f} s of processor time in this process"
    print(
        f"{'found' if right else 'MISSED'} in {model.__name__} ({times}): {wanted.op} at {wanted.location}", flush=True
    )
    if not right:
        print(f"  first wrong op: {culprit}\n  likeliest cause: {last}", flush=True)
    return right


def main() -> int:
    """Return 1 if a planted error is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=4, help="errors planted in each model")
    count = parser.parse_args().count
    with open_engine("reference") as reference, Engine("planted", "planted_engine:backend") as planted:
        results = [found(model, seed, reference, planted) for model in MODELS for seed in range(count)]
    print(f"{sum(results)} of {len(results)} found")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
