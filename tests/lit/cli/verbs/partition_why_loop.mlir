// Shardy's notes at the edges behind a loop, which jaxlib 0.10 rejects: there the steps are missing.
// REQUIRES: partition, pass-sdy-remove-propagation-debug-info
// RUN: stablehlo partition %s --why | FileCheck %s

// CHECK: stablehlo.dot_general tensor<8x8xf32>
// CHECK-NEXT: "x": from argument 0
// CHECK: stablehlo.while tensor<8x8xf32>
// CHECK-NEXT: "x": from result 0
// CHECK: why collectives are there:
// CHECK-NEXT: stablehlo.all_gather: 384 B a device, 3.0 us

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8x8xf32>
    cond { %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }
    do { %j = stablehlo.add %i, %one : tensor<i32> %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> stablehlo.return %j, %y : tensor<i32>, tensor<8x8xf32> }
  return %r#1 : tensor<8x8xf32>
}
