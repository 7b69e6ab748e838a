// RUN: stablehlo-opt --stablehlo-aggressive-folder %s | FileCheck %s

// Each function is named after the pattern that it wants to see.

// CHECK-LABEL: @inline_chosen_branch_out_of_range
func.func @inline_chosen_branch_out_of_range(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.floor %arg0
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.abs %arg0
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.ceil %arg0
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.sign %arg0
  // CHECK-NEXT: %[[V4:.*]] = stablehlo.cosine %arg0
  // CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]]
  %before = stablehlo.constant dense<-1> : tensor<i32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %last = stablehlo.constant dense<2> : tensor<i32>
  %beyond = stablehlo.constant dense<3> : tensor<i32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.case"(%before) ({
    %5 = stablehlo.abs %x : tensor<2xf32>
    stablehlo.return %5 : tensor<2xf32>
  }, {
    %5 = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %5 : tensor<2xf32>
  }, {
    %5 = stablehlo.floor %x : tensor<2xf32>
    stablehlo.return %5 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  %1 = "stablehlo.case"(%first) ({
    %5 = stablehlo.abs %x : tensor<2xf32>
    stablehlo.return %5 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  %2 = "stablehlo.case"(%last) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }, {
    %5 = stablehlo.ceil %x : tensor<2xf32>
    stablehlo.return %5 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  %3 = "stablehlo.case"(%beyond) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    %5 = stablehlo.sign %x : tensor<2xf32>
    stablehlo.return %5 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  %4 = "stablehlo.if"(%false) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    %5 = stablehlo.cosine %x : tensor<2xf32>
    stablehlo.return %5 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @fold_constant_operands_at_the_bounds
func.func @fold_constant_operands_at_the_bounds() -> (tensor<2xi8>, tensor<2xi32>, tensor<2xui8>, tensor<2xi8>, tensor<2xi32>, tensor<2xi8>) {
  // CHECK-NEXT: %[[C0:.*]] = stablehlo.constant dense<[1, 126]> : tensor<2xi8>
  // CHECK-NEXT: %[[C1:.*]] = stablehlo.constant dense<[2147483647, -2147483648]> : tensor<2xi32>
  // CHECK-NEXT: %[[C2:.*]] = stablehlo.constant dense<[255, 0]> : tensor<2xui8>
  // CHECK-NEXT: %[[C3:.*]] = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  // CHECK-NEXT: %[[C4:.*]] = stablehlo.constant dense<0> : tensor<2xi32>
  // CHECK-NEXT: %[[C5:.*]] = stablehlo.constant dense<[0, -1]> : tensor<2xi8>
  // CHECK-NEXT: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]]
  %a = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %b = stablehlo.constant dense<[-127, -1]> : tensor<2xi8>
  %c = stablehlo.constant dense<[-1, -2]> : tensor<2xi8>
  %d = stablehlo.constant dense<[-2147483648, 2147483647]> : tensor<2xi32>
  %e = stablehlo.constant dense<[-1, 1]> : tensor<2xi32>
  %x = stablehlo.constant dense<[255.5, 0.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[-128.75, 127.75]> : tensor<2xf32>
  %0 = stablehlo.add %a, %b : tensor<2xi8>
  %1 = stablehlo.add %d, %e : tensor<2xi32>
  %2 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xui8>
  %3 = stablehlo.convert %y : (tensor<2xf32>) -> tensor<2xi8>
  %4 = stablehlo.divide %e, %d : tensor<2xi32>
  %5 = stablehlo.remainder %b, %c : tensor<2xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi8>, tensor<2xi32>, tensor<2xui8>, tensor<2xi8>, tensor<2xi32>, tensor<2xi8>
}

// CHECK-LABEL: @fold_constant_operands_beside_a_fault
func.func @fold_constant_operands_beside_a_fault() -> (tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) {
  // CHECK-NEXT: %[[C0:.*]] = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  // CHECK-NEXT: %[[C1:.*]] = stablehlo.constant dense<[-0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: %[[C2:.*]] = stablehlo.constant dense<[0.000000e+00, 0.693147182]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C0]], %[[C1]], %[[C2]]
  %zero = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %signed = stablehlo.constant dense<[-0.0, 1.0]> : tensor<2xf32>
  %0 = stablehlo.convert %zero : (tensor<2xf32>) -> tensor<2xi32>
  %1 = stablehlo.sqrt %signed : tensor<2xf32>
  %2 = stablehlo.log_plus_one %zero : tensor<2xf32>
  return %0, %1, %2 : tensor<2xi32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @inline_chosen_branch_beside_an_effect
func.func @inline_chosen_branch_beside_an_effect(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  // CHECK: %[[A:.*]] = stablehlo.abs %arg0
  // CHECK-NEXT: "stablehlo.if"
  // CHECK-NEXT: stablehlo.return
  // CHECK: stablehlo.custom_call @effect
  // CHECK: return %[[A]]
  %r = "stablehlo.if"(%c) ({
    %a = stablehlo.abs %x : tensor<f32>
    stablehlo.return %a : tensor<f32>
  }, {
    %b = stablehlo.custom_call @effect(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %b : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @inline_chosen_branch_with_an_effect
func.func @inline_chosen_branch_with_an_effect(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<false> : tensor<i1>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.custom_call @effect
  // CHECK-NEXT: return %[[B]]
  %r = "stablehlo.if"(%c) ({
    %a = stablehlo.abs %x : tensor<f32>
    stablehlo.return %a : tensor<f32>
  }, {
    %b = stablehlo.custom_call @effect(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %b : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @inline_chosen_branch_of_unknown_size
func.func @inline_chosen_branch_of_unknown_size(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<false> : tensor<i1>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.negate %arg0
  // CHECK-NEXT: return %[[B]]
  %r = "stablehlo.if"(%c) ({
    %a = stablehlo.abs %x : tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }, {
    %b = stablehlo.negate %x : tensor<?xf32>
    stablehlo.return %b : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
