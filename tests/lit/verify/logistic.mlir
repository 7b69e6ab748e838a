// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @logistic(%operand: tensor<2x3x4xf32>) {
  %0 = stablehlo.logistic %operand : tensor<2x3x4xf32>
  return
}

// -----

func.func @logistic_complex(%operand: tensor<2x3x4xcomplex<f64>>) {
  %0 = stablehlo.logistic %operand : tensor<2x3x4xcomplex<f64>>
  return
}

// -----

// Where one side knows a dimension and the other does not, they are compatible.
func.func @logistic_c1_dynamic(%operand: tensor<2x?xf32>) {
  %0 = stablehlo.logistic %operand : (tensor<2x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @logistic_c1_bounded(%operand: tensor<?x2xf32, #stablehlo.bounds<6, ?>>) {
  %0 = stablehlo.logistic %operand : tensor<?x2xf32, #stablehlo.bounds<6, ?>>
  return
}

// -----

// Scale and zero point are not part of the baseline type.
func.func @logistic_c1_quantized(%operand: tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) {
  %0 = stablehlo.logistic %operand
      : (tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x3x4x!quant.uniform<i8:f32, 1.5:-7>>
  return
}

// -----

func.func @logistic_c1_shape(%operand: tensor<2x3x4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.logistic %operand : (tensor<2x3x4xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @logistic_c1_rank(%operand: tensor<2x3x4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.logistic %operand : (tensor<2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

func.func @logistic_c1_element_type(%operand: tensor<2x3x4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.logistic %operand : (tensor<2x3x4xf32>) -> tensor<2x3x4xf16>
  return
}

// -----

func.func @logistic_c1_bounds(%operand: tensor<?xf32, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.logistic %operand : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<6xf32>
  return
}

// -----

func.func @logistic_c1_storage_type(%operand: tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.logistic %operand
      : (tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x3x4x!quant.uniform<i4:f32, 0.25:3>>
  return
}

// -----

func.func @logistic_c1_expressed_type(%operand: tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.logistic %operand
      : (tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x3x4x!quant.uniform<i8:bf16, 0.25:3>>
  return
}

// -----

func.func @logistic_c1_quantized_invalid(%operand: tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.logistic %operand : (tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @logistic_i1_per_axis(%operand: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.logistic %operand : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @logistic_i1_i32(%operand: tensor<2x3x4xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.logistic %operand : tensor<2x3x4xi32>
  return
}

// -----

func.func @logistic_i1_unranked(%operand: tensor<*xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.logistic %operand : tensor<*xf32>
  return
}

// -----

func.func @logistic_result_accuracy(%operand: tensor<2x3x4xf32>) {
  %0 = "stablehlo.logistic"(%operand) {
      result_accuracy = #stablehlo.result_accuracy<atol = 0.5, rtol = 0.125, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>
    } : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @logistic_result_accuracy_negative(%operand: tensor<2x3x4xf32>) {
  %0 = "stablehlo.logistic"(%operand) {
      result_accuracy = #stablehlo.result_accuracy<rtol = -0.5, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>
    // expected-error@+1 {{Negative tolerance}}
    } : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @logistic_result_accuracy_mode(%operand: tensor<2x3x4xf32>) {
  %0 = "stablehlo.logistic"(%operand) {
      result_accuracy = #stablehlo.result_accuracy<ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>
    // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
    } : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}
