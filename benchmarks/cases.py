"""The programs that are timed, with their arguments and how many times the official interpreter's speed is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import ml_dtypes
import numpy as np

MILLION = 1 << 20
ROWS = 100_000


@dataclass(frozen=True)
class Case:
    """A program whose main takes `arguments()`. `target` is the least ratio of the official time to ours, `xla_target`
    the largest of ours to XLA's, or None."""

    name: str
    target: float
    program: str
    arguments: Callable[[], list[np.ndarray]]
    xla_target: float | None = None


def _random(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape).astype(dtype)


def _integers(*shape: int, below: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, below, shape).astype(np.int32)


def _main(parameters: str, result: str, line: str) -> str:
    return f"func.func @main({parameters}) -> {result} {{\n  %r = {line}\n  return %r : {result}\n}}\n"


def _elementwise(op: str, element: str, operands: int) -> str:
    type_ = f"tensor<{MILLION}x{element}>"
    names = ["%a", "%b"][:operands]
    parameters = ", ".join(f"{name}: {type_}" for name in names)
    return _main(parameters, type_, f"stablehlo.{op} {', '.join(names)} : {type_}")


def _region(op: str, element: str = "f32") -> str:
    return (
        f"^bb0(%x: tensor<{element}>, %y: tensor<{element}>):\n"
        f"    %z = stablehlo.{op} %x, %y : tensor<{element}>\n    stablehlo.return %z : tensor<{element}>"
    )


_SELECT = f"""func.func @main(%a: tensor<{MILLION}xf32>, %b: tensor<{MILLION}xf32>) -> tensor<{MILLION}xf32> {{
  %p = stablehlo.compare GT, %a, %b : (tensor<{MILLION}xf32>, tensor<{MILLION}xf32>) -> tensor<{MILLION}xi1>
  %r = stablehlo.select %p, %a, %b : tensor<{MILLION}xi1>, tensor<{MILLION}xf32>
  return %r : tensor<{MILLION}xf32>
}}
"""
_CONVOLUTION = _main(
    "%lhs: tensor<32x4x4x16xf32>, %rhs: tensor<3x3x16x32xf32>",
    "tensor<32x4x4x32xf32>",
    "stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
    "window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} "
    ": (tensor<32x4x4x16xf32>, tensor<3x3x16x32xf32>) -> tensor<32x4x4x32xf32>",
)

_REDUCE = f"""func.func @main(%a: tensor<{MILLION}xf32>) -> tensor<f32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<{MILLION}xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}}
"""

_REDUCE_WINDOW = f"""func.func @main(%a: tensor<16x64x64x8xf32>) -> tensor<16x32x32x8xf32> {{
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %lowest) ({{{_region("maximum")}}}) {{
    window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>,
    padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>
  }} : (tensor<16x64x64x8xf32>, tensor<f32>) -> tensor<16x32x32x8xf32>
  return %r : tensor<16x32x32x8xf32>
}}
"""

_SORT = """func.func @main(%a: tensor<4096xf32>) -> tensor<4096xf32> {
  %r = "stablehlo.sort"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4096xf32>) -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}
"""


def _three_keys() -> str:
    t, p = "tensor<4096xi32>", "(tensor<i32>, tensor<i32>) -> tensor<i1>"
    sides = ", ".join(f"%x{i}: tensor<i32>, %y{i}: tensor<i32>" for i in range(3))
    lines = "".join(
        f"    %l{i} = stablehlo.compare LT, %x{i}, %y{i} : {p}\n    %e{i} = stablehlo.compare EQ, %x{i}, %y{i} : {p}\n"
        for i in range(3)
    )
    return f"""func.func @main(%a: {t}, %b: {t}, %c: {t}) -> {t} {{
  %r:3 = "stablehlo.sort"(%a, %b, %c) ({{^bb0({sides}):
{lines}    %u = stablehlo.and %e1, %l2 : tensor<i1>
    %v = stablehlo.or %l1, %u : tensor<i1>
    %w = stablehlo.and %e0, %v : tensor<i1>
    %p = stablehlo.or %l0, %w : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}) {{dimension = 0 : i64, is_stable = true}} : ({t}, {t}, {t}) -> ({t}, {t}, {t})
  return %r#2 : {t}
}}
"""


_GATHER = _main(
    f"%a: tensor<1000x4xf32>, %i: tensor<{ROWS}x1xi32>",
    f"tensor<{ROWS}x4xf32>",
    '"stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], '
    "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>} "
    f": (tensor<1000x4xf32>, tensor<{ROWS}x1xi32>) -> tensor<{ROWS}x4xf32>",
)

_SCATTER = _main(
    f"%a: tensor<1000x4xf32>, %i: tensor<{ROWS}x1xi32>, %u: tensor<{ROWS}x4xf32>",
    "tensor<1000x4xf32>",
    f'"stablehlo.scatter"(%a, %i, %u) ({{{_region("add")}}}) {{scatter_dimension_numbers = #stablehlo.scatter<'
    "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} "
    f": (tensor<1000x4xf32>, tensor<{ROWS}x1xi32>, tensor<{ROWS}x4xf32>) -> tensor<1000x4xf32>",
)

_WHILE = """func.func @main(%n: tensor<i32>) -> (tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %step = stablehlo.constant dense<1.5> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %x = %step) : tensor<i32>, tensor<f32> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.add %x, %step : tensor<f32>
    %z = stablehlo.multiply %y, %step : tensor<f32>
    stablehlo.return %j, %z : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
"""
_WHILE_WITH_SINE = _WHILE.replace("stablehlo.add %x, %step", "stablehlo.sine %x")


def many_ops(count: int = 5000) -> str:
    lines = "".join(f"  %v{i + 1} = stablehlo.add %v{i}, %v0 : tensor<4xf32>\n" for i in range(count))
    return f"func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {{\n{lines}  return %v{count} : tensor<4xf32>\n}}\n"


CASES = [
    Case("add f32[1M]", 200, _elementwise("add", "f32", 2), lambda: [_random(MILLION), _random(MILLION)]),
    Case("exponential f32[1M]", 30, _elementwise("exponential", "f32", 1), lambda: [_random(MILLION)]),
    Case("select f32[1M]", 200, _SELECT, lambda: [_random(MILLION), np.zeros(MILLION, np.float32)]),
    Case("tanh f32[1M]", 30, _elementwise("tanh", "f32", 1), lambda: [_random(MILLION)]),
    *[
        Case(f"{op} f64[1M]", 5, _elementwise(op, "f64", 1), lambda: [_random(MILLION, dtype=np.float64)])
        for op in ("exponential", "tanh", "tan")
    ],
    Case(
        "fft complex<f32>[64,256]",
        10,
        _main(
            "%a: tensor<64x256xcomplex<f32>>",
            "tensor<64x256xcomplex<f32>>",
            "stablehlo.fft %a, type = FFT, length = [256] "
            ": (tensor<64x256xcomplex<f32>>) -> tensor<64x256xcomplex<f32>>",
        ),
        lambda: [_random(64, 256).astype(np.complex64)],
    ),
    Case(
        "multiply bf16[1M]",
        30,
        _elementwise("multiply", "bf16", 2),
        lambda: [_random(MILLION, dtype=ml_dtypes.bfloat16) for _ in range(2)],
        4,
    ),
    Case(
        "add f8E4M3FN[1M]",
        30,
        _elementwise("add", "f8E4M3FN", 2),
        lambda: [_random(MILLION, dtype=ml_dtypes.float8_e4m3fn) for _ in range(2)],
    ),
    Case(
        "transpose f32[1024,1024]",
        200,
        _main(
            "%a: tensor<1024x1024xf32>",
            "tensor<1024x1024xf32>",
            "stablehlo.transpose %a, dims = [1, 0] : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>",
        ),
        lambda: [_random(1024, 1024)],
    ),
    Case(
        "broadcast_in_dim to f32[1024,1024]",
        200,
        _main(
            "%a: tensor<1024xf32>",
            "tensor<1024x1024xf32>",
            "stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1024xf32>",
        ),
        lambda: [_random(1024)],
    ),
    Case(
        "dot_general f32 128x128x128",
        3000,
        _main(
            "%a: tensor<128x128xf32>, %b: tensor<128x128xf32>",
            "tensor<128x128xf32>",
            "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] "
            ": (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>",
        ),
        lambda: [_random(128, 128), _random(128, 128)],
    ),
    Case(
        "dot_general i8 128x128x128",
        3000,
        _main(
            "%a: tensor<128x128xi8>, %b: tensor<128x128xi8>",
            "tensor<128x128xi32>",
            "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] "
            ": (tensor<128x128xi8>, tensor<128x128xi8>) -> tensor<128x128xi32>",
        ),
        lambda: [_integers(128, 128, below=100).astype(np.int8) for _ in range(2)],
    ),
    Case(
        "convolution of the digits example", 300, _CONVOLUTION, lambda: [_random(32, 4, 4, 16), _random(3, 3, 16, 32)]
    ),
    Case("reduce add f32[1M]", 200, _REDUCE, lambda: [_random(MILLION)]),
    Case("reduce_window maximum 3x3", 100, _REDUCE_WINDOW, lambda: [_random(16, 64, 64, 8)], 4),
    Case("sort f32[4096]", 20, _SORT, lambda: [_random(4096)]),
    Case("sort 4096 by three keys", 5, _three_keys(), lambda: [_integers(4096, below=b) for b in (10, 20, 1000)]),
    Case("gather 100k rows", 100, _GATHER, lambda: [_random(1000, 4), _integers(ROWS, 1, below=1000)], 10),
    Case(
        "scatter add 100k rows",
        100,
        _SCATTER,
        lambda: [_random(1000, 4), _integers(ROWS, 1, below=1000), _random(ROWS, 4)],
        10,
    ),
    Case("while, 10,000 iterations", 1.0, _WHILE, lambda: [np.array(10_000, np.int32)], 20),
    Case("while with a sine, 10,000 iterations", 4.0, _WHILE_WITH_SINE, lambda: [np.array(10_000, np.int32)]),
    Case("5,000 small ops, planned", 1.5, many_ops(), lambda: [_random(4)]),
]
