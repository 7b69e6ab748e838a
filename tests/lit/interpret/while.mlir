// RUN: stablehlo-translate --interpret --split-input-file %s

// The spec shows 10 for the sum too, which is 9: one for each i from 1 to 9.
func.func @spec_example() {
  %init_i = stablehlo.constant dense<1> : tensor<i64>
  %init_sum = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %ten = stablehlo.constant dense<10> : tensor<i64>
  %results:2 = stablehlo.while(%i = %init_i, %sum = %init_sum) : tensor<i64>, tensor<i64>
  cond {
    %more = stablehlo.compare LT, %i, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %new_sum = stablehlo.add %sum, %one : tensor<i64>
    %new_i = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %new_i, %new_sum : tensor<i64>, tensor<i64>
  }
  check.expect_eq_const %results#0, dense<10> : tensor<i64>
  check.expect_eq_const %results#1, dense<9> : tensor<i64>
  return
}

// -----

func.func @sum_to_ten() {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %ten = stablehlo.constant dense<10> : tensor<i64>
  %results:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<i64>, tensor<i64> cond {
    %more = stablehlo.compare LT, %i, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i64>
    %total = stablehlo.add %sum, %next : tensor<i64>
    stablehlo.return %next, %total : tensor<i64>, tensor<i64>
  }
  check.expect_eq_const %results#0, dense<10> : tensor<i64>
  check.expect_eq_const %results#1, dense<55> : tensor<i64>
  return
}

// -----

// The condition is false at once: the operand comes back.
func.func @never() {
  %initial = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf64>
  %result = stablehlo.while(%value = %initial) : tensor<2xf64> cond {
    %no = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %no : tensor<i1>
  } do {
    %twice = stablehlo.add %value, %value : tensor<2xf64>
    stablehlo.return %twice : tensor<2xf64>
  }
  check.expect_eq_const %result, dense<[1.5, 2.5]> : tensor<2xf64>
  return
}

// -----

// Loops in loops see the values around them.
func.func @nested() {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %three = stablehlo.constant dense<3> : tensor<i64>
  %outer:2 = stablehlo.while(%i = %zero, %total = %zero) : tensor<i64>, tensor<i64> cond {
    %more = stablehlo.compare LT, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %inner:2 = stablehlo.while(%j = %zero, %sum = %total) : tensor<i64>, tensor<i64> cond {
      %more = stablehlo.compare LE, %j, %i : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %j, %one : tensor<i64>
      %grown = stablehlo.add %sum, %i : tensor<i64>
      stablehlo.return %next, %grown : tensor<i64>, tensor<i64>
    }
    %next = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %next, %inner#1 : tensor<i64>, tensor<i64>
  }
  check.expect_eq_const %outer#1, dense<8> : tensor<i64>
  return
}
