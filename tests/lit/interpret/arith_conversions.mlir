// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @widths() {
  %operand0 = arith.constant dense<[-1, 127]> : tensor<2xi8>
  %result0 = arith.extsi %operand0 : tensor<2xi8> to tensor<2xi32>
  check.expect_eq_const %result0, dense<[-1, 127]> : tensor<2xi32>
  %operand1 = arith.constant dense<[-1, 127]> : tensor<2xi8>
  %result1 = arith.extui %operand1 : tensor<2xi8> to tensor<2xi32>
  check.expect_eq_const %result1, dense<[255, 127]> : tensor<2xi32>
  %operand2 = arith.constant dense<[-1, 300]> : tensor<2xi32>
  %result2 = arith.trunci %operand2 : tensor<2xi32> to tensor<2xi8>
  check.expect_eq_const %result2, dense<[-1, 44]> : tensor<2xi8>
  %operand3 = arith.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %result3 = arith.extf %operand3 : tensor<2xf32> to tensor<2xf64>
  check.expect_eq_const %result3, dense<[1.5, -2.0]> : tensor<2xf64>
  %operand4 = arith.constant dense<[1.5, -2.0]> : tensor<2xf64>
  %result4 = arith.truncf %operand4 : tensor<2xf64> to tensor<2xf32>
  check.expect_eq_const %result4, dense<[1.5, -2.0]> : tensor<2xf32>
  return
}

// -----

func.func @one_bit() {
  %operand0 = arith.constant dense<[true, false]> : tensor<2xi1>
  %result0 = arith.extsi %operand0 : tensor<2xi1> to tensor<2xi32>
  check.expect_eq_const %result0, dense<[-1, 0]> : tensor<2xi32>
  %operand1 = arith.constant dense<[true, false]> : tensor<2xi1>
  %result1 = arith.extui %operand1 : tensor<2xi1> to tensor<2xi32>
  check.expect_eq_const %result1, dense<[1, 0]> : tensor<2xi32>
  %operand2 = arith.constant dense<[2, 3]> : tensor<2xi32>
  %result2 = arith.trunci %operand2 : tensor<2xi32> to tensor<2xi1>
  check.expect_eq_const %result2, dense<[false, true]> : tensor<2xi1>
  return
}

// -----

func.func @numbers() {
  %operand0 = arith.constant dense<[-1, 3]> : tensor<2xi8>
  %result0 = arith.sitofp %operand0 : tensor<2xi8> to tensor<2xf64>
  check.expect_eq_const %result0, dense<[-1.0, 3.0]> : tensor<2xf64>
  %operand1 = arith.constant dense<[-1, 3]> : tensor<2xi8>
  %result1 = arith.uitofp %operand1 : tensor<2xi8> to tensor<2xf64>
  check.expect_eq_const %result1, dense<[255.0, 3.0]> : tensor<2xf64>
  %operand2 = arith.constant dense<[-2.9, 2.9]> : tensor<2xf64>
  %result2 = arith.fptosi %operand2 : tensor<2xf64> to tensor<2xi32>
  check.expect_eq_const %result2, dense<[-2, 2]> : tensor<2xi32>
  %operand3 = arith.constant dense<[200.5, 2.9]> : tensor<2xf64>
  %result3 = arith.fptoui %operand3 : tensor<2xf64> to tensor<2xi8>
  check.expect_eq_const %result3, dense<[-56, 2]> : tensor<2xi8>
  %operand4 = arith.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %result4 = arith.bitcast %operand4 : tensor<2xf32> to tensor<2xi32>
  check.expect_eq_const %result4, dense<[0x3F800000, 0x80000000]> : tensor<2xi32>
  return
}

// -----

func.func @indices() {
  %operand = arith.constant dense<[-1, 3]> : tensor<2xi32>
  %signed = arith.index_cast %operand : tensor<2xi32> to tensor<2xindex>
  %signed_back = arith.index_cast %signed : tensor<2xindex> to tensor<2xi64>
  check.expect_eq_const %signed_back, dense<[-1, 3]> : tensor<2xi64>
  %unsigned = arith.index_castui %operand : tensor<2xi32> to tensor<2xindex>
  %unsigned_back = arith.index_cast %unsigned : tensor<2xindex> to tensor<2xi64>
  check.expect_eq_const %unsigned_back, dense<[4294967295, 3]> : tensor<2xi64>
  return
}
