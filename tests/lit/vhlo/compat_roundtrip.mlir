// RUN: stablehlo-compat roundtrip %s --target=minimum | FileCheck %s
// RUN: stablehlo-compat roundtrip %s --target=4w --args='[dense<[1.0, 2.0]> : tensor<2xf32>]' | FileCheck --check-prefix=RESULTS %s
// RUN: not stablehlo-compat roundtrip %s --target=4w --args=7 2>&1 | FileCheck --check-prefix=ARGS %s
// RUN: stablehlo-compat downgrade %s --target=12w -o %t.bc
// RUN: stablehlo-compat upgrade %t.bc | FileCheck --check-prefix=BACK %s
// RUN: stablehlo-compat diff %s %t.bc
// RUN: not stablehlo-compat roundtrip %S/early_tan.mlir --target=1.3.0 2>&1 | FileCheck --check-prefix=REFUSED %s
// RUN: rm -f %t.none.bc
// RUN: not stablehlo-compat downgrade %S/early_tan.mlir --target=1.3.0 -o %t.none.bc
// RUN: not test -e %t.none.bc

// CHECK: comes back the same from an artifact of StableHLO 0.9.0
// RESULTS: with the same results
// ARGS: array attribute string for args
// BACK: stablehlo.cosine
// REFUSED: early_tan.mlir:{{.*}}: error: the op tan needs StableHLO 1.4.0, and the target is 1.3.0
// REFUSED: stablehlo-compat explain --target 1.3.0

func.func @main(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.cosine %operand : tensor<2xf32>
  return %0 : tensor<2xf32>
}
