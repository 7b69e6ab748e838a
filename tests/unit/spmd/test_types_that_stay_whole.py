"""Values whose types cannot be cut, or whose parts cannot be combined, are computed as in the global program."""

from __future__ import annotations

import numpy as np
import pytest
from installed import needs

import stablehlo_py
from stablehlo_py.bindings.types import element_type
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd.simulation import global_results

pytestmark = needs("partition")
CUT = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
BY_ROW = "!quant.uniform<i8:f32:0, {0.5, 0.25, 1.0, 0.125}>"
BY_COLUMN = "!quant.uniform<i8:f32:1, {0.5, 0.25, 1.0, 0.125, 2.0, 4.0}>"
WHOLE = "!quant.uniform<i8:f32, 0.5:3>"


@pytest.mark.parametrize("type_", [BY_ROW, BY_COLUMN, WHOLE])
def test_elements_with_a_scale_of_their_own_stay_together(type_: str) -> None:
    q, f = f"tensor<4x6x{type_}>", "tensor<4x6xf32>"
    module = stablehlo_py.parse(f"""sdy.mesh @mesh = <["x"=2]>
    func.func @main(%a: {f} {CUT}) -> ({f} {CUT}) {{
      %0 = stablehlo.uniform_quantize %a : ({f}) -> {q}
      %1 = stablehlo.add %0, %0 : {q}
      %2 = stablehlo.uniform_dequantize %1 : ({q}) -> {f}
      return %2 : {f} }}""")
    arguments = [(np.arange(24, dtype=np.float32).reshape(4, 6) - 11) / 4]
    found = partition(module)
    (result,) = simulate(found, arguments).results
    assert result.tobytes() == global_results(module, arguments)[0].tobytes()
    assert (found.collectives == ()) == (type_ == WHOLE)


@pytest.mark.parametrize(("start", "end"), [("f32", "f32"), ("f32", "f64"), ("bf16", "f32"), ("i8", "i32")])
@pytest.mark.parametrize("kind", ["add", "maximum"])
def test_sums_of_another_type_than_their_terms_are_those_of_the_global_program(kind: str, start: str, end: str) -> None:
    t = f"tensor<{end}>"
    module = stablehlo_py.parse(
        f"""sdy.mesh @mesh = <["x"=2]>
    func.func @main(%a: tensor<4x6x{start}> {CUT}) -> tensor<6x{end}> {{
      %z = stablehlo.constant dense<1> : tensor<{start}>
      %0 = "stablehlo.reduce"(%a, %z) <{{dimensions = array<i64: 0>}}> ({{ ^bb0(%l: {t}, %r: {t}):
        %s = stablehlo.{kind} %l, %r : {t}
        stablehlo.return %s : {t} }}) : (tensor<4x6x{start}>, tensor<{start}>) -> tensor<6x{end}>
      return %0 : tensor<6x{end}> }}""".replace("dense<1>", "dense<1.0>" if "f" in start else "dense<1>")
    )
    whole = element_type(start).dtype
    arguments = [(np.arange(24).reshape(4, 6) - 11).astype(whole)]
    (result,) = simulate(partition(module), arguments).results
    (expected,) = global_results(module, arguments)
    assert (result.dtype, result.tolist()) == (expected.dtype, expected.tolist())
