// RUN: stablehlo-opt --stablehlo-aggressive-simplification=optimize-float=false %s | FileCheck %s
// RUN: stablehlo-opt --stablehlo-aggressive-simplification=fold-op-element-limit=2 %s | FileCheck %s --check-prefix=LIMIT

// Each function is named after the pattern that it wants to see, or begins with `keeps_` where nothing may change.

// CHECK-LABEL: @compare_with_itself
func.func @compare_with_itself(%n: tensor<4xi32>, %x: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  // CHECK-DAG: %[[TRUE:.*]] = stablehlo.constant dense<true> : tensor<4xi1>
  // CHECK-DAG: %[[FALSE:.*]] = stablehlo.constant dense<false> : tensor<4xi1>
  %0 = stablehlo.compare LE, %n, %n : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = stablehlo.compare NE, %n, %n, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %2 = stablehlo.compare EQ, %x, %x, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: return %[[TRUE]], %[[FALSE]], %[[TRUE]]
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// CHECK-LABEL: @keeps_compare_floats_with_themselves
func.func @keeps_compare_floats_with_themselves(%x: tensor<4xf32>) -> tensor<4xi1> {
  // CHECK: stablehlo.compare EQ, %arg0, %arg0
  %0 = stablehlo.compare EQ, %x, %x, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: @compare_constant_to_the_right
func.func @compare_constant_to_the_right(%x: tensor<2xf32>, %n: tensor<2xui8>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  %c = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %k = stablehlo.constant dense<[3, 200]> : tensor<2xui8>
  // CHECK: stablehlo.compare GT, %arg0, %cst, FLOAT
  %0 = stablehlo.compare LT, %c, %x, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  // CHECK: stablehlo.compare LE, %arg1, %c, UNSIGNED
  %1 = stablehlo.compare GE, %k, %n, UNSIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  // CHECK: stablehlo.compare NE, %arg1, %c
  %2 = stablehlo.compare NE, %k, %n : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return %0, %1, %2 : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: @compare_with_truth
func.func @compare_with_truth(%p: tensor<3xi1>) -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %true = stablehlo.constant dense<true> : tensor<3xi1>
  %false = stablehlo.constant dense<false> : tensor<3xi1>
  // CHECK-NEXT: %[[A:.*]] = stablehlo.not %arg0
  // CHECK-NEXT: %[[B:.*]] = stablehlo.not %arg0
  %0 = stablehlo.compare EQ, %p, %true : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %1 = stablehlo.compare NE, %false, %p : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %2 = stablehlo.compare EQ, %p, %false : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %3 = stablehlo.compare NE, %p, %true : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  // CHECK-NEXT: return %arg0, %arg0, %[[A]], %[[B]]
  return %0, %1, %2, %3 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}

// CHECK-LABEL: @keeps_order_of_truth
func.func @keeps_order_of_truth(%p: tensor<3xi1>) -> tensor<3xi1> {
  %true = stablehlo.constant dense<true> : tensor<3xi1>
  // CHECK: stablehlo.compare LT
  %0 = stablehlo.compare LT, %p, %true : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// CHECK-LABEL: @select_between_equals
func.func @select_between_equals(%p: tensor<3xi1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: return %arg1
  %0 = stablehlo.select %p, %x, %x : tensor<3xi1>, tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @select_by_constant
func.func @select_by_constant(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %false = stablehlo.constant dense<false> : tensor<3xi1>
  // CHECK-NEXT: return %arg0, %arg1
  %0 = stablehlo.select %true, %x, %y : tensor<i1>, tensor<3xf32>
  %1 = stablehlo.select %false, %x, %y : tensor<3xi1>, tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @select_between_constants
// LIMIT-LABEL: @select_between_constants
func.func @select_between_constants() -> tensor<3xf32> {
  %p = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %x = stablehlo.constant dense<[1.0, 2.0, -0.0]> : tensor<3xf32>
  %y = stablehlo.constant dense<[4.0, 0x7FC00001, 6.0]> : tensor<3xf32>
  // CHECK: %[[C:.*]] = stablehlo.constant dense<[1.000000e+00, 0x7FC00001, -0.000000e+00]>
  // CHECK: return %[[C]]
  // LIMIT: stablehlo.select
  %0 = stablehlo.select %p, %x, %y : tensor<3xi1>, tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @select_by_negation
func.func @select_by_negation(%p: tensor<3xi1>, %x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: stablehlo.select %arg0, %arg2, %arg1
  %0 = stablehlo.not %p : tensor<3xi1>
  %1 = stablehlo.select %0, %x, %y : tensor<3xi1>, tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: @select_by_broadcast_negation
func.func @select_by_broadcast_negation(%p: tensor<2xi1>, %x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0]
  // CHECK-NEXT: stablehlo.select %[[P]], %arg2, %arg1
  %0 = stablehlo.not %p : tensor<2xi1>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xi1>) -> tensor<2x3xi1>
  %2 = stablehlo.select %1, %x, %y : tensor<2x3xi1>, tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: @select_of_truth
func.func @select_of_truth(%p: tensor<3xi1>) -> (tensor<3xi1>, tensor<3xi1>) {
  %true = stablehlo.constant dense<true> : tensor<3xi1>
  %false = stablehlo.constant dense<false> : tensor<3xi1>
  // CHECK-NEXT: %[[NOT:.*]] = stablehlo.not %arg0
  // CHECK-NEXT: return %arg0, %[[NOT]]
  %0 = stablehlo.select %p, %true, %false : tensor<3xi1>, tensor<3xi1>
  %1 = stablehlo.select %p, %false, %true : tensor<3xi1>, tensor<3xi1>
  return %0, %1 : tensor<3xi1>, tensor<3xi1>
}
