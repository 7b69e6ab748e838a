// What `reduce` writes: nothing but what was named, and over nothing that it was given or did not write.
// RUN: rm -rf %t && mkdir %t && cp %s %t/given.mlir && cd %t
// RUN: %python -c "import numpy as np; np.savez('own.npz', np.full(4, 7, np.float32))" && cp own.npz kept.npz
// RUN: not stablehlo reduce given.mlir --command 'grep -q add {module}' -o own.mlir 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: cmp own.npz kept.npz
// RUN: not stablehlo reduce given.mlir --command 'grep -q add {module}' -o given.mlir 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not stablehlo reduce given.mlir --command 'grep -q add {module}' -o x.npz 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not stablehlo reduce given.mlir --command 'grep -q add {module}' -o '' 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: stablehlo reduce given.mlir --command 'grep -q add {module}' -o - 2>/dev/null | stablehlo-opt | FileCheck %s --check-prefix=SMALL
// RUN: stablehlo reduce given.mlir --command 'grep -q add {module}' -o /dev/null && not ls /dev/null.npz
// RUN: stablehlo reduce given.mlir --command 'grep -q add {module}' -o new.mlir
// RUN: stablehlo reduce given.mlir --command 'grep -q add {module}' -o new.mlir && ls new.npz
// RUN: stablehlo reduce given.mlir --command 'grep -q "call @" {module}' -o call.mlir && FileCheck %s --check-prefix=CALL < call.mlir

// OWN: 'own.npz', where its arguments would go, exists; choose another name
// SAME: 'given.mlir' would be replaced by the output
// NAME: 'x.npz' is a name for its arguments; a program is called FILE.mlir
// EMPTY: a name is expected
// SMALL: stablehlo.add
// CALL: call @double

func.func private @double(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %result = stablehlo.add %operand, %operand : tensor<4xf32>
  return %result : tensor<4xf32>
}

func.func @main(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %double = call @double(%operand) : (tensor<4xf32>) -> tensor<4xf32>
  %result = stablehlo.sine %double : tensor<4xf32>
  return %result : tensor<4xf32>
}
