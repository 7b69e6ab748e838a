// RUN: stablehlo-opt %s --stablehlo-reify-shape-calculations --stablehlo-simplify-shape-calculations | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-reify-shape-calculations --stablehlo-inline-calculations --stablehlo-simplify-shape-calculations | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-reify-shape-calculations --stablehlo-simplify-shape-calculations --stablehlo-drop-abstract-interp-calculations | FileCheck %s --check-prefix=DROP

// The library function becomes the list that it yields, and the wrapped op gets the type.
// CHECK-LABEL: func.func @known
// CHECK-SAME: -> tensor<7x5xf32>
// CHECK: scf.execute_region -> tensor<7x5xf32> no_inline {
// CHECK: stablehlo.transpose %arg0, dims = [1, 0] : (tensor<5x7xf32>) -> tensor<7x5xf32>
// CHECK: %[[SHAPE:.*]] = arith.constant dense<[7, 5]> : tensor<2xindex>
// CHECK-NEXT: %[[LIST:.*]] = tensor.cast %[[SHAPE]] : tensor<2xindex> to tensor<?xindex>
// CHECK-NEXT: scf.yield %[[LIST]]

// DROP-LABEL: func.func @known
// DROP-NOT: scf.execute_region
// DROP: stablehlo.transpose %arg0, dims = [1, 0] : (tensor<5x7xf32>) -> tensor<7x5xf32>
func.func @known(%x: tensor<5x7xf32>) -> tensor<?x?xf32> {
  %turned = stablehlo.transpose %x, dims = [1, 0] : (tensor<5x7xf32>) -> tensor<?x?xf32>
  return %turned : tensor<?x?xf32>
}

// What stays unknown is written in terms of the operands' sizes.
// CHECK-LABEL: func.func @unknown
// CHECK: stablehlo.broadcast %arg0, sizes = [3]
// CHECK: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: %[[EXTENT:.*]] = tensor.dim %arg0
// CHECK: tensor.from_elements %[[THREE]], %[[EXTENT]] : tensor<2xindex>
// CHECK: scf.yield

// DROP-LABEL: func.func @unknown
// DROP: stablehlo.broadcast %arg0, sizes = [3] : (tensor<?xf32>) -> tensor<3x?xf32>
// DROP-NOT: func.func private
func.func @unknown(%x: tensor<?xf32>) -> tensor<?x?xf32> {
  %wide = stablehlo.broadcast %x, sizes = [3] : (tensor<?xf32>) -> tensor<?x?xf32>
  return %wide : tensor<?x?xf32>
}
