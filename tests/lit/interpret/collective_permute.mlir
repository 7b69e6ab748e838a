// RUN: stablehlo-translate --interpret --split-input-file %s

module @spec_example {
  func.func @program(%operand: tensor<2x2xi64>) -> tensor<2x2xi64> {
    %result = "stablehlo.collective_permute"(%operand) {
      source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>
    } : (tensor<2x2xi64>) -> tensor<2x2xi64>
    return %result : tensor<2x2xi64>
  }
  func.func @main() {
    %operand_0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    %operand_1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
    %operand_2 = stablehlo.constant dense<[[9, 10], [11, 12]]> : tensor<2x2xi64>
    %results:3 = "interpreter.run_parallel"(%operand_0, %operand_1, %operand_2) {
      programs = [[@program], [@program], [@program]]
    } : (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %results#0, dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
    check.expect_eq_const %results#1, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    check.expect_eq_const %results#2, dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
    return
  }
}

// -----

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

// -----

// A process that sends to itself receives the value of this turn in each turn of a loop.
func.func @doubling(%operand: tensor<i64>) -> tensor<i64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %turns = stablehlo.constant dense<3> : tensor<i64>
  %results:2 = stablehlo.while(%turn = %zero, %value = %operand) : tensor<i64>, tensor<i64>
    cond {
      %again = stablehlo.compare LT, %turn, %turns : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %again : tensor<i1>
    } do {
      %next = stablehlo.add %turn, %one : tensor<i64>
      %sum = stablehlo.add %value, %value : tensor<i64>
      %sent = "stablehlo.collective_permute"(%sum) {source_target_pairs = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<i64>) -> tensor<i64>
      stablehlo.return %next, %sent : tensor<i64>, tensor<i64>
    }
  return %results#1 : tensor<i64>
}

func.func @main() {
  %first = stablehlo.constant dense<1> : tensor<i64>
  %second = stablehlo.constant dense<10> : tensor<i64>
  %results:2 = "interpreter.run_parallel"(%first, %second) {programs = [[@doubling], [@doubling]]} : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
  check.expect_eq_const %results#0, dense<8> : tensor<i64>
  check.expect_eq_const %results#1, dense<80> : tensor<i64>
  return
}
