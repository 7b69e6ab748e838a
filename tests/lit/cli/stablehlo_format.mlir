// The layout of a file: the ops move, what continues them moves along, names and comments stay.
// RUN: cp %s %t.mlir
// RUN: not stablehlo format --check %t.mlir | FileCheck %s --check-prefix=BEFORE
// RUN: stablehlo format %t.mlir
// RUN: FileCheck %s --strict-whitespace --input-file=%t.mlir
// RUN: stablehlo format --check %t.mlir | FileCheck %s --check-prefix=NOTHING --allow-empty
// RUN: not stablehlo format %t.nowhere 2>&1 | FileCheck %s --check-prefix=MISSING

// BEFORE: would change
// NOTHING-NOT: would change
// MISSING: error: cannot open input file

// CHECK: {{^}}func.func @main(%pred: tensor<i1>,
// CHECK-NEXT: {{^}}               %value: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT: {{^}}  // a comment
// CHECK-NEXT: {{^}}  %chosen = "stablehlo.if"(%pred) ({
// CHECK-NEXT: {{^}}    stablehlo.return %value : tensor<2xf32>
// CHECK-NEXT: {{^}}  }, {
// CHECK-NEXT: {{^}}    %negative = stablehlo.negate %value : tensor<2xf32>
// CHECK-NEXT: {{^}}    stablehlo.return %negative
// CHECK-NEXT: {{^}}        : tensor<2xf32>
// CHECK-NEXT: {{^}}  }) : (tensor<i1>) -> tensor<2xf32>
// CHECK-NEXT: {{^}}  return %chosen : tensor<2xf32>
// CHECK-NEXT: {{^}}}
func.func @main(%pred: tensor<i1>,
               %value: tensor<2xf32>) -> tensor<2xf32> {
// a comment
      %chosen = "stablehlo.if"(%pred) ({
 stablehlo.return %value : tensor<2xf32>
}, {
         %negative = stablehlo.negate %value : tensor<2xf32>
         stablehlo.return %negative
             : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
return %chosen : tensor<2xf32>
}
