"""Reductions, scatters, loops and reshards of what is cut give what the global program gives, on every release."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from installed import needs
from speeds import later

import stablehlo_py
from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.types import element_type
from stablehlo_py.errors import PassError
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd.simulation import global_results

pytestmark = needs("partition")

MESH = 'sdy.mesh @mesh = <["x"=2, "y"=2]>'
X = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}'
INTEGERS = np.array([3, 250, 7, 90])


def agree(module, arguments):
    found = partition(module)
    results = simulate(found, arguments).results
    for result, expected in zip(results, global_results(module, arguments), strict=True):
        np.testing.assert_array_equal(result, expected)
        assert result.tobytes() == expected.tobytes(), f"other bits: {result!r}, expected {expected!r}"
    return [one.op.removeprefix("stablehlo.") for one in found.collectives]


def reduction(kind, element, init):
    return stablehlo_py.parse(f"""{MESH}
    func.func @main(%a: tensor<4x{element}> {X}) -> tensor<{element}> {{
      %i = stablehlo.constant dense<{init}> : tensor<{element}>
      %0 = stablehlo.reduce(%a init: %i) applies stablehlo.{kind} across dimensions = [0]
        : (tensor<4x{element}>, tensor<{element}>) -> tensor<{element}>
      return %0 : tensor<{element}>
    }}""")


@pytest.mark.parametrize("element", ["i1", "ui8", "bf16", *map(later, ("i8", "i32", "ui32", "f32", "f64"))])
def test_a_reduction_over_what_is_cut_combines_by_its_own_body_from_its_own_start(element):
    is_float = "f" in element
    values = [[0, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 0]] if element == "i1" else [INTEGERS % 5 if is_float else INTEGERS]
    inits = ("true", "false") if element == "i1" else (0.0, 1.0, 5.0) if is_float else (0, 1, 5)
    kinds = ("add", "multiply", "minimum", "maximum", *(() if is_float else ("and", "or", "xor")))
    for kind, init, row in itertools.product(kinds, inits, values):
        array = np.asarray(row).astype(element_type(element).dtype)
        assert agree(reduction(kind, element, init), [array]) == ["all_reduce"], (kind, init)


@pytest.mark.parametrize("kind", ["add", "multiply", "maximum"])
def test_zeros_keep_their_signs_in_a_reduction_that_starts_from_an_argument(kind):
    module = stablehlo_py.parse(f"""{MESH}
    func.func @main(%a: tensor<4x2xf32> {X[:-3]}, {{}}]>}}, %i: tensor<f32>) -> tensor<2xf32> {{
      %0 = stablehlo.reduce(%a init: %i) applies stablehlo.{kind} across dimensions = [0]
        : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }}""")
    for start, first in itertools.product((0.0, -0.0, -1.0), (0.0, -0.0)):
        agree(module, [np.array([[-0.0, first]] + [[-0.0, -0.0]] * 3, np.float32), np.array(start, np.float32)])


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_a_dimension_with_fewer_elements_than_devices_can_be_cut(size):
    cut = '{sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}'
    module = stablehlo_py.parse(f"""{MESH}
    func.func @main(%a: tensor<2x{size}xf32> {cut})
        -> (tensor<2x{size}xf32> {cut}, tensor<2xf32>, tensor<{size}x2xf32>) {{
      %i = stablehlo.constant dense<-0.0> : tensor<f32>
      %0 = stablehlo.negate %a : tensor<2x{size}xf32>
      %1 = stablehlo.reduce(%0 init: %i) applies stablehlo.add across dimensions = [1]
        : (tensor<2x{size}xf32>, tensor<f32>) -> tensor<2xf32>
      %2 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x{size}xf32>) -> tensor<{size}x2xf32>
      return %0, %1, %2 : tensor<2x{size}xf32>, tensor<2xf32>, tensor<{size}x2xf32>
    }}""")
    agree(module, [np.array([np.arange(1, size + 1), np.zeros(size)], np.float32)])


@pytest.mark.parametrize(
    ("element", "body"),
    [
        ("i32", "%r = stablehlo.add %p, %p : tensor<i32>"),
        ("i32", "%r = stablehlo.subtract %p, %q : tensor<i32>"),
        ("i32", "%s = stablehlo.add %q, %q : tensor<i32>\n%r = stablehlo.add %p, %s : tensor<i32>"),
        ("f8E8M0FNU", "%r = stablehlo.add %p, %q : tensor<f8E8M0FNU>"),
    ],
)
def test_a_body_without_a_known_identity_gets_everything_whole(element, body):
    values = "[1.0, 2.0, 4.0, 2.0]" if element.startswith("f") else "[1, 2, 4, 7]"
    module = stablehlo_py.parse(f"""{MESH}
    func.func @main() -> tensor<{element}> {{
      %c = stablehlo.constant dense<{values}> : tensor<4x{element}>
      %a = sdy.sharding_constraint %c <@mesh, [{{"x", "y"}}]> : tensor<4x{element}>
      %i = stablehlo.constant dense<1{".0" * element.startswith("f")}> : tensor<{element}>
      %0 = "stablehlo.reduce"(%a, %i) ({{
      ^bb0(%p: tensor<{element}>, %q: tensor<{element}>):
        {body}
        stablehlo.return %r : tensor<{element}>
      }}) {{dimensions = array<i64: 0>}} : (tensor<4x{element}>, tensor<{element}>) -> tensor<{element}>
      return %0 : tensor<{element}>
    }}""")
    assert agree(module, []) == ["all_gather"]


def scatter(operand, indices, updates, numbers, element, body):
    combine = f"%m = stablehlo.{body} %p, %q : tensor<{element}>" if body else ""
    types = [f"tensor<4x{element}>", f"tensor<{indices[0]}xi32>", f"tensor<{updates[0]}x{element}>"]
    return stablehlo_py.parse(f"""{MESH}
    func.func @main(%a: {types[0]} {operand}, %i: {types[1]} {indices[1]}, %u: {types[2]} {updates[1]}) -> {types[0]} {{
      %0 = "stablehlo.scatter"(%a, %i, %u) ({{
      ^bb0(%p: tensor<{element}>, %q: tensor<{element}>):
        {combine}
        stablehlo.return {"%m" if body else "%q"} : tensor<{element}>
      }}) {{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>}} : ({", ".join(types)}) -> {types[0]}
      return %0 : {types[0]}
    }}""")


@pytest.mark.parametrize("cut", ["operand", "index vector", "updates"])
def test_a_scatter_of_windows_that_are_cut_writes_where_it_should(cut):
    operand, indices, updates = [X if each == cut else "" for each in ("operand", "index vector", "updates")]
    numbers = "update_window_dims = [0], scatter_dims_to_operand_dims = [0]"
    for element, body in itertools.product(("i32", "ui32"), ("add", "multiply", "maximum", "minimum", "")):
        module = scatter(operand, ("1", indices), ("4", updates), numbers, element, body)
        dtype = element_type(element).dtype
        agree(module, [np.arange(4).astype(dtype) * 2**30, np.array([1], np.int32), np.array([5, 6, 7, 8], dtype)])


@pytest.mark.parametrize("body", ["add", "multiply", "maximum", "minimum", "xor", ""])
def test_a_scatter_of_updates_that_are_cut_combines_them(body):
    numbers = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    both = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    module = scatter("", ("4x1", both), ("4", X), numbers, "ui32", body)
    values = [np.array([9, 2**31 + 1, 3, 7], np.uint32), np.array([[1], [1], [3], [1]], np.int32)]
    collectives = agree(module, [*values, np.array([2**31, 5, 6, 2**31 + 9], np.uint32)])
    assert ("all_reduce" in collectives) == bool(body)


def test_several_results_have_axes_in_any_order():
    shardings = [f"{{sdy.sharding = #sdy.sharding<@mesh, [{{{axes}}}, {{}}]>}}" for axes in ('"x", "y"', '"y", "x"')]
    module = stablehlo_py.parse(f"""{MESH}
    func.func @main(%a: tensor<4x8xi32> {shardings[0]}) ->
        (tensor<4x8xi32> {shardings[1]}, tensor<4x8xi32> {shardings[0]}) {{
      %0:2 = "stablehlo.sort"(%a, %a) ({{
      ^bb0(%p: tensor<i32>, %q: tensor<i32>, %r: tensor<i32>, %s: tensor<i32>):
        %c = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }}) {{dimension = 1 : i64}} : (tensor<4x8xi32>, tensor<4x8xi32>) -> (tensor<4x8xi32>, tensor<4x8xi32>)
      return %0#0, %0#1 : tensor<4x8xi32>, tensor<4x8xi32>
    }}""")  # fmt: skip
    agree(module, [np.random.default_rng(0).integers(0, 99, (4, 8), np.int32)])


def test_a_constraint_swaps_axes_beside_an_op_that_needs_everything():
    ins, outs = [f"{{sdy.sharding = #sdy.sharding<@mesh, [{each}]>}}" for each in ('{"x"}, {"y"}', '{"y"}, {"x"}')]
    module = stablehlo_py.parse(f"""sdy.mesh @mesh = <["x"=4, "y"=2]>
    func.func @main(%a: tensor<16x8xf32> {ins}) -> (tensor<16x8xf32> {outs}) {{
      %0 = sdy.sharding_constraint %a <@mesh, [{{"y"}}, {{"x"}}]> : tensor<16x8xf32>
      %1 = func.call @flip(%a) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %2 = stablehlo.add %0, %1 : tensor<16x8xf32>
      return %2 : tensor<16x8xf32>
    }}
    func.func private @flip(%a: tensor<16x8xf32>) -> tensor<16x8xf32> {{
      %0 = stablehlo.reverse %a, dims = [0] : tensor<16x8xf32>
      return %0 : tensor<16x8xf32>
    }}""")
    agree(module, [np.arange(128, dtype=np.float32).reshape(16, 8)])


def test_a_roll_of_uneven_slices():
    module = stablehlo_py.parse(f"""{MESH}
    func.func @main(%a: tensor<8xi32> {X}) -> tensor<8xi32> {{
      %0 = stablehlo.slice %a [5:8] : (tensor<8xi32>) -> tensor<3xi32>
      %1 = stablehlo.slice %a [0:5] : (tensor<8xi32>) -> tensor<5xi32>
      %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<3xi32>, tensor<5xi32>) -> tensor<8xi32>
      return %2 : tensor<8xi32>
    }}""")
    agree(module, [np.arange(8, dtype=np.int32)])


def test_a_loop_that_slices_and_updates_what_it_carries_and_swaps_it():
    module = stablehlo_py.parse(f"""{MESH}
    func.func @main(%a: tensor<4xi32> {X}, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {{
      %z = stablehlo.constant dense<0> : tensor<i32>
      %n = stablehlo.constant dense<3> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %r:3 = stablehlo.while(%i = %z, %x = %a, %y = %b) : tensor<i32>, tensor<4xi32>, tensor<4xi32> cond {{
        %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }} do {{
        %j = stablehlo.add %i, %one : tensor<i32>
        %s = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
        %u = stablehlo.dynamic_update_slice %x, %s, %j : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
        stablehlo.return %j, %y, %u : tensor<i32>, tensor<4xi32>, tensor<4xi32>
      }}
      return %r#1, %r#2 : tensor<4xi32>, tensor<4xi32>
    }}""")
    agree(module, [np.arange(4, dtype=np.int32), np.arange(10, 14, dtype=np.int32)])


def test_a_dimension_without_elements_can_be_cut():
    cut = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}'
    module = stablehlo_py.parse(f"""{MESH}
    func.func @main(%a: tensor<0x4xf32> {cut}) -> (tensor<0x4xf32>, tensor<4xf32> {X}) {{
      %i = stablehlo.constant dense<2.0> : tensor<f32>
      %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0]
        : (tensor<0x4xf32>, tensor<f32>) -> tensor<4xf32>
      return %a, %0 : tensor<0x4xf32>, tensor<4xf32>
    }}""")
    agree(module, [np.zeros((0, 4), np.float32)])


def test_an_argument_that_is_padded_and_returned():
    module = stablehlo_py.parse(f"""{MESH}
    func.func @main(%a: tensor<3xi32> {X}) -> (tensor<3xi32>, tensor<3xi32> {X}) {{
      return %a, %a : tensor<3xi32>, tensor<3xi32>
    }}""")
    agree(module, [np.arange(3, dtype=np.int32)])


@pytest.mark.parametrize(
    ("ops", "message"),
    [
        ("%0 = stablehlo.partition_id : tensor<ui32>", r":5:\d+: error: 'stablehlo.partition_id' op talks to, or asks"),
        (
            '%0 = "stablehlo.custom_call"(%a) {call_target_name = "SPMDFullToShardShape"}'
            " : (tensor<4xui32>) -> tensor<ui32>",
            "'SPMDFullToShardShape' cannot be partitioned",
        ),
    ],
)
def test_what_only_single_devices_can_do_is_refused_where_it_stands(ops, message):
    text = (
        f"{MESH}\nfunc.func @main(%a: tensor<4xui32> {X}) -> tensor<ui32> {{\n\n\n{ops}\nreturn %0 : tensor<ui32>\n}}"
    )
    with pytest.raises(PassError, match=message):
        partition(stablehlo_py.parse(text))


@pytest.mark.parametrize(
    ("sharding", "message"),
    [
        ('<@mesh, [{}], unreduced={"x"}>', "argument 0 has unreduced axes"),
        ("<@single, []>", "argument 0 .* single.device"),
        ('<@other, [{"z"}]>', "argument 0 has another mesh than the program"),
    ],
)
def test_shardings_of_arguments_that_no_device_can_hold_are_refused(sharding, message):
    text = f"""{MESH}
    sdy.mesh @single = <[], device_ids=[0]>
    sdy.mesh @other = <["z"=2]>
    func.func @main(%a: tensor<4xf32> {{sdy.sharding = #sdy.sharding{sharding}}}) -> tensor<4xf32> {{
      return %a : tensor<4xf32>
    }}"""
    with pytest.raises(PassError, match=message):
        partition(stablehlo_py.parse(text))


def test_two_meshes_of_the_same_devices_split_them_as_they_do():
    ins = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}'
    module = stablehlo_py.parse(f"""sdy.mesh @mesh = <["x"=4, "y"=2]>
    sdy.mesh @other = <["a"=2, "b"=4]>
    func.func @main(%a: tensor<8x8xi32> {ins}) -> (tensor<8x8xi32>, tensor<8x8xi32>) {{
      %0 = sdy.sharding_constraint %a <@other, [{{"a"}}, {{"b"}}]> : tensor<8x8xi32>
      %1 = stablehlo.add %0, %0 : tensor<8x8xi32>
      %2 = stablehlo.negate %a : tensor<8x8xi32>
      return %1, %2 : tensor<8x8xi32>, tensor<8x8xi32>
    }}""")
    agree(module, [np.arange(64, dtype=np.int32).reshape(8, 8)])


def test_random_numbers_are_those_of_the_first_device():
    module = stablehlo_py.parse(f"""{MESH}
    func.func @main(%a: tensor<4xf32> {X}) -> tensor<4xf32> {{
      %l = stablehlo.constant dense<0.0> : tensor<f32>
      %h = stablehlo.constant dense<1.0> : tensor<f32>
      %s = stablehlo.constant dense<4> : tensor<1xi64>
      %0 = stablehlo.rng %l, %h, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
      %1 = stablehlo.add %0, %a : tensor<4xf32>
      return %1 : tensor<4xf32>
    }}""")
    found = partition(module)
    assert [one.op for one in found.collectives] == ["stablehlo.collective_broadcast"]
    (result,), parts = (simulated := simulate(found, [np.arange(4, dtype=np.float32)])).results, simulated.parts
    np.testing.assert_array_equal(parts[0][0], parts[1][0])
    assert set(result.astype(np.int32)) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("argument", "ops"),
    [
        (
            '{"x"}',
            """%0 = sdy.sharded_to_unreduced [{"x"}] %a out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<4xf32>
            %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>}
              : tensor<4xf32>
            %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}]> : tensor<4xf32>""",
        ),
        (
            "{}",
            """%0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<4xf32>
            %1 = sdy.replicated_to_unreduced {"x"} %0 out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<4xf32>
            %2 = sdy.reduce_scatter [{"x"}] %1 out_sharding=<@mesh, [{"x"}]> : tensor<4xf32>""",
        ),
    ],
)
def test_unreduced_axes_change_where_a_value_is_and_not_the_value(argument, ops):
    if not make_context().is_registered_operation("sdy.replicated_to_unreduced"):
        pytest.skip("the installed Shardy has no ops of unreduced axes")
    text = f"""{MESH}
    func.func @main(%a: tensor<4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{argument}]>}}) -> tensor<4xf32> {{
      {ops}
      return %2 : tensor<4xf32>
    }}"""
    array = np.arange(4, dtype=np.float32)
    (result,) = simulate(partition(stablehlo_py.parse(text)), [array]).results
    np.testing.assert_array_equal(result, -array)
