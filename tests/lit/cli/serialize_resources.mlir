// Constants whose values are resources of the file are written out in an artifact.
// RUN: stablehlo-translate --serialize %s | stablehlo-translate --deserialize - | FileCheck %s

// CHECK: stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
func.func @main() -> tensor<2xf32> {
  %weights = stablehlo.constant dense_resource<weights> : tensor<2xf32>
  return %weights : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040"
    }
  }
#-}
