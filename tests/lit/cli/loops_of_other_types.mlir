// RUN: stablehlo-opt %s | FileCheck %s
// RUN: stablehlo-opt %s | stablehlo-opt | FileCheck %s
// The pretty form of a loop says the operands' types alone: where others are inside, ops are printed in generic form.

// CHECK: "stablehlo.while"(%{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<?xf32>):
func.func @main(%operand: tensor<4xf32>) -> tensor<?xf32> {
  %result = "stablehlo.while"(%operand) ({
  ^bb0(%state: tensor<?xf32>):
    %again = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %again : tensor<i1>
  }, {
  ^bb0(%state: tensor<?xf32>):
    stablehlo.return %state : tensor<?xf32>
  }) : (tensor<4xf32>) -> tensor<?xf32>
  return %result : tensor<?xf32>
}
