// RUN: stablehlo-opt %s --stablehlo-shape-refinement-pipeline | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-shape-refinement-pipeline=steps=true | FileCheck %s

// A private function takes on what it is called with; a call with something else gets a function of its own.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<6xf32>, tensor<20xf32>)
// CHECK: call @flatten(%{{.*}}) : (tensor<2x3xf32>) -> tensor<6xf32>
// CHECK: call @flatten_0(%{{.*}}) : (tensor<4x5xf32>) -> tensor<20xf32>
// CHECK: call @flatten(%{{.*}}) : (tensor<2x3xf32>) -> tensor<6xf32>
func.func @main(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %x_open = stablehlo.negate %x : (tensor<2x3xf32>) -> tensor<?x?xf32>
  %y_open = stablehlo.negate %y : (tensor<4x5xf32>) -> tensor<?x?xf32>
  %one = func.call @flatten(%x_open) : (tensor<?x?xf32>) -> tensor<?xf32>
  %other = func.call @flatten(%y_open) : (tensor<?x?xf32>) -> tensor<?xf32>
  %again = func.call @flatten(%x_open) : (tensor<?x?xf32>) -> tensor<?xf32>
  %sum = stablehlo.add %one, %again : tensor<?xf32>
  return %sum, %other : tensor<?xf32>, tensor<?xf32>
}

// CHECK: func.func private @flatten_0(%arg0: tensor<4x5xf32>) -> tensor<20xf32>
// CHECK: func.func private @flatten(%arg0: tensor<2x3xf32>) -> tensor<6xf32>
func.func private @flatten(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %count = func.call @times(%rows, %columns) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %shape = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.dynamic_reshape %x, %shape : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %flat : tensor<?xf32>
}

func.func private @times(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %product = stablehlo.multiply %a, %b : tensor<i32>
  return %product : tensor<i32>
}
