// Readers that copy the artifact, write another program, nothing, or what is no program; and the words of wrong options.
// RUN: stablehlo roundtrip %s --target=1.0.0 --reader='command:cp {artifact} {module}' | FileCheck %s
// RUN: stablehlo roundtrip %s --target=1.0.0 --reader='command+:%python %S/Inputs/copies.py' | FileCheck %s
// RUN: not stablehlo roundtrip %s --target=1.0.0 --reader='command:cp %S/Inputs/other.mlir {module} {artifact}' 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not stablehlo roundtrip %s --target=1.0.0 --reader="command:sh -c 'sed s/cosine/sine/ %s > {module}' {artifact}" | FileCheck %s --check-prefix=OTHER
// RUN: not stablehlo roundtrip %s --target=1.0.0 --reader='command:echo {artifact} {module}' 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not stablehlo roundtrip %s --target=1.0.0 --reader="command:sh -c 'echo broken > {module}' {artifact}" 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not stablehlo roundtrip %s --target=1.0.0 --reader='./mine' 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not stablehlo roundtrip %s --target=1.0.0 --reader='command:./mine {module}' 2>&1 | FileCheck %s --check-prefix=LACKS

// CHECK: comes back the same from an artifact of StableHLO 1.0.0
// TWO: the command ended with exit code
// OTHER: cosine
// NOTHING: the command wrote no module: {{.*}}program.mlirbc
// BROKEN: module:1:1: error:
// KIND: './mine' is no reader
// KIND: note: a reader is command:./mine {artifact} {module}, or command+:./mine
// LACKS: the command lacks {artifact}: './mine {module}'

func.func @main(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.cosine %operand : tensor<2xf32>
  return %0 : tensor<2xf32>
}
