// RUN: stablehlo-opt %s --hlo-test-speculatability --split-input-file --allow-unregistered-dialect | FileCheck %s

// A question whose answer is yes disappears with the op that it is about.
// CHECK-LABEL: func.func @answered(
// CHECK-NEXT: return
func.func @answered(%static: tensor<4xf32>, %dynamic: tensor<?xf32>) {
  %0 = stablehlo.sine %static : tensor<4xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<4xf32>) -> ()
  %1 = stablehlo.sine %dynamic : (tensor<?xf32>) -> tensor<4xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<4xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @regions(
// CHECK-NEXT: return
func.func @regions(%pred: tensor<i1>, %value: tensor<4xf32>) {
  %0 = "stablehlo.if"(%pred) ({
    stablehlo.return %value : tensor<4xf32>
  }, {
    stablehlo.return %value : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  "hlo_test_speculatability.is_recursively_speculatable"(%0) : (tensor<4xf32>) -> ()
  return
}

// -----

// Questions stay where the answer is another, where the op has a second use, and where no op is asked about.
// CHECK-LABEL: func.func @unanswered(
// CHECK: is_not_speculatable
// CHECK: is_speculatable
// CHECK: is_speculatable
// CHECK: return
func.func @unanswered(%static: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %static : tensor<4xf32>
  "hlo_test_speculatability.is_not_speculatable"(%0) : (tensor<4xf32>) -> ()
  %1 = stablehlo.cosine %static : tensor<4xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<4xf32>) -> ()
  "hlo_test_speculatability.is_speculatable"(%static) : (tensor<4xf32>) -> ()
  return %1 : tensor<4xf32>
}
