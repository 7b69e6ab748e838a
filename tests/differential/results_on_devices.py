"""Runs sharded programs on eight devices of XLA for CPUs, and writes them with what they take and give.

A child process: XLA is told how many devices there are before jax is imported. Usage: results_on_devices.py FILE.npz
"""

from __future__ import annotations

import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax, shard_map
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

MESH = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
OTHER = Mesh(np.array(jax.devices()).reshape(2, 4), ("a", "b"))
A = np.arange(64, dtype=np.float32).reshape(8, 8) / 7
B = np.cos(A)


def on_mesh(body, in_specs, out_specs, mesh=MESH, **options):
    return shard_map(body, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=False, **options)


def constrained(a, spec, mesh=MESH):
    return lax.with_sharding_constraint(a, NamedSharding(mesh, spec))


def nested(a):
    def inner(b):
        return lax.psum(b, "y") * lax.axis_index("x")

    mesh = jax.sharding.get_abstract_mesh()
    return shard_map(inner, mesh=mesh, in_specs=P(None, "y"), out_specs=P(), axis_names={"y"}, check_vma=False)(a)


def loop(a):
    def step(_, value):
        return lax.ppermute(value, "x", [(i, (i + 1) % 4) for i in range(4)]) + lax.pmax(value, "y")

    return lax.fori_loop(0, 5, step, a)


PROGRAMS = {
    "constraint": lambda a, b: constrained(constrained(a, P("x")) @ constrained(b, P(None, "y")), P("x", "y")),
    "two_meshes": lambda a, b: constrained(a, P("x"), MESH) + constrained(b, P("b", "a"), OTHER),
    "psum": on_mesh(lambda a, b: lax.psum(a * b, "x"), (P("x", "y"), P("x", "y")), P(None, "y")),
    "psum_of_both": on_mesh(lambda a, b: lax.psum(a @ b.T, ("x", "y")), (P(None, ("x", "y")),) * 2, P()),
    "all_gather": on_mesh(lambda a, b: lax.all_gather(a, "x", tiled=True) - b.sum(), (P("x"), P("y")), P("x")),
    "psum_scatter": on_mesh(
        lambda a, b: lax.psum_scatter(a + b, "y", scatter_dimension=1, tiled=True), (P("x"), P("x")), P("x", "y")
    ),
    "ppermute": on_mesh(
        lambda a, b: lax.ppermute(a, "y", [(0, 1), (1, 0)]) * b, (P(None, "y"), P(None, "y")), P(None, "y")
    ),
    "ppermute_of_some": on_mesh(lambda a, b: lax.ppermute(a, "x", [(0, 2), (2, 3)]) + b, (P("x"), P("x")), P("x")),
    "all_to_all": on_mesh(lambda a, b: lax.all_to_all(a, "y", 0, 1, tiled=True) + b.sum(), (P("x"), P("x")), P("x")),
    "axis_index": on_mesh(
        lambda a, b: a * b.sum() + lax.axis_index("x") * 10 + lax.axis_index("y"), (P("x", "y"), P()), P("x", "y")
    ),
    "partly_manual": on_mesh(
        lambda a, b: lax.ppermute(a * 2, "y", [(0, 1), (1, 0)]) + constrained(b, P("x")),
        (P(None, "y"), P(None, "y")), P(None, "y"), axis_names={"y"},
    ),
    "major_and_minor_axes": on_mesh(
        lambda a, b: a * lax.axis_index("y") + b, (P(("y", "x")), P(("y", "x"))), P(("y", "x"))
    ),
    "other_mesh": on_mesh(
        lambda a, b: lax.psum(a, "b") + lax.axis_index("a") * b, (P("a"), P("a")), P("a"), mesh=OTHER
    ),
    "nested": lambda a, b: on_mesh(nested, P("x"), P("x"), axis_names={"x"})(a) + b[:, :4],
    "loop": lambda a, b: on_mesh(loop, P("x", "y"), P("x", "y"))(a) + b,
    "solve": lambda a, b: constrained(jnp.linalg.solve(a @ a.T + 9 * jnp.eye(8), b), P("y")),
}  # fmt: skip


def as_bytes(text):
    return np.frombuffer(text.encode(), np.uint8)


def main() -> None:
    found = {"a": A, "b": B}
    for name, program in PROGRAMS.items():
        jitted = jax.jit(program)
        exported = export.export(jitted, disabled_checks=[])(A, B)
        found[f"{name}.program"] = np.frombuffer(exported.mlir_module_serialized, np.uint8)
        found[f"{name}.result"] = np.asarray(jitted(A, B))
        found[f"{name}.round_trip"] = as_bytes(jitted.lower(A, B).as_text(dialect="hlo"))
    jax.config.update("jax_use_shardy_partitioner", False)
    jax.clear_caches()
    for name, program in PROGRAMS.items():
        lowered = jax.jit(program).lower(A, B)
        found[f"{name}.gspmd"] = as_bytes(lowered.as_text())
        found[f"{name}.gspmd_hlo"] = as_bytes(lowered.as_text(dialect="hlo"))
    np.savez(sys.argv[1], **found)


if __name__ == "__main__":
    main()
