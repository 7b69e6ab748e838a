// RUN: stablehlo-translate --interpret --split-input-file %s

module @spec_example {
  func.func @program(%token: !stablehlo.token) -> (tensor<2x2xi64>, tensor<2x2xi64>) {
    %results0:2 = "stablehlo.infeed"(%token) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
    %results1:2 = "stablehlo.infeed"(%results0#1) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
    return %results0#0, %results1#0 : tensor<2x2xi64>, tensor<2x2xi64>
  }
  func.func @first() -> tensor<2x2xi64> {
    %value = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    return %value : tensor<2x2xi64>
  }
  func.func @second() -> tensor<2x2xi64> {
    %value = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
    return %value : tensor<2x2xi64>
  }
  func.func @main() {
    %token = stablehlo.create_token : !stablehlo.token
    %results:2 = "interpreter.run_parallel"(%token) {
      infeed = [@first, @second], programs = [[@program]]
    } : (!stablehlo.token) -> (tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %results#0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    check.expect_eq_const %results#1, dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
    return
  }
}

// -----

module @queue {
  func.func @program(%token: !stablehlo.token) -> (tensor<2xi64>, tensor<2xi64>) {
    %first, %token_0 = "stablehlo.infeed"(%token) : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    %second, %token_1 = "stablehlo.infeed"(%token_0) {infeed_config = "any"}
      : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    return %first, %second : tensor<2xi64>, tensor<2xi64>
  }
  func.func @feed_a() -> tensor<2xi64> {
    %value = stablehlo.constant dense<[4, 2]> : tensor<2xi64>
    return %value : tensor<2xi64>
  }
  func.func @feed_b() -> tensor<2xi64> {
    %value = stablehlo.constant dense<[-7, 0]> : tensor<2xi64>
    return %value : tensor<2xi64>
  }
  func.func @main() {
    %token = stablehlo.create_token : !stablehlo.token
    %results:2 = "interpreter.run_parallel"(%token) {
      infeed = [@feed_b, @feed_a], programs = [[@program]]
    } : (!stablehlo.token) -> (tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %results#0, dense<[-7, 0]> : tensor<2xi64>
    check.expect_eq_const %results#1, dense<[4, 2]> : tensor<2xi64>
    return
  }
}
