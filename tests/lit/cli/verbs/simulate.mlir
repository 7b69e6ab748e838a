// REQUIRES: partition
// RUN: stablehlo simulate %s --check | FileCheck %s
// RUN: not stablehlo simulate %s --check --max-memory=5000000 --error-format=json 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not stablehlo simulate %S/Inputs/not_sharded.mlir --mesh=x=2 --check | FileCheck %s --check-prefix=WHOLE

// CHECK: 1 result of 2 devices agrees with the global program
// CHECK-NEXT: cut along x: 1 argument, 1 result and 1 other value
// CHECK-NEXT: the same function but for rounding
// WHOLE: nothing is sharded: each of 2 devices ran the global program
// MEMORY: {"tool": "stablehlo", "severity": "error", {{.*}}"message": "the global program does not run:
sdy.mesh @mesh = <["x"=2]>
func.func @main(%operand: tensor<1000000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<1000000xf32> {
  %result = stablehlo.negate %operand : tensor<1000000xf32>
  return %result : tensor<1000000xf32>
}
