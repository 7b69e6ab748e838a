// Adds reshards between calls and the functions called.
// REQUIRES: pass-sdy-insert-func-call-reshards
// RUN: stablehlo-opt %s --sdy-insert-func-call-reshards | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-insert-func-call-reshards)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = call @layer(%{{.*}}) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = sdy.reshard %{{.*}} <@mesh, [{"x"}]> : tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
// CHECK-LABEL: func.func private @layer
// CHECK-SAME: %{{.*}}: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = call @layer(%operand) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @layer(%operand: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  return %operand : tensor<8xf32>
}
