// A reproducer holds the module in front of the passes, and the pipeline with all of its options.
// RUN: stablehlo-opt %s --cse --canonicalize --mlir-generate-reproducer=%t.whole.mlir | FileCheck --check-prefix=DONE %s
// RUN: FileCheck --check-prefix=WHOLE %s < %t.whole.mlir
// RUN: stablehlo-opt --run-reproducer %t.whole.mlir | FileCheck --check-prefix=DONE %s

// One of a pass that fails or crashes; it can hold that pass alone.
// RUN: not stablehlo-opt %s --cse --stablehlo-legalize-to-vhlo --mlir-pass-pipeline-crash-reproducer=%t.failed.mlir 2>&1 | FileCheck --check-prefix=FAILED %s
// RUN: FileCheck --check-prefix=PIPELINE %s < %t.failed.mlir
// RUN: not stablehlo-opt %s --cse --stablehlo-legalize-to-vhlo --mlir-pass-pipeline-crash-reproducer=%t.local.mlir --mlir-pass-pipeline-local-reproducer 2>&1 | FileCheck --check-prefix=FAILED %s
// RUN: FileCheck --check-prefix=LOCAL %s < %t.local.mlir
// RUN: not stablehlo-opt --run-reproducer %t.local.mlir 2>&1 | FileCheck --check-prefix=AGAIN %s

// RUN: not stablehlo-opt --run-reproducer %s 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not stablehlo-opt %s --cse --mlir-generate-reproducer=/absent/folder/file 2>&1 | FileCheck --check-prefix=FOLDER %s

// DONE: stablehlo.floor
// DONE-NOT: stablehlo.floor
// WHOLE-COUNT-2: stablehlo.floor
// WHOLE: mlir_reproducer: {
// WHOLE-NEXT: pipeline: "builtin.module(cse,{{.*}}canonicalize{{.*}}max-iterations=10
// WHOLE-NEXT: disable_threading: true,
// WHOLE-NEXT: verify_each: true
// FAILED: reproducers.mlir:{{.*}} error: {{.*}}legalize
// FAILED: stablehlo-opt: note: a reproducer was written to '{{.*}}'; --run-reproducer runs it
// PIPELINE-COUNT-2: stablehlo.floor
// PIPELINE: pipeline: "builtin.module(cse,stablehlo-legalize-to-vhlo
// LOCAL: stablehlo.floor
// LOCAL-NOT: stablehlo.floor
// LOCAL: pipeline: "builtin.module(stablehlo-legalize-to-vhlo
// AGAIN: local.mlir:{{.*}} error: {{.*}}legalize
// NONE: error: --run-reproducer: {{.*}}reproducers.mlir holds no pipeline (mlir_reproducer)
// FOLDER: error: cannot write the reproducer '/absent/folder/file': No such file or directory
func.func @main(%operand: tensor<f32>, %scalar: f32) -> (tensor<f32>, tensor<f32>, f32) {
  %0 = stablehlo.floor %operand : tensor<f32>
  %1 = stablehlo.floor %operand : tensor<f32>
  %2 = math.absf %scalar : f32
  return %0, %1, %2 : tensor<f32>, tensor<f32>, f32
}
