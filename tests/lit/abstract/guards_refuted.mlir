// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-insert-shape-guards
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-shape-refinement-pipeline
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-shape-refinement-pipeline=steps=true

func.func @mismatch(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) -> tensor<?x?xf32> {
  %x_open = stablehlo.negate %x : (tensor<2x3xf32>) -> tensor<?x?xf32>
  %y_open = stablehlo.negate %y : (tensor<4x5xf32>) -> tensor<?x?xf32>
  // expected-error@+1 {{contracting dimension 0 differs, it is 3 in lhs and 4 in rhs}}
  %product = stablehlo.dot_general %x_open, %y_open, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %product : tensor<?x?xf32>
}

// -----

func.func @declared(%x: tensor<2x3xf32>) -> tensor<?x3xf32> {
  %open = stablehlo.negate %x : (tensor<2x3xf32>) -> tensor<?x?xf32>
  // expected-error@+1 {{dimension 1 of result 0 is declared 4, it is 3}}
  %wrong = stablehlo.negate %open : (tensor<?x?xf32>) -> tensor<?x4xf32>
  %result = stablehlo.negate %open : (tensor<?x?xf32>) -> tensor<?x3xf32>
  return %result : tensor<?x3xf32>
}

// -----

func.func @branches(%which: tensor<i1>, %x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{branches return 2 and 3 for dimension 0 of result 0}}
  %chosen = "stablehlo.if"(%which) ({
    %one = stablehlo.negate %x : (tensor<2xf32>) -> tensor<?xf32>
    stablehlo.return %one : tensor<?xf32>
  }, {
    %other = stablehlo.negate %y : (tensor<3xf32>) -> tensor<?xf32>
    stablehlo.return %other : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %chosen : tensor<?xf32>
}
