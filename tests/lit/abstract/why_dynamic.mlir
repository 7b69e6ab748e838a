// REQUIRES: pass-stablehlo-check-shape-assertions
// RUN: stablehlo-opt %s --why-dynamic | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-refine-arguments='types=tensor<3x8xf32>,tensor<1xi32>' --abstract-interp-library=%S/inputs/my_library.py --why-dynamic | FileCheck %s --check-prefix=LEFT

// CHECK: why_dynamic.mlir:{{[0-9]+:[0-9]+}}: %0 = stablehlo.concatenate : tensor<?x8xf32>
// CHECK-NEXT: dimension 0 is 2*arg0[0]
// CHECK-NEXT: handed on by %0 <- %arg0
// CHECK-NEXT: pin down dimension 0 of argument 0 ('batch') of @main, with --stablehlo-refine-arguments
// CHECK: stablehlo.custom_call @my.double : tensor<?xf32>
// CHECK-NEXT: dimension 0 is custom_call.1[0]
// CHECK-NEXT: custom_call.1[0]: 'my.double' has no shape function; give one with --abstract-interp-library
// CHECK: stablehlo.dynamic_iota : tensor<?xi32>
// CHECK-NEXT: dimension 0 is arg1{0}
// CHECK-NEXT: handed on by %2 <- %arg1
// CHECK-NEXT: pass a constant for argument 1 of @main: element 0 of it is a size

// LEFT-NOT: custom_call
// LEFT: stablehlo.dynamic_iota
func.func @main(%x: tensor<?x8xf32> loc("batch"), %shape: tensor<1xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %flat = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %double = stablehlo.custom_call @my.double(%flat) : (tensor<?x8xf32>) -> tensor<?xf32>
  %count = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %double, %count : tensor<?xf32>, tensor<?xi32>
}
