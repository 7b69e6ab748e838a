// RUN: sed s/multiply/add/ %s > %t.add.mlir && not stablehlo trace %t.add.mlir --against %s --engine=reference | FileCheck %s --check-prefix=CAUSE
// CAUSE: changed: #0 stablehlo.add at {{.*}} stands where the other program has #0 stablehlo.multiply
// CAUSE: result 0 differs (allowed: 4 ulp or 0.000244141 relative)
// CAUSE: likeliest cause: #0 stablehlo.add at
// RUN: stablehlo trace %s --against %s --engine=reference | FileCheck %s --check-prefix=ITSELF
// ITSELF: 3 of 3 ops have a partner among 3 of the other program
// ITSELF-NOT: cause
// RUN: not stablehlo trace %s --engine='command:false {module} {outputs}' 2>&1 | FileCheck %s --check-prefix=FALSE
// FALSE: error: the engine command:false {{.*}} does not run: error: the command ended with exit code 1
// FALSE-NOT: first wrong op
// RUN: stablehlo trace %s --engine=xla --reference=reference --all --memory=1 | FileCheck %s --check-prefix=RIGHT
// RUN: not stablehlo trace %s --engine=reference:bf16 --tolerance=0.01ulp --reproducer=%t.mlir 2>&1 | FileCheck %s
// RUN: stablehlo run %t.mlir --inputs=%t.npz
// RUN: not stablehlo trace %s --engine=reference:bf16 --tolerance=0.01ulp --json | FileCheck %s --check-prefix=JSON
// RUN: stablehlo trace %s --xla xla_backend_optimization_level=0 --compiled=3 | FileCheck %s --check-prefix=XLA
// RUN: sed s/f32/f16/g %s > %t.f16.mlir && stablehlo trace %t.f16.mlir --against %s --engine=reference | FileCheck %s --check-prefix=AGAINST
// RUN: not stablehlo trace %s --engine=reference --xla a=1 2>&1 | FileCheck %s --check-prefix=NOT-XLA
// XLA: xla:xla_backend_optimization_level=0 measured against reference
// AGAINST: 0.4062 {{.*}} #0 stablehlo.multiply {{.*}}, there #0
// AGAINST: note: 3 of 3 ops have a partner among 3 of the other program
// NOT-XLA: error: --xla is for the engine xla, not for reference and reference
// RIGHT: #0 stablehlo.multiply
// RIGHT: #1 stablehlo.sine
// RIGHT: #2 stablehlo.negate
// RIGHT: no op is wrong by itself
// CHECK: first wrong op: #0 stablehlo.multiply at {{.*}}trace.mlir
// JSON: "op": "stablehlo.multiply"
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
