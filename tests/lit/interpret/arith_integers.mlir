// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @arithmetic() {
  %lhs = arith.constant dense<[17, -17, 5, -1]> : tensor<4xi32>
  %rhs = arith.constant dense<[5, 5, -3, 2]> : tensor<4xi32>
  %sum = arith.addi %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %sum, dense<[22, -12, 2, 1]> : tensor<4xi32>
  %difference = arith.subi %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %difference, dense<[12, -22, 8, -3]> : tensor<4xi32>
  %product = arith.muli %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %product, dense<[85, -85, -15, -2]> : tensor<4xi32>
  return
}

// -----

func.func @signed_division() {
  %lhs = arith.constant dense<[17, -17, 5, -1]> : tensor<4xi32>
  %rhs = arith.constant dense<[5, 5, -3, 2]> : tensor<4xi32>
  %quotient = arith.divsi %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %quotient, dense<[3, -3, -1, 0]> : tensor<4xi32>
  %remainder = arith.remsi %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %remainder, dense<[2, -2, 2, -1]> : tensor<4xi32>
  %floor = arith.floordivsi %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %floor, dense<[3, -4, -2, -1]> : tensor<4xi32>
  %ceiling = arith.ceildivsi %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %ceiling, dense<[4, -3, -1, 0]> : tensor<4xi32>
  return
}

// -----

// -17 is 4294967279, -3 is 4294967293, -1 is 4294967295.
func.func @unsigned_division() {
  %lhs = arith.constant dense<[17, -17, 5, -1]> : tensor<4xi32>
  %rhs = arith.constant dense<[5, 5, -3, 2]> : tensor<4xi32>
  %quotient = arith.divui %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %quotient, dense<[3, 858993455, 0, 2147483647]> : tensor<4xi32>
  %remainder = arith.remui %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %remainder, dense<[2, 4, 5, 1]> : tensor<4xi32>
  %ceiling = arith.ceildivui %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %ceiling, dense<[4, 858993456, 1, -2147483648]> : tensor<4xi32>
  return
}

// -----

func.func @extremes() {
  %lhs = arith.constant dense<[17, -17, 5, -1]> : tensor<4xi32>
  %rhs = arith.constant dense<[5, 5, -3, 2]> : tensor<4xi32>
  %signed_maximum = arith.maxsi %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %signed_maximum, dense<[17, 5, 5, 2]> : tensor<4xi32>
  %signed_minimum = arith.minsi %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %signed_minimum, dense<[5, -17, -3, -1]> : tensor<4xi32>
  %unsigned_maximum = arith.maxui %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %unsigned_maximum, dense<[17, -17, -3, -1]> : tensor<4xi32>
  %unsigned_minimum = arith.minui %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %unsigned_minimum, dense<[5, 5, 5, 2]> : tensor<4xi32>
  return
}

// -----

func.func @bits() {
  %lhs = arith.constant dense<[17, -17, 5, -1]> : tensor<4xi32>
  %rhs = arith.constant dense<[5, 5, -3, 2]> : tensor<4xi32>
  %conjunction = arith.andi %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %conjunction, dense<[1, 5, 5, 2]> : tensor<4xi32>
  %disjunction = arith.ori %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %disjunction, dense<[21, -17, -3, -1]> : tensor<4xi32>
  %exclusive = arith.xori %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %exclusive, dense<[20, -22, -8, -3]> : tensor<4xi32>
  return
}

// -----

func.func @shifts() {
  %lhs = arith.constant dense<[1, -16, -1, 7]> : tensor<4xi32>
  %rhs = arith.constant dense<[4, 2, 31, 1]> : tensor<4xi32>
  %left = arith.shli %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %left, dense<[16, -64, -2147483648, 14]> : tensor<4xi32>
  %arithmetic = arith.shrsi %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %arithmetic, dense<[0, -4, -1, 3]> : tensor<4xi32>
  %logical = arith.shrui %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %logical, dense<[0, 1073741820, 1, 3]> : tensor<4xi32>
  return
}

// -----

func.func @comparisons() {
  %lhs = arith.constant dense<[1, -1, 2, 3]> : tensor<4xi32>
  %rhs = arith.constant dense<[1, 1, 3, -3]> : tensor<4xi32>
  %eq = arith.cmpi eq, %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %eq, dense<[true, false, false, false]> : tensor<4xi1>
  %ne = arith.cmpi ne, %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %ne, dense<[false, true, true, true]> : tensor<4xi1>
  %slt = arith.cmpi slt, %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %slt, dense<[false, true, true, false]> : tensor<4xi1>
  %sle = arith.cmpi sle, %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %sle, dense<[true, true, true, false]> : tensor<4xi1>
  %sgt = arith.cmpi sgt, %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %sgt, dense<[false, false, false, true]> : tensor<4xi1>
  %sge = arith.cmpi sge, %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %sge, dense<[true, false, false, true]> : tensor<4xi1>
  %ult = arith.cmpi ult, %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %ult, dense<[false, false, true, true]> : tensor<4xi1>
  %ule = arith.cmpi ule, %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %ule, dense<[true, false, true, true]> : tensor<4xi1>
  %ugt = arith.cmpi ugt, %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %ugt, dense<[false, true, false, false]> : tensor<4xi1>
  %uge = arith.cmpi uge, %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %uge, dense<[true, true, false, false]> : tensor<4xi1>
  return
}

// -----

// Modulo 2, which is not what StableHLO's booleans have; a set bit is -1 with a sign.
func.func @one_bit() {
  %lhs = arith.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = arith.constant dense<[false, true, false, true]> : tensor<4xi1>
  %sum = arith.addi %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %sum, dense<[false, true, true, false]> : tensor<4xi1>
  %difference = arith.subi %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %difference, dense<[false, true, true, false]> : tensor<4xi1>
  %product = arith.muli %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %product, dense<[false, false, false, true]> : tensor<4xi1>
  %slt = arith.cmpi slt, %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %slt, dense<[false, false, true, false]> : tensor<4xi1>
  %ult = arith.cmpi ult, %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %ult, dense<[false, true, false, false]> : tensor<4xi1>
  return
}

// -----

func.func @select() {
  %condition = arith.constant dense<[true, false, true, false]> : tensor<4xi1>
  %true_value = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %false_value = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
  %chosen = arith.select %condition, %true_value, %false_value : tensor<4xi1>, tensor<4xi32>
  check.expect_eq_const %chosen, dense<[1, 6, 3, 8]> : tensor<4xi32>
  return
}

// -----

func.func @scalars() {
  %four = arith.constant 4 : index
  %three = arith.constant 3 : index
  %sum = arith.addi %four, %three : index
  %wide = arith.index_cast %sum : index to i64
  %tensor = tensor.from_elements %wide : tensor<1xi64>
  check.expect_eq_const %tensor, dense<7> : tensor<1xi64>
  return
}
