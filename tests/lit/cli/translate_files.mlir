// Arguments from numpy's files and results into them; types that numpy lacks travel as unsigned integers.
// RUN: rm -rf %t && mkdir %t
// RUN: stablehlo-translate --interpret %s --function=make --output=@%t/all.npz
// RUN: stablehlo-translate --interpret %s --inputs=%t/all.npz | FileCheck %s
// RUN: stablehlo-translate --interpret %s --function=one --output=%t/one.npy
// RUN: stablehlo-translate --interpret %s --function=two --output=%t/two.npy
// RUN: stablehlo-translate --interpret %s --input=@%t/one.npy --input=@%t/two.npy | FileCheck %s
// RUN: not stablehlo-translate --interpret %s --function=make --output=%t/all.npy 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: not ls %t/all.npy
// RUN: not stablehlo-translate --interpret %s --function=make --output=%t/all.csv 2>&1 | FileCheck --check-prefix=ENDING %s
// RUN: not stablehlo-translate --interpret %s --input=%t/one.npy 2>&1 | FileCheck --check-prefix=COUNT %s
// RUN: not stablehlo-translate --interpret %s --input=%t/two.npy --input=%t/one.npy 2>&1 | FileCheck --check-prefix=TYPE %s
// RUN: not stablehlo-translate --interpret %s --input=%s 2>&1 | FileCheck --check-prefix=NOT_NUMPY %s
// RUN: not stablehlo-translate --interpret %s --input=%t/missing.npy 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: not stablehlo-translate --interpret %s --inputs=%t/one.npy 2>&1 | FileCheck --check-prefix=ARCHIVE %s
// RUN: not stablehlo-translate --interpret %s --inputs=%t/all.npz --args=[] 2>&1 | FileCheck --check-prefix=EXCLUDE %s

// ONE: an .npy file holds one array, not 2; use an .npz file
// ENDING: ends in neither .npy nor .npz
// COUNT: error: function @main takes 2 arguments, not 1
// TYPE: error: argument 0 of function @main is tensor<2xui8> instead of tensor<2xbf16>
// NOT_NUMPY: is not a numpy file
// MISSING: cannot read '{{.*}}missing.npy': No such file or directory
// ARCHIVE: holds one array; --input takes it
// EXCLUDE: --args, --input and --inputs exclude each other

// CHECK: tensor<2xbf16> {
// CHECK-NEXT: [3.000000e+00, -5.000000e-01]
// CHECK: tensor<2xi4> {
// CHECK-NEXT: [-8, 6]
func.func @main(%a: tensor<2xbf16>, %b: tensor<2xi4>) -> (tensor<2xbf16>, tensor<2xi4>) {
  %twice = stablehlo.add %a, %a : tensor<2xbf16>
  %sum = stablehlo.add %b, %b : tensor<2xi4>
  return %twice, %sum : tensor<2xbf16>, tensor<2xi4>
}
func.func @make() -> (tensor<2xbf16>, tensor<2xi4>) {
  %a = stablehlo.constant dense<[1.5, -0.25]> : tensor<2xbf16>
  %b = stablehlo.constant dense<[4, 3]> : tensor<2xi4>
  return %a, %b : tensor<2xbf16>, tensor<2xi4>
}
func.func @one() -> tensor<2xbf16> {
  %a = stablehlo.constant dense<[1.5, -0.25]> : tensor<2xbf16>
  return %a : tensor<2xbf16>
}
func.func @two() -> tensor<2xi4> {
  %b = stablehlo.constant dense<[4, 3]> : tensor<2xi4>
  return %b : tensor<2xi4>
}
