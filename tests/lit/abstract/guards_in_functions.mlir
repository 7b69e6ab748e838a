// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | stablehlo-translate --interpret - --args='[dense<1.0> : tensor<8xf32>, dense<3> : tensor<1xi32>, dense<2.0> : tensor<3xf32>]' | FileCheck %s --check-prefix=EXEC
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | not stablehlo-translate --interpret - --args='[dense<1.0> : tensor<8xf32>, dense<4> : tensor<1xi32>, dense<2.0> : tensor<3xf32>]' 2>&1 | FileCheck %s --check-prefix=FAIL

// A guard inside a function asks the values at hand there, though it is about what was passed to main; its message
// names the arguments. A quotient of what may be negative is rounded down, as the library function does.
// CHECK-LABEL: func.func @main
// CHECK-NOT: shape_assertion
// CHECK-LABEL: func.func private @from
// CHECK: stablehlo.custom_call @shape_assertion
// CHECK-SAME: dimension 0 would have size {0} (element 0 of argument 1 is {1})
// CHECK: stablehlo.real_dynamic_slice
// CHECK: stablehlo.divide
// CHECK: stablehlo.compare LT
// CHECK: stablehlo.select
// CHECK: stablehlo.custom_call @shape_assertion
// CHECK-SAME: dimension 0 of argument 2 is {1}

// EXEC: 3.000000e+00, 3.000000e+00, 3.000000e+00
// FAIL: error: 'stablehlo.custom_call @shape_assertion' op stablehlo.add: dimension 0 of the operands differs, 2 and 3
func.func @main(%x: tensor<8xf32>, %start: tensor<1xi32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %result = func.call @from(%x, %start, %y) : (tensor<8xf32>, tensor<1xi32>, tensor<?xf32>) -> tensor<?xf32>
  return %result : tensor<?xf32>
}

func.func private @from(%x: tensor<8xf32>, %start: tensor<1xi32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %limit = stablehlo.constant dense<8> : tensor<1xi32>
  %stride = stablehlo.constant dense<2> : tensor<1xi32>
  %every_other = stablehlo.real_dynamic_slice %x, %start, %limit, %stride : (tensor<8xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %sum = stablehlo.add %every_other, %y : tensor<?xf32>
  return %sum : tensor<?xf32>
}
