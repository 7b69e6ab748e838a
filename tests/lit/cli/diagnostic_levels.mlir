// RUN: not stablehlo-opt %s --mlir-disable-diagnostic-notes 2>&1 | FileCheck --check-prefixes=CHECK,NO-NOTE %s
// RUN: not stablehlo-opt %s --mlir-diagnostic-verbosity-level=remarks 2>&1 | FileCheck --check-prefixes=WARNING,CHECK,NOTE %s
// RUN: not stablehlo-opt %s --mlir-diagnostic-verbosity-level=warnings 2>&1 | FileCheck --check-prefixes=WARNING,CHECK %s
// RUN: not stablehlo-opt %s --mlir-diagnostic-verbosity-level=errors 2>&1 | FileCheck --check-prefixes=NO-WARNING,CHECK %s
// RUN: not stablehlo-translate --serialize --error-diagnostics-only %s 2>&1 | FileCheck --check-prefixes=NO-WARNING,CHECK %s
// RUN: not stablehlo-translate --serialize --mlir-print-op-on-diagnostic=false %s 2>&1 | FileCheck --check-prefixes=CHECK,NO-OP %s
// RUN: not stablehlo-translate --serialize %s 2>&1 | FileCheck --check-prefixes=WARNING,CHECK,NOTE %s

// WARNING: warning: ignoring unknown external resources for 'elsewhere'
// NO-WARNING-NOT: warning:
// CHECK: error: 'stablehlo.add' op requires the same shape
// NOTE: note: see current operation
// NO-OP-NOT: see current operation
// NO-NOTE-NOT: note:
func.func @main(%operand: tensor<2xf32>) {
  %0 = "stablehlo.add"(%operand, %operand) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

{-#
  external_resources: {
    elsewhere: {
      key: "value"
    }
  }
#-}
