// RUN: stablehlo-opt %s --mlir-elide-elementsattrs-if-larger=4 | FileCheck --check-prefix=ELEMENTS %s
// RUN: stablehlo-opt %s --mlir-elide-resource-strings-if-larger=12 | FileCheck --check-prefix=RESOURCE %s
// RUN: stablehlo-opt %s --mlir-elide-resource-strings-if-larger=100 | FileCheck --check-prefix=WHOLE %s

// ELEMENTS: stablehlo.constant dense<[1, 2, 3, 4]>
// ELEMENTS: stablehlo.constant dense_resource<__elided__> : tensor<5xi32>
// RESOURCE-NOT: blob: "0x
// WHOLE: blob: "0x04000000010000000200000003000000"
func.func @constants() -> (tensor<4xi32>, tensor<5xi32>, tensor<3xi32>) {
  %0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %1 = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %2 = stablehlo.constant dense_resource<blob> : tensor<3xi32>
  return %0, %1, %2 : tensor<4xi32>, tensor<5xi32>, tensor<3xi32>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x04000000010000000200000003000000"
    }
  }
#-}
