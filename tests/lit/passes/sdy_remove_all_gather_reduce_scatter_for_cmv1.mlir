// Removes gathers and scatters that collective matmul takes over.
// REQUIRES: pass-sdy-remove-all-gather-reduce-scatter-for-cmv1
// RUN: stablehlo-opt %s --sdy-remove-all-gather-reduce-scatter-for-cmv1 | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(sdy-remove-all-gather-reduce-scatter-for-cmv1))' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %{{.*}}: tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.dot %{{.*}}, %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%lhs: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %rhs: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.all_gather [{"x"}, {}] %lhs out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = stablehlo.dot %0, %rhs {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
