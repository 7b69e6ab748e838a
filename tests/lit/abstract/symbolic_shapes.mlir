// RUN: stablehlo-opt %s --print-symbolic-shapes | FileCheck %s

// CHECK-LABEL: func @main
// CHECK-NEXT: %arg0 : [arg0[0], 8] f32
// CHECK-NEXT: %arg1 : [arg1[0]] f32
// CHECK: stablehlo.dynamic_reshape : [8*arg0[0]] f32
// CHECK: stablehlo.concatenate : [8*arg0[0] + arg1[0]] f32
// CHECK: stablehlo.slice : [2] f32
// CHECK: stablehlo.add : [8*arg0[0]] f32
func.func @main(%x: tensor<?x8xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %count = stablehlo.multiply %rows, %eight : tensor<i32>
  %shape = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.dynamic_reshape %x, %shape : (tensor<?x8xf32>, tensor<1xi32>) -> tensor<?xf32>
  %joined = stablehlo.concatenate %flat, %y, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %pair = stablehlo.slice %joined [0:2] : (tensor<?xf32>) -> tensor<?xf32>
  %sum = stablehlo.add %flat, %flat : tensor<?xf32>
  return %sum : tensor<?xf32>
}
