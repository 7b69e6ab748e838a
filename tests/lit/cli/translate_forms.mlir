// A program goes through other forms and comes back; what is written beside the results.
// RUN: stablehlo-translate --export=hlo-text %s | FileCheck --check-prefix=HLO %s
// RUN: stablehlo-translate --export=hlo-text %s | stablehlo-translate --import=hlo-text --interpret - | FileCheck %s
// RUN: stablehlo-translate --interpret --grid=local --profile-output=%t.json %s | FileCheck %s
// RUN: FileCheck --check-prefix=PROFILE --input-file=%t.json %s

// HLO: HloModule
// HLO: constant(2)
// CHECK: tensor<2xf32>
// CHECK: 2.0
// PROFILE: stablehlo.add
func.func @main() -> tensor<2xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %two = stablehlo.add %one, %one : tensor<2xf32>
  return %two : tensor<2xf32>
}
