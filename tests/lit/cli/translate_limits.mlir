// RUN: not stablehlo-translate --interpret %s --max-steps=1000 2>&1 | FileCheck --check-prefix=STEPS %s
// RUN: not stablehlo-translate --interpret %s --function=huge 2>&1 | FileCheck --check-prefix=HUGE %s
// RUN: not stablehlo-translate --interpret %s --function=small --max-memory=1000 2>&1 | FileCheck --check-prefix=SMALL %s
// RUN: stablehlo-translate --interpret %s --function=small --max-memory=5000 | FileCheck --check-prefix=FITS %s
// RUN: not stablehlo-translate --interpret %s --function=recursive 2>&1 | FileCheck --check-prefix=DEEP %s

// STEPS: error: 'stablehlo.{{.*}}' op would be op number 1001 to run, past the limit of 1000
// STEPS: note: --max-steps=N (max_steps in the API) moves the limit
func.func @main() -> tensor<i64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %result = stablehlo.while(%value = %zero) : tensor<i64> cond {
    %always = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %always : tensor<i1>
  } do {
    %same = stablehlo.add %value, %value : tensor<i64>
    stablehlo.return %same : tensor<i64>
  }
  return %result : tensor<i64>
}

// HUGE: translate_limits.mlir:[[# @LINE + 4]]:{{[0-9]+}}: error: 'stablehlo.broadcast_in_dim' op needs 4611686018427387904 bytes, more than the limit of
// HUGE: note: --max-memory=BYTES (max_memory in the API) moves the limit
func.func @huge() -> tensor<1073741824x1073741824xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %result = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<1073741824x1073741824xf32>
  return %result : tensor<1073741824x1073741824xf32>
}

// SMALL: error: 'stablehlo.broadcast_in_dim' op needs 4000 bytes, more than the limit of 1000 bytes
// FITS: tensor<1000xf32>
func.func @small() -> tensor<1000xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %result = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<1000xf32>
  return %result : tensor<1000xf32>
}

// DEEP: error: 'func.call' op calls go too deep
func.func @recursive() -> tensor<i64> {
  %result = func.call @recursive() : () -> tensor<i64>
  return %result : tensor<i64>
}
