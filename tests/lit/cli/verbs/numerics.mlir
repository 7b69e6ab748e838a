// RUN: stablehlo numerics %s --top=2 --as=bf16 | FileCheck %s
// RUN: stablehlo numerics %s --json | FileCheck %s --check-prefix=JSON
// RUN: not stablehlo numerics %s --plot=%t.mlir 2>&1 | FileCheck %s --check-prefix=PLOT
// PLOT: error: Invalid value for '--plot': '{{.*}}.mlir' does not end in .svg or .png
// CHECK: by source line:
// JSON: "contributions"
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
