// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @arithmetic() {
  %lhs = arith.constant dense<[7.5, -7.5, 0.5, 2.0]> : tensor<4xf64>
  %rhs = arith.constant dense<[2.0, 2.0, -0.25, 2.0]> : tensor<4xf64>
  %sum = arith.addf %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %sum, dense<[9.5, -5.5, 0.25, 4.0]> : tensor<4xf64>
  %difference = arith.subf %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %difference, dense<[5.5, -9.5, 0.75, 0.0]> : tensor<4xf64>
  %product = arith.mulf %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %product, dense<[15.0, -15.0, -0.125, 4.0]> : tensor<4xf64>
  %quotient = arith.divf %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %quotient, dense<[3.75, -3.75, -2.0, 1.0]> : tensor<4xf64>
  %remainder = arith.remf %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %remainder, dense<[1.5, -1.5, 0.0, 0.0]> : tensor<4xf64>
  %negated = arith.negf %lhs : tensor<4xf64>
  check.expect_eq_const %negated, dense<[-7.5, 7.5, -0.5, -2.0]> : tensor<4xf64>
  return
}

// -----

func.func @extremes() {
  %lhs = arith.constant dense<[1.0, 0x7FF8000000000000, -2.0, 3.0]> : tensor<4xf64>
  %rhs = arith.constant dense<[2.0, 1.0, 0x7FF8000000000000, -3.0]> : tensor<4xf64>
  %maximum = arith.maximumf %lhs, %rhs : tensor<4xf64>
  check.expect_almost_eq_const %maximum, dense<[2.0, 0x7FF8000000000000, 0x7FF8000000000000, 3.0]> : tensor<4xf64>
  %minimum = arith.minimumf %lhs, %rhs : tensor<4xf64>
  check.expect_almost_eq_const %minimum, dense<[1.0, 0x7FF8000000000000, 0x7FF8000000000000, -3.0]> : tensor<4xf64>
  %larger_number = arith.maxnumf %lhs, %rhs : tensor<4xf64>
  check.expect_almost_eq_const %larger_number, dense<[2.0, 1.0, -2.0, 3.0]> : tensor<4xf64>
  %smaller_number = arith.minnumf %lhs, %rhs : tensor<4xf64>
  check.expect_almost_eq_const %smaller_number, dense<[1.0, 1.0, -2.0, -3.0]> : tensor<4xf64>
  return
}

// -----

// Less, equal, greater, unordered.
func.func @comparisons() {
  %lhs = arith.constant dense<[1.0, 2.0, 2.0, 0x7FF8000000000000]> : tensor<4xf64>
  %rhs = arith.constant dense<[2.0, 2.0, 1.0, 0.0]> : tensor<4xf64>
  %oeq = arith.cmpf oeq, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %oeq, dense<[false, true, false, false]> : tensor<4xi1>
  %ogt = arith.cmpf ogt, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %ogt, dense<[false, false, true, false]> : tensor<4xi1>
  %oge = arith.cmpf oge, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %oge, dense<[false, true, true, false]> : tensor<4xi1>
  %olt = arith.cmpf olt, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %olt, dense<[true, false, false, false]> : tensor<4xi1>
  %ole = arith.cmpf ole, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %ole, dense<[true, true, false, false]> : tensor<4xi1>
  %one = arith.cmpf one, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %one, dense<[true, false, true, false]> : tensor<4xi1>
  %ord = arith.cmpf ord, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %ord, dense<[true, true, true, false]> : tensor<4xi1>
  %ueq = arith.cmpf ueq, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %ueq, dense<[false, true, false, true]> : tensor<4xi1>
  %ugt = arith.cmpf ugt, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %ugt, dense<[false, false, true, true]> : tensor<4xi1>
  %uge = arith.cmpf uge, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %uge, dense<[false, true, true, true]> : tensor<4xi1>
  %ult = arith.cmpf ult, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %ult, dense<[true, false, false, true]> : tensor<4xi1>
  %ule = arith.cmpf ule, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %ule, dense<[true, true, false, true]> : tensor<4xi1>
  %une = arith.cmpf une, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %une, dense<[true, false, true, true]> : tensor<4xi1>
  %uno = arith.cmpf uno, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %uno, dense<[false, false, false, true]> : tensor<4xi1>
  %never = arith.cmpf false, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %never, dense<false> : tensor<4xi1>
  %always = arith.cmpf true, %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %always, dense<true> : tensor<4xi1>
  return
}
