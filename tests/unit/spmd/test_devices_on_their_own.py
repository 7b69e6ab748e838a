"""What devices do on their own inside of manual computations, and bodies of ops that use values from outside."""

from __future__ import annotations

import numpy as np
import pytest
from installed import needs

import stablehlo_py
from stablehlo_py.errors import PassError
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd.simulation import global_results

pytestmark = needs("partition")


OWN = """sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %n = stablehlo.negate %a : tensor<4x4xf32>
  %0 = sdy.manual_computation(%n) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
      manual_axes={"x"} (%b: tensor<2x4xf32>) {
    %p = stablehlo.abs %b : tensor<2x4xf32>
    %1 = sdy.manual_computation(%p) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>]
        manual_axes={"y"} (%c: tensor<2x2xf32>) {
      %d = stablehlo.add %c, %c : tensor<2x2xf32>
      INNER
      sdy.return %inner : tensor<2x2xf32>
    } : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %e = stablehlo.sine %1 : tensor<2x4xf32>
    OUTER
    sdy.return %outer : tensor<2x4xf32>
  } : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %f = stablehlo.abs %0 : tensor<4x4xf32>
  AFTER
  return %after : tensor<4x4xf32>
}"""
PLACES = {"INNER": ("%d", "2x2"), "OUTER": ("%e", "2x4"), "AFTER": ("%f", "4x4")}


def asked(op: str, place: str) -> str:
    """Lines that ask for a number of the device, or for random ones, and add nothing."""
    value, sizes = PLACES[place]
    type_, result = f"tensor<{sizes}xf32>", f"%{place.lower()}"
    if op == "rng":
        made = f"""%lo = stablehlo.constant dense<0.0> : tensor<f32>
        %hi = stablehlo.constant dense<1.0> : tensor<f32>
        %sh = stablehlo.constant dense<[{sizes.replace("x", ", ")}]> : tensor<2xi64>
        %k = stablehlo.rng %lo, %hi, %sh, distribution = UNIFORM
          : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> {type_}"""
    else:
        made = f"""%i = stablehlo.partition_id : tensor<ui32>
        %j = stablehlo.convert %i : (tensor<ui32>) -> tensor<f32>
        %k = stablehlo.broadcast_in_dim %j, dims = [] : (tensor<f32>) -> {type_}"""
    return f"""{made}
      %m = stablehlo.subtract %k, %k : {type_}
      {result} = stablehlo.add {value}, %m : {type_}"""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("op", ["partition_id", "rng"])
def test_a_device_is_on_its_own_until_the_outermost_computation_ends(op: str, place: str) -> None:
    """It may ask for its number there, and has a generator of random numbers of its own."""
    text = OWN.replace(place, asked(op, place))
    for other in [each for each in PLACES if each != place]:
        text = text.replace(other, "").replace(f"%{other.lower()}", PLACES[other][0])
    if (op, place) == ("partition_id", "AFTER"):
        with pytest.raises(PassError, match=r"'stablehlo.partition_id' op talks to, or asks for, single devices"):
            partition(stablehlo_py.parse(text))
        return
    found = partition(stablehlo_py.parse(text))
    assert f"stablehlo.{op} " in str(found.module)
    broadcasts = [one.op for one in found.collectives if one.op == "stablehlo.collective_broadcast"]
    assert len(broadcasts) == ((op, place) == ("rng", "AFTER"))
    a = np.arange(16, dtype=np.float32).reshape(4, 4)
    (result,) = simulate(found, [a]).results
    np.testing.assert_allclose(result, np.abs(np.sin(2 * a)), rtol=1e-6)


F = "tensor<f32>"
PAIR = f"^bb0(%l: {F}, %r: {F}):"
CAPTURING = {
    "reduce": f"""%0 = "stablehlo.reduce"(%a, INIT) <{{dimensions = array<i64: 1>}}> ({{ {PAIR}
        %s = stablehlo.add %l, %r : {F}
        %t = stablehlo.maximum %s, CAPTURED : {F}
        stablehlo.return %t : {F} }}) : (tensor<4x6xf32>, {F}) -> tensor<4xf32>""",
    "reduce over what is cut": f"""%0 = "stablehlo.reduce"(%a, INIT) <{{dimensions = array<i64: 0>}}> ({{ {PAIR}
        %s = stablehlo.add %l, %r : {F}
        %t = stablehlo.minimum %s, CAPTURED : {F}
        stablehlo.return %t : {F} }}) : (tensor<4x6xf32>, {F}) -> tensor<6xf32>""",
    "reduce_window": f"""%0 = "stablehlo.reduce_window"(%a, INIT) ({{ {PAIR}
        %s = stablehlo.maximum %l, %r : {F}
        %t = stablehlo.minimum %s, CAPTURED : {F}
        stablehlo.return %t : {F} }}) {{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}}
        : (tensor<4x6xf32>, {F}) -> tensor<2x6xf32>""",
    "sort": f"""%0 = "stablehlo.sort"(%a) <{{dimension = 1 : i64}}> ({{ {PAIR}
        %s = stablehlo.subtract %l, CAPTURED : {F}
        %t = stablehlo.subtract %r, INIT : {F}
        %p = stablehlo.compare LT, %s, %t : ({F}, {F}) -> tensor<i1>
        stablehlo.return %p : tensor<i1> }}) : (tensor<4x6xf32>) -> tensor<4x6xf32>""",
    "if": """%p = stablehlo.compare LT, CAPTURED, INIT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %0 = "stablehlo.if"(%p) ({ %s = stablehlo.negate %a : tensor<4x6xf32>
          stablehlo.return %s : tensor<4x6xf32> }, {
          %s = stablehlo.broadcast_in_dim CAPTURED, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
          %t = stablehlo.add %a, %s : tensor<4x6xf32>
          stablehlo.return %t : tensor<4x6xf32> }) : (tensor<i1>) -> tensor<4x6xf32>""",
}
TYPES = {"reduce": "tensor<4xf32>", "reduce over what is cut": "tensor<6xf32>", "reduce_window": "tensor<2x6xf32>"}


@pytest.mark.parametrize("captured", ["%z", "%y", "%w"])
@pytest.mark.parametrize("init", ["%z", "%w"])
@pytest.mark.parametrize("name", CAPTURING)
def test_a_body_uses_values_from_outside_that_may_be_operands_too(name: str, init: str, captured: str) -> None:
    """One of them is computed of elements that several devices hold."""
    type_ = TYPES.get(name, "tensor<4x6xf32>")
    module = stablehlo_py.parse(f"""sdy.mesh @mesh = <["x"=2]>
    func.func @main(%a: tensor<4x6xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}, %z: {F}, %y: {F})
        -> {type_} {{
      %e = stablehlo.slice %a [3:4, 5:6] : (tensor<4x6xf32>) -> tensor<1x1xf32>
      %w = stablehlo.reshape %e : (tensor<1x1xf32>) -> {F}
      {CAPTURING[name].replace("INIT", init).replace("CAPTURED", captured)}
      return %0 : {type_}
    }}""")
    arguments = [np.arange(24, dtype=np.float32).reshape(4, 6)[::-1] - 7, np.float32(2), np.float32(5)]
    found = simulate(partition(module), arguments).results
    assert [one.tolist() for one in found] == [one.tolist() for one in global_results(module, arguments)]
