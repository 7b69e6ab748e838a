// REQUIRES: pass-stablehlo-check-shape-assertions
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-reify-shape-calculations --stablehlo-simplify-shape-calculations --stablehlo-insert-shape-guards | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards --stablehlo-refine-arguments='types=tensor<4x3xf32>,tensor<3x5xf32>' --stablehlo-shape-refinement-pipeline --stablehlo-check-shape-assertions | FileCheck %s --check-prefix=PINNED
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | stablehlo-translate --interpret - --args='[dense<1.0> : tensor<4x3xf32>, dense<2.0> : tensor<3x5xf32>]' | FileCheck %s --check-prefix=EXEC
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | not stablehlo-translate --interpret - --args='[dense<1.0> : tensor<4x3xf32>, dense<2.0> : tensor<2x5xf32>]' 2>&1 | FileCheck %s --check-prefix=FAIL

// One guard, though two ops need it: what it makes sure of is known from there on.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.get_dimension_size %arg0, dim = 1
// CHECK: stablehlo.get_dimension_size %arg1, dim = 0
// CHECK: %[[HOLDS:.*]] = stablehlo.compare EQ
// CHECK: stablehlo.custom_call @shape_assertion(%[[HOLDS]], {{.*}}) {api_version = 2 : i32, error_message = "stablehlo.dot_general: contracting dimension 0 differs, it is {0} in lhs and {1} in rhs (dimension 1 of argument 0 ('features') is {0}, dimension 0 of argument 1 is {1})", has_side_effect = true}
// CHECK-NEXT: stablehlo.dot_general
// CHECK-NOT: shape_assertion
// CHECK: stablehlo.dot_general

// PINNED-LABEL: func.func @main
// PINNED-NOT: shape_assertion
// PINNED: stablehlo.dot_general {{.*}} : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>

// EXEC: 1.200000e+01
// FAIL: error: 'stablehlo.custom_call @shape_assertion' op stablehlo.dot_general: contracting dimension 0 differs, it is 3 in lhs and 2 in rhs (dimension 1 of argument 0 ('features') is 3, dimension 0 of argument 1 is 2)
func.func @main(%x: tensor<4x?xf32> loc("features"), %y: tensor<?x5xf32>) -> tensor<4x5xf32> {
  %once = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x?xf32>, tensor<?x5xf32>) -> tensor<4x5xf32>
  %twice = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x?xf32>, tensor<?x5xf32>) -> tensor<4x5xf32>
  %sum = stablehlo.add %once, %twice : tensor<4x5xf32>
  return %sum : tensor<4x5xf32>
}
