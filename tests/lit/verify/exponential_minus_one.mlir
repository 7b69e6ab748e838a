// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @exponential_minus_one(%operand: tensor<1x9xf32>) {
  %0 = stablehlo.exponential_minus_one %operand : tensor<1x9xf32>
  return
}

// -----

func.func @exponential_minus_one_complex(%operand: tensor<1x9xcomplex<f64>>) {
  %0 = stablehlo.exponential_minus_one %operand : tensor<1x9xcomplex<f64>>
  return
}

// -----

// Where one side knows a dimension and the other does not, they are compatible.
func.func @exponential_minus_one_c1_dynamic(%operand: tensor<?x?xf32>) {
  %0 = stablehlo.exponential_minus_one %operand : (tensor<?x?xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @exponential_minus_one_c1_bounded(%operand: tensor<?x2xf32, #stablehlo.bounds<6, ?>>) {
  %0 = stablehlo.exponential_minus_one %operand : tensor<?x2xf32, #stablehlo.bounds<6, ?>>
  return
}

// -----

// Scale and zero point are not part of the baseline type.
func.func @exponential_minus_one_c1_quantized(%operand: tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>) {
  %0 = stablehlo.exponential_minus_one %operand
      : (tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<1x9x!quant.uniform<i8:f32, 1.5:-7>>
  return
}

// -----

func.func @exponential_minus_one_c1_shape(%operand: tensor<1x9xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.exponential_minus_one %operand : (tensor<1x9xf32>) -> tensor<2x9xf32>
  return
}

// -----

func.func @exponential_minus_one_c1_rank(%operand: tensor<1x9xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.exponential_minus_one %operand : (tensor<1x9xf32>) -> tensor<1x1x9xf32>
  return
}

// -----

func.func @exponential_minus_one_c1_element_type(%operand: tensor<1x9xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.exponential_minus_one %operand : (tensor<1x9xf32>) -> tensor<1x9xf16>
  return
}

// -----

func.func @exponential_minus_one_c1_bounds(%operand: tensor<?xf32, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.exponential_minus_one %operand : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<6xf32>
  return
}

// -----

func.func @exponential_minus_one_c1_storage_type(%operand: tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.exponential_minus_one %operand
      : (tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<1x9x!quant.uniform<i4:f32, 0.25:3>>
  return
}

// -----

func.func @exponential_minus_one_c1_expressed_type(%operand: tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.exponential_minus_one %operand
      : (tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<1x9x!quant.uniform<i8:bf16, 0.25:3>>
  return
}

// -----

func.func @exponential_minus_one_c1_quantized_invalid(%operand: tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.exponential_minus_one %operand : (tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<1x9xf32>
  return
}

// -----

func.func @exponential_minus_one_i1_per_axis(%operand: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.exponential_minus_one %operand : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @exponential_minus_one_i1_i32(%operand: tensor<1x9xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.exponential_minus_one %operand : tensor<1x9xi32>
  return
}

// -----

func.func @exponential_minus_one_i1_unranked(%operand: tensor<*xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.exponential_minus_one %operand : tensor<*xf32>
  return
}

// -----

func.func @exponential_minus_one_result_accuracy(%operand: tensor<1x9xf32>) {
  %0 = "stablehlo.exponential_minus_one"(%operand) {
      result_accuracy = #stablehlo.result_accuracy<atol = 0.5, rtol = 0.125, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>
    } : (tensor<1x9xf32>) -> tensor<1x9xf32>
  return
}

// -----

func.func @exponential_minus_one_result_accuracy_negative(%operand: tensor<1x9xf32>) {
  %0 = "stablehlo.exponential_minus_one"(%operand) {
      result_accuracy = #stablehlo.result_accuracy<rtol = -0.5, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>
    // expected-error@+1 {{Negative tolerance}}
    } : (tensor<1x9xf32>) -> tensor<1x9xf32>
  return
}

// -----

func.func @exponential_minus_one_result_accuracy_mode(%operand: tensor<1x9xf32>) {
  %0 = "stablehlo.exponential_minus_one"(%operand) {
      result_accuracy = #stablehlo.result_accuracy<ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>
    // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
    } : (tensor<1x9xf32>) -> tensor<1x9xf32>
  return
}
