// RUN: stablehlo-opt --chlo-pre-serialization-pipeline %s | FileCheck %s
// RUN: stablehlo-opt --chlo-pre-serialization-pipeline --stablehlo-legalize-to-vhlo --vhlo-to-version=target=1.4.0 --stablehlo-deserialize %s | FileCheck %s
// RUN: stablehlo-opt --pass-pipeline='builtin.module(chlo-pre-serialization-pipeline,stablehlo-legalize-to-vhlo,stablehlo-deserialize)' %s | FileCheck %s
// RUN: stablehlo-opt --reconcile-unrealized-casts %s | FileCheck --check-prefix=CASTS %s

// CHECK-LABEL: @lowered
// CHECK-NOT: chlo.
// CHECK-NOT: shape.
// CHECK: stablehlo.get_dimension_size
func.func @lowered(%operand: tensor<?xf32>) -> tensor<i32> {
  %0 = "chlo.constant_like"(%operand) <{value = 1.0 : f32}> : (tensor<?xf32>) -> tensor<?xf32>
  %1 = shape.shape_of %0 : tensor<?xf32> -> tensor<1xindex>
  %2 = shape.num_elements %1 : tensor<1xindex> -> index
  %3 = builtin.unrealized_conversion_cast %2 : index to tensor<i32>
  return %3 : tensor<i32>
}

// CASTS-LABEL: @casts
// CASTS-NEXT: return %arg0, %arg1
func.func @casts(%first: tensor<2xf32>, %second: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0:2 = builtin.unrealized_conversion_cast %first, %second : tensor<2xf32>, tensor<2xi32> to tensor<2xi8>, tensor<2xi8>
  %1:2 = builtin.unrealized_conversion_cast %0#0, %0#1 : tensor<2xi8>, tensor<2xi8> to tensor<2xf32>, tensor<2xi32>
  %2 = builtin.unrealized_conversion_cast %first : tensor<2xf32> to tensor<2xi16>
  return %1#0, %1#1 : tensor<2xf32>, tensor<2xi32>
}
