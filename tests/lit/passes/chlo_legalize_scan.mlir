// REQUIRES: op-chlo.scan
// RUN: stablehlo-opt --chlo-legalize-to-stablehlo %s | FileCheck %s

// Scans of complex numbers, reverse scans and scans along an inner dimension become loops.
// CHECK-LABEL: @reverse_complex
func.func @reverse_complex(%x: tensor<3x2xcomplex<f32>>, %i: tensor<3xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<3xcomplex<f32>>) {
  // CHECK: %[[LOOP:.*]]:3 = stablehlo.while(
  // CHECK: %[[PLACE:.*]] = stablehlo.subtract
  // CHECK: %[[PLACE:.*]] = stablehlo.subtract
  // CHECK: stablehlo.dynamic_slice %arg0, %{{.*}}, %[[PLACE]], sizes = [3, 1]
  // CHECK: stablehlo.multiply
  // CHECK: stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %{{.*}}, %[[PLACE]]
  // CHECK: return %[[LOOP]]#2, %[[LOOP]]#1
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 1 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xcomplex<f32>>, %b: tensor<3xcomplex<f32>>):
    %1 = stablehlo.multiply %a, %b : tensor<3xcomplex<f32>>
    stablehlo.return %1, %1 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
  }) : (tensor<3x2xcomplex<f32>>, tensor<3xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<3xcomplex<f32>>)
  return %0#0, %0#1 : tensor<3x2xcomplex<f32>>, tensor<3xcomplex<f32>>
}

// The compiled pass takes no notice of is_reverse, so it is given a forward scan.
// CHECK-LABEL: @reverse_dynamic
func.func @reverse_dynamic(%x: tensor<?xf32>, %i: tensor<f32>) -> (tensor<?xf32>, tensor<f32>) {
  // CHECK: stablehlo.reverse %arg0, dims = [0]
  // CHECK: stablehlo.while
  // CHECK: %[[R:.*]] = stablehlo.reverse %{{.*}}, dims = [0]
  // CHECK: return %[[R]]
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
  }) : (tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<f32>
}

// The expansion is a pass of its own, in front of the compiled one, so that what is printed is what runs.
// RUN: stablehlo-opt --chlo-legalize-to-stablehlo --mlir-print-ir-before-all %s 2>&1 >/dev/null | FileCheck %s --check-prefix=BEFORE
// RUN: stablehlo-opt --pass-pipeline='builtin.module(func.func(chlo-legalize-to-stablehlo))' --mlir-print-ir-before-all %s 2>&1 >/dev/null | FileCheck %s --check-prefix=BEFORE
// RUN: stablehlo-opt --chlo-expand-scan %s | FileCheck %s --check-prefix=EXPANDED
// BEFORE: IR Dump Before ChloExpandScan{{.*}}chlo-expand-scan
// BEFORE: chlo.scan(%arg0) inits (%arg1) dimension=1
// BEFORE: {is_reverse = true}
// BEFORE: chlo.scan(%arg0) inits (%arg1) dimension=0
// BEFORE: {is_reverse = true}
// BEFORE: IR Dump Before {{.*}}chlo-legalize-to-stablehlo
// BEFORE-NOT: is_reverse = true
// BEFORE: stablehlo.while
// EXPANDED-LABEL: @reverse_complex
// EXPANDED: stablehlo.while
// EXPANDED-LABEL: @reverse_dynamic
// EXPANDED: stablehlo.reverse
// EXPANDED: chlo.scan
