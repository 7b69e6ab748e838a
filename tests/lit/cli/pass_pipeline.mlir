// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(chlo-legalize-to-stablehlo, cse), symbol-dce)' | FileCheck %s
// RUN: stablehlo-opt %s --chlo-legalize-to-stablehlo --cse --symbol-dce | FileCheck %s
// RUN: not stablehlo-opt %s --pass-pipeline='builtin.module(cse)' --cse 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: not stablehlo-opt %s --pass-pipeline='builtin.module(cse' 2>&1 | FileCheck --check-prefix=OPEN %s
// RUN: not stablehlo-opt %s --pass-pipeline='builtin.module(csee)' 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not stablehlo-opt %s --pass-pipeline='builtin.module(chlo-legalize-to-stablehlo)' 2>&1 | FileCheck --check-prefix=NESTING %s
// RUN: not stablehlo-opt %s --pass-pipeline='builtin.module(cse{speed=3})' 2>&1 | FileCheck --check-prefix=OPTION %s

// BOTH: error: --pass-pipeline cannot be combined with pass flags
// OPEN: error: pass pipeline, column 19: expected ')' after the passes of 'builtin.module'
// UNKNOWN: error: 'csee' does not refer to a registered pass or pass pipeline; did you mean cse?
// NESTING: error: Can't add pass {{.*}} restricted to 'func.func' on a PassManager intended to run on 'builtin.module'
// OPTION: error: pass 'cse' has no option 'speed'; it has none

// CHECK-LABEL: func.func @sum
// CHECK: stablehlo.add
// CHECK-NOT: stablehlo.add
// CHECK-NOT: @unused
func.func @sum(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %first = chlo.broadcast_add %lhs, %rhs : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %second = stablehlo.add %lhs, %rhs : tensor<4xf32>
  return %first, %second : tensor<4xf32>, tensor<4xf32>
}
func.func private @unused() {
  return
}
