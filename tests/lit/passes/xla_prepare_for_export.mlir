// Rewrites MHLO so that XLA can take it.
// REQUIRES: pass-xla-prepare-for-export
// RUN: stablehlo-opt %s --xla-prepare-for-export | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(xla-prepare-for-export))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: ) -> tensor<64xf32>
// CHECK-NEXT: %{{.*}} = mhlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %{{.*}} = "mhlo.broadcast_in_dim"(%{{.*}}) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<64xf32>
// CHECK-NEXT: return %{{.*}} : tensor<64xf32>
func.func @main() -> tensor<64xf32> {
  %0 = mhlo.constant dense<2.0> : tensor<64xf32>
  return %0 : tensor<64xf32>
}
