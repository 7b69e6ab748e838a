// The pass of C++ stops at composites, and at contradicting sizes does not know the program's own assertions.
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics '--stablehlo-refine-arguments=types=tensor<4xf32>,tensor<5xf32>' --stablehlo-refine-shapes | filecheck %s
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics '--stablehlo-refine-arguments=types=tensor<4xf32>,tensor<5xf32>' --stablehlo-shape-refinement-pipeline | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: stablehlo.composite "own.cube" %arg0 {{.*}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: stablehlo.composite "own.cube" %arg1 {{.*}} : (tensor<5xf32>) -> tensor<5xf32>
// CHECK: return {{.*}} : tensor<9xf32>
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.composite "own.cube" %x {decomposition = @cube} : (tensor<?xf32>) -> tensor<?xf32>
  %1 = stablehlo.composite "own.cube" %y {decomposition = @cube} : (tensor<?xf32>) -> tensor<?xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
func.func private @cube(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<?xf32>
  %1 = stablehlo.multiply %0, %a : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %nx = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %ny = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %same = stablehlo.compare EQ, %nx, %ny : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error@+1 {{'stablehlo.custom_call' op x has 4 rows, y has 5}}
  stablehlo.custom_call @shape_assertion(%same, %nx, %ny) {error_message = "x has {0} rows, y has {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  %s = stablehlo.add %x, %y : tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

// An error that no composite and no assertion has to do with is the shape function's.
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.composite "own.same" %x {decomposition = @same} : (tensor<?xf32>) -> tensor<?xf32>
  // expected-error@+1 {{dimension 0 of the operands differs, 4 and 5}}
  %s = stablehlo.add %0, %y : tensor<?xf32>
  return %s : tensor<?xf32>
}
func.func private @same(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
