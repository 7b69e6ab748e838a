// RUN: stablehlo-opt %s --stablehlo-shape-refinement-pipeline | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-shape-refinement-pipeline=steps=true | FileCheck %s

// What a loop carries unchanged in shape is known inside it and after it.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: -> tensor<4x6xf32>
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<4x6xf32>
// CHECK: stablehlo.add {{.*}} : tensor<4x6xf32>
func.func @loop(%start: tensor<4x6xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %open = stablehlo.negate %start : (tensor<4x6xf32>) -> tensor<?x?xf32>
  %end:2 = stablehlo.while(%i = %zero, %x = %open) : tensor<i32>, tensor<?x?xf32>
   cond {
    %more = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %twice = stablehlo.add %x, %x : tensor<?x?xf32>
    stablehlo.return %next, %twice : tensor<i32>, tensor<?x?xf32>
  }
  return %end#1 : tensor<?x?xf32>
}

// What grows from round to round is not.
// CHECK-LABEL: func.func @growing
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<?x6xf32>
// CHECK: stablehlo.concatenate {{.*}} : (tensor<?x6xf32>, tensor<4x6xf32>) -> tensor<?x6xf32>
func.func @growing(%start: tensor<4x6xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %open = stablehlo.negate %start : (tensor<4x6xf32>) -> tensor<?x6xf32>
  %end:2 = stablehlo.while(%i = %zero, %x = %open) : tensor<i32>, tensor<?x6xf32>
   cond {
    %more = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %longer = stablehlo.concatenate %x, %start, dim = 0 : (tensor<?x6xf32>, tensor<4x6xf32>) -> tensor<?x6xf32>
    stablehlo.return %next, %longer : tensor<i32>, tensor<?x6xf32>
  }
  %result = stablehlo.negate %end#1 : (tensor<?x6xf32>) -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}

// Branches agree on one size; on the other it is the one that is known.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: -> tensor<?x3xf32>
// CHECK: stablehlo.negate %arg1 : tensor<?x3xf32>
// CHECK: stablehlo.negate %arg2 : tensor<5x3xf32>
func.func @branches(%which: tensor<i1>, %x: tensor<?x3xf32>, %y: tensor<5x3xf32>) -> tensor<?x?xf32> {
  %chosen = "stablehlo.if"(%which) ({
    %one = stablehlo.negate %x : (tensor<?x3xf32>) -> tensor<?x?xf32>
    stablehlo.return %one : tensor<?x?xf32>
  }, {
    %other = stablehlo.negate %y : (tensor<5x3xf32>) -> tensor<?x?xf32>
    stablehlo.return %other : tensor<?x?xf32>
  }) : (tensor<i1>) -> tensor<?x?xf32>
  return %chosen : tensor<?x?xf32>
}

// An op with a body of its own.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: -> tensor<2xf32>
// CHECK: stablehlo.reduce({{.*}}) {{.*}} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
func.func @sum(%x: tensor<2x3xf32>, %zero: tensor<f32>) -> tensor<?xf32> {
  %open = stablehlo.negate %x : (tensor<2x3xf32>) -> tensor<?x?xf32>
  %total = stablehlo.reduce(%open init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %total : tensor<?xf32>
}
