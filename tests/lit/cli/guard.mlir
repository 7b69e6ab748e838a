// RUN: stablehlo-opt %s --trust-input | FileCheck %s
// RUN: stablehlo-opt %s --guard-timeout=300 --guard-memory=64000000000 | FileCheck %s
// RUN: not stablehlo-opt %s --guard-timeout=soon 2>&1 | FileCheck --check-prefix=SECONDS %s
// RUN: not stablehlo-opt %s --guard-memory=-1 2>&1 | FileCheck --check-prefix=BYTES %s

// SECONDS: stablehlo-opt: error: STABLEHLO_PY_GUARD_TIMEOUT=soon: expected a positive number
// BYTES: stablehlo-opt: error: STABLEHLO_PY_GUARD_MEMORY=-1: expected a positive number
// CHECK: stablehlo.negate
func.func @main(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %result = stablehlo.negate %operand : tensor<4xf32>
  return %result : tensor<4xf32>
}
