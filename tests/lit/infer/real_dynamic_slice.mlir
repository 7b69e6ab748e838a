// REQUIRES: folds-in-greedy-rewriting
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @real_dynamic_slice_reify(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<?xf32>, %[[START:[a-z0-9]+]]: tensor<1xi64>, %[[LIMIT:[a-z0-9]+]]: tensor<1xi64>, %[[STRIDES:[a-z0-9]+]]: tensor<1xi64>)
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[C1_I64:.+]] = arith.constant 1 : i64
// CHECK: %[[EXTRACTED:.+]] = tensor.extract %[[START]][%[[C0]]] : tensor<1xi64>
// CHECK: %[[EXTRACTED_0:.+]] = tensor.extract %[[LIMIT]][%[[C0]]] : tensor<1xi64>
// CHECK: %[[EXTRACTED_1:.+]] = tensor.extract %[[STRIDES]][%[[C0]]] : tensor<1xi64>
// CHECK: %[[V0:.+]] = arith.subi %[[EXTRACTED_0]], %[[EXTRACTED]] : i64
// CHECK: %[[V1:.+]] = arith.addi %[[EXTRACTED_1]], %[[V0]] : i64
// CHECK: %[[V2:.+]] = arith.subi %[[V1]], %[[C1_I64]] : i64
// CHECK: %[[V3:.+]] = arith.divsi %[[V2]], %[[EXTRACTED_1]] : i64
// CHECK: %[[FROM_ELEMENTS:.+]] = tensor.from_elements %[[V3]] : tensor<1xi64>
// CHECK: return %[[FROM_ELEMENTS]] : tensor<1xi64>
func.func @real_dynamic_slice_reify(%operand: tensor<?xf32>, %start: tensor<1xi64>, %limit: tensor<1xi64>, %strides: tensor<1xi64>) -> tensor<1xi64> {
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?xf32>) -> tensor<1xi64>
  return %extents : tensor<1xi64>
}
