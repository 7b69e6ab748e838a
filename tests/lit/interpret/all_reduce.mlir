// RUN: stablehlo-translate --interpret --split-input-file %s

module @spec_example {
  func.func @program(%operand0: tensor<4xi64>, %operand1: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
    %results:2 = "stablehlo.all_reduce"(%operand0, %operand1) ({
    ^body(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %sum : tensor<i64>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
    return %results#0, %results#1 : tensor<4xi64>, tensor<4xi64>
  }
  func.func @main() {
    %operand0_0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
    %operand1_0 = stablehlo.constant dense<[9, 10, 11, 12]> : tensor<4xi64>
    %operand0_1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
    %operand1_1 = stablehlo.constant dense<[13, 14, 15, 16]> : tensor<4xi64>
    %results:4 = "interpreter.run_parallel"(%operand0_0, %operand1_0, %operand0_1, %operand1_1) {
      programs = [[@program], [@program]]
    } : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %results#0, dense<[6, 8, 10, 12]> : tensor<4xi64>
    check.expect_eq_const %results#1, dense<[22, 24, 26, 28]> : tensor<4xi64>
    check.expect_eq_const %results#2, dense<[6, 8, 10, 12]> : tensor<4xi64>
    check.expect_eq_const %results#3, dense<[22, 24, 26, 28]> : tensor<4xi64>
    return
  }
}

// -----

module @cross_replica {
  func.func @program(%operand: tensor<3xi64>) -> tensor<3xi64> {
    %result = "stablehlo.all_reduce"(%operand) ({
    ^body(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %combined = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %combined : tensor<i64>
    }) {
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<3xi64>) -> tensor<3xi64>
    return %result : tensor<3xi64>
  }
  func.func @main() {
    %first = stablehlo.constant dense<[1, 2, 9223372036854775806]> : tensor<3xi64>
    %second = stablehlo.constant dense<[10, -20, 1]> : tensor<3xi64>
    %results:2 = "interpreter.run_parallel"(%first, %second) {
      programs = [[@program], [@program]]
    } : (tensor<3xi64>, tensor<3xi64>) -> (tensor<3xi64>, tensor<3xi64>)
    check.expect_eq_const %results#0, dense<[11, -18, 9223372036854775807]> : tensor<3xi64>
    check.expect_eq_const %results#1, dense<[11, -18, 9223372036854775807]> : tensor<3xi64>
    return
  }
}

// -----

// The operands become what the computation takes: the sum is made in f32 and does not overflow f16.
module @promotion {
  func.func @program(%operand: tensor<1xf16>) -> tensor<1xf32> {
    %result = "stablehlo.all_reduce"(%operand) ({
    ^body(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %combined = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %combined : tensor<f32>
    }) {
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<1xf16>) -> tensor<1xf32>
    return %result : tensor<1xf32>
  }
  func.func @main() {
    %operand = stablehlo.constant dense<60000.0> : tensor<1xf16>
    %results:2 = "interpreter.run_parallel"(%operand, %operand) {
      programs = [[@program], [@program]]
    } : (tensor<1xf16>, tensor<1xf16>) -> (tensor<1xf32>, tensor<1xf32>)
    check.expect_eq_const %results#0, dense<120000.0> : tensor<1xf32>
    return
  }
}

// -----

// A loop meets again and again on the same channel.
module @in_a_loop {
  func.func @program(%operand: tensor<i64>) -> tensor<i64> {
    %zero = stablehlo.constant dense<0> : tensor<i64>
    %one = stablehlo.constant dense<1> : tensor<i64>
    %three = stablehlo.constant dense<3> : tensor<i64>
    %results:2 = stablehlo.while(%i = %zero, %value = %operand) : tensor<i64>, tensor<i64> cond {
      %more = stablehlo.compare LT, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i64>
      %sum = "stablehlo.all_reduce"(%value) ({
    ^body(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %combined = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %combined : tensor<i64>
    }) {
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
      } : (tensor<i64>) -> tensor<i64>
      stablehlo.return %next, %sum : tensor<i64>, tensor<i64>
    }
    return %results#1 : tensor<i64>
  }
  func.func @main() {
    %first = stablehlo.constant dense<1> : tensor<i64>
    %second = stablehlo.constant dense<2> : tensor<i64>
    %results:2 = "interpreter.run_parallel"(%first, %second) {
      programs = [[@program], [@program]]
    } : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
    check.expect_eq_const %results#0, dense<12> : tensor<i64>
    check.expect_eq_const %results#1, dense<12> : tensor<i64>
    return
  }
}

// -----

// A computation that is not elementwise in form: it reshapes its arguments.
module @any_computation {
  func.func @program(%operand: tensor<2xi64>) -> tensor<2xi64> {
    %result = "stablehlo.all_reduce"(%operand) ({
    ^body(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %lhs_list = stablehlo.reshape %lhs : (tensor<i64>) -> tensor<1xi64>
      %rhs_list = stablehlo.reshape %rhs : (tensor<i64>) -> tensor<1xi64>
      %difference = stablehlo.subtract %lhs_list, %rhs_list : tensor<1xi64>
      %combined = stablehlo.reshape %difference : (tensor<1xi64>) -> tensor<i64>
      stablehlo.return %combined : tensor<i64>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
    return %result : tensor<2xi64>
  }
  func.func @main() {
    %first = stablehlo.constant dense<[9, 5]> : tensor<2xi64>
    %second = stablehlo.constant dense<[4, 8]> : tensor<2xi64>
    %results:2 = "interpreter.run_parallel"(%first, %second) {
      programs = [[@program], [@program]]
    } : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %results#1, dense<[5, -3]> : tensor<2xi64>
    return
  }
}
