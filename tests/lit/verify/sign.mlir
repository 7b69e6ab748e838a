// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @sign(%operand: tensor<5x0xf64>) {
  %0 = stablehlo.sign %operand : tensor<5x0xf64>
  return
}

// -----

func.func @sign_complex(%operand: tensor<5x0xcomplex<f64>>) {
  %0 = stablehlo.sign %operand : tensor<5x0xcomplex<f64>>
  return
}

// -----

// Where one side knows a dimension and the other does not, they are compatible.
func.func @sign_c1_dynamic(%operand: tensor<?xf64>) {
  %0 = stablehlo.sign %operand : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @sign_c1_bounded(%operand: tensor<?x2xf64, #stablehlo.bounds<6, ?>>) {
  %0 = stablehlo.sign %operand : tensor<?x2xf64, #stablehlo.bounds<6, ?>>
  return
}

// -----

// Scale and zero point are not part of the baseline type.
func.func @sign_c1_quantized(%operand: tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>) {
  %0 = stablehlo.sign %operand
      : (tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<5x0x!quant.uniform<i8:f32, 1.5:-7>>
  return
}

// -----

func.func @sign_c1_shape(%operand: tensor<5x0xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.sign %operand : (tensor<5x0xf64>) -> tensor<5x1xf64>
  return
}

// -----

func.func @sign_c1_rank(%operand: tensor<5x0xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.sign %operand : (tensor<5x0xf64>) -> tensor<1x5x0xf64>
  return
}

// -----

func.func @sign_c1_element_type(%operand: tensor<5x0xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.sign %operand : (tensor<5x0xf64>) -> tensor<5x0xf32>
  return
}

// -----

func.func @sign_c1_bounds(%operand: tensor<?xf64, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.sign %operand : (tensor<?xf64, #stablehlo.bounds<4>>) -> tensor<6xf64>
  return
}

// -----

func.func @sign_c1_storage_type(%operand: tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.sign %operand
      : (tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<5x0x!quant.uniform<i4:f32, 0.25:3>>
  return
}

// -----

func.func @sign_c1_expressed_type(%operand: tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.sign %operand
      : (tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<5x0x!quant.uniform<i8:bf16, 0.25:3>>
  return
}

// -----

func.func @sign_c1_quantized_invalid(%operand: tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.sign %operand : (tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<5x0xf32>
  return
}

// -----

func.func @sign_i1_per_axis(%operand: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.sign %operand : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @sign_i1_ui16(%operand: tensor<5x0xui16>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.sign %operand : tensor<5x0xui16>
  return
}

// -----

func.func @sign_i1_i1(%operand: tensor<5x0xi1>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.sign %operand : tensor<5x0xi1>
  return
}

// -----

func.func @sign_i1_unranked(%operand: tensor<*xf64>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.sign %operand : tensor<*xf64>
  return
}
