// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %output = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  check.expect_eq_const %output, dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  return
}

// -----

func.func @booleans() {
  %output = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  check.expect_eq_const %output, dense<[false, true]> : tensor<2xi1>
  return
}

// -----

func.func @i2() {
  %output = stablehlo.constant dense<[-2, -1, 0, 1]> : tensor<4xi2>
  check.expect_eq_const %output, dense<[-2, -1, 0, 1]> : tensor<4xi2>
  return
}

// -----

func.func @i4() {
  %output = stablehlo.constant dense<[-8, -1, 0, 7]> : tensor<4xi4>
  check.expect_eq_const %output, dense<[-8, -1, 0, 7]> : tensor<4xi4>
  return
}

// -----

func.func @i8() {
  %output = stablehlo.constant dense<[-128, -1, 0, 127]> : tensor<4xi8>
  check.expect_eq_const %output, dense<[-128, -1, 0, 127]> : tensor<4xi8>
  return
}

// -----

func.func @i16() {
  %output = stablehlo.constant dense<[-32768, -1, 0, 32767]> : tensor<4xi16>
  check.expect_eq_const %output, dense<[-32768, -1, 0, 32767]> : tensor<4xi16>
  return
}

// -----

func.func @i32() {
  %output = stablehlo.constant dense<[-2147483648, -1, 0, 2147483647]> : tensor<4xi32>
  check.expect_eq_const %output, dense<[-2147483648, -1, 0, 2147483647]> : tensor<4xi32>
  return
}

// -----

func.func @i64() {
  %output = stablehlo.constant dense<[-9223372036854775808, -1, 0, 9223372036854775807]> : tensor<4xi64>
  check.expect_eq_const %output, dense<[-9223372036854775808, -1, 0, 9223372036854775807]> : tensor<4xi64>
  return
}

// -----

func.func @ui2() {
  %output = stablehlo.constant dense<[0, 1, 3]> : tensor<3xui2>
  check.expect_eq_const %output, dense<[0, 1, 3]> : tensor<3xui2>
  return
}

// -----

func.func @ui4() {
  %output = stablehlo.constant dense<[0, 1, 15]> : tensor<3xui4>
  check.expect_eq_const %output, dense<[0, 1, 15]> : tensor<3xui4>
  return
}

// -----

func.func @ui8() {
  %output = stablehlo.constant dense<[0, 1, 255]> : tensor<3xui8>
  check.expect_eq_const %output, dense<[0, 1, 255]> : tensor<3xui8>
  return
}

// -----

func.func @ui16() {
  %output = stablehlo.constant dense<[0, 1, 65535]> : tensor<3xui16>
  check.expect_eq_const %output, dense<[0, 1, 65535]> : tensor<3xui16>
  return
}

// -----

func.func @ui32() {
  %output = stablehlo.constant dense<[0, 1, 4294967295]> : tensor<3xui32>
  check.expect_eq_const %output, dense<[0, 1, 4294967295]> : tensor<3xui32>
  return
}

// -----

func.func @ui64() {
  %output = stablehlo.constant dense<[0, 1, 18446744073709551615]> : tensor<3xui64>
  check.expect_eq_const %output, dense<[0, 1, 18446744073709551615]> : tensor<3xui64>
  return
}

// -----

func.func @f4e2m1fn() {
  %output = stablehlo.constant dense<[0.5, -1.0, 0.0, 6.0]> : tensor<4xf4E2M1FN>
  check.expect_eq_const %output, dense<[0.5, -1.0, 0.0, 6.0]> : tensor<4xf4E2M1FN>
  return
}

// -----

func.func @f6e2m3fn() {
  %output = stablehlo.constant dense<[0.125, -1.0, 0.0, 7.5]> : tensor<4xf6E2M3FN>
  check.expect_eq_const %output, dense<[0.125, -1.0, 0.0, 7.5]> : tensor<4xf6E2M3FN>
  return
}

// -----

func.func @f6e3m2fn() {
  %output = stablehlo.constant dense<[0.0625, -1.0, 0.0, 28.0]> : tensor<4xf6E3M2FN>
  check.expect_eq_const %output, dense<[0.0625, -1.0, 0.0, 28.0]> : tensor<4xf6E3M2FN>
  return
}

// -----

func.func @f8e3m4() {
  %output = stablehlo.constant dense<[0.015625, -1.0, 0.0, 15.5]> : tensor<4xf8E3M4>
  check.expect_eq_const %output, dense<[0.015625, -1.0, 0.0, 15.5]> : tensor<4xf8E3M4>
  return
}

// -----

func.func @f8e4m3() {
  %output = stablehlo.constant dense<[0.001953125, -1.0, 0.0, 240.0]> : tensor<4xf8E4M3>
  check.expect_eq_const %output, dense<[0.001953125, -1.0, 0.0, 240.0]> : tensor<4xf8E4M3>
  return
}

// -----

func.func @f8e4m3fn() {
  %output = stablehlo.constant dense<[0.001953125, -1.0, 0.0, 448.0]> : tensor<4xf8E4M3FN>
  check.expect_eq_const %output, dense<[0.001953125, -1.0, 0.0, 448.0]> : tensor<4xf8E4M3FN>
  return
}

// -----

func.func @f8e4m3fnuz() {
  %output = stablehlo.constant dense<[0.0009765625, -1.0, 0.0, 240.0]> : tensor<4xf8E4M3FNUZ>
  check.expect_eq_const %output, dense<[0.0009765625, -1.0, 0.0, 240.0]> : tensor<4xf8E4M3FNUZ>
  return
}

// -----

func.func @f8e4m3b11fnuz() {
  %output = stablehlo.constant dense<[0.0001220703125, -1.0, 0.0, 30.0]> : tensor<4xf8E4M3B11FNUZ>
  check.expect_eq_const %output, dense<[0.0001220703125, -1.0, 0.0, 30.0]> : tensor<4xf8E4M3B11FNUZ>
  return
}

// -----

func.func @f8e5m2() {
  %output = stablehlo.constant dense<[1.52587890625E-5, -1.0, 0.0, 57344.0]> : tensor<4xf8E5M2>
  check.expect_eq_const %output, dense<[1.52587890625E-5, -1.0, 0.0, 57344.0]> : tensor<4xf8E5M2>
  return
}

// -----

func.func @f8e5m2fnuz() {
  %output = stablehlo.constant dense<[7.62939453125E-6, -1.0, 0.0, 57344.0]> : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %output, dense<[7.62939453125E-6, -1.0, 0.0, 57344.0]> : tensor<4xf8E5M2FNUZ>
  return
}

// -----

func.func @bf16() {
  %output = stablehlo.constant dense<[9.18354962E-41, -1.0, 0.0, 3.38953139e+38]> : tensor<4xbf16>
  check.expect_eq_const %output, dense<[9.18354962E-41, -1.0, 0.0, 3.38953139e+38]> : tensor<4xbf16>
  return
}

// -----

func.func @f16() {
  %output = stablehlo.constant dense<[5.96046448E-8, -1.0, 0.0, 65504.0]> : tensor<4xf16>
  check.expect_eq_const %output, dense<[5.96046448E-8, -1.0, 0.0, 65504.0]> : tensor<4xf16>
  return
}

// -----

func.func @f32() {
  %output = stablehlo.constant dense<[1.40129846E-45, -1.0, 0.0, 3.40282347E+38]> : tensor<4xf32>
  check.expect_eq_const %output, dense<[1.40129846E-45, -1.0, 0.0, 3.40282347E+38]> : tensor<4xf32>
  return
}

// -----

func.func @f64() {
  %output = stablehlo.constant dense<[4.9406564584124654E-324, -1.0, 0.0, 1.7976931348623157E+308]> : tensor<4xf64>
  check.expect_eq_const %output, dense<[4.9406564584124654E-324, -1.0, 0.0, 1.7976931348623157E+308]> : tensor<4xf64>
  return
}

// -----

func.func @f8e8m0fnu() {
  %output = stablehlo.constant dense<[5.877471754111438e-39, 1.0, 1.7014118346046923e+38]> : tensor<3xf8E8M0FNU>
  check.expect_eq_const %output, dense<[5.877471754111438e-39, 1.0, 1.7014118346046923e+38]> : tensor<3xf8E8M0FNU>
  return
}

// -----

func.func @complex_f32() {
  %output = stablehlo.constant dense<[(1.5, -2.5), (3.40282347E+38, 0.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %output, dense<[(1.5, -2.5), (3.40282347E+38, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// -----

func.func @complex_f64() {
  %output = stablehlo.constant dense<[(1.5, -2.5), (1.7976931348623157E+308, 4.9406564584124654E-324)]> : tensor<2xcomplex<f64>>
  check.expect_eq_const %output, dense<[(1.5, -2.5), (1.7976931348623157E+308, 4.9406564584124654E-324)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @splat() {
  %output = stablehlo.constant dense<7> : tensor<2x3xi64>
  check.expect_eq_const %output, dense<7> : tensor<2x3xi64>
  return
}

// -----

func.func @no_elements() {
  %output = stablehlo.constant dense<> : tensor<0x2xf64>
  check.expect_eq_const %output, dense<> : tensor<0x2xf64>
  return
}

// -----

func.func @rank_zero() {
  %output = stablehlo.constant dense<-0.5> : tensor<f64>
  check.expect_eq_const %output, dense<-0.5> : tensor<f64>
  return
}

// -----

func.func @hexadecimal() {
  %output = stablehlo.constant dense<"0x0000803F000000C0"> : tensor<2xf32>
  check.expect_eq_const %output, dense<[1.0, -2.0]> : tensor<2xf32>
  return
}
