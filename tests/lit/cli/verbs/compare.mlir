// RUN: not stablehlo compare %s --engine=reference:bf16 --tolerance=0.1ulp | FileCheck %s
// RUN: not stablehlo compare %s --engines=reference,reference:flush --engine=reference:bf16 --tolerance=0.1ulp | FileCheck %s --check-prefix=THREE
// THREE: differs: 1 of 2 results agree with reference
// RUN: stablehlo compare %s --engines=reference,xla --samples=2 --tolerance=f32=4ulp --junit=%t.xml | FileCheck %s --check-prefix=SAME
// RUN: FileCheck %s --check-prefix=JUNIT --input-file=%t.xml
// RUN: not stablehlo compare %s --engine=reference --engine=reference:bf16 --tolerance=0.1ulp | FileCheck %s
// RUN: not stablehlo compare %s --engine=reference --engine=reference:bf16 --tolerance=0=0.1ulp --json | FileCheck %s --check-prefix=JSON
// RUN: not stablehlo compare %s --xla=xla_backend_optimization_level=0 --engine=reference:flush --engine=xla --engine=xla:plugin=%t.none.so | FileCheck %s --check-prefix=PLUGIN
// RUN: sed 's/stablehlo.negate %1/stablehlo.tanh %1/' %s > %t.tanh.mlir
// RUN: not stablehlo compare %t.tanh.mlir --engine=reference:bf16 --profile=strict --tolerance=0.01ulp --verdict-only | FileCheck %s --check-prefix=ONLY
// ONLY: differs: 0 of 1 results agree with reference
// ONLY-NEXT: largest difference
// ONLY-NOT: first wrong op
// RUN: stablehlo compare %s --engine=xla | FileCheck %s --check-prefix=ADDS
// ADDS: same: 1 of 1 results agree with reference
// RUN: not stablehlo compare %s --tolerance=7=4ulp 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not stablehlo compare %s --input-distribution=2=zeros 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: stablehlo compare %s --engines=reference,reference:flush --samples=2 --cluster=local --jobs=1 | FileCheck %s --check-prefix=SAME
// RESULT: error: a tolerance is for result 7, but the program has 1, from 0 on
// ARGUMENT: error: a distribution is for argument 2, but the program has 2, from 0 on
// PLUGIN: sample 0: xla:{{.*}}none.so{{.*}}: rejected: does not start:
// PLUGIN: could not be run: 1 of 1 results agree with reference:flush
// SAME: same: 2 of 2 results agree with reference
// JUNIT: <testsuite
// CHECK: sample 0, result 0 tensor<4xf32>: reference:bf16 differs (allowed: 0.1 ulp)
// CHECK: differs: 0 of 1 results agree with reference
// JSON: "verdict": "differs"
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
