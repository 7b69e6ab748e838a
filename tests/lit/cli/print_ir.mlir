// RUN: stablehlo-opt %s --cse --canonicalize --mlir-print-ir-before=canonicalize 2>&1 | FileCheck --check-prefix=BEFORE %s
// RUN: stablehlo-opt %s --cse --canonicalize --mlir-print-ir-after=cse,symbol-dce 2>&1 | FileCheck --check-prefix=AFTER %s
// RUN: stablehlo-opt %s --cse --canonicalize --mlir-print-ir-before-all 2>&1 | FileCheck --check-prefix=BEFORE-ALL %s
// RUN: stablehlo-opt %s --cse --canonicalize --mlir-print-ir-after-all 2>&1 | FileCheck --check-prefix=AFTER-ALL %s
// RUN: stablehlo-opt %s --cse --symbol-dce --mlir-print-ir-after-change 2>&1 | FileCheck --check-prefix=CHANGE %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(cse))' --mlir-print-ir-after-all --mlir-print-ir-module-scope 2>&1 | FileCheck --check-prefix=SCOPE %s
// RUN: rm -rf %t && stablehlo-opt %s --cse --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t && ls %t | FileCheck --check-prefix=TREE %s

// BEFORE-NOT: IR Dump Before{{.*}}cse
// BEFORE: IR Dump Before{{.*}}canonicalize
// BEFORE-NOT: IR Dump
// AFTER: IR Dump After{{.*}}cse
// AFTER-NOT: IR Dump
// BEFORE-ALL: IR Dump Before{{.*}}cse
// BEFORE-ALL: IR Dump Before{{.*}}canonicalize
// AFTER-ALL: IR Dump After{{.*}}cse
// AFTER-ALL: IR Dump After{{.*}}canonicalize
// CHANGE: IR Dump After{{.*}}cse
// CHANGE-NOT: IR Dump After{{.*}}symbol-dce
// SCOPE: IR Dump After{{.*}}cse
// SCOPE: module @whole
// TREE: builtin_module
module @whole {
  func.func @main(%operand: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0 = stablehlo.ceil %operand : tensor<f32>
    %1 = stablehlo.ceil %operand : tensor<f32>
    return %0, %1 : tensor<f32>, tensor<f32>
  }
}
