"""Costs are those that XLA's own analysis counts, where both count the same things."""

from __future__ import annotations

import importlib

import pytest

import stablehlo_py
from stablehlo_py.bindings.provider import compiler_client, provider
from stablehlo_py.errors import InputError
from stablehlo_py.report import cost

T = "tensor<8x16xf32>"
REDUCED = "(tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>"
SCALAR = "%z = stablehlo.constant dense<0.0> : tensor<f32>"
PROGRAMS = {
    "add": (f"%a: {T}, %b: {T}", f"%0 = stablehlo.add %a, %b : {T}", T),
    "tanh": (f"%a: {T}", f"%0 = stablehlo.tanh %a : {T}", T),
    "select": (f"%p: tensor<8x16xi1>, %a: {T}, %b: {T}", f"%0 = stablehlo.select %p, %a, %b : tensor<8x16xi1>, {T}", T),
    "dot_general": (
        "%a: tensor<3x8x16xf32>, %b: tensor<3x16x4xf32>",
        "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : "
        "(tensor<3x8x16xf32>, tensor<3x16x4xf32>) -> tensor<3x8x4xf32>",
        "tensor<3x8x4xf32>",
    ),
    "reduce": (
        f"%a: {T}",
        f"{SCALAR}\n%0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : {REDUCED}",
        "tensor<8xf32>",
    ),
    "convolution": (
        "%a: tensor<2x8x9x3xf32>, %b: tensor<3x3x3x5xf32>",
        "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        "window = {stride = [2, 1], pad = [[1, 1], [0, 2]], rhs_dilate = [1, 2]} "
        "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
        "(tensor<2x8x9x3xf32>, tensor<3x3x3x5xf32>) -> tensor<2x4x7x5xf32>",
        "tensor<2x4x7x5xf32>",
    ),
    "reduce_window": (
        "%a: tensor<4x6x6x2xf32>",
        f"""{SCALAR}
        %0 = "stablehlo.reduce_window"(%a, %z) <{{window_dimensions = array<i64: 1, 2, 3, 1>}}> ({{
          ^bb0(%x: tensor<f32>, %y: tensor<f32>):
            %s = stablehlo.maximum %x, %y : tensor<f32>
            stablehlo.return %s : tensor<f32>
        }}) : (tensor<4x6x6x2xf32>, tensor<f32>) -> tensor<4x5x4x2xf32>""",
        "tensor<4x5x4x2xf32>",
    ),
}
LOOP = """func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %start = stablehlo.constant dense<2> : tensor<i32>
  %end = stablehlo.constant dense<END> : tensor<i32>
  %r:3 = stablehlo.while(%i = %start, %x = %a, %n = %end) : tensor<i32>, tensor<4x4xf32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %step = stablehlo.constant dense<3> : tensor<i32>
    %next = stablehlo.add %i, %step : tensor<i32>
    %y = stablehlo.dot %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %next, %y, %n : tensor<i32>, tensor<4x4xf32>, tensor<i32>
  }
  return %r#1 : tensor<4x4xf32>
}"""


def program(name):
    arguments, body, result = PROGRAMS[name]
    return f"func.func @main({arguments}) -> {result} {{\n{body}\nreturn %0 : {result} }}"


@pytest.mark.skipif(provider.name != "jaxlib", reason="XLA comes with jaxlib")
@pytest.mark.parametrize("name", PROGRAMS)
def test_single_ops_cost_what_xla_counts(name):
    extension, library = compiler_client()
    convert = importlib.import_module("jaxlib._jax").mlir.mlir_module_to_xla_computation
    computation = convert(program(name), use_tuple_args=False, return_tuple=False)
    counted = extension.hlo_module_cost_analysis(library.make_cpu_client(), computation.get_hlo_module())
    found = cost(stablehlo_py.parse(program(name)))
    assert found.flops == counted.get("flops", 0)
    assert found.transcendentals == counted.get("transcendentals", 0)
    assert found.bytes == counted["bytes accessed"]


@pytest.mark.parametrize(("end", "trips"), [(2, 0), (3, 1), (5, 1), (6, 2), (32, 10)])
def test_loops_count_as_often_as_they_run(end, trips):
    found = cost(stablehlo_py.parse(LOOP.replace("END", str(end))))
    (dot,) = [one for one in found.ops if one.op == "stablehlo.dot"]
    assert dot.runs == trips
    assert dot.flops == trips * 2 * 4 * 4 * 4
    assert found.notes == ()


def test_a_loop_of_unknown_length_is_noted():
    text = LOOP.replace("END", "9").replace("stablehlo.return %next, %y, %n", "stablehlo.return %next, %y, %next")
    assert cost(stablehlo_py.parse(text)).notes == ("a loop of unknown length counts once",)


def test_the_peak_is_where_most_values_live():
    text = """func.func @main(%a: tensor<1000xf32>) -> tensor<f32> {
      %0 = stablehlo.negate %a : tensor<1000xf32>
      %1 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<2000xf32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [0]
        : (tensor<2000xf32>, tensor<f32>) -> tensor<f32>
      return %2 : tensor<f32> }"""
    found = cost(stablehlo_py.parse(text))
    assert found.peak_bytes == 4000 + 8000  # %0 and %1: the argument has died
    assert found.peak_at.startswith("stablehlo.concatenate")


def test_functions_count_at_each_call():
    text = f"""func.func @main(%a: {T}) -> {T} {{
      %0 = func.call @f(%a) : ({T}) -> {T}
      %1 = func.call @f(%0) : ({T}) -> {T}
      return %1 : {T} }}
    func.func private @f(%a: {T}) -> {T} {{
      %0 = stablehlo.add %a, %a : {T}
      return %0 : {T} }}"""
    assert cost(stablehlo_py.parse(text)).flops == 2 * 8 * 16


def test_dynamic_shapes_are_noted():
    text = """func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
      %0 = stablehlo.negate %a : tensor<?xf32>
      return %0 : tensor<?xf32> }"""
    assert "dynamic" in cost(stablehlo_py.parse(text)).notes[0]


def test_a_function_that_is_missing_is_an_error():
    two = "func.func @f() { return }\nfunc.func @g() { return }"
    with pytest.raises(InputError, match="no function @main"):
        cost(stablehlo_py.parse(two))


def test_long_chains_are_counted_in_linear_time():
    lines = [f"%{n + 1} = stablehlo.add %{n}, %0 : {T}" for n in range(10_000)]
    text = f"func.func @main(%0: {T}) -> {T} {{\n" + "\n".join(lines) + f"\nreturn %10000 : {T} }}"
    assert cost(stablehlo_py.parse(text)).flops == 10_000 * 8 * 16
