"""Write the programs with symbolic dimensions that the refinement tests use, exported from JAX.

    python tools/generate/export_dynamic_programs.py tests/differential/dynamic_programs

Needs jax, which only regenerating needs. Each program is written as `<name>.mlir`, with the types to pin its arguments
to in a comment on the first line: `// refine-arguments: types=tensor<…>,…`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax

from stablehlo_py.bindings import ir, make_context


@dataclass(frozen=True)
class Program:
    """A function with the symbolic shapes of its arguments, and numbers for the symbols."""

    name: str
    function: Callable[..., Any]
    shapes: Sequence[str]
    numbers: dict[str, int]
    dtypes: Sequence[Any] = ()


def dense_layer(x: jax.Array, w: jax.Array) -> jax.Array:
    return jnp.tanh(x @ w + 1.0)


def flatten_and_project(x: jax.Array, w: jax.Array) -> jax.Array:
    return x.reshape(x.shape[0], -1) @ w


def softmax(x: jax.Array) -> jax.Array:
    return jax.nn.softmax(x, axis=-1)


def attention(q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
    scores = jnp.einsum("bqd,bkd->bqk", q, k) / np.sqrt(8.0)
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(scores, axis=-1), v)


def layer_norm(x: jax.Array) -> jax.Array:
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5)


def convolution(x: jax.Array, w: jax.Array) -> jax.Array:
    return lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pooling(x: jax.Array) -> jax.Array:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def concatenate_and_slice(x: jax.Array, y: jax.Array) -> jax.Array:
    joined = jnp.concatenate([x, y], axis=0)
    return joined[: x.shape[0]] + x


def causal_mask(x: jax.Array) -> jax.Array:
    length = x.shape[0]
    mask = jnp.arange(length)[:, None] >= jnp.arange(length)[None, :]
    return jnp.where(mask, x @ x.T, 0.0)


def gather_rows(table: jax.Array, indices: jax.Array) -> jax.Array:
    return table[indices]


def scan_cumulative(x: jax.Array) -> jax.Array:
    def step(carry: jax.Array, row: jax.Array) -> tuple[jax.Array, jax.Array]:
        carry = carry + row
        return carry, carry

    return lax.scan(step, jnp.zeros(x.shape[1:], x.dtype), x)[1]


def while_power(x: jax.Array) -> jax.Array:
    return lax.fori_loop(0, 5, lambda i, value: value * x + i, x)


def conditional(x: jax.Array) -> jax.Array:
    return lax.cond(jnp.sum(x) > 0, lambda value: value * 2, lambda value: value - 1, x)


def sort_and_top(x: jax.Array) -> jax.Array:
    return jnp.sort(x, axis=-1)[:, -2:]


def pad_to_double(x: jax.Array) -> jax.Array:
    return jnp.pad(x, ((0, x.shape[0]), (1, 1)))


def split_heads(x: jax.Array) -> jax.Array:
    return jnp.swapaxes(x.reshape(x.shape[0], x.shape[1], 4, -1), 1, 2)


def halves(x: jax.Array) -> jax.Array:
    half = x.shape[0] // 2
    return x[:half] + x[half : 2 * half]


def custom(target: str, shape: Sequence[Any], *operands: jax.Array) -> jax.Array:
    """A call of a target that no compiler knows."""
    return jax.ffi.ffi_call(target, jax.ShapeDtypeStruct(tuple(shape), np.float32))(*operands)


def custom_rotate(x: jax.Array, w: jax.Array) -> jax.Array:
    hidden = jnp.tanh(x @ w)
    return custom("my_library.rotate", hidden.shape[::-1], hidden) * 2 + 1


def custom_downsample(x: jax.Array) -> jax.Array:
    half = custom("my_library.downsample", (x.shape[0], x.shape[1] // 2, x.shape[2]), x)
    return jax.nn.softmax(half, axis=-1)


def custom_pair_up(x: jax.Array, y: jax.Array) -> jax.Array:
    pairs = custom("my_library.pair_up", (x.shape[0] * y.shape[0], 8), x, y)
    return jnp.sum(pairs * pairs, axis=-1)


def custom_in_loop(x: jax.Array) -> jax.Array:
    return lax.fori_loop(0, 3, lambda i, value: custom("my_library.same", value.shape, value) + value, x)


PROGRAMS = (
    Program("dense_layer", dense_layer, ["b, 8", "8, 16"], {"b": 4}),
    Program("flatten_and_project", flatten_and_project, ["b, 4, 6", "24, 3"], {"b": 5}),
    Program("softmax", softmax, ["b, n"], {"b": 3, "n": 7}),
    Program("attention", attention, ["b, s, 8", "b, t, 8", "b, t, 8"], {"b": 2, "s": 5, "t": 6}),
    Program("layer_norm", layer_norm, ["b, s, 16"], {"b": 2, "s": 9}),
    Program("convolution", convolution, ["b, 12, 12, 3", "3, 3, 3, 8"], {"b": 2}),
    Program("pooling", pooling, ["b, 8, 8, 4"], {"b": 3}),
    Program("concatenate_and_slice", concatenate_and_slice, ["a, 4", "b, 4"], {"a": 3, "b": 5}),
    Program("causal_mask", causal_mask, ["s, 8"], {"s": 6}),
    Program("gather_rows", gather_rows, ["100, 8", "b, s"], {"b": 2, "s": 5}, (np.float32, np.int32)),
    Program("scan_cumulative", scan_cumulative, ["t, b"], {"t": 6, "b": 3}),
    Program("while_power", while_power, ["b, 4"], {"b": 3}),
    Program("conditional", conditional, ["b, 4"], {"b": 3}),
    Program("sort_and_top", sort_and_top, ["b, 9"], {"b": 4}),
    Program("pad_to_double", pad_to_double, ["b, 3"], {"b": 4}),
    Program("split_heads", split_heads, ["b, s, 32"], {"b": 2, "s": 7}),
    Program("halves", halves, ["n, 3"], {"n": 10}),
    Program("custom_rotate", custom_rotate, ["b, 8", "8, 16"], {"b": 4}),
    Program("custom_downsample", custom_downsample, ["b, 2*s, 4"], {"b": 2, "2*s": 6}),
    Program("custom_pair_up", custom_pair_up, ["a, 4", "b, 4"], {"a": 3, "b": 5}),
    Program("custom_in_loop", custom_in_loop, ["b, 4"], {"b": 3}),
)


def _without_shape_operands(text: str) -> str:
    """The program with custom calls as other front ends write them: JAX passes the result's shape as a last operand,
    which makes even an unknown target's shape known."""
    call = re.compile(
        r"(custom_call @my_library\.\w+\()([^)]*), %[\w#]+\) "
        r"\{indices_of_shape_operands = [^,]*, mhlo.backend_config = \{\}, "
        r"operand_layouts = .*?result_layouts = \[[^\]]*\][^\]]*\]\} : \((.*), tensor<\dxi32>\)"
    )
    return call.sub(r"\1\2) : (\3)", text)


def exported(program: Program) -> str:
    """The program as StableHLO with symbolic dimensions."""
    scope = export.SymbolicScope()
    dtypes = program.dtypes if program.dtypes else [np.float32] * len(program.shapes)
    shapes = [
        jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), dtype)
        for shape, dtype in zip(program.shapes, dtypes, strict=True)
    ]
    targets = ("my_library.rotate", "my_library.downsample", "my_library.pair_up", "my_library.same")
    checks = [export.DisabledSafetyCheck.custom_call(target) for target in targets]
    text = _without_shape_operands(
        export.export(jax.jit(program.function), disabled_checks=checks)(*shapes).mlir_module()
    )
    with make_context():
        return ir.Module.parse(text).operation.get_asm(enable_debug_info=False)


def pinned_types(program: Program) -> list[str]:
    """The static types of the arguments once the symbols have their numbers."""
    types: list[str] = []
    for i, shape in enumerate(program.shapes):
        sizes = [str(program.numbers.get(part.strip(), part.strip())) for part in shape.split(",")]
        element = "i32" if program.dtypes and program.dtypes[i] == np.int32 else "f32"
        types.append(f"tensor<{'x'.join([*sizes, element])}>")
    return types


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the programs go")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for program in PROGRAMS:
        head = f"// refine-arguments: types={','.join(pinned_types(program))}\n"
        (folder / f"{program.name}.mlir").write_text(head + exported(program), encoding="utf-8")


if __name__ == "__main__":
    main()
