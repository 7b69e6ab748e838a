// RUN: stablehlo-translate --interpret %s

module @deprecated_all_reduce {
  func.func @program(%operand: tensor<2xf64>) -> tensor<2xf64> {
    %result = "stablehlo.cross-replica-sum"(%operand) {
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
    } : (tensor<2xf64>) -> tensor<2xf64>
    return %result : tensor<2xf64>
  }
  func.func @main() {
    %first = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf64>
    %second = stablehlo.constant dense<[0.25, 8.0]> : tensor<2xf64>
    %results:2 = "interpreter.run_parallel"(%first, %second) {
      programs = [[@program], [@program]]
    } : (tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
    check.expect_eq_const %results#0, dense<[1.75, 6.0]> : tensor<2xf64>
    check.expect_eq_const %results#1, dense<[1.75, 6.0]> : tensor<2xf64>
    return
  }
}
