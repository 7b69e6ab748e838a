// Elementwise ops on floats, integers, complex numbers and small floats.
func.func @main() -> (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xui8>, tensor<4xi1>) {
  %x = stablehlo.constant dense<[-1.5, 0.25, 2.0, 3.75]> : tensor<4xf32>
  %y = stablehlo.constant dense<[0.5, -4.0, 1.25, 2.5]> : tensor<4xf32>
  %i = stablehlo.constant dense<[7, -9, 100, 2147483647]> : tensor<4xi32>
  %j = stablehlo.constant dense<[2, 4, -7, 3]> : tensor<4xi32>
  %0 = stablehlo.abs %y : tensor<4xf32>
  %1 = stablehlo.exponential %x : tensor<4xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4xf32>
  %3 = stablehlo.log_plus_one %2 : tensor<4xf32>
  %4 = stablehlo.tanh %3 : tensor<4xf32>
  %5 = stablehlo.maximum %4, %x : tensor<4xf32>
  %6 = stablehlo.convert %5 : (tensor<4xf32>) -> tensor<4xbf16>
  %7 = stablehlo.convert %6 : (tensor<4xbf16>) -> tensor<4xf32>
  %8 = stablehlo.add %5, %7 : tensor<4xf32>
  %9 = stablehlo.divide %i, %j : tensor<4xi32>
  %10 = stablehlo.remainder %i, %j : tensor<4xi32>
  %11 = stablehlo.shift_right_arithmetic %i, %9 : tensor<4xi32>
  %12 = stablehlo.xor %10, %9 : tensor<4xi32>
  %13 = stablehlo.complex %x, %y : tensor<4xcomplex<f32>>
  %14 = stablehlo.multiply %13, %13 : tensor<4xcomplex<f32>>
  %15 = stablehlo.imag %14 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %16 = stablehlo.constant dense<[1, 2, 250, 255]> : tensor<4xui8>
  %17 = stablehlo.popcnt %16 : tensor<4xui8>
  %18 = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %19 = stablehlo.select %18, %15, %8 : tensor<4xi1>, tensor<4xf32>
  return %8, %12, %19, %17, %18 : tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xui8>, tensor<4xi1>
}
