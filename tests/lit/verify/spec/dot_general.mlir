// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @dot_general_c11_gap(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  // expected-error@+1 {{breaks C11 (precision_config has an entry for each operand): precision_config is [#stablehlo<precision HIGHEST>]}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0], precision = [HIGHEST]
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_c13_gap(%lhs: tensor<3xf32>, %rhs: tensor<3xi32>) {
  // expected-error@+1 {{breaks C13 (lhs and rhs have one element type): lhs is tensor<3xf32>, rhs is tensor<3xi32>}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3xi32>) -> tensor<f32>
  return
}
