// RUN: stablehlo-translate --interpret --load=%S/Inputs/handlers.py %s --function=results
// RUN: not stablehlo-translate --interpret %s --function=unknown_form 2>&1 | FileCheck %s --check-prefix=FORM

func.func @results() {
  %first = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %second = stablehlo.constant dense<0.5> : tensor<f32>
  %swapped:2 = stablehlo.custom_call @my.swapped(%first, %second) : (tensor<2xi64>, tensor<f32>) -> (tensor<f32>, tensor<2xi64>)
  check.expect_eq_const %swapped#0, dense<0.5> : tensor<f32>
  check.expect_eq_const %swapped#1, dense<[1, 2]> : tensor<2xi64>
  return
}

// FORM: error: 'stablehlo.custom_call' op calls 'ApproxTopK' with operands, results or options that its handler does not know
func.func @unknown_form() {
  %operand = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %result = stablehlo.custom_call @ApproxTopK(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
