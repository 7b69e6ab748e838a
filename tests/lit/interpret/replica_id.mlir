// RUN: stablehlo-translate --interpret --split-input-file %s

module @ids {
  func.func @program() -> tensor<ui32> {
    %result = stablehlo.replica_id : tensor<ui32>
    return %result : tensor<ui32>
  }
  func.func @main() {
    %results:4 = "interpreter.run_parallel"() {
      programs = [[@program, @program], [@program, @program]]
    } : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
    check.expect_eq_const %results#1, dense<0> : tensor<ui32>
    check.expect_eq_const %results#2, dense<1> : tensor<ui32>
    return
  }
}

// -----

// Outside of a grid there is one process, the first.
func.func @alone() {
  %result = stablehlo.replica_id : tensor<ui32>
  check.expect_eq_const %result, dense<0> : tensor<ui32>
  return
}
