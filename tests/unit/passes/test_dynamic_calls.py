"""Calls that JAX exports for ops of unknown sizes become these ops, with what they compute."""

from __future__ import annotations

import pytest

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import blocks, functions, operations
from stablehlo_py.passes import guarded_pipeline
from stablehlo_py.passes.pipeline import run_pipeline

WINDOW = """func.func private @both(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>)
    -> (tensor<f32>, tensor<i32>) {
  %sum = stablehlo.add %a, %b : tensor<f32>
  %product = stablehlo.multiply %i, %j : tensor<i32>
  return %sum, %product : tensor<f32>, tensor<i32>
}
func.func @main(%0: tensor<4x?xf32>, %1: tensor<4x?xi32>, %2: tensor<f32>, %3: tensor<i32>, %n: tensor<2xi32>)
    -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %window = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %strides = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %base = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %dilations = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %padding = stablehlo.constant dense<[[1, 0], [0, 0]]> : tensor<2x2xi32>
  %results:2 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%0, %1, %2, %3, %window, %strides, %base,
    %dilations, %padding) {called_computations = [@both]} : (tensor<4x?xf32>, tensor<4x?xi32>, tensor<f32>, tensor<i32>,
    tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  return %results#0, %results#1 : tensor<?x?xf32>, tensor<?x?xi32>
}"""


def canonical(text: str) -> list[ir.Operation]:
    """The ops of `main` after the pass."""
    module = stablehlo_py.parse(text)
    run_pipeline(module, "builtin.module(stablehlo-canonicalize-dynamic-calls)")
    assert module.operation.verify()
    KEPT.append(module)
    return operations(functions(module.operation)["main"])


KEPT: list[ir.Module] = []
"""Modules of the ops, which do not keep them."""


def test_a_window_is_reduced_by_a_copy_of_the_function() -> None:
    ops = canonical(WINDOW)
    (found,) = (op for op in ops if op.name == "stablehlo.reduce_window")
    values = {name: str(found.attributes[name]).partition(": ")[2].rstrip(">") for name in (
        "window_dimensions", "window_strides", "base_dilations", "window_dilations")}  # fmt: skip
    assert values == {
        "window_dimensions": "3, 2", "window_strides": "2, 1", "base_dilations": "2, 1", "window_dilations": "1, 3"
    }  # fmt: skip
    assert "[[1, 0], [0, 0]]" in str(found.attributes["padding"])
    assert len(found.operands) == 4
    # 4 rows with holes and one before are 8, in which a window of 3 fits 3 times at each second place.
    assert [str(result.type) for result in found.results] == ["tensor<3x?xf32>", "tensor<3x?xi32>"]
    (body,) = blocks(found)
    assert [op.operation.name for op in body.operations] == [
        "stablehlo.add", "stablehlo.multiply", "stablehlo.return"]  # fmt: skip
    returned = list(body.operations[2].operation.operands)
    assert returned == [op.operation.results[0] for op in list(body.operations)[:2]]
    assert not any(op.name == "stablehlo.custom_call" for op in ops)


def test_what_is_no_such_call_stays_where_it_is_even_unused() -> None:
    text = """func.func @main(%x: tensor<2x5xf32>) -> tensor<2x?xf32> {
      %a = stablehlo.abs %x : tensor<2x5xf32>
      %k = stablehlo.constant dense<3> : tensor<i32>
      %b = stablehlo.constant dense<3> : tensor<i32>
      %r:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k)
        : (tensor<2x5xf32>, tensor<i32>) -> (tensor<2x?xf32>, tensor<2x?xi32>)
      return %r#0 : tensor<2x?xf32>
    }"""
    names = [op.name.rpartition(".")[2] for op in canonical(text)]
    assert [name for name in names if name not in ("convert", "func")] == [
        "abs", "constant", "constant", "top_k", "return"]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%strides, %base", "%n, %base"),  # not known
        ("dense<[3, 2]>", "dense<[0, 2]>"),  # no window
        (" {called_computations = [@both]}", ""),
        ("[@both]}", "[@both, @both]}"),
        ("[@both]}", "[@nobody]}"),
    ],
)
def test_a_window_of_which_something_is_missing_stays_a_call(old: str, new: str) -> None:
    assert old in WINDOW
    ops = canonical(WINDOW.replace(old, new))
    assert [op.name for op in ops if "constant" not in op.name] == [
        "func.func", "stablehlo.custom_call", "func.return"]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("func.func @main() { return }", 0),
        ("func.func @main(%x: tensor<f32>) { %0 = stablehlo.abs %x : tensor<f32> return }", 1),
        ("func.func @main(%x: tensor<f32>) { %0 = stablehlo.abs %x : tensor<f32> %1 = stablehlo.abs %x : tensor<f32> "
         "return }", 2),
        ("func.func @main(%x: tensor<f32>) { %0 = stablehlo.abs %x : tensor<f32> cf.br ^next ^next: return }", 0),
    ],
)  # fmt: skip
def test_a_function_is_as_long_as_its_only_block(text: str, length: int) -> None:
    module = stablehlo_py.parse(text)
    assert guarded_pipeline._length(functions(module.operation)["main"]) == length


@pytest.mark.parametrize(
    ("shape", "dynamic", "found"),
    [("5", "?", "2"), ("3x5", "3x?", "3x2"), ("3x4x5", "3x4x?", "3x4x2"), ("3x4x2", "?x?x?", "3x4x2")],
)
def test_the_largest_elements_are_of_each_row_of_any_rank(shape: str, dynamic: str, found: str) -> None:
    types = f"(tensor<{dynamic}xf32>, tensor<{dynamic}xi32>)"
    ops = canonical(f"""func.func @main(%x: tensor<{shape}xf32>) -> {types} {{
      %k = stablehlo.constant dense<2> : tensor<i32>
      %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<{shape}xf32>, tensor<i32>) -> {types}
      return %0#0, %0#1 : tensor<{dynamic}xf32>, tensor<{dynamic}xi32>
    }}""")
    (top,) = (op for op in ops if op.name == "chlo.top_k")
    assert [str(result.type) for result in top.results] == [f"tensor<{found}xf32>", f"tensor<{found}xi32>"]


SLICE = """func.func @main(%x: tensor<?x9xf32>, %s: tensor<2xINDEX>, %n: tensor<2xINDEX>) -> tensor<2x3xf32> {
  %one = stablehlo.constant dense<STEPS> : tensor<2xINDEX>
  %size = stablehlo.constant dense<[2, 3]> : tensor<2xINDEX>
  %limit = stablehlo.add SUM : tensor<2xINDEX>
  %0 = stablehlo.real_dynamic_slice %x, %s, %limit, %one
    : (tensor<?x9xf32>, tensor<2xINDEX>, tensor<2xINDEX>, tensor<2xINDEX>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}"""


@pytest.mark.parametrize(
    ("index", "steps", "sum_", "sizes"),
    [
        ("i32", "1", "%s, %size", "2, 3"),
        ("i64", "1", "%size, %s", "2, 3"),
        ("i32", "1", "%s, %n", ""),  # of sizes that nobody knows
        ("i32", "1", "%n, %size", ""),  # from another start
        ("i32", "[1, 2]", "%s, %size", ""),
    ],
)
def test_slices_of_known_sizes_and_unit_steps_have_static_sizes(index: str, steps: str, sum_: str, sizes: str) -> None:
    module = stablehlo_py.parse(SLICE.replace("INDEX", index).replace("STEPS", steps).replace("SUM", sum_))
    run_pipeline(module, "builtin.module(func.func(stablehlo-aggressive-simplification{optimize-float=false}))")
    assert module.operation.verify()
    ops = operations(functions(module.operation)["main"])
    found = [str(op.attributes["slice_sizes"]) for op in ops if op.name == "stablehlo.dynamic_slice"]
    assert found == ([f"array<i64: {sizes}>"] if sizes else []), str(module)
    assert sum(op.name == "stablehlo.real_dynamic_slice" for op in ops) == (not sizes)


@pytest.mark.parametrize(
    ("shape", "declared", "found"),
    [
        ("[2, 3]", "?x?", "2x3"),
        ("[0, 3]", "?x3", "0x3"),
        ("[2, 0]", "2x?", "2x0"),
    ],
)
def test_a_known_shape_becomes_the_type(shape: str, declared: str, found: str) -> None:
    module = stablehlo_py.parse(f"""func.func @main() -> tensor<{declared}xf32> {{
      %s = stablehlo.constant dense<{shape}> : tensor<2xi32>
      %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<{declared}xf32>
      return %0 : tensor<{declared}xf32>
    }}""")
    run_pipeline(module, "builtin.module(func.func(stablehlo-aggressive-simplification{optimize-float=false}))")
    assert "stablehlo.dynamic_iota" not in [op.name for op in operations(module.operation)], str(module)
    assert f"tensor<{found}xf32>" in str(module)


@pytest.mark.parametrize(
    ("k", "config", "becomes"),
    [
        ("%two", "{reduction_dim = 0 : i64}", True),
        ("%two", "{}", True),
        ("%unknown", "{reduction_dim = 0 : i64}", False),
        ("%two", '"text"', False),
        ("%two", None, False),
        ("%unknown", '"text"', False),
    ],
)
def test_an_approximate_choice_needs_a_known_number_and_a_dictionary(k: str, config: str | None, becomes: bool) -> None:
    said = "" if config is None else f"{{mhlo.backend_config = {config}, called_computations = []}}"
    (call,) = (op for op in canonical(f"""
      func.func @main(%x: tensor<5xf32>, %init: tensor<f32>, %unknown: tensor<i32>) -> tensor<?xf32> {{
        %two = stablehlo.constant dense<2> : tensor<i32>
        %shape = stablehlo.constant dense<2> : tensor<1xi32>
        %r = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %init, {k}, %shape) {said}
          : (tensor<5xf32>, tensor<f32>, tensor<i32>, tensor<1xi32>) -> tensor<?xf32>
        return %r : tensor<?xf32>
      }}""") if op.name == "stablehlo.custom_call")  # fmt: skip
    target = ir.StringAttr(call.attributes["call_target_name"]).value
    assert target == ("ApproxTopK" if becomes else "stablehlo.dynamic_approx_top_k"), call
    if becomes:
        assert "top_k = 2 : i64" in str(call.attributes["mhlo.backend_config"])
        assert str(call.results[0].type) == "tensor<2xf32>"
        assert [str(operand.type) for operand in call.operands] == ["tensor<5xf32>", "tensor<f32>"]
