// RUN: stablehlo-opt %s --stablehlo-shape-refinement-pipeline | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-shape-refinement-pipeline=steps=true | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-shape-refinement-pipeline --stablehlo-canonicalize-dynamism | FileCheck %s --check-prefix=STATIC

func.func private @both(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %sum = stablehlo.add %a, %b : tensor<f32>
  %product = stablehlo.multiply %i, %j : tensor<i32>
  return %sum, %product : tensor<f32>, tensor<i32>
}

// The padding is computed as a matrix: two rows put on top of each other.
// CHECK-LABEL: func.func @cumulative
// CHECK: stablehlo.custom_call @stablehlo.dynamic_reduce_window
// CHECK-SAME: -> (tensor<4x3xf32>, tensor<4x3xi32>)
// CHECK: return %{{.*}} : tensor<4x3xf32>, tensor<4x3xi32>
// STATIC-LABEL: func.func @cumulative
// STATIC: stablehlo.reduce_window
// STATIC-SAME: padding = dense<{{\[\[}}3, 0], [0, 0]]> : tensor<2x2xi64>
// STATIC-SAME: window_dimensions = array<i64: 4, 1>
// STATIC-NOT: custom_call
func.func @cumulative(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %zero: tensor<f32>, %one: tensor<i32>) -> (tensor<?x3xf32>, tensor<?x3xi32>) {
  %open = stablehlo.negate %x : (tensor<4x3xf32>) -> tensor<?x3xf32>
  %rows = stablehlo.get_dimension_size %open, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %minus_one = stablehlo.constant dense<-1> : tensor<i32>
  %before = stablehlo.add %rows, %minus_one : tensor<i32>
  %before_1 = stablehlo.reshape %before : (tensor<i32>) -> tensor<1x1xi32>
  %after_1 = stablehlo.constant dense<0> : tensor<1x1xi32>
  %first = stablehlo.concatenate %before_1, %after_1, dim = 1 : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
  %second = stablehlo.constant dense<0> : tensor<1x2xi32>
  %padding = stablehlo.concatenate %first, %second, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %ones_1 = stablehlo.constant dense<1> : tensor<1xi32>
  %rows_1 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %window = stablehlo.concatenate %rows_1, %ones_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %results:2 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%open, %y, %zero, %one, %window, %ones, %ones, %ones, %padding) {
    called_computations = [@both]
  } : (tensor<?x3xf32>, tensor<4x3xi32>, tensor<f32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> (tensor<?x3xf32>, tensor<?x3xi32>)
  return %results#0, %results#1 : tensor<?x3xf32>, tensor<?x3xi32>
}

// CHECK-LABEL: func.func @top_k
// CHECK: -> (tensor<2x3xf32>, tensor<2x3xi32>)
// STATIC-LABEL: func.func @top_k
// STATIC: chlo.top_k(%{{.*}}, k = 3)
func.func @top_k(%x: tensor<2x5xf32>, %like: tensor<3xf32>) -> tensor<2x?xi32> {
  %k = stablehlo.get_dimension_size %like, dim = 0 : (tensor<3xf32>) -> tensor<i32>
  %results:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<2x5xf32>, tensor<i32>) -> (tensor<2x?xf32>, tensor<2x?xi32>)
  return %results#1 : tensor<2x?xi32>
}

// CHECK-LABEL: func.func @random
// CHECK: -> (tensor<2xui64>, tensor<4x3xui32>)
// STATIC-LABEL: func.func @random
// STATIC: stablehlo.rng_bit_generator
// STATIC-SAME: -> (tensor<2xui64>, tensor<4x3xui32>)
func.func @random(%state: tensor<2xui64>, %like: tensor<4x3xf32>) -> tensor<?x3xui32> {
  %rows = stablehlo.get_dimension_size %like, dim = 0 : (tensor<4x3xf32>) -> tensor<i32>
  %rows_1 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.constant dense<3> : tensor<1xi32>
  %numbers = stablehlo.concatenate %rows_1, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %results:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %numbers) {
    rng_algorithm = #stablehlo<rng_algorithm DEFAULT>
  } : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x3xui32>)
  return %results#1 : tensor<?x3xui32>
}
