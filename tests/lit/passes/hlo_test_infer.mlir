// REQUIRES: folds-in-greedy-rewriting
// RUN: stablehlo-opt %s --hlo-test-infer --split-input-file --allow-unregistered-dialect --verify-diagnostics | FileCheck %s

// The op that shows the types keeps operands and attributes; tests/lit/infer has the types of each op.
// CHECK-LABEL: func.func @shown(
// CHECK: "hlo_test_infer.return_types"(%{{.+}}) {mark = 7 : i64, types0 = tensor<2x3xi1>} : (tensor<?x?xi1>) -> tensor<?x?xi1>
func.func @shown(%lhs: tensor<2x3xf32>) {
  %0 = stablehlo.compare EQ, %lhs, %lhs : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<?x?xi1>
  %1 = "hlo_test_infer.get_return_types"(%0) {mark = 7 : i64} : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @components(
// CHECK: "hlo_test_infer.return_type_components"(%{{.+}}) {types0 = tensor<4x5xindex>}
func.func @components(%lhs: tensor<4x3xf32>, %rhs: tensor<3x5xf32>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %1 = "hlo_test_infer.get_return_type_components"(%0) : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// What cannot be answered stays: reshape infers nothing, slice infers no components, an argument is no op.
// CHECK-LABEL: func.func @unanswered(
// CHECK: hlo_test_infer.get_return_types
// CHECK: hlo_test_infer.get_return_type_components
// CHECK: hlo_test_infer.get_return_types
// CHECK: hlo_test_infer.reify_return_type_shapes
func.func @unanswered(%operand: tensor<6xf32>) {
  %0 = stablehlo.reshape %operand : (tensor<6xf32>) -> tensor<2x3xf32>
  %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.slice %operand [0:3] : (tensor<6xf32>) -> tensor<3xf32>
  %3 = "hlo_test_infer.get_return_type_components"(%2) : (tensor<3xf32>) -> tensor<3xf32>
  %4 = "hlo_test_infer.get_return_types"(%operand) : (tensor<6xf32>) -> tensor<6xf32>
  %5 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<2x3xf32>) -> tensor<2xindex>
  return
}

// -----

func.func @unsupported_dimensions(%lhs: tensor<?xf32>, %rhs: tensor<?x?xf32>) {
  // expected-warning@+1 {{unsupported non prefix-padded dynamic rank broadcast_dimensions = array<i64: 0>}}
  %0 = "chlo.broadcast_add"(%lhs, %rhs) {broadcast_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return
}
