// RUN: not stablehlo check %s --profile=%S/Inputs/narrow.toml 2>&1 | FileCheck %s
// RUN: not stablehlo-opt %s --stablehlo-check-profile=file=%S/Inputs/narrow.toml 2>&1 | FileCheck %s
// RUN: not stablehlo check - --profile=%S/Inputs/narrow.toml < %s 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not stablehlo check %s --profile=%S/Inputs/narrow.toml --json | FileCheck %s --check-prefix=JSON
// RUN: stablehlo check %S/Inputs/not_sharded.mlir --profile=%S/Inputs/narrow.toml | FileCheck %s --check-prefix=INSIDE
// RUN: not stablehlo check %s --profile=xla-cpv 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not stablehlo check %s --profile=%s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: stablehlo-opt %s --stablehlo-check-profile | FileCheck %s --check-prefix=REFERENCE

// CHECK: check.mlir:[[# @LINE + 9]]:{{[0-9]+}}: error: 'stablehlo.sine' op is outside the profile 'narrow': element types f64 refused; taken: f32; bf16
// CHECK: note: measured with narrow on 2026-11-26
// CHECK: check.mlir:[[# @LINE + 8]]:{{[0-9]+}}: error: 'stablehlo.slice' op is outside the profile 'narrow': strides other numbers refused; taken: all 1
// CHECK: check.mlir:[[# @LINE + 9]]:{{[0-9]+}}: error: 'stablehlo.fft' op is outside the profile 'narrow': the op is refused
// FIRST: <stdin>:{{[0-9]+}}:{{[0-9]+}}: error: 'stablehlo.sine' op is outside
// UNKNOWN: there is no profile 'xla-cpv'; did you mean xla-cpu?
// NONE: is no profile: Invalid
// REFERENCE: stablehlo.fft
func.func @main(%a: tensor<4xf64>, %b: tensor<4xcomplex<f32>>) -> (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>, tensor<4xcomplex<f32>>) {
  %0 = stablehlo.sine %a : tensor<4xf64>
  %1 = stablehlo.slice %0 [0:4:2] : (tensor<4xf64>) -> tensor<2xf64>
  %2 = stablehlo.cosine %a : tensor<4xf64>
  %3 = stablehlo.fft %b, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<4xf64>, tensor<2xf64>, tensor<4xf64>, tensor<4xcomplex<f32>>
}

// JSON: "profile": {
// JSON: "engine": "narrow"
// JSON: "outside": [
// JSON: "location": "{{.*}}check.mlir:{{[0-9]+}}:{{[0-9]+}}"
// JSON: "message": "'stablehlo.sine' op is outside
// JSON: "unmeasured": {
// JSON: "stablehlo.cosine": 1

// INSIDE: 0 problems for the profile 'narrow'
