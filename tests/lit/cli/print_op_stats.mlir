// RUN: stablehlo-opt --print-op-stats %s 2>&1 >/dev/null | FileCheck --match-full-lines --strict-whitespace %s
// RUN: stablehlo-opt --print-op-stats=json=true %s 2>&1 >/dev/null | FileCheck --check-prefix=JSON %s
// RUN: stablehlo-opt --pass-pipeline='builtin.module(print-op-stats)' %s 2>/dev/null | FileCheck --check-prefix=PROGRAM %s

//      CHECK:Operations encountered:
// CHECK-NEXT:-----------------------
// CHECK-NEXT:    builtin.module   , 1
// CHECK-NEXT:       func.func     , 1
// CHECK-NEXT:       func.return   , 1
// CHECK-NEXT:  stablehlo.add      , 2
// CHECK-NEXT:  stablehlo.constant , 1
// CHECK-NEXT:  stablehlo.reduce   , 1
// CHECK-NEXT:  stablehlo.return   , 1

// JSON: "stablehlo.add" : 2,
// PROGRAM: applies stablehlo.add

func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %twice = stablehlo.add %x, %x : tensor<4xf32>
  %sum = stablehlo.reduce(%twice init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
