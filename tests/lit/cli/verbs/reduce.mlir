// RUN: rm -rf %t.work && stablehlo reduce %s --engine=reference:bf16 --reference=reference --tolerance=0.1ulp --jobs=1 --output=%t.mlir --issue=%t.md --work=%t.work --keep | FileCheck %s
// RUN: FileCheck %s --check-prefix=REDUCED --input-file=%t.mlir
// RUN: FileCheck %s --check-prefix=ISSUE --input-file=%t.md
// RUN: stablehlo reduce %s --xla=xla_backend_optimization_level=0 --tolerance=0ulp --reference=reference:bf16 --jobs=1 -o %t.mlir --test=%t.test.mlir | FileCheck %s --check-prefix=TEST
// RUN: FileCheck %s --check-prefix=CHECKS --input-file=%t.test.mlir
// RUN: not stablehlo reduce %s --engine=reference:bf16 --tolerance=0.1ulp --cluster=none:// -o %t.mlir 2>&1 | FileCheck %s --check-prefix=CLUSTER
// CLUSTER: error: the cluster at none:// does not answer: unknown address scheme 'none'
// CHECK: values differ in digit {{[45]}}: 3 ops reduced to 1 in
// REDUCED: func.func @main
// ISSUE: ## values differ in digit {{[45]}} on a program of 1 op
// TEST: wrote {{.*}}.test.mlir, which reference:bf16 passes
// CHECKS: check.expect_almost_eq_const
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
