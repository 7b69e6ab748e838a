// RUN: stablehlo-opt %s --no-implicit-module | FileCheck %s
// RUN: stablehlo-opt %s --no-implicit-module -p "func.func(cse)" | FileCheck --check-prefix=ONCE %s
// RUN: stablehlo-opt %s --no-implicit-module --pass-pipeline='func.func(cse)' | FileCheck --check-prefix=ONCE %s
// RUN: stablehlo-opt %s | stablehlo-opt --no-implicit-module | FileCheck --check-prefix=MODULE %s
// RUN: printf 'func.func private @f()\nfunc.func private @g()' | not stablehlo-opt --no-implicit-module 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: not stablehlo-translate --no-implicit-module --interpret %s 2>&1 | FileCheck --check-prefix=TRANSLATE %s

// CHECK-NOT: module
// CHECK: {{^}}func.func @main(%arg0: tensor<f32>)
// ONCE: {{^}}func.func
// ONCE: stablehlo.floor
// ONCE-NOT: stablehlo.floor
// MODULE: module {
// TWO: <stdin>:1:1: error: source must contain a single top-level operation, found: 2
// TRANSLATE: error: expected a 'builtin.module' op, found 'func.func'
func.func @main(%operand: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.floor %operand : tensor<f32>
  %1 = stablehlo.floor %operand : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
