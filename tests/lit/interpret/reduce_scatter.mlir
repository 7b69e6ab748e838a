// RUN: stablehlo-translate --interpret --split-input-file %s

module @spec_example {
  func.func @program(%operand: tensor<2x4xi64>) -> tensor<2x2xi64> {
    %result = "stablehlo.reduce_scatter"(%operand) ({
    ^body(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %sum : tensor<i64>
    }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xi64>) -> tensor<2x2xi64>
    return %result : tensor<2x2xi64>
  }
  func.func @main() {
    %operand_0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
    %operand_1 = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
    %results:2 = "interpreter.run_parallel"(%operand_0, %operand_1) {
      programs = [[@program], [@program]]
    } : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %results#0, dense<[[10, 12], [18, 20]]> : tensor<2x2xi64>
    check.expect_eq_const %results#1, dense<[[14, 16], [22, 24]]> : tensor<2x2xi64>
    return
  }
}

// -----

module @cross_replica {
  func.func @program(%operand: tensor<2x4xi64>) -> tensor<2x2xi64> {
    %result = "stablehlo.reduce_scatter"(%operand) ({
    ^body(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %combined = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %combined : tensor<i64>
    }) {
      scatter_dimension = 1 : i64,
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
    } : (tensor<2x4xi64>) -> tensor<2x2xi64>
    return %result : tensor<2x2xi64>
  }
  func.func @main() {
    %first = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
    %second = stablehlo.constant dense<[[10, 20, 30, 40], [50, 60, 70, 80]]> : tensor<2x4xi64>
    %results:2 = "interpreter.run_parallel"(%first, %second) {
      programs = [[@program], [@program]]
    } : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %results#0, dense<[[33, 44], [77, 88]]> : tensor<2x2xi64>
    check.expect_eq_const %results#1, dense<[[11, 22], [55, 66]]> : tensor<2x2xi64>
    return
  }
}
