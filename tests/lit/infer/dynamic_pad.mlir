// REQUIRES: folds-in-greedy-rewriting
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @dynamic_pad_reify(
// CHECK-SAME: %[[OPERAND:[a-z0-9]+]]: tensor<?xf32>, %{{[a-z0-9]+}}: tensor<f32>, %[[LOW:[a-z0-9]+]]: tensor<1xi64>, %[[HIGH:[a-z0-9]+]]: tensor<1xi64>, %[[INTERIOR:[a-z0-9]+]]: tensor<1xi64>)
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[C0_I64:.+]] = arith.constant 0 : i64
// CHECK: %[[C1_I64:.+]] = arith.constant 1 : i64
// CHECK: %[[DIM:.+]] = tensor.dim %[[OPERAND]], %[[C0]] : tensor<?xf32>
// CHECK: %[[V0:.+]] = arith.index_cast %[[DIM]] : index to i64
// CHECK: %[[EXTRACTED:.+]] = tensor.extract %[[LOW]][%[[C0]]] : tensor<1xi64>
// CHECK: %[[EXTRACTED_0:.+]] = tensor.extract %[[HIGH]][%[[C0]]] : tensor<1xi64>
// CHECK: %[[EXTRACTED_1:.+]] = tensor.extract %[[INTERIOR]][%[[C0]]] : tensor<1xi64>
// CHECK: %[[V1:.+]] = arith.cmpi slt, %[[V0]], %[[C1_I64]] : i64
// CHECK: %[[V2:.+]] = arith.subi %[[V0]], %[[C1_I64]] : i64
// CHECK: %[[V3:.+]] = arith.select %[[V1]], %[[C0_I64]], %[[V2]] : i64
// CHECK: %[[V4:.+]] = arith.muli %[[EXTRACTED_1]], %[[V3]] : i64
// CHECK: %[[V5:.+]] = arith.addi %[[V4]], %[[V0]] : i64
// CHECK: %[[V6:.+]] = arith.addi %[[V5]], %[[EXTRACTED]] : i64
// CHECK: %[[V7:.+]] = arith.addi %[[V6]], %[[EXTRACTED_0]] : i64
// CHECK: %[[FROM_ELEMENTS:.+]] = tensor.from_elements %[[V7]] : tensor<1xi64>
// CHECK: return %[[FROM_ELEMENTS]] : tensor<1xi64>
func.func @dynamic_pad_reify(%operand: tensor<?xf32>, %padding_value: tensor<f32>, %low: tensor<1xi64>, %high: tensor<1xi64>, %interior: tensor<1xi64>) -> tensor<1xi64> {
  %0 = stablehlo.dynamic_pad %operand, %padding_value, %low, %high, %interior
      : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?xf32>) -> tensor<1xi64>
  return %extents : tensor<1xi64>
}
