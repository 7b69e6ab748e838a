// RUN: stablehlo-translate --interpret %s --args='[dense<[1, 2]> : tensor<2xi32>, dense<3> : tensor<2xi32>]' | FileCheck %s
// RUN: stablehlo-translate -interpret - -args '[dense<[1, 2]> : tensor<2xi32>, dense<3> : tensor<2xi32>]' < %s | FileCheck %s
// RUN: stablehlo-translate --interpret %s --interpreter-print-dense --args='[dense<[1, 2]> : tensor<2xi32>, dense<3> : tensor<2xi32>]' | FileCheck --check-prefix=DENSE %s
// RUN: stablehlo-translate --interpret %s --function=other | FileCheck --check-prefix=OTHER %s
// RUN: stablehlo-translate --interpret %s --function=other -o %t.txt && FileCheck --check-prefix=OTHER --input-file=%t.txt %s
// RUN: stablehlo-translate --interpret %s --function=other --profile 2>&1 | FileCheck --check-prefix=PROFILE %s
// RUN: stablehlo-translate --interpret %s --function=other --progress 2>&1 | FileCheck --check-prefix=OTHER %s

// Both portable artifacts and plain bytecode can be run.
// RUN: stablehlo-translate --serialize %s | stablehlo-translate --interpret --function=other | FileCheck --check-prefix=OTHER %s
// RUN: stablehlo-opt --emit-bytecode %s | stablehlo-translate --interpret --function=other | FileCheck --check-prefix=OTHER %s

// CHECK: tensor<2xi32> {
// CHECK-NEXT: [4, 5]
// CHECK-NEXT: }
// DENSE: dense<[4, 5]> : tensor<2xi32>
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %sum = stablehlo.add %a, %b : tensor<2xi32>
  return %sum : tensor<2xi32>
}

// OTHER: tensor<i1> {true}
// OTHER-NEXT: tensor<complex<f32>> {{{}}[1.500000e+00, -2.000000e+00]}
// PROFILE: time{{ +}}share{{ +}}count{{ +}}result bytes  op
// PROFILE: 9  stablehlo.constant
// PROFILE: translate_interpret.mlir:[[# @LINE + 2]]:11
func.func @other() -> (tensor<i1>, tensor<complex<f32>>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %complex = stablehlo.constant dense<(1.5, -2.0)> : tensor<complex<f32>>
  return %true, %complex : tensor<i1>, tensor<complex<f32>>
}
