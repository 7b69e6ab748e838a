// RUN: not stablehlo-compat explain %s --target=1.0.0 | FileCheck %s
// RUN: not stablehlo-compat explain %s --target=1.3.7 | FileCheck --check-prefix=PATCH %s
// RUN: stablehlo-compat explain %s --target=1.4.0 | FileCheck --check-prefix=FITS %s
// RUN: not stablehlo-compat explain %s --target=1.0.0 --json | FileCheck --check-prefix=JSON %s
// RUN: stablehlo-compat minimum %s | FileCheck --check-prefix=MINIMUM %s
// RUN: not stablehlo-compat explain %s --target=soon 2>&1 | FileCheck --check-prefix=TARGET %s
// RUN: not stablehlo-compat explain %s --target=0.1.0 2>&1 | FileCheck --check-prefix=OLD %s
// RUN: not stablehlo-compat explain %s --target=99.0.0 2>&1 | FileCheck --check-prefix=NEW %s
// RUN: not stablehlo-compat explain %s 2>&1 | FileCheck --check-prefix=USAGE %s

// CHECK: compat_explain.mlir:[[# @LINE + 21]]:8: the op tan needs StableHLO 1.4.0 (stablehlo.tan)
// CHECK: to lift it: divide sine by cosine, with: stablehlo-opt --stablehlo-compatibility-expander=target=1.0.0
// CHECK: compat_explain.mlir:[[# @LINE + 18]]:1: the element type i2 needs StableHLO 1.2.0 (func.func)
// CHECK: compat_explain.mlir:[[# @LINE + 19]]:8: the element type i2 needs StableHLO 1.2.0 (stablehlo.convert)
// CHECK: to lift it: convert the values to a type that the target knows before serializing, for instance i4
// CHECK: cannot be written for StableHLO 1.0.0; the oldest it fits is 1.4.0

// PATCH: the op tan
// PATCH-NOT: element type i2
// PATCH: cannot be written for StableHLO 1.3.0

// FITS: can be written for StableHLO 1.4.0; the oldest it fits is 1.4.0
// JSON: "minimum": "1.4.0"
// JSON: "lifted_by": "stablehlo-compatibility-expander"
// MINIMUM: 1.4.0
// TARGET: error: 'soon' is not a version
// OLD: error: target version 0.1.0 is less than minimum supported 0.9.0
// NEW: error: target version 99.0.0 is greater than current version
// USAGE: error: Missing option '--target'

func.func @main(%operand: tensor<2xf32>, %small: tensor<2xi2>) -> tensor<2xf32> {
  %0 = stablehlo.tan %operand : tensor<2xf32>
  %1 = stablehlo.convert %small : (tensor<2xi2>) -> tensor<2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
