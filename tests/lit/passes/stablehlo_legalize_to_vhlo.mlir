// Turns StableHLO into VHLO, the dialect of portable artifacts.
// RUN: stablehlo-opt %s --stablehlo-legalize-to-vhlo=allow-other-dialects=true | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(stablehlo-legalize-to-vhlo{allow-other-dialects=true})' | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-legalize-to-vhlo --verify-diagnostics

// CHECK: vhlo.func_v1 @negated(%{{.*}}: !vhlo.tensor_v1<4x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<4x!vhlo.f32_v1>)
// CHECK: "vhlo.negate_v1"
// CHECK: "vhlo.return_v1"
func.func @negated(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %operand : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK: vhlo.func_v1 @doubled
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
func.func @doubled() -> i32 {
  %operand = arith.constant 1 : i32
  %0 = arith.addi %operand, %operand : i32
  // expected-error @below {{failed to legalize}}
  // expected-note @below {{see existing live user here}}
  return %0 : i32
}
