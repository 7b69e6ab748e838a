// Moves reads and writes of the same part of a tensor out of loops. The jaxlib provider registers no op that says which
// part it uses, so nothing changes there.
// RUN: stablehlo-opt %s --loop-invariant-subset-hoisting | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(loop-invariant-subset-hoisting))' | FileCheck %s

// CHECK-LABEL: func.func @loop
// CHECK: tensor.extract_slice
// CHECK: arith.negf
// CHECK: tensor.insert_slice
func.func @loop(%count: index, %tensor: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %result = scf.for %i = %zero to %count step %one iter_args(%current = %tensor) -> tensor<8xf32> {
    %part = tensor.extract_slice %current[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %negated = arith.negf %part : tensor<2xf32>
    %next = tensor.insert_slice %negated into %current[0] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %result : tensor<8xf32>
}
