// RUN: not stablehlo bisect %s --engine='command:false {module} {outputs}' 2>&1 | FileCheck %s --check-prefix=FALSE
// FALSE: error: the engine command:false {{.*}} does not run: error: the command ended with exit code 1
// FALSE-NOT: first wrong op
// RUN: stablehlo bisect %s --engine=xla --reference=reference | FileCheck %s --check-prefix=RIGHT
// RUN: not stablehlo bisect %s --engine=reference:bf16 --tolerance=0.01ulp --reproducer=%t.mlir 2>&1 | FileCheck %s
// RUN: stablehlo run %t.mlir --inputs=%t.npz
// RUN: not stablehlo bisect %s --engine=reference:bf16 --tolerance=0.01ulp --json | FileCheck %s --check-prefix=JSON
// RUN: stablehlo bisect %s --xla=xla_backend_optimization_level=0 | FileCheck %s --check-prefix=XLA
// RUN: not stablehlo bisect %s --engine=reference:bf16 --tolerance=0.01ulp --reproducer=%t.mlir --error-format=json 2>&1 | FileCheck %s --check-prefix=WROTE
// WROTE: {"tool": "stablehlo", "severity": "remark", {{.*}}"message": "wrote {{.*}}.mlir and its arguments
// XLA: the results agree: xla:xla_backend_optimization_level=0 is not wrong
// RIGHT: the results agree: xla is not wrong on these arguments
// CHECK: first wrong op: #0 stablehlo.multiply
// CHECK: it shows alone
// CHECK: 4 of 4 elements; largest difference
// CHECK: [{{[0-3]}}]: {{.*}}, expected
// JSON: "alone": true
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
