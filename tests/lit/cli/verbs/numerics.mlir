// RUN: stablehlo numerics %s --top=2 --as=bf16 --plot=%t.svg | FileCheck %s
// RUN: stablehlo numerics %s --json | FileCheck %s --check-prefix=JSON
// CHECK: by source line:
// JSON: "contributions"
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
