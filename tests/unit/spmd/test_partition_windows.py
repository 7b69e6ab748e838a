"""Ops along a dimension that is cut, which Shardy's export alone refuses or gets wrong."""

from __future__ import annotations

import numpy as np
import pytest
from installed import needs

import stablehlo_py
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd.simulation import global_results

pytestmark = needs("partition")

HEAD = """sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x8xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}) -> tensor<{shape}xf32> {{
"""
# What %0 is, by a name: its shape, and the ops that make it of %a.
CASES = {
    "reverse": (
        "16x8",
        """
    %0 = stablehlo.reverse %a, dims = [0] : tensor<16x8xf32>
        """,
    ),
    "concatenate": (
        "32x8",
        """
    %0 = stablehlo.concatenate %a, %a, dim=0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
        """,
    ),
    "sort": (
        "16x8",
        """
    %0 = "stablehlo.sort"(%a) ({ ^bb0(%l: tensor<f32>, %r: tensor<f32>): %c = stablehlo.compare LT, %l, %r :
      (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>}) {dimension=0:i64,is_stable=true} : (tensor<16x8xf32>) -> tensor<16x8xf32>
        """,
    ),
    "iota": (
        "16x8",
        """
    %i = stablehlo.iota dim=0 : tensor<16x8xf32>
    %0 = stablehlo.add %a, %i : tensor<16x8xf32>
        """,
    ),
    "reshape": (
        "4x32",
        """
    %0 = stablehlo.reshape %a : (tensor<16x8xf32>) -> tensor<4x32xf32>
        """,
    ),
    "dynamic_slice": (
        "16x8",
        """
    %c = stablehlo.constant dense<3> : tensor<i32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %u = stablehlo.dynamic_slice %a, %c, %z, sizes=[2,8] : (tensor<16x8xf32>, tensor<i32>, tensor<i32>) ->
      tensor<2x8xf32>
    %0 = stablehlo.dynamic_update_slice %a, %u, %c, %z : (tensor<16x8xf32>, tensor<2x8xf32>, tensor<i32>,
      tensor<i32>) -> tensor<16x8xf32>
        """,
    ),
    "reduce_window": (
        "16x8",
        """
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %z) ({ ^bb0(%l: tensor<f32>, %r: tensor<f32>): %c = stablehlo.add %l, %r
      : tensor<f32>
    stablehlo.return %c : tensor<f32>}) {window_dimensions=array<i64:3,1>,
      padding=dense<[[1,1],[0,0]]>:tensor<2x2xi64>} : (tensor<16x8xf32>, tensor<f32>) -> tensor<16x8xf32>
        """,
    ),
    "fft": (
        "16x8",
        """
    %c = stablehlo.convert %a : (tensor<16x8xf32>) -> tensor<16x8xcomplex<f32>>
    %t = stablehlo.transpose %c, dims = [1,0] : (tensor<16x8xcomplex<f32>>) -> tensor<8x16xcomplex<f32>>
    %u = stablehlo.fft %t, type=FFT, length=[16] : (tensor<8x16xcomplex<f32>>) -> tensor<8x16xcomplex<f32>>
    %r = stablehlo.real %u : (tensor<8x16xcomplex<f32>>) -> tensor<8x16xf32>
    %0 = stablehlo.transpose %r, dims = [1,0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
        """,
    ),
    "convolution": (
        "1x16x8",
        """
    %b = stablehlo.reshape %a : (tensor<16x8xf32>) -> tensor<1x16x8xf32>
    %k = stablehlo.constant dense<0.5> : tensor<3x8x8xf32>
    %0 = stablehlo.convolution(%b,%k) dim_numbers=[b,0,f]x[0,i,o]->[b,0,f], window={pad=[[1,1]]}
      {batch_group_count=1:i64,feature_group_count=1:i64} : (tensor<1x16x8xf32>, tensor<3x8x8xf32>) ->
      tensor<1x16x8xf32>
        """,
    ),
    "gather": (
        "5x8",
        """
    %i = stablehlo.constant dense<[[1],[7],[15],[3],[9]]> : tensor<5x1xi32>
    %0 = "stablehlo.gather"(%a, %i) {dimension_numbers=#stablehlo.gather<offset_dims = [1],collapsed_slice_dims
      = [0],start_index_map=[0],index_vector_dim=1>, slice_sizes=array<i64:1,8>} : (tensor<16x8xf32>,
      tensor<5x1xi32>) -> tensor<5x8xf32>
        """,
    ),
    "scatter": (
        "16x8",
        """
    %i = stablehlo.constant dense<[[1],[7]]> : tensor<2x1xi32>
    %u = stablehlo.constant dense<2.0> : tensor<2x8xf32>
    %0 = "stablehlo.scatter"(%a, %i,%u) ({ ^bb0(%l: tensor<f32>, %r: tensor<f32>): %c = stablehlo.add %l, %r :
      tensor<f32>
    stablehlo.return %c : tensor<f32>}) {scatter_dimension_numbers=#stablehlo.scatter<update_window_dims =
      [1],inserted_window_dims = [0],scatter_dims_to_operand_dims = [0],index_vector_dim=1>} :
      (tensor<16x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<16x8xf32>
        """,
    ),
    "batch_norm_training": (
        "16x8",
        """
    %s = stablehlo.constant dense<1.0> : tensor<8xf32>
    %0,%1,%2 = "stablehlo.batch_norm_training"(%a, %s,%s) {epsilon=0.001:f32,feature_index=1:i64} :
      (tensor<16x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<16x8xf32>, tensor<8xf32>, tensor<8xf32>)
        """,
    ),
    "sort_of_two": (
        "16x8",
        """
    %i = stablehlo.iota dim=0 : tensor<16x8xi32>
    %0,%1 = "stablehlo.sort"(%a, %i) ({ ^bb0(%l: tensor<f32>, %r: tensor<f32>,%p: tensor<i32>,%q: tensor<i32>):
      %c = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>}) {dimension=0:i64,is_stable=true} : (tensor<16x8xf32>, tensor<16x8xi32>)
      -> (tensor<16x8xf32>, tensor<16x8xi32>)
        """,
    ),
    "cholesky": (
        "16x16",
        """
    %b = stablehlo.dot_general %a, %a, contracting_dims = [1]x[1] : (tensor<16x8xf32>, tensor<16x8xf32>) ->
      tensor<16x16xf32>
    %i = stablehlo.iota dim=0 : tensor<16x16xf32>
    %j = stablehlo.iota dim=1 : tensor<16x16xf32>
    %e = stablehlo.compare EQ, %i, %j : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xi1>
    %f = stablehlo.convert %e : (tensor<16x16xi1>) -> tensor<16x16xf32>
    %g = stablehlo.add %b, %f : tensor<16x16xf32>
    %0 = stablehlo.cholesky %g, lower=true : tensor<16x16xf32>
        """,
    ),
    "rng_bit_generator": (
        "16x8",
        """
    %k = stablehlo.constant dense<[1,2]> : tensor<2xui64>
    %s, %v = stablehlo.rng_bit_generator %k, algorithm=THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>,
      tensor<16x8xui32>)
    %w = stablehlo.convert %v : (tensor<16x8xui32>) -> tensor<16x8xf32>
    %0 = stablehlo.add %a, %w : tensor<16x8xf32>
        """,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_results_are_the_global_ones(name):
    shape, ops = CASES[name]
    module = stablehlo_py.parse(f"{HEAD.format(shape=shape)}{ops}return %0 : tensor<{shape}xf32>\n}}")
    arguments = [np.random.default_rng(0).standard_normal((16, 8)).astype(np.float32)]
    simulated = simulate(partition(module), arguments)
    np.testing.assert_allclose(simulated.results[0], global_results(module, arguments)[0], rtol=1e-5, atol=1e-5)
