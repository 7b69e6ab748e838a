// RUN: stablehlo-opt %s --stablehlo-fold-shape-values | FileCheck %s

// CHECK-LABEL: func.func @arithmetic
// CHECK-NEXT: %[[SHAPE:.*]] = stablehlo.constant dense<[6, 2]> : tensor<2xi32>
// CHECK-NEXT: stablehlo.dynamic_reshape %arg0, %[[SHAPE]]
// CHECK-NEXT: return
func.func @arithmetic(%x: tensor<4x3xf32>) -> tensor<6x2xf32> {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<4x3xf32>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x3xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %half = stablehlo.divide %rows, %two : tensor<i32>
  %first = stablehlo.multiply %half, %columns : tensor<i32>
  %first_list = stablehlo.reshape %first : (tensor<i32>) -> tensor<1xi32>
  %half_list = stablehlo.reshape %half : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %first_list, %half_list, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %result = stablehlo.dynamic_reshape %x, %shape : (tensor<4x3xf32>, tensor<2xi32>) -> tensor<6x2xf32>
  return %result : tensor<6x2xf32>
}

// Numbers of which int64 holds some and uint64 the others.
// CHECK-LABEL: func.func @large_unsigned
// CHECK-NEXT: %[[VALUE:.*]] = stablehlo.constant dense<[0, 18446744073709551615]> : tensor<2xui64>
// CHECK-NEXT: return %[[VALUE]]
func.func @large_unsigned() -> tensor<2xui64> {
  %numbers = stablehlo.constant dense<[0, 1]> : tensor<2xui64>
  %negated = stablehlo.negate %numbers : tensor<2xui64>
  return %negated : tensor<2xui64>
}
