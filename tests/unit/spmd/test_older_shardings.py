"""Sharded programs in the forms that jax does not write any more, or writes for other tools."""

from __future__ import annotations

import numpy as np
import pytest
from installed import needs_dialect

import stablehlo_py
from stablehlo_py.bindings.shardings import sdy_shardings, xla_tiling
from stablehlo_py.errors import InterpreterError

X = np.arange(32, dtype=np.float32).reshape(4, 8)


def run(text, *arguments):
    return stablehlo_py.interpret(stablehlo_py.parse(text), arguments)


ROUND_TRIP = r"""
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2, \22y\22=4]>}"}} {
  func.func @main(%x: tensor<4x8xf32>) -> tensor<2x8xf32> {
    %local = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {mhlo.frontend_attributes = {
      xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {\22y\22}]>]>",
      xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22, \22y\22}>"}} : (tensor<4x8xf32>) -> tensor<2x2xf32>
    %sum = func.call @body(%local) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %whole = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%sum) {mhlo.frontend_attributes = {
      xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22y\22}]>]>",
      xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22, \22y\22}>"}} : (tensor<2x2xf32>) -> tensor<2x8xf32>
    return %whole : tensor<2x8xf32>
  }
  func.func private @body(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
        replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
    }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}"""


def test_round_trip_form_runs_on_the_devices_of_its_mesh():
    np.testing.assert_array_equal(run(ROUND_TRIP, X)[0], X[:2] + X[2:])


def test_gspmd_marks_run_on_as_many_processes():
    text = """
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = stablehlo.custom_call @Sharding(%x) {
        mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}
        : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"}
        : (tensor<4x8xf32>) -> tensor<4x2xf32>
      %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
        source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4]]> : tensor<8x2xi64>
      }> : (tensor<4x2xf32>) -> tensor<4x2xf32>
      %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {
        mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<4x2xf32>) -> tensor<4x8xf32>
      return %3 : tensor<4x8xf32>
    }"""
    np.testing.assert_array_equal(run(text, X)[0], np.roll(X, 2, axis=1))


def manual(body, mesh='<["x"=2, "y"=2]>', in_='[{"x"}, {}]', out='[{"x"}, {}]', axes='"x"', local="2x8"):
    return f"""
    sdy.mesh @mesh = {mesh}
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {{
      %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, {in_}>] out_shardings=[<@mesh, {out}>]
          manual_axes={{{axes}}} (%a: tensor<{local}xf32>) {{
        {body}
      }} : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }}"""


@needs_dialect("sdy")
def test_parts_of_axes_cut_dimensions():
    text = manual("sdy.return %a : tensor<2x8xf32>", mesh='<["x"=4]>', in_='[{"x":(1)2}, {}]', out='[{"x":(1)2}, {}]')
    np.testing.assert_array_equal(run(text, X)[0], X)


@needs_dialect("sdy")
def test_devices_may_be_in_another_order():
    text = manual(
        """%p = stablehlo.partition_id : tensor<ui32>
           %f = stablehlo.convert %p : (tensor<ui32>) -> tensor<f32>
           %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
           sdy.return %b : tensor<2x8xf32>""",
        mesh='<["x"=2], device_ids=[1, 0]>',
    )
    np.testing.assert_array_equal(run(text, X)[0][:, 0], [1, 1, 0, 0])


@needs_dialect("sdy")
def test_an_error_in_a_body_names_its_process():
    body = """%r = stablehlo.custom_call @test.sharding.fails(%a) : (tensor<2x8xf32>) -> tensor<2x8xf32>
              sdy.return %r : tensor<2x8xf32>"""

    @stablehlo_py.custom_call_handler("test.sharding.fails")
    def fails(call, a):
        raise ValueError("no")

    with pytest.raises(InterpreterError, match="ValueError: no") as error:
        run(manual(body), X)
    assert "in process (replica 0, partition" in str(error.value.notes)


def test_shardings_are_read():
    from stablehlo_py.bindings.meshes import read_mesh

    mesh = read_mesh('#sdy.mesh<["a"=2, "b"=4]>')
    text = '[<@m, [{"a", "b":(1)2, ?}p1, {?}], replicated={"b":(2)2}>, <mesh<["c"=2]>, [{"c"}]>]'
    first, second = sdy_shardings(text, lambda name: {"m": mesh}[name])
    assert [[axis.name for axis in dimension] for dimension in first.dimensions] == [["a", "b"], []]
    assert first.tiling(frozenset("ab")).counts == (4, 1)
    assert first.tiling(frozenset("a")).counts == (2, 1)
    assert second.tiling(frozenset("c")).positions == {0: (0,), 1: (1,)}


def test_tilings_of_xla_are_read():
    assert xla_tiling("{replicated}", 2) is None
    tiling = xla_tiling("{devices=[2,2]3,2,1,0}", 2)
    assert tiling is not None
    assert tiling.positions[0] == (1, 1)
    np.testing.assert_array_equal(tiling.part(X, 3), X[:2, :4])
    np.testing.assert_array_equal(tiling.whole({device: tiling.part(X, device) for device in range(4)}), X)
