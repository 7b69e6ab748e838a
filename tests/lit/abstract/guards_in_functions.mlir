// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | stablehlo-translate --interpret - --args='[dense<1.0> : tensor<8xf32>, dense<2.0> : tensor<2xf32>]' | FileCheck %s --check-prefix=EXEC
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | not stablehlo-translate --interpret - --args='[dense<1.0> : tensor<8xf32>, dense<2.0> : tensor<3xf32>]' 2>&1 | FileCheck %s --check-prefix=FAIL

// A guard inside a function asks the values at hand there, though it is about what was passed to main; its message
// names the argument of main. A quotient is rounded down, also of a negative number.
// CHECK-LABEL: func.func @main
// CHECK-NOT: shape_assertion
// CHECK-LABEL: func.func private @thin_out
// CHECK: stablehlo.get_dimension_size %arg0, dim = 0
// CHECK: stablehlo.divide
// CHECK: stablehlo.compare LT
// CHECK: stablehlo.select
// CHECK: stablehlo.custom_call @shape_assertion
// CHECK-SAME: dimension 0 of argument 1 is {1}

// EXEC: 6.000000e+00, 6.000000e+00
// FAIL: error: 'stablehlo.custom_call @shape_assertion' op stablehlo.add: dimension 0 of the operands differs, 2 and 3
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %result = func.call @thin_out(%x, %y) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %result : tensor<?xf32>
}

func.func private @thin_out(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %every_other = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 4>, window_strides = array<i64: 3>} : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %doubled = stablehlo.add %every_other, %y : tensor<?xf32>
  return %doubled : tensor<?xf32>
}
