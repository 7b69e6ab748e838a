// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @dynamic_iota_c2_gap(%output_shape: tensor<3xi64>) {
  // expected-error@+1 {{breaks C2 (output_shape has an element for each dimension of result): 3 sizes are given for rank 2}}
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<3xi64>) -> tensor<?x?xf32>
  return
}
