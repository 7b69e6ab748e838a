// RUN: stablehlo-opt %s 2>&1 | FileCheck %s
// RUN: stablehlo-opt %s --mlir-print-op-generic | stablehlo-opt --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// The pretty form of a loop says the operands' types alone, as upstream's printer has it.

// CHECK: warning: the pretty form of a 'stablehlo.while' with other types inside cannot be read again
// CHECK: note: --mlir-print-op-generic prints a text that can
// GENERIC: "stablehlo.while"(%{{.*}}) ({
// GENERIC-NEXT: ^bb0(%{{.*}}: tensor<?xf32>):
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
