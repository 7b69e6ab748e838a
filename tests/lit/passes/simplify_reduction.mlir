// RUN: stablehlo-opt --stablehlo-aggressive-simplification=optimize-float=false %s | FileCheck %s

// Each function is named after the pattern that it wants to see, or begins with `keeps_` where nothing may change.

// CHECK-LABEL: @reduce_gives_outer_values
func.func @reduce_gives_outer_values(%x: tensor<3xf32>, %y: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: return %arg1
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
    stablehlo.return %y : tensor<f32>
  }
  return %0 : tensor<f32>
}

// Nothing is reduced, so the body never runs: the result is the initial value.
// CHECK-LABEL: @keeps_initial_value_of_empty_reduction
func.func @keeps_initial_value_of_empty_reduction(%x: tensor<0xf32>, %y: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: %[[SIX:.*]] = stablehlo.constant dense<6.000000e+00>
  // CHECK-NEXT: return %[[SIX]]
  %six = stablehlo.constant dense<6.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %six) across dimensions = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
    stablehlo.return %y : tensor<f32>
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: @reduce_gives_constants
func.func @reduce_gives_constants(%x: tensor<3x2xi32>) -> tensor<2xi32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<5> : tensor<2xi32>
  // CHECK-NEXT: return %[[C]]
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<3x2xi32>, tensor<i32>) -> tensor<2xi32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %five = stablehlo.constant dense<5> : tensor<i32>
    stablehlo.return %five : tensor<i32>
  }
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: @reduce_of_empty
func.func @reduce_of_empty(%x: tensor<0x2xf32>, %init: tensor<f32>) -> tensor<2xf32> {
  // CHECK-NEXT: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0] : (tensor<0x2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @reduce_over_no_dimension
func.func @reduce_over_no_dimension(%x: tensor<3xf32>, %n: tensor<3xi8>, %p: tensor<3xi1>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi8>, tensor<3xi8>, tensor<3xi1>) {
  // CHECK-NEXT: return %arg0, %arg0, %arg1, %arg1, %arg2
  %zero = stablehlo.constant dense<-0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<i8>
  %high = stablehlo.constant dense<127> : tensor<i8>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = stablehlo.reduce(%n init: %one) applies stablehlo.multiply across dimensions = [] : (tensor<3xi8>, tensor<i8>) -> tensor<3xi8>
  %3 = stablehlo.reduce(%n init: %high) applies stablehlo.minimum across dimensions = [] : (tensor<3xi8>, tensor<i8>) -> tensor<3xi8>
  %4 = stablehlo.reduce(%p init: %true) applies stablehlo.and across dimensions = [] : (tensor<3xi1>, tensor<i1>) -> tensor<3xi1>
  return %0, %1, %2, %3, %4 : tensor<3xf32>, tensor<3xf32>, tensor<3xi8>, tensor<3xi8>, tensor<3xi1>
}

// CHECK-LABEL: @reduce_of_unused_results
func.func @reduce_of_unused_results(%x: tensor<4xf32>, %n: tensor<4xi32>) -> tensor<i32> {
  // CHECK: %[[R:.*]] = stablehlo.reduce(%arg1 init: %c) applies stablehlo.maximum across dimensions = [0]
  // CHECK-NEXT: return %[[R]]
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %zero), (%n init: %none) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.maximum %c, %d : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}

// The index depends on the values, so both stay.
// CHECK-LABEL: @keeps_results_that_depend_on_each_other
func.func @keeps_results_that_depend_on_each_other(%x: tensor<4xf32>, %n: tensor<4xi32>) -> tensor<i32> {
  // CHECK: stablehlo.reduce(%arg0 init: %cst), (%arg1 init: %c)
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %zero), (%n init: %none) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {
    %p = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32>
    %2 = stablehlo.select %p, %c, %d : tensor<i1>, tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}

// CHECK-LABEL: @sort_without_unused
func.func @sort_without_unused(%x: tensor<4xi32>, %y: tensor<4xf32>, %z: tensor<4xi8>) -> (tensor<4xi32>, tensor<4xi8>) {
  // CHECK-NEXT: %[[S:.*]]:2 = "stablehlo.sort"(%arg0, %arg2)
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i8>, %{{.*}}: tensor<i8>):
  // CHECK: return %[[S]]#0, %[[S]]#1
  %0:3 = "stablehlo.sort"(%x, %y, %z) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<i8>, %f: tensor<i8>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xf32>, tensor<4xi8>) -> (tensor<4xi32>, tensor<4xf32>, tensor<4xi8>)
  return %0#0, %0#2 : tensor<4xi32>, tensor<4xi8>
}

// CHECK-LABEL: @sort_along_named_dimension
func.func @sort_along_named_dimension(%x: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  // CHECK: "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}>
  %0 = "stablehlo.sort"(%x) <{dimension = -2 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %0 : tensor<2x3x4xi32>
}
