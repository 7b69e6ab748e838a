// REQUIRES: infers-bounds
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @broadcast_xor(
// CHECK: types0 = tensor<4x3xi8>
func.func @broadcast_xor(%lhs: tensor<4x1xi8>, %rhs: tensor<3xi8>) {
  %0 = chlo.broadcast_xor %lhs, %rhs : (tensor<4x1xi8>, tensor<3xi8>) -> tensor<?x?xi8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi8>) -> tensor<?x?xi8>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_xor_dynamic(
// CHECK: types0 = tensor<?x5xi8>
func.func @broadcast_xor_dynamic(%lhs: tensor<?x5xi8>, %rhs: tensor<?x?xi8>) {
  %0 = chlo.broadcast_xor %lhs, %rhs : (tensor<?x5xi8>, tensor<?x?xi8>) -> tensor<?x?xi8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi8>) -> tensor<?x?xi8>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_xor_bounded(
// CHECK: types0 = tensor<?xi8, #stablehlo.bounds<4>>
func.func @broadcast_xor_bounded(%lhs: tensor<?xi8, #stablehlo.bounds<4>>, %rhs: tensor<i8>) {
  %0 = chlo.broadcast_xor %lhs, %rhs : (tensor<?xi8, #stablehlo.bounds<4>>, tensor<i8>) -> tensor<?xi8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi8>) -> tensor<?xi8>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_xor_broadcast_dimensions(
// CHECK: types0 = tensor<4x3xi8>
func.func @broadcast_xor_broadcast_dimensions(%lhs: tensor<4xi8>, %rhs: tensor<4x3xi8>) {
  %0 = "chlo.broadcast_xor"(%lhs, %rhs) {broadcast_dimensions = array<i64: 0>}
      : (tensor<4xi8>, tensor<4x3xi8>) -> tensor<?x?xi8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi8>) -> tensor<?x?xi8>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_xor_reify(
// CHECK-SAME: %[[LHS:[a-z0-9]+]]: tensor<?x5xi8>, %[[RHS:[a-z0-9]+]]: tensor<?xi8>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[LHS]] : tensor<?x5xi8> -> tensor<2xindex>
// CHECK: %[[V1:.+]] = shape.shape_of %[[RHS]] : tensor<?xi8> -> tensor<1xindex>
// CHECK: %[[V2:.+]] = shape.broadcast %[[V0]], %[[V1]] : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
// CHECK: return %[[V2]] : tensor<2xindex>
func.func @broadcast_xor_reify(%lhs: tensor<?x5xi8>, %rhs: tensor<?xi8>) -> tensor<2xindex> {
  %0 = chlo.broadcast_xor %lhs, %rhs : (tensor<?x5xi8>, tensor<?xi8>) -> tensor<?x5xi8>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x5xi8>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
