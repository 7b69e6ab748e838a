// RUN: stablehlo-translate --interpret --split-input-file %s

module @spec_example {
  func.func @program(%operand0: tensor<2x4xi64>, %operand1: tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>) {
    %results:2 = "stablehlo.all_to_all"(%operand0, %operand1) {
      split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
    return %results#0, %results#1 : tensor<4x2xi64>, tensor<4x2xi64>
  }
  func.func @main() {
    %operand0_0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
    %operand1_0 = stablehlo.constant dense<[[17, 18, 19, 20], [21, 22, 23, 24]]> : tensor<2x4xi64>
    %operand0_1 = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
    %operand1_1 = stablehlo.constant dense<[[25, 26, 27, 28], [29, 30, 31, 32]]> : tensor<2x4xi64>
    %results:4 = "interpreter.run_parallel"(%operand0_0, %operand1_0, %operand0_1, %operand1_1) {
      programs = [[@program], [@program]]
    } : (tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>, tensor<4x2xi64>, tensor<4x2xi64>)
    check.expect_eq_const %results#0, dense<[[1, 2], [5, 6], [9, 10], [13, 14]]> : tensor<4x2xi64>
    check.expect_eq_const %results#1, dense<[[17, 18], [21, 22], [25, 26], [29, 30]]> : tensor<4x2xi64>
    check.expect_eq_const %results#2, dense<[[3, 4], [7, 8], [11, 12], [15, 16]]> : tensor<4x2xi64>
    check.expect_eq_const %results#3, dense<[[19, 20], [23, 24], [27, 28], [31, 32]]> : tensor<4x2xi64>
    return
  }
}

// -----

module @cross_replica {
  func.func @program(%operand: tensor<2x4xi64>) -> tensor<4x2xi64> {
    %result = "stablehlo.all_to_all"(%operand) {
      split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<2x4xi64>) -> tensor<4x2xi64>
    return %result : tensor<4x2xi64>
  }
  func.func @main() {
    %first = stablehlo.constant dense<[[11, 12, 13, 14], [21, 22, 23, 24]]> : tensor<2x4xi64>
    %second = stablehlo.constant dense<[[-11, -12, -13, -14], [-21, -22, -23, -24]]> : tensor<2x4xi64>
    %results:2 = "interpreter.run_parallel"(%first, %second) {
      programs = [[@program], [@program]]
    } : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
    check.expect_eq_const %results#0, dense<[[11, 12], [21, 22], [-11, -12], [-21, -22]]> : tensor<4x2xi64>
    check.expect_eq_const %results#1, dense<[[13, 14], [23, 24], [-13, -14], [-23, -24]]> : tensor<4x2xi64>
    return
  }
}

// -----

// With a channel the partitions exchange their parts, here along one dimension.
module @cross_partition {
  func.func @program(%operand: tensor<4xi64>) -> tensor<4xi64> {
    %result = "stablehlo.all_to_all"(%operand) {
      split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
    } : (tensor<4xi64>) -> tensor<4xi64>
    return %result : tensor<4xi64>
  }
  func.func @main() {
    %first = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
    %second = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
    %results:2 = "interpreter.run_parallel"(%first, %second) {
      programs = [[@program, @program]]
    } : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %results#0, dense<[1, 2, 5, 6]> : tensor<4xi64>
    check.expect_eq_const %results#1, dense<[3, 4, 7, 8]> : tensor<4xi64>
    return
  }
}
