// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @dynamic_broadcast_in_dim_c1_quantized_gap(%operand: tensor<3x!quant.uniform<i8:f32, 0.5>>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{breaks C1 (element type stays, per-axis parameters aside): operand is tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x3x!quant.uniform<i8:f32, 2.500000e-01>>}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<2xi64>) -> tensor<2x3x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c7_gap(%operand: tensor<1x3xi32>, %output_dimensions: tensor<4xi64>) {
  // expected-error@+1 {{breaks C7 (output_dimensions has an element for each dimension of result): 4 sizes are given for rank 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<1x3xi32>, tensor<4xi64>) -> tensor<?x3xi32>
  return
}
