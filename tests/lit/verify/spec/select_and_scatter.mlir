// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

// Any float promotes to any other here.
func.func @select_and_scatter_c1_gap(%operand: tensor<6x4xf32>, %source: tensor<3x2xf64>, %init_value: tensor<f32>) {
  // expected-error@+1 {{breaks C1 (source has the element type of operand): operand is tensor<6x4xf32>, source is tensor<3x2xf64>}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf64>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

// Any float promotes to any other here.
func.func @select_and_scatter_c3_gap(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f64>) {
  // expected-error@+1 {{breaks C3 (init_value has the element type of operand): operand is tensor<6x4xf32>, init_value is tensor<f64>}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f64>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c10_promotion_gap(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{breaks C10 (scatter takes two scalars to one, of a type the operand promotes to): scatter is (tensor<f16>, tensor<f16>) -> (tensor<f16>), operand is tensor<6x4xf32>}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f16>, %b: tensor<f16>):
      stablehlo.return %a : tensor<f16>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf16>
  return
}
