// RUN: stablehlo-translate --interpret --split-input-file %s

module @spec_example {
  func.func @program(%operand: tensor<1x2xi64>) -> tensor<1x2xi64> {
    %result = "stablehlo.collective_broadcast"(%operand) {
      replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>
    } : (tensor<1x2xi64>) -> tensor<1x2xi64>
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
    check.expect_eq_const %results#0, dense<[[0, 0]]> : tensor<1x2xi64>
    check.expect_eq_const %results#1, dense<[[5, 6]]> : tensor<1x2xi64>
    check.expect_eq_const %results#2, dense<[[5, 6]]> : tensor<1x2xi64>
    check.expect_eq_const %results#3, dense<[[0, 0]]> : tensor<1x2xi64>
    return
  }
}

// -----

module @cross_replica {
  func.func @program(%operand: tensor<1x2xi64>) -> tensor<1x2xi64> {
    %result = "stablehlo.collective_broadcast"(%operand) {
      replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>
    } : (tensor<1x2xi64>) -> tensor<1x2xi64>
    return %result : tensor<1x2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %results:3 = "interpreter.run_parallel"(%a, %b, %c) {
      programs = [[@program], [@program], [@program]]
    } : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    check.expect_eq_const %results#0, dense<[[0, 0]]> : tensor<1x2xi64>
    check.expect_eq_const %results#1, dense<[[5, 6]]> : tensor<1x2xi64>
    check.expect_eq_const %results#2, dense<[[5, 6]]> : tensor<1x2xi64>
    return
  }
}

// -----

module @cross_partition {
  func.func @program(%operand: tensor<f64>) -> tensor<f64> {
    %result = "stablehlo.collective_broadcast"(%operand) {
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 4, type = 0>
    } : (tensor<f64>) -> tensor<f64>
    return %result : tensor<f64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1.25> : tensor<f64>
    %b = stablehlo.constant dense<-2.5> : tensor<f64>
    %results:2 = "interpreter.run_parallel"(%a, %b) {
      programs = [[@program, @program]]
    } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    check.expect_eq_const %results#0, dense<-2.5> : tensor<f64>
    check.expect_eq_const %results#1, dense<-2.5> : tensor<f64>
    return
  }
}
