// REQUIRES: prints-no-inline-once
// RUN: stablehlo-opt %s --stablehlo-reify-dtype-calculations | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-reify-shape-calculations --stablehlo-reify-dtype-calculations | FileCheck %s --check-prefix=BOTH
// RUN: stablehlo-opt %s --stablehlo-reify-dtype-calculations --stablehlo-simplify-dtype-calculations | FileCheck %s --check-prefix=SIMPLE

// Element types are numbers: 26 is f32, 0 is i1.
// CHECK: stablehlo.is_finite
// CHECK: %[[F32:.*]] = arith.constant 26 : index
// CHECK: %[[CODE:.*]] = func.call @stablehlo.is_finite.dtype(%[[F32]]) : (index) -> index
// CHECK: scf.yield %[[CODE]] : index
// CHECK: {stablehlo.calculation = "dtype"}

// BOTH: stablehlo.is_finite
// BOTH: {stablehlo.calculation = "shape"}
// BOTH: {stablehlo.calculation = "dtype"}
// BOTH: {stablehlo.calculate}

// SIMPLE: stablehlo.is_finite
// SIMPLE: %[[I1:.*]] = arith.constant 0 : index
// SIMPLE-NEXT: scf.yield %[[I1]] : index
func.func @finite(%x: tensor<4xf32>) -> tensor<4xi1> {
  %answer = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
  return %answer : tensor<4xi1>
}
