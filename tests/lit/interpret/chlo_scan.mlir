// REQUIRES: op-chlo.scan
// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @forward_and_backward() {
  %input = stablehlo.constant dense<[5, -1, 2]> : tensor<3xi64>
  %init = stablehlo.constant dense<100> : tensor<i64>
  %forward:2 = chlo.scan(%input) inits(%init) dimension=0 {
  ^body(%element: tensor<i64>, %carry: tensor<i64>):
    %sum = stablehlo.add %element, %carry : tensor<i64>
    stablehlo.return %sum, %sum : tensor<i64>, tensor<i64>
  } : (tensor<3xi64>, tensor<i64>) -> (tensor<3xi64>, tensor<i64>)
  check.expect_eq_const %forward#0, dense<[105, 104, 106]> : tensor<3xi64>
  check.expect_eq_const %forward#1, dense<106> : tensor<i64>
  %backward:2 = chlo.scan(%input) inits (%init) dimension=0 attributes {is_reverse = true} {
  ^body(%element: tensor<i64>, %carry: tensor<i64>):
    %difference = stablehlo.subtract %carry, %element : tensor<i64>
    stablehlo.return %difference, %difference : tensor<i64>, tensor<i64>
  } : (tensor<3xi64>, tensor<i64>) -> (tensor<3xi64>, tensor<i64>)
  check.expect_eq_const %backward#0, dense<[94, 99, 98]> : tensor<3xi64>
  check.expect_eq_const %backward#1, dense<94> : tensor<i64>
  return
}

// -----

func.func @no_elements() {
  %input = stablehlo.constant dense<> : tensor<0x2xi64>
  %init = stablehlo.constant dense<[7, 8]> : tensor<2xi64>
  %results:2 = chlo.scan(%input) inits(%init) dimension=0 {
  ^body(%element: tensor<2xi64>, %carry: tensor<2xi64>):
    %sum = stablehlo.add %element, %carry : tensor<2xi64>
    stablehlo.return %sum, %sum : tensor<2xi64>, tensor<2xi64>
  } : (tensor<0x2xi64>, tensor<2xi64>) -> (tensor<0x2xi64>, tensor<2xi64>)
  check.expect_eq %results#0, %input : tensor<0x2xi64>
  check.expect_eq %results#1, %init : tensor<2xi64>
  return
}
