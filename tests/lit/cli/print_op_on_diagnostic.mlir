// RUN: not stablehlo-opt %s 2>&1 | FileCheck %s
// RUN: not stablehlo-opt %s --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck --check-prefix=OFF %s

// CHECK: error: 'stablehlo.add' op requires the same shape
// CHECK: note: see current operation: %{{.*}} = "stablehlo.add"
// OFF: error: 'stablehlo.add' op requires the same shape
// OFF-NOT: see current operation
func.func @f(%operand: tensor<2xf32>) {
  %0 = "stablehlo.add"(%operand, %operand) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}
