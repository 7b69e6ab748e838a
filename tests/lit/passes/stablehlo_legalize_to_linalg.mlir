// Turns StableHLO into linalg, arith, math and tensor.
// RUN: stablehlo-opt %s --stablehlo-legalize-to-linalg | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(stablehlo-legalize-to-linalg)' | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-legalize-to-linalg=enable-primitive-ops=true | FileCheck --check-prefix=PRIMITIVE %s

// CHECK-LABEL: func.func @negated
// CHECK: tensor.empty() : tensor<4xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]
// CHECK: arith.negf %{{.*}} : f32
// CHECK: linalg.yield
// PRIMITIVE: linalg.map { arith.negf }
func.func @negated(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %operand : tensor<4xf32>
  return %0 : tensor<4xf32>
}
