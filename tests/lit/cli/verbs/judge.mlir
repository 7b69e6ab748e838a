// RUN: stablehlo judge %s --engine=reference:bf16 --engine=reference:reverse --reference=reference --profile=strict --sarif=%t.sarif | FileCheck %s
// RUN: FileCheck %s --check-prefix=SARIF < %t.sarif
// RUN: stablehlo judge %s --xla xla_backend_optimization_level=0 | FileCheck %s --check-prefix=XLA
// XLA: is permitted
// RUN: stablehlo judge %s --engine=reference:reverse --json | FileCheck %s --check-prefix=JSON
// RUN: not stablehlo judge %S/../../../../examples/debug/xla_convolution_infinity.mlir --inputs=%S/../../../../examples/debug/xla_convolution_infinity.npz --reproducer=%t.mlir | FileCheck %s --check-prefix=WRONG
// RUN: FileCheck %s --check-prefix=PROGRAM < %t.mlir
// RUN: stablehlo compare %s %s --profile=xla | FileCheck %s --check-prefix=SAME
// RUN: stablehlo trace %s --engine=reference:reverse --profile=strict | FileCheck %s --check-prefix=TRACE
// RUN: stablehlo bisect %s --engine=reference:reverse --profile=strict | FileCheck %s --check-prefix=BISECT

// CHECK: reference:bf16 is permitted
// CHECK: reference:reverse is permitted
// SARIF: "name": "stablehlo judge"
// JSON: "verdict": "permitted"
// WRONG: xla is wrong: #0 stablehlo.convolution
// WRONG: https://openxla.org/stablehlo/spec#convolution
// WRONG: at fault: code generation
// PROGRAM: stablehlo.convolution
// SAME: same: 1 of 1 results agree with reference
// TRACE: no op is wrong by itself
// BISECT: the results agree

func.func @main(%x: tensor<8xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<8xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
