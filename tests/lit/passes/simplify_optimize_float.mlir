// RUN: stablehlo-opt --stablehlo-aggressive-simplification %s | FileCheck %s
// RUN: stablehlo-opt --stablehlo-aggressive-simplification=optimize-float=false %s | FileCheck %s --check-prefix=EXACT

// By default a difference in the sign of a zero, and what the spec leaves open, is allowed.

// CHECK-LABEL: @add_zero_of_either_sign
// EXACT-LABEL: @add_zero_of_either_sign
func.func @add_zero_of_either_sign(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %positive = stablehlo.constant dense<0.0> : tensor<3xf32>
  %negative = stablehlo.constant dense<-0.0> : tensor<3xf32>
  // CHECK-NEXT: return %arg0, %arg0
  // EXACT: %[[SUM:.*]] = stablehlo.add
  // EXACT: return %[[SUM]], %arg0
  %0 = stablehlo.add %x, %positive : tensor<3xf32>
  %1 = stablehlo.add %x, %negative : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @subtract_zero_of_either_sign
// EXACT-LABEL: @subtract_zero_of_either_sign
func.func @subtract_zero_of_either_sign(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %positive = stablehlo.constant dense<0.0> : tensor<3xf32>
  %negative = stablehlo.constant dense<-0.0> : tensor<3xf32>
  // CHECK-NEXT: return %arg0, %arg0
  // EXACT: %[[DIFFERENCE:.*]] = stablehlo.subtract
  // EXACT: return %arg0, %[[DIFFERENCE]]
  %0 = stablehlo.subtract %x, %positive : tensor<3xf32>
  %1 = stablehlo.subtract %x, %negative : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// The initial value may take part in the reduction of a single element, or not.
// CHECK-LABEL: @reduce_over_no_dimension_without_identity
// EXACT-LABEL: @reduce_over_no_dimension_without_identity
func.func @reduce_over_no_dimension_without_identity(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: return %arg0
  // EXACT: stablehlo.reduce
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
