// RUN: stablehlo-translate --interpret --split-input-file %s

module @spec_example {
  func.func @program(%operand0: tensor<2x2xi64>, %operand1: tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>) {
    %results:2 = "stablehlo.all_gather"(%operand0, %operand1) {
      all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
    return %results#0, %results#1 : tensor<2x4xi64>, tensor<2x4xi64>
  }
  func.func @main() {
    %operand0_0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    %operand1_0 = stablehlo.constant dense<[[11, 12], [13, 14]]> : tensor<2x2xi64>
    %operand0_1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
    %operand1_1 = stablehlo.constant dense<[[15, 16], [17, 18]]> : tensor<2x2xi64>
    %results:4 = "interpreter.run_parallel"(%operand0_0, %operand1_0, %operand0_1, %operand1_1) {
      programs = [[@program], [@program]]
    } : (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>)
    check.expect_eq_const %results#0, dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi64>
    check.expect_eq_const %results#1, dense<[[11, 12, 15, 16], [13, 14, 17, 18]]> : tensor<2x4xi64>
    check.expect_eq_const %results#2, dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi64>
    check.expect_eq_const %results#3, dense<[[11, 12, 15, 16], [13, 14, 17, 18]]> : tensor<2x4xi64>
    return
  }
}

// -----

// Within a row of replicas: each process gets the parts in the order of the group, not of the ids.
module @cross_replica {
  func.func @program(%operand: tensor<1x2xi64>) -> tensor<2x2xi64> {
    %result = "stablehlo.all_gather"(%operand) {
      all_gather_dim = 0 : i64,
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
    } : (tensor<1x2xi64>) -> tensor<2x2xi64>
    return %result : tensor<2x2xi64>
  }
  func.func @main() {
    %first = stablehlo.constant dense<[[3, -4]]> : tensor<1x2xi64>
    %second = stablehlo.constant dense<[[50, 60]]> : tensor<1x2xi64>
    %results:2 = "interpreter.run_parallel"(%first, %second) {
      programs = [[@program], [@program]]
    } : (tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %results#0, dense<[[50, 60], [3, -4]]> : tensor<2x2xi64>
    check.expect_eq_const %results#1, dense<[[50, 60], [3, -4]]> : tensor<2x2xi64>
    return
  }
}

// -----

// A positive channel and no global ids: all partitions of the replicas of a group take part.
module @cross_replica_and_partition {
  func.func @program(%operand: tensor<1xi64>) -> tensor<2xi64> {
    %result = "stablehlo.all_gather"(%operand) {
      all_gather_dim = 0 : i64,
      replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 0>
    } : (tensor<1xi64>) -> tensor<2xi64>
    return %result : tensor<2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<1xi64>
    %b = stablehlo.constant dense<2> : tensor<1xi64>
    %c = stablehlo.constant dense<3> : tensor<1xi64>
    %d = stablehlo.constant dense<4> : tensor<1xi64>
    %results:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {
      programs = [[@program, @program], [@program, @program]]
    } : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
        -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %results#0, dense<[1, 2]> : tensor<2xi64>
    check.expect_eq_const %results#1, dense<[1, 2]> : tensor<2xi64>
    check.expect_eq_const %results#2, dense<[3, 4]> : tensor<2xi64>
    check.expect_eq_const %results#3, dense<[3, 4]> : tensor<2xi64>
    return
  }
}

// -----

module @flattened_ids {
  func.func @program(%operand: tensor<2x1xi64>) -> tensor<2x2xi64> {
    %result = "stablehlo.all_gather"(%operand) {
      all_gather_dim = 1 : i64,
      replica_groups = dense<[[0, 3], [2, 1]]> : tensor<2x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
      use_global_device_ids
    } : (tensor<2x1xi64>) -> tensor<2x2xi64>
    return %result : tensor<2x2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi64>
    %b = stablehlo.constant dense<[[3], [4]]> : tensor<2x1xi64>
    %c = stablehlo.constant dense<[[5], [6]]> : tensor<2x1xi64>
    %d = stablehlo.constant dense<[[7], [8]]> : tensor<2x1xi64>
    %results:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {
      programs = [[@program, @program], [@program, @program]]
    } : (tensor<2x1xi64>, tensor<2x1xi64>, tensor<2x1xi64>, tensor<2x1xi64>)
        -> (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %results#0, dense<[[1, 7], [2, 8]]> : tensor<2x2xi64>
    check.expect_eq_const %results#1, dense<[[5, 3], [6, 4]]> : tensor<2x2xi64>
    check.expect_eq_const %results#2, dense<[[5, 3], [6, 4]]> : tensor<2x2xi64>
    check.expect_eq_const %results#3, dense<[[1, 7], [2, 8]]> : tensor<2x2xi64>
    return
  }
}

// -----

// Several operands.
module @variadic {
  func.func @pair(%operand: tensor<1xi64>, %other: tensor<1xf64>) -> (tensor<2xi64>, tensor<2xf64>) {
    %results:2 = "stablehlo.all_gather"(%operand, %other) {
      all_gather_dim = 0 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<1xi64>, tensor<1xf64>) -> (tensor<2xi64>, tensor<2xf64>)
    return %results#0, %results#1 : tensor<2xi64>, tensor<2xf64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<10> : tensor<1xi64>
    %b = stablehlo.constant dense<0.5> : tensor<1xf64>
    %c = stablehlo.constant dense<30> : tensor<1xi64>
    %d = stablehlo.constant dense<-1.5> : tensor<1xf64>
    %results:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {
      programs = [[@pair], [@pair]]
    } : (tensor<1xi64>, tensor<1xf64>, tensor<1xi64>, tensor<1xf64>)
        -> (tensor<2xi64>, tensor<2xf64>, tensor<2xi64>, tensor<2xf64>)
    check.expect_eq_const %results#0, dense<[10, 30]> : tensor<2xi64>
    check.expect_eq_const %results#1, dense<[0.5, -1.5]> : tensor<2xf64>
    check.expect_eq_const %results#2, dense<[10, 30]> : tensor<2xi64>
    check.expect_eq_const %results#3, dense<[0.5, -1.5]> : tensor<2xf64>
    return
  }
}
