// RUN: stablehlo-translate --interpret --split-input-file %s

module @decomposition {
  func.func private @double(%operand: tensor<2xi64>) -> tensor<2xi64> {
    %result = stablehlo.add %operand, %operand : tensor<2xi64>
    return %result : tensor<2xi64>
  }
  func.func @main() {
    %operand = stablehlo.constant dense<[21, -4]> : tensor<2xi64>
    %result = stablehlo.composite "my.double" %operand {
      decomposition = @double, version = 1 : i32, composite_attributes = {factor = 2 : i64}
    } : (tensor<2xi64>) -> tensor<2xi64>
    check.expect_eq_const %result, dense<[42, -8]> : tensor<2xi64>
    return
  }
}
