// REQUIRES: dialect-sdy
// RUN: stablehlo-translate --interpret --split-input-file %s

// Each device adds what it has to itself; the results are joined.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @manual_computation() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %result = sdy.manual_computation(%operand) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%part: tensor<1x1xi64>) {
    %doubled = stablehlo.add %part, %part : tensor<1x1xi64>
    sdy.return %doubled : tensor<1x1xi64>
  } : (tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[2, 4], [6, 8]]> : tensor<2x2xi64>
  return
}

// -----

// A computation of the rows' devices, and inside one of the columns'.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @manual_computation_in_another() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %result = sdy.manual_computation(%operand) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%row: tensor<1x2xi64>) {
    %doubled = sdy.manual_computation(%row) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%part: tensor<1x1xi64>) {
      %sum = stablehlo.add %part, %part : tensor<1x1xi64>
      sdy.return %sum : tensor<1x1xi64>
    } : (tensor<1x2xi64>) -> tensor<1x2xi64>
    sdy.return %doubled : tensor<1x2xi64>
  } : (tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[2, 4], [6, 8]]> : tensor<2x2xi64>
  return
}

// -----

// Constraints and groups change no value.
sdy.mesh @mesh = <["x"=2]>
func.func @shardings() {
  %operand = sdy.constant dense<[1, 2]> : tensor<2xi64>
  %constrained = sdy.sharding_constraint %operand <@mesh, [{"x"}]> : tensor<2xi64>
  sdy.sharding_group %constrained group_id=0 : tensor<2xi64>
  %gathered = sdy.all_gather [{"x"}] %constrained out_sharding=<@mesh, [{}]> : tensor<2xi64>
  check.expect_eq %gathered, %operand : tensor<2xi64>
  %named = sdy.named_computation<"double">(%operand) (%inside: tensor<2xi64>) {
    %sum = stablehlo.add %inside, %inside : tensor<2xi64>
    sdy.return %sum : tensor<2xi64>
  } : (tensor<2xi64>) -> tensor<2xi64>
  check.expect_eq_const %named, dense<[2, 4]> : tensor<2xi64>
  return
}
