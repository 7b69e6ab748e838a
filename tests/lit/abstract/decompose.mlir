// RUN: stablehlo-opt %s --stablehlo-decompose | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-decompose=ops=stablehlo.tan | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func.func @logistic
// CHECK: %[[UNIT:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK: %[[MINUS:.*]] = stablehlo.negate %arg0
// CHECK: %[[POWER:.*]] = stablehlo.exponential %[[MINUS]]
// CHECK: %[[SUM:.*]] = stablehlo.add %[[UNIT]], %[[POWER]]
// CHECK: stablehlo.divide %[[UNIT]], %[[SUM]]
// ONE-LABEL: func.func @logistic
// ONE: stablehlo.logistic
func.func @logistic(%x: tensor<4xf32>) -> tensor<4xf32> {
  %result = stablehlo.logistic %x : tensor<4xf32>
  return %result : tensor<4xf32>
}

// What lies along the features is spread over an operand of unknown sizes too.
// CHECK-LABEL: func.func @normalize
// CHECK-NOT: batch_norm_inference
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg3, {{.*}}, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
func.func @normalize(%x: tensor<?x3xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>, %mean: tensor<3xf32>, %variance: tensor<3xf32>) -> tensor<?x3xf32> {
  %result = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  return %result : tensor<?x3xf32>
}
