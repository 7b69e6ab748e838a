// RUN: not stablehlo-opt %s --split-input-file 2>&1 | FileCheck %s
// RUN: not stablehlo-opt %s --split-input-file --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck --check-prefix=OFF %s

// CHECK: error: 'stablehlo.add' op requires the same shape
// CHECK: note: see current operation: %{{.*}} = "stablehlo.add"
// CHECK: error: loc("layer"): 'stablehlo.negate' op requires compatible types
// CHECK: note: loc("layer"): see current operation: %{{.*}} = "stablehlo.negate"
// OFF: error: 'stablehlo.add' op requires the same shape
// OFF-NOT: see current operation
// OFF: error: loc("layer"): 'stablehlo.negate' op requires compatible types
// OFF-NOT: see current operation
func.func @f(%operand: tensor<2xf32>) {
  %0 = "stablehlo.add"(%operand, %operand) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @named(%operand: tensor<2xf32>) {
  %0 = "stablehlo.negate"(%operand) : (tensor<2xf32>) -> tensor<3xf32> loc("layer")
  return
}
