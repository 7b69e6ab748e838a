// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | FileCheck %s

// Two unknown sizes from one source are equal, so there is nothing to check.
// CHECK-LABEL: func.func @same_source
// CHECK-NOT: shape_assertion
// CHECK: return
func.func @same_source(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %turned = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %back = stablehlo.transpose %turned, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = stablehlo.add %x, %back : tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}

// Arithmetic on sizes is understood: n + n rows are as many as 2 * n.
// CHECK-LABEL: func.func @doubled
// CHECK-NOT: shape_assertion
// CHECK: return
func.func @doubled(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %twice = stablehlo.multiply %n, %two : tensor<i32>
  %shape = stablehlo.reshape %twice : (tensor<i32>) -> tensor<1xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.dynamic_broadcast_in_dim %zero, %shape, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %joined = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %sum = stablehlo.add %zeros, %joined : tensor<?xf32>
  return %sum : tensor<?xf32>
}
