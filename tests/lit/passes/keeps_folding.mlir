// RUN: diff <(stablehlo-opt --stablehlo-aggressive-folder %s) <(stablehlo-opt %s)

// Nothing here may change: each function is next to what a pattern takes.

func.func @keeps_what_the_spec_leaves_open() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xui8>, tensor<2xui8>, tensor<2xi8>, tensor<2xi8>) {
  %a = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %minus = stablehlo.constant dense<[-1, 3]> : tensor<2xi8>
  %zero = stablehlo.constant dense<[3, 0]> : tensor<2xi8>
  %x = stablehlo.constant dense<[256.0, 0.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[-1.0, 0.0]> : tensor<2xf32>
  %z = stablehlo.constant dense<[128.0, 0.0]> : tensor<2xf32>
  %w = stablehlo.constant dense<[-129.0, 0x7FC00000]> : tensor<2xf32>
  %0 = stablehlo.divide %a, %minus : tensor<2xi8>
  %1 = stablehlo.remainder %a, %minus : tensor<2xi8>
  %2 = stablehlo.remainder %a, %zero : tensor<2xi8>
  %3 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xui8>
  %4 = stablehlo.convert %y : (tensor<2xf32>) -> tensor<2xui8>
  %5 = stablehlo.convert %z : (tensor<2xf32>) -> tensor<2xi8>
  %6 = stablehlo.convert %w : (tensor<2xf32>) -> tensor<2xi8>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xui8>, tensor<2xui8>, tensor<2xi8>, tensor<2xi8>
}

func.func @keeps_what_hints_at_a_fault() -> (tensor<2xi32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<[-0.0, 1.0]> : tensor<2xf32>
  %least = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
  %nan = stablehlo.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %0 = stablehlo.convert %zero : (tensor<2xf32>) -> tensor<2xi32>
  %1 = stablehlo.log %zero : tensor<2xf32>
  %2 = stablehlo.log_plus_one %least : tensor<2xf32>
  %3 = stablehlo.rsqrt %zero : tensor<2xf32>
  %4 = stablehlo.sign %nan : tensor<2xf32>
  %5 = stablehlo.sqrt %least : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

func.func @keeps_longer_splats(%x: tensor<2xf32>) -> (tensor<6xf32>, tensor<4xf32>) {
  %a = stablehlo.constant dense<0.0> : tensor<2xf32>
  %b = stablehlo.constant dense<-0.0> : tensor<2xf32>
  %0 = stablehlo.concatenate %a, %x, %a, dim = 0 : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<6xf32>
  %1 = stablehlo.concatenate %x, %b, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<6xf32>, tensor<4xf32>
}
