// REQUIRES: stablehlo-1.20
// RUN: stablehlo-translate --interpret --split-input-file %s

module @several_operands_from_the_first_process {
  func.func @program(%first: tensor<f32>, %second: tensor<2xi32>) -> (tensor<f32>, tensor<2xi32>) {
    %results:2 = "stablehlo.collective_broadcast"(%first, %second) <{
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
    }> : (tensor<f32>, tensor<2xi32>) -> (tensor<f32>, tensor<2xi32>)
    return %results#0, %results#1 : tensor<f32>, tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1.5> : tensor<f32>
    %b = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %c = stablehlo.constant dense<2.5> : tensor<f32>
    %d = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %results:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {
      programs = [[@program], [@program]]
    } : (tensor<f32>, tensor<2xi32>, tensor<f32>, tensor<2xi32>) -> (tensor<f32>, tensor<2xi32>, tensor<f32>, tensor<2xi32>)
    check.expect_eq_const %results#0, dense<2.5> : tensor<f32>
    check.expect_eq_const %results#1, dense<[3, 4]> : tensor<2xi32>
    check.expect_eq_const %results#2, dense<2.5> : tensor<f32>
    check.expect_eq_const %results#3, dense<[3, 4]> : tensor<2xi32>
    return
  }
}

// -----

module @each_operand_from_its_root {
  func.func @program(%first: tensor<f32>, %second: tensor<2xi32>, %roots: tensor<2xi32>) -> (tensor<f32>, tensor<2xi32>) {
    %results:2 = "stablehlo.collective_broadcast"(%first, %second, %roots) <{
      has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    }> : (tensor<f32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<f32>, tensor<2xi32>)
    return %results#0, %results#1 : tensor<f32>, tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1.5> : tensor<f32>
    %b = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %c = stablehlo.constant dense<2.5> : tensor<f32>
    %d = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %roots = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %results:6 = "interpreter.run_parallel"(%a, %b, %roots, %c, %d, %roots, %a, %b, %roots) {
      programs = [[@program], [@program], [@program]]
    } : (tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>)
      -> (tensor<f32>, tensor<2xi32>, tensor<f32>, tensor<2xi32>, tensor<f32>, tensor<2xi32>)
    check.expect_eq_const %results#0, dense<2.5> : tensor<f32>
    check.expect_eq_const %results#1, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %results#2, dense<2.5> : tensor<f32>
    check.expect_eq_const %results#3, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %results#4, dense<0.0> : tensor<f32>
    check.expect_eq_const %results#5, dense<0> : tensor<2xi32>
    return
  }
}
