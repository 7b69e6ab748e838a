// REQUIRES: pass-stablehlo-check-shape-assertions
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | stablehlo-translate --interpret - --args='[dense<false> : tensor<i1>, dense<1.0> : tensor<2x3xf32>, dense<2.0> : tensor<2x3xf32>, dense<[3, 2]> : tensor<2xi64>]' | FileCheck %s --check-prefix=EXEC
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | not stablehlo-translate --interpret - --args='[dense<true> : tensor<i1>, dense<1.0> : tensor<2x3xf32>, dense<2.0> : tensor<2x4xf32>, dense<[3, 2]> : tensor<2xi64>]' 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | not stablehlo-translate --interpret - --args='[dense<false> : tensor<i1>, dense<1.0> : tensor<2x3xf32>, dense<2.0> : tensor<1x3xf32>, dense<[3, 2]> : tensor<2xi64>]' 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | not stablehlo-translate --interpret - --args='[dense<false> : tensor<i1>, dense<1.0> : tensor<2x3xf32>, dense<2.0> : tensor<2x3xf32>, dense<[2, 2]> : tensor<2xi64>]' 2>&1 | FileCheck %s --check-prefix=ELEMENTS

// Each branch asks for the sizes and elements that its guards need, each once.
// CHECK: stablehlo.if
// CHECK: stablehlo.get_dimension_size %arg1, dim = 0
// CHECK: stablehlo.get_dimension_size %arg2, dim = 0
// CHECK: stablehlo.get_dimension_size %arg1, dim = 1
// CHECK: stablehlo.get_dimension_size %arg2, dim = 1
// CHECK: stablehlo.add
// CHECK: stablehlo.slice %arg3 [0:1]
// CHECK: stablehlo.slice %arg3 [1:2]
// CHECK-NOT: stablehlo.slice
// CHECK-NOT: get_dimension_size
// CHECK: stablehlo.dynamic_reshape
// CHECK: stablehlo.get_dimension_size %arg1, dim = 0
// CHECK: stablehlo.get_dimension_size %arg2, dim = 0
// CHECK: stablehlo.get_dimension_size %arg1, dim = 1
// CHECK: stablehlo.get_dimension_size %arg2, dim = 1
// CHECK: stablehlo.multiply
// CHECK: stablehlo.slice %arg3 [0:1]
// CHECK: stablehlo.slice %arg3 [1:2]
// EXEC: tensor<2x3xf32>
// EXEC: tensor<3x2xf32>
// SECOND: stablehlo.add: dimension 1 of the operands differs, 3 and 4 (dimension 1 of argument 1 is 3, dimension 1 of argument 2 is 4)
// FIRST: stablehlo.multiply: dimension 0 of the operands differs, 1 and 2 (dimension 0 of argument 2 is 1, dimension 0 of argument 1 is 2)
// ELEMENTS: the operand has 6 elements, the result would have 4
func.func @main(%p: tensor<i1>, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %n: tensor<2xi64>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0:2 = "stablehlo.if"(%p) ({
    %1 = stablehlo.add %a, %b : tensor<?x?xf32>
    %2 = stablehlo.dynamic_reshape %a, %n : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    stablehlo.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
  }, {
    %1 = stablehlo.multiply %b, %a : tensor<?x?xf32>
    %2 = stablehlo.dynamic_reshape %b, %n : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    stablehlo.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
  }) : (tensor<i1>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xf32>
}
