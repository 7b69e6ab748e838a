// Resources are aligned from the start of the file, so the producer's length counts.
// RUN: not stablehlo-opt %s --emit-bytecode --emit-bytecode-producer=me 2>&1 | FileCheck %s

// CHECK: error: --emit-bytecode-producer=me: resources are aligned for a name of {{[0-9]+}} characters
// CHECK: note: a name of this length works
func.func @main() -> tensor<4xf64> {
  %0 = stablehlo.constant dense_resource<blob> : tensor<4xf64>
  return %0 : tensor<4xf64>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x40000000000000000000F03F000000000000F03F000000000000F03F000000000000F03F"
    }
  }
#-}
