// RUN: stablehlo-translate --interpret --split-input-file %s

// The smallest integer has no counterpart, so it stays.
func.func @smallest_integer() {
  %operand = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %result = stablehlo.abs %operand : tensor<i64>
  check.expect_eq_const %result, dense<-9223372036854775808> : tensor<i64>
  return
}
