"""Programs for many devices, as JAX makes them: `python benchmarks/parallel_programs.py FOLDER 2 4 8 64`.

For each program and each number of devices FOLDER gets the global program with its shardings (NAME.N.mlir), its
arguments (NAME.N.npz), and where XLA is asked (up to 8 devices) its results (NAME.N.results.npz) and HLO (NAME.N.hlo).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # before JAX counts its devices
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={max(map(int, sys.argv[2:]))}"
    os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

XLA_RUNS_UP_TO = 8


@dataclass(frozen=True)
class Program:
    """A function on a mesh; the shardings of its arguments and results are specs, or trees of them."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    mesh: Mesh
    inputs: tuple[Any, ...]
    outputs: Any


MAKERS: dict[str, Callable[[int], Program]] = {}


def program(make: Callable[[int], Program]) -> Callable[[int], Program]:
    """Register a function that makes a program for `devices` devices."""
    MAKERS[make.__name__] = make
    return make


def mesh_of(**axes: int) -> Mesh:
    """A mesh of the first devices."""
    count = int(np.prod(list(axes.values())))
    return Mesh(np.array(jax.devices()[:count]).reshape(tuple(axes.values())), tuple(axes))


def two_axes(devices: int) -> tuple[int, int]:
    """A mesh with two axes: 1 x 2, 2 x 2, 4 x 2, 8 x 8."""
    return (devices // 2, 2) if devices < 16 else (8, devices // 8)


def draw(*shape: int, seed: int = 0) -> np.ndarray:
    """Normal numbers, divided so that sums stay small."""
    random = np.random.default_rng((seed, *shape))
    return (random.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32)


def mlp(weights: Any, x: Any) -> Any:
    """Two layers."""
    first, second = weights
    return jnp.tanh(x @ first) @ second


def squared_loss(weights: Any, x: Any, y: Any) -> Any:
    """The mean of squared errors."""
    return jnp.mean((mlp(weights, x) - y) ** 2)


@program
def data_parallel(devices: int) -> Program:
    """The loss and the gradients of two layers: a part of the batch on each device."""
    weights = (draw(16, 32), draw(32, 8))
    arguments = (weights, draw(2 * devices, 16), draw(2 * devices, 8, seed=1))
    mesh = mesh_of(data=devices)
    inputs = ((P(), P()), P("data"), P("data"))
    return Program(jax.value_and_grad(squared_loss), arguments, mesh, inputs, (P(), (P(), P())))


@program
def tensor_parallel(devices: int) -> Program:
    """Two layers whose inner dimension is spread over the devices."""
    weights = (draw(16, 2 * devices), draw(2 * devices, 8))
    inputs = ((P(None, "model"), P("model", None)), P())
    return Program(mlp, (weights, draw(4, 16)), mesh_of(model=devices), inputs, P())


@program
def data_and_tensor_parallel(devices: int) -> Program:
    """Both: the batch along one axis of the mesh, the inner dimension along the other."""
    data, model = two_axes(devices)
    weights = (draw(16, 4 * model), draw(4 * model, 8))
    arguments = (weights, draw(2 * data, 16), draw(2 * data, 8, seed=1))
    shardings = (P(None, "model"), P("model", None))
    inputs = (shardings, P("data"), P("data"))
    mesh = mesh_of(data=data, model=model)
    return Program(jax.value_and_grad(squared_loss), arguments, mesh, inputs, (P(), shardings))


@program
def fully_sharded(devices: int) -> Program:
    """A step of training whose weights are spread over the devices that share the batch."""
    weights = (draw(devices, 32), draw(32, devices))
    arguments = (weights, draw(2 * devices, devices), draw(2 * devices, devices, seed=1))

    def step(weights: Any, x: Any, y: Any) -> Any:
        gradients = jax.grad(squared_loss)(weights, x, y)
        return jax.tree.map(lambda weight, gradient: weight - 0.1 * gradient, weights, gradients)

    shardings = (P("data"), P(None, "data"))
    return Program(step, arguments, mesh_of(data=devices), (shardings, P("data"), P("data")), shardings)


@program
def pipeline(devices: int) -> Program:
    """A layer on each device; four microbatches move from one to the next. By shard_map."""
    microbatches, width = 4, 8
    mesh = mesh_of(stage=devices)

    def stages(weight: Any, inputs: Any) -> Any:
        stage = lax.axis_index("stage")
        forward = [(n, (n + 1) % devices) for n in range(devices)]

        def tick(carry: Any, time: Any) -> Any:
            arrived, outputs = carry
            x = jnp.where(stage == 0, inputs[jnp.minimum(time, microbatches - 1)], arrived)
            y = jnp.tanh(x @ weight[0])
            done = time - (devices - 1)
            is_output = (stage == devices - 1) & (done >= 0)
            slot = jnp.maximum(done, 0)
            outputs = outputs.at[slot].set(jnp.where(is_output, y, outputs[slot]))
            return (lax.ppermute(y, "stage", forward), outputs), None

        start = (lax.pcast(jnp.zeros((2, width)), "stage", to="varying"), jnp.zeros_like(inputs))
        start = (start[0], lax.pcast(start[1], "stage", to="varying"))
        (_, outputs), _ = lax.scan(tick, start, jnp.arange(microbatches + devices - 1))
        return lax.psum(jnp.where(stage == devices - 1, outputs, 0), "stage")

    function = jax.shard_map(stages, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P())
    arguments = (draw(devices, width, width), draw(microbatches, 2, width))
    return Program(function, arguments, mesh, (P("stage"), P()), P())


def attention(query: Any, key: Any, value: Any) -> Any:
    """Softmax attention over one head."""
    return jax.nn.softmax(query @ key.T / np.sqrt(query.shape[-1])) @ value


@program
def sequence_parallel(devices: int) -> Program:
    """Attention of a sequence that is spread over the devices; keys and values are gathered."""
    arguments = tuple([draw(2 * devices, 8, seed=seed) for seed in range(3)])
    return Program(attention, arguments, mesh_of(sequence=devices), (P("sequence"),) * 3, P("sequence"))


@program
def ring_attention(devices: int) -> Program:
    """The same by shard_map: keys and values go round a ring, and the softmax is put together on the way."""
    mesh = mesh_of(sequence=devices)
    ring = [(n, (n + 1) % devices) for n in range(devices)]

    def local(query: Any, key: Any, value: Any) -> Any:
        def turn(_: Any, state: Any) -> Any:
            key, value, top, total, result = state
            scores = query @ key.T / np.sqrt(query.shape[-1])
            new_top = jnp.maximum(top, scores.max(-1, keepdims=True))
            weights, old = jnp.exp(scores - new_top), jnp.exp(top - new_top)
            total = total * old + weights.sum(-1, keepdims=True)
            result = result * old + weights @ value
            return lax.ppermute(key, "sequence", ring), lax.ppermute(value, "sequence", ring), new_top, total, result

        top = lax.pcast(jnp.full((query.shape[0], 1), -jnp.inf), "sequence", to="varying")
        total = lax.pcast(jnp.zeros((query.shape[0], 1)), "sequence", to="varying")
        state = lax.fori_loop(0, devices, turn, (key, value, top, total, jnp.zeros_like(query)))
        return state[4] / state[3]

    specs = (P("sequence"),) * 3
    function = jax.shard_map(local, mesh=mesh, in_specs=specs, out_specs=P("sequence"))
    arguments = tuple([draw(2 * devices, 8, seed=seed) for seed in range(3)])
    return Program(function, arguments, mesh, specs, P("sequence"))


@program
def expert_parallel(devices: int) -> Program:
    """Experts on different devices: tokens go to theirs and come back by all_to_all. By shard_map."""
    mesh = mesh_of(expert=devices)

    def local(tokens: Any, weight: Any, gate: Any) -> Any:
        chosen = jax.nn.one_hot(jnp.argmax(tokens @ gate, -1), devices)
        sent = jnp.einsum("td,te->etd", tokens, chosen)
        arrived = lax.all_to_all(sent, "expert", split_axis=0, concat_axis=0, tiled=True)
        done = jnp.tanh(arrived @ weight[0])
        returned = lax.all_to_all(done, "expert", split_axis=0, concat_axis=0, tiled=True)
        return jnp.einsum("etd,te->td", returned, chosen)

    specs = (P("expert"), P("expert"), P())
    function = jax.shard_map(local, mesh=mesh, in_specs=specs, out_specs=P("expert"))
    arguments = (draw(3 * devices, 8), draw(devices, 8, 8, seed=1), draw(8, devices, seed=2))
    return Program(function, arguments, mesh, specs, P("expert"))


@program
def transformer_step(devices: int) -> Program:
    """A step of training of a transformer block: the batch along one axis of the mesh, heads and features the other."""
    data, model = two_axes(devices)
    heads, width, length, vocabulary = max(model, 2), 16, 4, 16
    size = 4
    weights = {
        "embedding": draw(vocabulary, width),
        "qkv": draw(3, heads, width, size, seed=1),
        "out": draw(heads, size, width, seed=2),
        "up": draw(width, 4 * heads, seed=3),
        "down": draw(4 * heads, width, seed=4),
    }
    random = np.random.default_rng(7)
    tokens = random.integers(0, vocabulary, (2 * data, length + 1)).astype(np.int32)

    def normalized(x: Any) -> Any:
        return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)

    def loss(weights: Any, tokens: Any) -> Any:
        x = weights["embedding"][tokens[:, :-1]]
        query, key, value = jnp.einsum("btd,nhde->nbhte", normalized(x), weights["qkv"])
        scores = jnp.einsum("bhte,bhse->bhts", query, key) / 2.0
        mask = jnp.tril(jnp.ones((length, length), bool))
        mixed = jnp.einsum("bhts,bhse->bhte", jax.nn.softmax(jnp.where(mask, scores, -1e9)), value)
        x = x + jnp.einsum("bhte,hed->btd", mixed, weights["out"])
        x = x + jax.nn.gelu(normalized(x) @ weights["up"]) @ weights["down"]
        logits = jax.nn.log_softmax(x @ weights["embedding"].T)
        return -jnp.mean(jnp.take_along_axis(logits, tokens[:, 1:, None], -1))

    def step(weights: Any, tokens: Any) -> Any:
        value, gradients = jax.value_and_grad(loss)(weights, tokens)
        return value, jax.tree.map(lambda weight, gradient: weight - 0.1 * gradient, weights, gradients)

    shardings = {
        "embedding": P(),
        "qkv": P(None, "model"),
        "out": P("model"),
        "up": P(None, "model"),
        "down": P("model"),
    }
    return Program(step, (weights, tokens), mesh_of(data=data, model=model), (shardings, P("data")), (P(), shardings))


@program
def sharded_weights_step(devices: int) -> Program:
    """The same step with weights cut along both axes of the mesh (FSDP and tensor parallel)."""
    shardings = {
        "embedding": P("data", "model"),
        "qkv": P(None, "model", "data"),
        "out": P("model", None, "data"),
        "up": P("data", "model"),
        "down": P("model", "data"),
    }
    return replace(transformer_step(devices), inputs=(shardings, P("data")), outputs=(P(), shardings))


@program
def uneven(devices: int) -> Program:
    """Sizes that the number of devices does not divide, inside the program: the last parts are padded."""
    rows = 2 * devices + 1
    mesh = mesh_of(x=devices)

    def function(x: Any, weight: Any) -> Any:
        hidden = lax.with_sharding_constraint(jnp.tanh(x @ weight), NamedSharding(mesh, P("x")))
        return jax.nn.softmax(hidden * 2, axis=0).sum(0), jnp.max(hidden, 0)

    return Program(function, (draw(rows, 8), draw(8, 6)), mesh, (P(), P()), (P(), P()))


def write(folder: Path, name: str, devices: int) -> None:
    """Write one program for a number of devices, with XLA's results."""
    made = MAKERS[name](devices)
    named = partial(jax.tree.map, lambda spec: NamedSharding(made.mesh, spec), is_leaf=lambda leaf: isinstance(leaf, P))
    function = jax.jit(made.function, in_shardings=named(made.inputs), out_shardings=named(made.outputs))
    lowered = function.lower(*made.arguments)
    stem = folder / f"{name}.{devices}"
    text = str(lowered.compiler_ir("stablehlo").operation.get_asm(enable_debug_info=True))
    stem.with_suffix(f".{devices}.mlir").write_text(text)
    leaves = jax.tree.leaves(made.arguments)
    np.savez(stem.with_suffix(f".{devices}.npz"), *leaves)
    if devices <= XLA_RUNS_UP_TO:
        compiled = lowered.compile()
        stem.with_suffix(f".{devices}.hlo").write_text(compiled.as_text())
        results = [np.asarray(leaf) for leaf in jax.tree.leaves(compiled(*made.arguments))]
        np.savez(stem.with_suffix(f".{devices}.results.npz"), *results)


def main() -> None:
    """Write all programs into the folder of the command line, for the numbers of devices behind it."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in MAKERS:
        for devices in map(int, sys.argv[2:]):
            write(folder, name, devices)


if __name__ == "__main__":
    main()
