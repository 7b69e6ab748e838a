// A loop, a case, and calls: the Collatz steps of 27, then a branch on what is left.
func.func @main() -> (tensor<i32>, tensor<f32>) {
  %start = stablehlo.constant dense<27> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%n = %start, %steps = %zero) : tensor<i32>, tensor<i32>
  cond {
    %3 = stablehlo.compare NE, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %4 = func.call @next(%n) : (tensor<i32>) -> tensor<i32>
    %5 = stablehlo.add %steps, %one : tensor<i32>
    stablehlo.return %4, %5 : tensor<i32>, tensor<i32>
  }
  %1 = stablehlo.remainder %0#1, %start : tensor<i32>
  %2 = "stablehlo.case"(%0#0) ({
    %6 = stablehlo.constant dense<0.5> : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }, {
    %7 = stablehlo.convert %1 : (tensor<i32>) -> tensor<f32>
    stablehlo.return %7 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0#1, %2 : tensor<i32>, tensor<f32>
}

func.func private @next(%n: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.and %n, %one : tensor<i32>
  %1 = stablehlo.compare EQ, %0, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %2 = stablehlo.divide %n, %two : tensor<i32>
  %3 = stablehlo.multiply %n, %three : tensor<i32>
  %4 = stablehlo.add %3, %one : tensor<i32>
  %5 = stablehlo.select %1, %4, %2 : tensor<i1>, tensor<i32>
  return %5 : tensor<i32>
}
