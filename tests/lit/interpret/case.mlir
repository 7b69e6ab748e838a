// RUN: stablehlo-translate --interpret --split-input-file %s

// An index that is out of range takes the last branch.
func.func @spec_example() {
  %index = stablehlo.constant dense<-1> : tensor<i32>
  %result_branch0 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %result_branch1 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %results:2 = "stablehlo.case"(%index) ({
    stablehlo.return %result_branch0, %result_branch0 : tensor<2xi64>, tensor<2xi64>
  }, {
    stablehlo.return %result_branch1, %result_branch1 : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %results#0, dense<[1, 1]> : tensor<2xi64>
  check.expect_eq_const %results#1, dense<[1, 1]> : tensor<2xi64>
  return
}

// -----

// An index outside the branches, on either side, means the last one.
module @indices {
  func.func @choose(%index: tensor<i32>) -> tensor<i64> {
    %a = stablehlo.constant dense<100> : tensor<i64>
    %b = stablehlo.constant dense<200> : tensor<i64>
    %result = "stablehlo.case"(%index) ({
      stablehlo.return %a : tensor<i64>
    }, {
      stablehlo.return %b : tensor<i64>
    }) : (tensor<i32>) -> tensor<i64>
    return %result : tensor<i64>
  }
  func.func @main() {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %minus_one = stablehlo.constant dense<-1> : tensor<i32>
    %first = call @choose(%zero) : (tensor<i32>) -> tensor<i64>
    %second = call @choose(%one) : (tensor<i32>) -> tensor<i64>
    %above = call @choose(%two) : (tensor<i32>) -> tensor<i64>
    %below = call @choose(%minus_one) : (tensor<i32>) -> tensor<i64>
    check.expect_eq_const %first, dense<100> : tensor<i64>
    check.expect_eq_const %second, dense<200> : tensor<i64>
    check.expect_eq_const %above, dense<200> : tensor<i64>
    check.expect_eq_const %below, dense<200> : tensor<i64>
    return
  }
}
