// REQUIRES: stablehlo-1.14
// RUN: stablehlo-translate --interpret --split-input-file %s

// A composite's regions describe it; what runs is its decomposition.
module @body_that_differs_from_the_decomposition {
  func.func private @sum(%operand: tensor<3xi32>, %init: tensor<i32>) -> (tensor<i32>, tensor<3xi32>) {
    %result = stablehlo.reduce(%operand init: %init) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    return %result, %operand : tensor<i32>, tensor<3xi32>
  }
  func.func @main() {
    %operand = stablehlo.constant dense<[1, 2, 4]> : tensor<3xi32>
    %init = stablehlo.constant dense<10> : tensor<i32>
    %results:2 = stablehlo.composite "my.fold" %operand, %init ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %product = stablehlo.multiply %lhs, %rhs : tensor<i32>
      stablehlo.return %product : tensor<i32>
    }) {decomposition = @sum} : (tensor<3xi32>, tensor<i32>) -> (tensor<i32>, tensor<3xi32>)
    check.expect_eq_const %results#0, dense<17> : tensor<i32>
    check.expect_eq %results#1, %operand : tensor<3xi32>
    return
  }
}

// -----

// One without blocks, one that uses a value from outside, one that nothing could run.
module @three_regions {
  func.func private @negative(%operand: tensor<f32>) -> tensor<f32> {
    %result = stablehlo.negate %operand : tensor<f32>
    return %result : tensor<f32>
  }
  func.func @main() {
    %operand = stablehlo.constant dense<2.5> : tensor<f32>
    %outside = stablehlo.constant dense<1.0> : tensor<f32>
    %result = stablehlo.composite "my.op" %operand ({
    }, {
      stablehlo.return %outside : tensor<f32>
    }, {
    ^bb0(%inner: tensor<f32>):
      %called = stablehlo.custom_call @nobody_knows(%inner) : (tensor<f32>) -> tensor<f32>
      %atanh = chlo.atanh %called : tensor<f32> -> tensor<f32>
      stablehlo.return %atanh : tensor<f32>
    }) {decomposition = @negative, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
    check.expect_eq_const %result, dense<-2.5> : tensor<f32>
    return
  }
}

// -----

module @in_a_loop {
  func.func private @next(%index: tensor<i32>) -> tensor<i32> {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %result = stablehlo.add %index, %one : tensor<i32>
    return %result : tensor<i32>
  }
  func.func @main() {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %limit = stablehlo.constant dense<100> : tensor<i32>
    %result = stablehlo.while(%index = %zero) : tensor<i32>
    cond {
      %more = stablehlo.compare LT, %index, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.composite "my.next" %index ({
        stablehlo.return %limit : tensor<i32>
      }) {decomposition = @next} : (tensor<i32>) -> tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
    check.expect_eq %result, %limit : tensor<i32>
    return
  }
}

// -----

module @in_each_process {
  func.func private @sum(%operand: tensor<i32>) -> tensor<i32> {
    %result = "stablehlo.all_reduce"(%operand) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i32>
      stablehlo.return %sum : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    return %result : tensor<i32>
  }
  func.func @program(%operand: tensor<i32>) -> tensor<i32> {
    %result = stablehlo.composite "my.sum" %operand ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      stablehlo.return %lhs : tensor<i32>
    }) {decomposition = @sum} : (tensor<i32>) -> tensor<i32>
    return %result : tensor<i32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<3> : tensor<i32>
    %b = stablehlo.constant dense<4> : tensor<i32>
    %results:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@program], [@program]]} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    check.expect_eq_const %results#0, dense<7> : tensor<i32>
    check.expect_eq_const %results#1, dense<7> : tensor<i32>
    return
  }
}
