// RUN: stablehlo-compat matrix %s %S/early_tan.mlir | FileCheck %s
// RUN: stablehlo-compat matrix --json %s | FileCheck --check-prefix=JSON %s
// RUN: not stablehlo-compat matrix %s %t.missing | FileCheck --check-prefix=MISSING %s
// RUN: not stablehlo-compat matrix --plot=%t.gif %s 2>&1 | FileCheck --check-prefix=PLOT %s

// CHECK: compat_matrix.mlir
// CHECK-SAME: from 0.9.0
// CHECK: early_tan.mlir
// CHECK-SAME: from 1.4.0: tan
// CHECK: 12 weeks (1.{{[0-9]+}}.0), m 4 weeks (1.{{[0-9]+}}.0), c current (1.{{[0-9]+}}.0)

// JSON: "4w": "1.
// JSON: "minimum": "0.9.0"

// MISSING: cannot open input file
// PLOT: the name must end in .svg or .png

func.func @main(%operand: tensor<2xf32>) -> tensor<2xf32> {
  return %operand : tensor<2xf32>
}
