// RUN: stablehlo-opt %s --mlir-print-debuginfo | FileCheck %s
// RUN: stablehlo-opt %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck --check-prefix=LOCAL %s
// RUN: stablehlo-opt %s --mlir-pretty-debuginfo | FileCheck --check-prefix=PRETTY %s
// RUN: stablehlo-opt --mlir-print-debuginfo < %s | FileCheck --check-prefix=STDIN %s

// CHECK: return %{{.*}} : tensor<f32> loc(#[[RETURN:.*]])
// CHECK: #[[RETURN]] = loc("{{.*}}print_debuginfo.mlir":[[# @LINE + 6]]:3)
// LOCAL: return %{{.*}} : tensor<f32> loc("{{.*}}print_debuginfo.mlir":[[# @LINE + 5]]:3)
// PRETTY: return %{{.*}} : tensor<f32> {{.*}}print_debuginfo.mlir:[[# @LINE + 4]]:3
// STDIN: loc("<stdin>":[[# @LINE + 3]]:3)
func.func @exponential(%operand: tensor<f32>) -> tensor<f32> {
  %result = stablehlo.exponential %operand : tensor<f32> loc("formula 7")
  return %result : tensor<f32>
}
