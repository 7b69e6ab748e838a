// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @compare_c3_gap(%lhs: tensor<2x3xi32>, %rhs: tensor<2x3xi32>) {
  // expected-error@+1 {{breaks C3 (compare_type fits the element type): compare_type is #stablehlo<comparison_type FLOAT>, lhs is tensor<2x3xi32>}}
  %0 = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  return
}

// -----

func.func @compare_c3_complex_gap(%lhs: tensor<2xcomplex<f32>>, %rhs: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{breaks C3 (compare_type fits the element type): compare_type is #stablehlo<comparison_type TOTALORDER>, lhs is tensor<2xcomplex<f32>>}}
  %0 = stablehlo.compare EQ, %lhs, %rhs, TOTALORDER : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  return
}
