// Sorts the manual axes of manual computations and completes them.
// REQUIRES: pass-sdy-manual-axes-cleanup
// RUN: stablehlo-opt %s --sdy-manual-axes-cleanup | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-manual-axes-cleanup)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"y"}], replicated={"x"}>] out_shardings=[<@mesh, [{"y"}], replicated={"x"}>] manual_axes={"x", "y"} (%{{.*}}: tensor<2xf32>) {
// CHECK-NEXT: sdy.return %{{.*}} : tensor<2xf32>
// CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%operand) in_shardings=[<@mesh, [{"y"}]>] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"y", "x"} (%local: tensor<2xf32>) {
    sdy.return %local : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
