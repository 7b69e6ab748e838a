// RUN: stablehlo-translate --interpret --split-input-file %s

// Groups of different sizes: -1 is no process.
module @padded_groups {
  func.func @program(%operand: tensor<1xi64>) -> tensor<1xi64> {
    %result = "stablehlo.all_reduce"(%operand) ({
    ^body(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %combined = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %combined : tensor<i64>
    }) {replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>} : (tensor<1xi64>) -> tensor<1xi64>
    return %result : tensor<1xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<10> : tensor<1xi64>
    %b = stablehlo.constant dense<11> : tensor<1xi64>
    %c = stablehlo.constant dense<12> : tensor<1xi64>
    %results:3 = "interpreter.run_parallel"(%a, %b, %c) {
      programs = [[@program], [@program], [@program]]
    } : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
    check.expect_eq_const %results#0, dense<22> : tensor<1xi64>
    check.expect_eq_const %results#1, dense<11> : tensor<1xi64>
    check.expect_eq_const %results#2, dense<22> : tensor<1xi64>
    return
  }
}
