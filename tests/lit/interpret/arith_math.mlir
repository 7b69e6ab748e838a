// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @functions() {
  %absf_operand = arith.constant dense<[-1.5, 2.0]> : tensor<2xf64>
  %absf = math.absf %absf_operand : tensor<2xf64>
  check.expect_almost_eq_const %absf, dense<[1.5, 2.0]> : tensor<2xf64>
  %cbrt_operand = arith.constant dense<[8.0, -27.0]> : tensor<2xf64>
  %cbrt = math.cbrt %cbrt_operand : tensor<2xf64>
  check.expect_almost_eq_const %cbrt, dense<[2.0, -3.0]> : tensor<2xf64>
  %ceil_operand = arith.constant dense<[-1.5, 1.2]> : tensor<2xf64>
  %ceil = math.ceil %ceil_operand : tensor<2xf64>
  check.expect_almost_eq_const %ceil, dense<[-1.0, 2.0]> : tensor<2xf64>
  %cos_operand = arith.constant dense<[0.0, 3.141592653589793]> : tensor<2xf64>
  %cos = math.cos %cos_operand : tensor<2xf64>
  check.expect_almost_eq_const %cos, dense<[1.0, -1.0]> : tensor<2xf64>
  %exp_operand = arith.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %exp = math.exp %exp_operand : tensor<2xf64>
  check.expect_almost_eq_const %exp, dense<[1.0, 2.718281828459045]> : tensor<2xf64>
  %expm1_operand = arith.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %expm1 = math.expm1 %expm1_operand : tensor<2xf64>
  check.expect_almost_eq_const %expm1, dense<[0.0, 1.718281828459045]> : tensor<2xf64>
  %floor_operand = arith.constant dense<[-1.5, 1.2]> : tensor<2xf64>
  %floor = math.floor %floor_operand : tensor<2xf64>
  check.expect_almost_eq_const %floor, dense<[-2.0, 1.0]> : tensor<2xf64>
  %log_operand = arith.constant dense<[1.0, 2.718281828459045]> : tensor<2xf64>
  %log = math.log %log_operand : tensor<2xf64>
  check.expect_almost_eq_const %log, dense<[0.0, 1.0]> : tensor<2xf64>
  %log1p_operand = arith.constant dense<[0.0, 1.718281828459045]> : tensor<2xf64>
  %log1p = math.log1p %log1p_operand : tensor<2xf64>
  check.expect_almost_eq_const %log1p, dense<[0.0, 1.0]> : tensor<2xf64>
  %round_operand = arith.constant dense<[2.5, -2.5]> : tensor<2xf64>
  %round = math.round %round_operand : tensor<2xf64>
  check.expect_almost_eq_const %round, dense<[3.0, -3.0]> : tensor<2xf64>
  %roundeven_operand = arith.constant dense<[2.5, -3.5]> : tensor<2xf64>
  %roundeven = math.roundeven %roundeven_operand : tensor<2xf64>
  check.expect_almost_eq_const %roundeven, dense<[2.0, -4.0]> : tensor<2xf64>
  %rsqrt_operand = arith.constant dense<[4.0, 0.25]> : tensor<2xf64>
  %rsqrt = math.rsqrt %rsqrt_operand : tensor<2xf64>
  check.expect_almost_eq_const %rsqrt, dense<[0.5, 2.0]> : tensor<2xf64>
  %sin_operand = arith.constant dense<[0.0, 1.5707963267948966]> : tensor<2xf64>
  %sin = math.sin %sin_operand : tensor<2xf64>
  check.expect_almost_eq_const %sin, dense<[0.0, 1.0]> : tensor<2xf64>
  %sqrt_operand = arith.constant dense<[4.0, 2.25]> : tensor<2xf64>
  %sqrt = math.sqrt %sqrt_operand : tensor<2xf64>
  check.expect_almost_eq_const %sqrt, dense<[2.0, 1.5]> : tensor<2xf64>
  %tan_operand = arith.constant dense<[0.0, 0.7853981633974483]> : tensor<2xf64>
  %tan = math.tan %tan_operand : tensor<2xf64>
  check.expect_almost_eq_const %tan, dense<[0.0, 1.0]> : tensor<2xf64>
  %tanh_operand = arith.constant dense<[0.0, 0.5493061443340549]> : tensor<2xf64>
  %tanh = math.tanh %tanh_operand : tensor<2xf64>
  check.expect_almost_eq_const %tanh, dense<[0.0, 0.5]> : tensor<2xf64>
  return
}

// -----

func.func @functions_of_two() {
  %lhs = arith.constant dense<[2.0, 9.0]> : tensor<2xf64>
  %rhs = arith.constant dense<[3.0, 0.5]> : tensor<2xf64>
  %power = math.powf %lhs, %rhs : tensor<2xf64>
  check.expect_almost_eq_const %power, dense<[8.0, 3.0]> : tensor<2xf64>
  %angle = math.atan2 %rhs, %rhs : tensor<2xf64>
  check.expect_almost_eq_const %angle, dense<[0.7853981633974483, 0.7853981633974483]> : tensor<2xf64>
  return
}

// -----

func.func @integers() {
  %operand = arith.constant dense<[-3, 40]> : tensor<2xi32>
  %exponent = arith.constant dense<[3, 2]> : tensor<2xi32>
  %absolute = math.absi %operand : tensor<2xi32>
  check.expect_eq_const %absolute, dense<[3, 40]> : tensor<2xi32>
  %leading = math.ctlz %operand : tensor<2xi32>
  check.expect_eq_const %leading, dense<[0, 26]> : tensor<2xi32>
  %count = math.ctpop %operand : tensor<2xi32>
  check.expect_eq_const %count, dense<[31, 2]> : tensor<2xi32>
  %power = math.ipowi %operand, %exponent : tensor<2xi32>
  check.expect_eq_const %power, dense<[-27, 1600]> : tensor<2xi32>
  return
}
