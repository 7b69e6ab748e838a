// Makes functions of named computations.
// REQUIRES: pass-sdy-export-named-computations
// RUN: stablehlo-opt %s --sdy-export-named-computations | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-export-named-computations)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = call @layer(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
// CHECK-LABEL: func.func private @layer
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "layer"}
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} : tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.named_computation<"layer">(%operand) (%inner: tensor<8xf32>) {
    %1 = stablehlo.tanh %inner : tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
