"""Ops planted in JAX models in bf16 are found by `trace --against` the same model in f32; prints a line for each.

`tools/run external/planted_models` plants errors in ops of each model, inside loops where there are some. It ends with
exit code 1 unless each is named with its place, and the likeliest cause, if there is one, is of the same op. With
`--times`, `compare`, `judge`, `trace` and `numerics` run on GPT-2 small, a transformer with dropout and a CNN's step.
"""

from __future__ import annotations

import argparse
import math
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from planted_networks import NETWORKS, Shapes, gpt2, norm

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug import examine
from stablehlo_py.debug.programs.inputs import Distribution, draw_arguments
from stablehlo_py.debug.programs.subject import Subject, place
from stablehlo_py.debug.tracing.against import trace_against
from stablehlo_py.engines import Engine, open_engine
from stablehlo_py.interpreter.storage import save_arrays

OPS = ("add", "subtract", "multiply", "divide", "exponential", "tanh", "rsqrt", "logistic", "dot_general", "maximum")


def transformer(x: jax.Array, qkv: jax.Array, up: jax.Array, down: jax.Array) -> jax.Array:
    """Four layers in a scan, with dropout."""

    def layer(x: jax.Array, given: Any) -> Any:
        key, qkv, up, down = given
        q, k, v = jnp.split(norm(x) @ qkv, 3, -1)
        x = x + jax.nn.softmax(q @ k.T / jnp.asarray(8, x.dtype)) @ v
        hidden = jax.nn.gelu(norm(x) @ up)
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


MODELS: dict[Callable[..., Any], Shapes] = {
    transformer: [(64, 128), (4, 128, 384), (4, 128, 512), (4, 512, 128)],
    convolutions: [(8, 3, 32, 32), (16, 3, 3, 3), (32, 16, 3, 3), (2048, 10)],
    recurrence: [(16, 8, 128), (128, 128), (128, 128)],
    **NETWORKS,
}
TIMED = ((gpt2, "float32"), (transformer, "bfloat16"), (convolutions, "float32"))


def exported(model: Callable[..., Any], dtype: str) -> ir.Module:
    """The model as a program."""
    shapes = [jax.ShapeDtypeStruct(shape, dtype) for shape in MODELS[model]]
    module = jax.jit(model).lower(*shapes).compiler_ir("stablehlo")
    return stablehlo_py.parse(module.operation.get_asm(enable_debug_info=True))


def drawn(model: Callable[..., Any], subject: Subject, seed: int) -> list[np.ndarray]:
    """Arguments for a model: large weights of few inputs keep the size of what they are multiplied with."""
    kinds: dict[int | None, Distribution] = {None: Distribution("uniform", -0.5, 0.5)}
    for number, shape in enumerate(MODELS[model]) if model in NETWORKS else ():
        bound = min(0.5, 3 / math.prod(shape[:-1]) ** 0.5)
        kinds |= {number: Distribution("uniform", -bound, bound)} if number else {}
    return draw_arguments(subject.function, seed, kinds)


def candidates(module: ir.Module) -> list[ir.Operation]:
    """The ops on whole arrays of floats that an error can be planted in; those of regions of scalars are not."""
    return [op for op in operations(module.operation) if op.name.partition(".")[2] in OPS
            and len(ir.RankedTensorType(op.results[0].type).shape) > 1
            and isinstance(ir.RankedTensorType(op.results[0].type).element_type, ir.FloatType)]  # fmt: skip


def found(model: Callable[..., Any], seed: int, reference: Engine, planted: Engine) -> str:
    """Plant an error, look for it, and print what was found: whether that is right, or nothing in the results shows."""
    module = exported(model, "bfloat16")
    chosen = random.Random(seed).choice(candidates(module))
    chosen.attributes["planted"] = ir.StringAttr.get("negated", module.context)
    wanted, subject = place(chosen, 0), examine(module)
    arguments = drawn(model, subject, seed)
    start = time.perf_counter(), time.process_time()
    outcome = trace_against(subject, examine(exported(model, "float32")), arguments, reference, planted, cuts=0)
    seconds = time.perf_counter() - start[0], time.process_time() - start[1]
    culprit, last = outcome.culprit, outcome.cause
    here = culprit is not None and (culprit.op, culprit.location) == (wanted.op, wanted.location)
    right = here and (not last or last.startswith(str(culprit)))  # the mark is a change of the op itself
    times = f"{seconds[0]:.1f} s, {seconds[1]:.1f} s of processor time in this process"
    hidden = culprit is None and not outcome.apart  # the results are within half the digits of bf16
    said = "found" if right else "hidden" if hidden else "MISSED"
    where = f"{wanted.op} at {Path(wanted.location).name}"
    print(f"{said} in {model.__name__}, {len(operations(module.operation))} ops ({times}): {where}", flush=True)
    if said == "MISSED":
        print(f"  first wrong op: {culprit}\n  likeliest cause: {last}", flush=True)
    return said


def times(names: Sequence[str]) -> None:
    """Print the seconds of verbs on the timed models of these names, to their first line and to their end."""
    for model, dtype in [each for each in TIMED if each[0].__name__ in names]:
        with tempfile.TemporaryDirectory() as folder:
            module = exported(model, dtype)
            text = module.operation.get_asm(enable_debug_info=True)
            file, inputs = Path(folder, f"{model.__name__}.mlir"), Path(folder, "inputs.npz")
            file.write_text(str(text), encoding="utf-8")
            inputs.write_bytes(save_arrays(inputs.name, drawn(model, examine(module), 0)))
            for verb in ("compare", "judge", "trace", "numerics"):
                print(f"{model.__name__} {verb}: {timed([verb, str(file), f'--inputs={inputs}'])}", flush=True)


def timed(command: list[str]) -> str:
    """Run a verb; return its seconds and its last line."""
    start, spent = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen([sys.executable, "-m", "stablehlo_py", *command], stdout=subprocess.PIPE, text=True)
    lines, first = list[str](), 0.0
    for line in process.stdout if process.stdout is not None else ():
        first = first if lines else time.perf_counter() - start
        lines.append(line.strip())
    process.wait()
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = now.ru_utime + now.ru_stime - spent.ru_utime - spent.ru_stime
    end = f"{time.perf_counter() - start:.1f} s, {processor:.1f} s of processor time; first line after {first:.1f} s"
    return f"{end}: {lines[0] if lines else ''} … {lines[-1] if lines else ''}"


def main() -> int:
    """Return 1 if a planted error is missed."""
    names = [model.__name__ for model in MODELS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", default=names, help=f"of {', '.join(names)}")
    parser.add_argument("--count", type=int, default=2, help="errors planted in each model")
    parser.add_argument("--times", action="store_true", help="time the verbs instead")
    given = parser.parse_args()
    if given.times:
        times(given.models)
        return 0
    chosen, count = [model for model in MODELS if model.__name__ in given.models], given.count
    with open_engine("reference") as reference, Engine("planted", "planted_engine:backend") as planted:
        results = [found(model, seed, reference, planted) for model in chosen for seed in range(count)]
    hidden = results.count("hidden")
    print(f"{results.count('found')} of {len(results) - hidden} found; {hidden} more do not show in the results")
    return 1 if "MISSED" in results else 0


if __name__ == "__main__":
    sys.exit(main())
