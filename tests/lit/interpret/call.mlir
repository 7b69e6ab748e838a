// RUN: stablehlo-translate --interpret --split-input-file %s

module @calls {
  func.func @swap(%a: tensor<i64>, %b: tensor<f64>) -> (tensor<f64>, tensor<i64>) {
    return %b, %a : tensor<f64>, tensor<i64>
  }
  func.func @nothing() {
    return
  }
  func.func @main() {
    %a = stablehlo.constant dense<3> : tensor<i64>
    %b = stablehlo.constant dense<0.5> : tensor<f64>
    func.call @nothing() : () -> ()
    %results:2 = func.call @swap(%a, %b) : (tensor<i64>, tensor<f64>) -> (tensor<f64>, tensor<i64>)
    check.expect_eq_const %results#0, dense<0.5> : tensor<f64>
    check.expect_eq_const %results#1, dense<3> : tensor<i64>
    return
  }
}
