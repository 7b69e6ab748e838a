// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @broadcast_compare(
// CHECK: types0 = tensor<4x3xi1>
func.func @broadcast_compare(%lhs: tensor<4x1xf32>, %rhs: tensor<3xf32>) {
  %0 = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction LT>}
      : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<?x?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_compare_reify(
// CHECK-SAME: %[[LHS:[a-z0-9]+]]: tensor<?xf32>, %[[RHS:[a-z0-9]+]]: tensor<?x3xf32>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[LHS]] : tensor<?xf32> -> tensor<1xindex>
// CHECK: %[[V1:.+]] = shape.shape_of %[[RHS]] : tensor<?x3xf32> -> tensor<2xindex>
// CHECK: %[[V2:.+]] = shape.broadcast %[[V0]], %[[V1]] : tensor<1xindex>, tensor<2xindex> -> tensor<2xindex>
// CHECK: return %[[V2]] : tensor<2xindex>
func.func @broadcast_compare_reify(%lhs: tensor<?xf32>, %rhs: tensor<?x3xf32>) -> tensor<2xindex> {
  %0 = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction LT>}
      : (tensor<?xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x3xi1>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
