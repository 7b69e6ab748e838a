// Since 0.9.0: a constant of each element type of that version. Small types are converted for their results.
func.func @main() -> (tensor<3xi32>, tensor<3xi8>, tensor<3xi16>, tensor<3xi32>, tensor<3xi64>, tensor<3xui32>, tensor<3xui8>, tensor<3xui16>, tensor<3xui32>, tensor<3xui64>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf16>, tensor<3xf32>, tensor<3xf64>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f64>>) {
  %0 = stablehlo.constant dense<[-8, 3, 7]> : tensor<3xi4>
  %1 = stablehlo.convert %0 : (tensor<3xi4>) -> tensor<3xi32>
  %2 = stablehlo.constant dense<[-128, 5, 127]> : tensor<3xi8>
  %3 = stablehlo.constant dense<[-32768, 5, 32767]> : tensor<3xi16>
  %4 = stablehlo.constant dense<[-2147483648, 5, 2147483647]> : tensor<3xi32>
  %5 = stablehlo.constant dense<[-2147483649, 5, 2147483648]> : tensor<3xi64>
  %6 = stablehlo.constant dense<[0, 9, 15]> : tensor<3xui4>
  %7 = stablehlo.convert %6 : (tensor<3xui4>) -> tensor<3xui32>
  %8 = stablehlo.constant dense<[0, 5, 255]> : tensor<3xui8>
  %9 = stablehlo.constant dense<[0, 5, 65535]> : tensor<3xui16>
  %10 = stablehlo.constant dense<[0, 5, 4294967295]> : tensor<3xui32>
  %11 = stablehlo.constant dense<[0, 5, 18446744073709551615]> : tensor<3xui64>
  %12 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf8E4M3FN>
  %13 = stablehlo.convert %12 : (tensor<3xf8E4M3FN>) -> tensor<3xf32>
  %14 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf8E5M2>
  %15 = stablehlo.convert %14 : (tensor<3xf8E5M2>) -> tensor<3xf32>
  %16 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xbf16>
  %17 = stablehlo.convert %16 : (tensor<3xbf16>) -> tensor<3xf32>
  %18 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf16>
  %19 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf32>
  %20 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf64>
  %21 = stablehlo.constant dense<[(1.5, -2.0), (0.0, 1.0), (-0.25, 4.0)]> : tensor<3xcomplex<f32>>
  %22 = stablehlo.constant dense<[(1.5, -2.0), (0.0, 1.0), (-0.25, 4.0)]> : tensor<3xcomplex<f64>>
  return %1, %2, %3, %4, %5, %7, %8, %9, %10, %11, %13, %15, %17, %18, %19, %20, %21, %22 : tensor<3xi32>, tensor<3xi8>, tensor<3xi16>, tensor<3xi32>, tensor<3xi64>, tensor<3xui32>, tensor<3xui8>, tensor<3xui16>, tensor<3xui32>, tensor<3xui64>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf16>, tensor<3xf32>, tensor<3xf64>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f64>>
}
