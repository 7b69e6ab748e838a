// REQUIRES: prints-no-inline-once
// RUN: stablehlo-opt %s --stablehlo-reify-shape-calculations --stablehlo-inline-calculations | FileCheck %s

// No call of a library function is left, and no function of the library but the hooks for the numbers in messages.
// CHECK-LABEL: func.func @add
// CHECK: stablehlo.add
// CHECK: shape.shape_of
// CHECK: shape.shape_of
// CHECK: cf.assert %{{.*}}, "the operands have different ranks, {0} and {1}"
// CHECK: scf.for
// CHECK: cf.assert %{{.*}}, "dimension {0} of the operands differs, {1} and {2}"
// CHECK: {stablehlo.calculation = "shape"}
// The program's own calls stay.
// CHECK: call @mine
// CHECK-NOT: @stablehlo.add.shape
// CHECK-NOT: @shared.same
func.func @add(%x: tensor<?xf32>) -> tensor<?xf32> {
  %sum = stablehlo.add %x, %x : tensor<?xf32>
  %same = func.call @mine(%sum) : (tensor<?xf32>) -> tensor<?xf32>
  return %same : tensor<?xf32>
}

func.func private @mine(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
