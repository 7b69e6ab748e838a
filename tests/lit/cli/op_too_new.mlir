// What an op of a newer StableHLO needs is said, not only that it is unknown.
// UNSUPPORTED: stablehlo-1.19
// RUN: not stablehlo-opt --explain-op=collective_reduce 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: not stablehlo-opt %s 2>&1 | FileCheck %s

// EXPLAIN: error: the op 'stablehlo.collective_reduce' needs StableHLO 1.19.0 or later, and {{[a-z-]+ [0-9.]+}} is installed, with StableHLO 1.{{[0-9.]+$}}
// CHECK: op_too_new.mlir:[[# @LINE + 3]]:8: error: unregistered operation 'stablehlo.collective_reduce'
// CHECK: note: the op 'stablehlo.collective_reduce' needs StableHLO 1.19.0 or later
func.func @main(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_reduce"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
