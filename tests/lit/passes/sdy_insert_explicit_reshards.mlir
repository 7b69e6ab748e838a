// Adds reshards where an op needs other shardings than it gets.
// REQUIRES: pass-sdy-insert-explicit-reshards
// RUN: stablehlo-opt %s --sdy-insert-explicit-reshards=enable-full-version=true | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %{{.*}}: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// CHECK-NEXT: %{{.*}} = sdy.reshard %{{.*}} <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = sdy.reshard %{{.*}} <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.add %{{.*}}, %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = sdy.reshard %{{.*}} <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%lhs: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %rhs: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %lhs, %rhs {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
