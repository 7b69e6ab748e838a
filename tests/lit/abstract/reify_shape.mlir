// REQUIRES: prints-no-inline-once
// RUN: stablehlo-opt %s --stablehlo-reify-shape-calculations | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-reify-shape-calculations | stablehlo-opt | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-reify-shape-calculations --stablehlo-reify-shape-calculations | FileCheck %s

// An op and a call of its shape function stand side by side; users take the wrapper's result.
// CHECK-LABEL: func.func @straight
// CHECK: %[[WRAPPED:.*]] = scf.execute_region -> tensor<?x5xf32> no_inline {
// CHECK: %[[BODY:.*]] = stablehlo.multiply %arg0, %arg1
// CHECK: scf.execute_region -> tensor<?xindex> no_inline {
// CHECK-NEXT: %[[LHS:.*]] = shape.shape_of %arg0 : tensor<?x5xf32> -> tensor<?xindex>
// CHECK-NEXT: %[[RHS:.*]] = shape.shape_of %arg1 : tensor<?x5xf32> -> tensor<?xindex>
// CHECK-NEXT: %[[SHAPE:.*]] = func.call @stablehlo.multiply.shape(%[[LHS]], %[[RHS]])
// CHECK-NEXT: scf.yield %[[SHAPE]] : tensor<?xindex>
// CHECK: } {stablehlo.calculation = "shape"}
// CHECK-NOT: stablehlo.calculation
// CHECK: scf.yield %[[BODY]]
// CHECK: } {stablehlo.calculate}
// CHECK: return %[[WRAPPED]]
func.func @straight(%x: tensor<?x5xf32>, %y: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %product = stablehlo.multiply %x, %y : tensor<?x5xf32>
  return %product : tensor<?x5xf32>
}

// Attributes become constants, operands that hold sizes lists of their elements.
// CHECK-LABEL: func.func @attributes_and_values
// CHECK: stablehlo.transpose
// CHECK: arith.constant dense<[1, 0]> : tensor<2xindex>
// CHECK: func.call @stablehlo.transpose.shape
// CHECK: stablehlo.dynamic_iota
// CHECK: arith.index_cast %arg1 : tensor<2xi32> to tensor<2xindex>
// CHECK: func.call @stablehlo.dynamic_iota.shape
func.func @attributes_and_values(%x: tensor<?x5xf32>, %shape: tensor<2xi32>) -> (tensor<5x?xf32>, tensor<?x?xi32>) {
  %turned = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x5xf32>) -> tensor<5x?xf32>
  %counted = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  return %turned, %counted : tensor<5x?xf32>, tensor<?x?xi32>
}

// What the library functions call comes along, marked as not part of the program.
// CHECK: func.func private @stablehlo.multiply.shape
// CHECK-SAME: attributes {stablehlo.calculation_function}
// CHECK: func.func private @shared.same
