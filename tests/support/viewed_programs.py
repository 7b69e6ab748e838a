"""Programs of any length, and what a page of one shows, as data."""

from __future__ import annotations

import stablehlo_py
from stablehlo_py.analysis import cost
from stablehlo_py.analysis.view import contents

T = "tensor<4x4xf32>"

STACK = "jit(model)/jit(model)"
NETWORK = f"""module {{
  func.func public @main(%a: {T} loc("images"), %b: {T} loc("weights['head']")) -> {T} {{
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("{STACK}/layer_1/relu")
    %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> {T} loc("{STACK}/layer_1/relu")
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({T}, {T}) -> {T} loc("{STACK}/layer_1/dot")
    %1 = stablehlo.maximum %0, %zeros : {T} loc("{STACK}/layer_1/relu")
    %2 = func.call @twice(%1) : ({T}) -> {T} loc("{STACK}/layer_2/twice")
    %3 = stablehlo.multiply %2, %b : {T} loc("{STACK}/layer_2/scale")
    return %3 : {T}
  }}
  func.func private @twice(%a: {T}) -> {T} {{
    %0 = stablehlo.add %a, %a : {T}
    return %0 : {T}
  }}
}}"""


def long_program(size: int, *, names: bool = False) -> str:
    lines = [f"%v0 = stablehlo.add %a, %a : {T}"]
    for n in range(1, size):
        place = f' loc("model/layer_{n // 100}/block_{n // 25 % 4}/op"("model.py":{n}:3))' if names else ""
        lines.append(f"%v{n} = stablehlo.multiply %v{n - 1}, %v{max(n - 7, 0)} : {T}{place}")
    return f"func.func @main(%a: {T}) -> {T} {{\n" + "\n".join(lines) + f"\nreturn %v{size - 1} : {T}\n}}\n"


def data_of(source, **options):
    module = stablehlo_py.parse(source)
    return module, contents(module, "test", cost(module), **options)


def marks(data) -> dict[str, str]:
    names = [data["strings"][number] for number in data["ops"]["name"]]
    (overlay,) = data["overlays"]
    assert overlay["missed"] == 0
    return {names[number].removeprefix("stablehlo."): text for number, _, text in overlay["marks"]}
