// Turns calls of stablehlo.dynamic_... whose shape operands are constant into their ops.
// RUN: stablehlo-opt %s --stablehlo-canonicalize-dynamic-calls | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-canonicalize-dynamism | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-canonicalize-dynamism))' | FileCheck %s

func.func private @both(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %sum = stablehlo.add %a, %b : tensor<f32>
  %product = stablehlo.multiply %i, %j : tensor<i32>
  return %sum, %product : tensor<f32>, tensor<i32>
}

// CHECK-LABEL: func.func @reduce_window
// CHECK: %[[RESULTS:.*]]:2 = "stablehlo.reduce_window"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{base_dilations = array<i64: 2, 1>,
// CHECK-SAME: padding = dense<{{\[\[}}1, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 3>,
// CHECK-SAME: window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[I:.*]]: tensor<i32>, %[[B:.*]]: tensor<f32>, %[[J:.*]]: tensor<i32>):
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[A]], %[[B]] : tensor<f32>
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.multiply %[[I]], %[[J]] : tensor<i32>
// CHECK-NEXT: stablehlo.return %[[SUM]], %[[PRODUCT]] : tensor<f32>, tensor<i32>
// CHECK-NEXT: }) : (tensor<4x?xf32>, tensor<4x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
// CHECK: %[[OPEN:.*]] = stablehlo.convert %[[RESULTS]]#0 : (tensor<3x?xf32>) -> tensor<?x?xf32>
// CHECK: %{{.*}} = stablehlo.negate %[[RESULTS]]#1 : (tensor<3x?xi32>) -> tensor<?x?xi32>
// CHECK: return %[[OPEN]]
func.func @reduce_window(%0: tensor<4x?xf32>, %1: tensor<4x?xi32>, %2: tensor<f32>, %3: tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %window = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %strides = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %base_dilations = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %dilations = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %padding = stablehlo.constant dense<[[1, 0], [0, 0]]> : tensor<2x2xi32>
  %results:2 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%0, %1, %2, %3, %window, %strides, %base_dilations, %dilations, %padding) {
    called_computations = [@both]
  } : (tensor<4x?xf32>, tensor<4x?xi32>, tensor<f32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  %negative = stablehlo.negate %results#1 : tensor<?x?xi32>
  return %results#0, %negative : tensor<?x?xf32>, tensor<?x?xi32>
}

// CHECK-LABEL: func.func @rng_bit_generator
// CHECK: %{{.*}}, %{{.*}} = stablehlo.rng_bit_generator %{{.*}}, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
func.func @rng_bit_generator(%state: tensor<2xui64>) -> tensor<?x4xui32> {
  %shape = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %results:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %shape) {
    rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>
  } : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x4xui32>)
  return %results#1 : tensor<?x4xui32>
}

// CHECK-LABEL: func.func @top_k
// CHECK: chlo.top_k(%{{.*}}, k = 2) {mhlo.note = "kept"} : tensor<3x5xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
func.func @top_k(%operand: tensor<3x5xf32>) -> (tensor<3x?xf32>, tensor<3x?xi32>) {
  %k = stablehlo.constant dense<2> : tensor<i32>
  %results:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%operand, %k) {mhlo.note = "kept"} : (tensor<3x5xf32>, tensor<i32>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
  return %results#0, %results#1 : tensor<3x?xf32>, tensor<3x?xi32>
}

func.func private @greater(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %result = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %result : tensor<i1>
}

// CHECK-LABEL: func.func @approx_top_k
// CHECK: stablehlo.custom_call @ApproxTopK(%{{.*}}, %{{.*}}) {called_computations = [@greater],
// CHECK-SAME: mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<5xf32>, tensor<f32>) -> tensor<2xf32>
func.func @approx_top_k(%operand: tensor<5xf32>, %init_value: tensor<f32>) -> tensor<?xf32> {
  %k = stablehlo.constant dense<2> : tensor<i32>
  %shape = stablehlo.constant dense<2> : tensor<1xi32>
  %result = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%operand, %init_value, %k, %shape) {
    called_computations = [@greater], indices_of_shape_operands = dense<3> : tensor<1xi64>, mhlo.backend_config = {reduction_dim = 0 : i64}
  } : (tensor<5xf32>, tensor<f32>, tensor<i32>, tensor<1xi32>) -> tensor<?xf32>
  return %result : tensor<?xf32>
}

// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4: stablehlo.custom_call @stablehlo.dynamic_top_k
// CHECK: return
func.func @kept(%operand: tensor<3x5xf32>, %unknown: tensor<i32>, %scalar: tensor<f32>) -> (tensor<3x?xf32>, tensor<3x?xf32>, tensor<3x?xf32>, tensor<3x?xf32>) {
  %k = stablehlo.constant dense<2> : tensor<i32>
  %too_many = stablehlo.constant dense<6> : tensor<i32>
  %a:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%operand, %unknown) : (tensor<3x5xf32>, tensor<i32>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
  %b:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%operand, %too_many) : (tensor<3x5xf32>, tensor<i32>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
  %c:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%operand, %k) {has_side_effect = true} : (tensor<3x5xf32>, tensor<i32>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
  %d:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%operand, %scalar) : (tensor<3x5xf32>, tensor<f32>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
  return %a#0, %b#0, %c#0, %d#0 : tensor<3x?xf32>, tensor<3x?xf32>, tensor<3x?xf32>, tensor<3x?xf32>
}
