// REQUIRES: stablehlo-1.19
// RUN: stablehlo-translate --interpret --split-input-file %s

module @spec_example {
  func.func @program(%operand: tensor<1x2xi64>) -> tensor<1x2xi64> {
    %result = "stablehlo.collective_reduce"(%operand) <{
      replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>
    }> ({
    ^body(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %sum : tensor<i64>
    }) : (tensor<1x2xi64>) -> tensor<1x2xi64>
    return %result : tensor<1x2xi64>
  }
  func.func @main() {
    %operand_0 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %operand_1 = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %operand_2 = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %operand_3 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %results:4 = "interpreter.run_parallel"(%operand_0, %operand_1, %operand_2, %operand_3) {
      programs = [[@program], [@program], [@program], [@program]]
    } : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    check.expect_eq_const %results#0, dense<[[16, 20]]> : tensor<1x2xi64>
    check.expect_eq_const %results#1, dense<[[0, 0]]> : tensor<1x2xi64>
    check.expect_eq_const %results#2, dense<[[0, 0]]> : tensor<1x2xi64>
    check.expect_eq_const %results#3, dense<[[0, 0]]> : tensor<1x2xi64>
    return
  }
}

// -----

module @spec_example_of_a_dynamic_root {
  func.func @program(%operand: tensor<1x2xi64>, %root: tensor<1xi32>) -> tensor<1x2xi64> {
    %result = "stablehlo.collective_reduce"(%operand, %root) <{
      has_dynamic_root, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>
    }> ({
    ^body(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %sum : tensor<i64>
    }) : (tensor<1x2xi64>, tensor<1xi32>) -> tensor<1x2xi64>
    return %result : tensor<1x2xi64>
  }
  func.func @main() {
    %operand0_0 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %operand1_0 = stablehlo.constant dense<[3]> : tensor<1xi32>
    %operand0_1 = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %operand1_1 = stablehlo.constant dense<[3]> : tensor<1xi32>
    %operand0_2 = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %operand1_2 = stablehlo.constant dense<[3]> : tensor<1xi32>
    %operand0_3 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %operand1_3 = stablehlo.constant dense<[3]> : tensor<1xi32>
    %results:4 = "interpreter.run_parallel"(%operand0_0, %operand1_0, %operand0_1, %operand1_1, %operand0_2, %operand1_2, %operand0_3, %operand1_3) {
      programs = [[@program], [@program], [@program], [@program]]
    } : (tensor<1x2xi64>, tensor<1xi32>, tensor<1x2xi64>, tensor<1xi32>, tensor<1x2xi64>, tensor<1xi32>, tensor<1x2xi64>, tensor<1xi32>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    check.expect_eq_const %results#0, dense<[[0, 0]]> : tensor<1x2xi64>
    check.expect_eq_const %results#1, dense<[[0, 0]]> : tensor<1x2xi64>
    check.expect_eq_const %results#2, dense<[[0, 0]]> : tensor<1x2xi64>
    check.expect_eq_const %results#3, dense<[[16, 20]]> : tensor<1x2xi64>
    return
  }
}

// -----

module @on_the_first_process_of_the_group {
  func.func @program(%operand: tensor<2xi64>) -> tensor<2xi64> {
    %result = "stablehlo.collective_reduce"(%operand) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %sum : tensor<i64>
    }) : (tensor<2xi64>) -> tensor<2xi64>
    return %result : tensor<2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
    %c = stablehlo.constant dense<[10, 20]> : tensor<2xi64>
    %results:3 = "interpreter.run_parallel"(%a, %b, %c) {
      programs = [[@program], [@program], [@program]]
    } : (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %results#0, dense<0> : tensor<2xi64>
    check.expect_eq_const %results#1, dense<[4, 6]> : tensor<2xi64>
    check.expect_eq_const %results#2, dense<0> : tensor<2xi64>
    return
  }
}

// -----

module @on_a_root_for_each_operand {
  func.func @program(%first: tensor<f32>, %second: tensor<2xf32>, %roots: tensor<2xi32>) -> (tensor<f32>, tensor<2xf32>) {
    %results:2 = "stablehlo.collective_reduce"(%first, %second, %roots) <{
      has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    }> ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %largest = stablehlo.maximum %lhs, %rhs : tensor<f32>
      stablehlo.return %largest : tensor<f32>
    }) : (tensor<f32>, tensor<2xf32>, tensor<2xi32>) -> (tensor<f32>, tensor<2xf32>)
    return %results#0, %results#1 : tensor<f32>, tensor<2xf32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1.5> : tensor<f32>
    %b = stablehlo.constant dense<[2.5, -1.0]> : tensor<2xf32>
    %c = stablehlo.constant dense<7.0> : tensor<f32>
    %d = stablehlo.constant dense<[-3.0, 4.0]> : tensor<2xf32>
    %roots = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %results:4 = "interpreter.run_parallel"(%a, %b, %roots, %c, %d, %roots) {
      programs = [[@program], [@program]]
    } : (tensor<f32>, tensor<2xf32>, tensor<2xi32>, tensor<f32>, tensor<2xf32>, tensor<2xi32>)
      -> (tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>)
    check.expect_eq_const %results#0, dense<0.0> : tensor<f32>
    check.expect_eq_const %results#1, dense<[2.5, 4.0]> : tensor<2xf32>
    check.expect_eq_const %results#2, dense<7.0> : tensor<f32>
    check.expect_eq_const %results#3, dense<0.0> : tensor<2xf32>
    return
  }
}

// -----

module @in_a_wider_element_type {
  func.func @program(%operand: tensor<1xf32>) -> tensor<1xf64> {
    %result = "stablehlo.collective_reduce"(%operand) <{
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids
    }> ({
    ^bb0(%lhs: tensor<f64>, %rhs: tensor<f64>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f64>
      stablehlo.return %sum : tensor<f64>
    }) : (tensor<1xf32>) -> tensor<1xf64>
    return %result : tensor<1xf64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<16777216.0> : tensor<1xf32>
    %b = stablehlo.constant dense<1.0> : tensor<1xf32>
    %results:2 = "interpreter.run_parallel"(%a, %b) {
      programs = [[@program, @program]]
    } : (tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf64>, tensor<1xf64>)
    check.expect_eq_const %results#0, dense<16777217.0> : tensor<1xf64>
    check.expect_eq_const %results#1, dense<0.0> : tensor<1xf64>
    return
  }
}
