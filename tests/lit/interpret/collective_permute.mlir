// RUN: stablehlo-translate --interpret --split-input-file %s

// A shift by one place: nobody sends to the first process.
module @cross_replica {
  func.func @program(%operand: tensor<2xi64>) -> tensor<2xi64> {
    %result = "stablehlo.collective_permute"(%operand) {
      source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>
    } : (tensor<2xi64>) -> tensor<2xi64>
    return %result : tensor<2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
    %c = stablehlo.constant dense<[5, 6]> : tensor<2xi64>
    %results:3 = "interpreter.run_parallel"(%a, %b, %c) {
      programs = [[@program], [@program], [@program]]
    } : (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %results#0, dense<[0, 0]> : tensor<2xi64>
    check.expect_eq_const %results#1, dense<[1, 2]> : tensor<2xi64>
    check.expect_eq_const %results#2, dense<[3, 4]> : tensor<2xi64>
    return
  }
}

// -----

// A ring of partitions; a process also may be its own target.
module @cross_partition {
  func.func @program(%operand: tensor<i64>) -> (tensor<i64>, tensor<i64>) {
    %swapped = "stablehlo.collective_permute"(%operand) {
      source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>
    } : (tensor<i64>) -> tensor<i64>
    %kept = "stablehlo.collective_permute"(%operand) {
      source_target_pairs = dense<[[1, 1]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>
    } : (tensor<i64>) -> tensor<i64>
    return %swapped, %kept : tensor<i64>, tensor<i64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<8> : tensor<i64>
    %b = stablehlo.constant dense<9> : tensor<i64>
    %results:4 = "interpreter.run_parallel"(%a, %b) {
      programs = [[@program, @program]]
    } : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>)
    check.expect_eq_const %results#0, dense<9> : tensor<i64>
    check.expect_eq_const %results#1, dense<0> : tensor<i64>
    check.expect_eq_const %results#2, dense<8> : tensor<i64>
    check.expect_eq_const %results#3, dense<9> : tensor<i64>
    return
  }
}
