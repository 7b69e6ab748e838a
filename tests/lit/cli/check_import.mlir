// A program that is no import is not compared with anything, whatever the flag says.

// RUN: stablehlo-translate --interpret --check-import=all %s | FileCheck %s
// RUN: stablehlo-translate --interpret --check-import=none %s | FileCheck %s
// RUN: not stablehlo-translate --interpret --check-import=some %s 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: tensor<2xf32>
// WRONG: error: {{.*}}check-import
func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
