// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @complex(
// CHECK: types0 = tensor<5xcomplex<f64>>
func.func @complex(%lhs: tensor<5xf64>, %rhs: tensor<5xf64>) {
  %0 = stablehlo.complex %lhs, %rhs : (tensor<5xf64>, tensor<5xf64>) -> tensor<?xcomplex<f64>>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>>
  return
}

// -----

// CHECK-LABEL: func.func @complex_reify(
// CHECK-SAME: %[[LHS:[a-z0-9]+]]: tensor<?xf64>, %{{[a-z0-9]+}}: tensor<5xf64>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[LHS]] : tensor<?xf64> -> tensor<1xindex>
// CHECK: return %[[V0]] : tensor<1xindex>
func.func @complex_reify(%lhs: tensor<?xf64>, %rhs: tensor<5xf64>) -> tensor<1xindex> {
  %0 = stablehlo.complex %lhs, %rhs : (tensor<?xf64>, tensor<5xf64>) -> tensor<?xcomplex<f64>>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?xcomplex<f64>>) -> tensor<1xindex>
  return %extents : tensor<1xindex>
}
