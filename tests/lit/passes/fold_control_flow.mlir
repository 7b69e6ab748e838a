// RUN: stablehlo-opt --stablehlo-aggressive-folder %s | FileCheck %s
// RUN: stablehlo-opt --stablehlo-aggressive-folder=assume-no-undeclared-side-effects=true %s | FileCheck %s --check-prefix=PURE

// Each function is named after the pattern that it wants to see, or begins with `keeps_` where nothing may change.

func.func private @unknown() -> tensor<i32>

// CHECK-LABEL: @inline_chosen_branch
func.func @inline_chosen_branch(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.negate %arg0
  // CHECK-NEXT: %[[B:.*]] = stablehlo.abs %arg0
  // CHECK-NEXT: return %[[A]], %[[B]], %arg0
  %true = stablehlo.constant dense<true> : tensor<i1>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.if"(%true) ({
    %3 = stablehlo.negate %x : tensor<3xf32>
    stablehlo.return %3 : tensor<3xf32>
  }, {
    stablehlo.return %x : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  %1 = "stablehlo.case"(%one) ({
    stablehlo.return %x : tensor<3xf32>
  }, {
    %3 = stablehlo.abs %x : tensor<3xf32>
    stablehlo.return %3 : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<3xf32>
  // An index out of range chooses the last branch.
  %2 = "stablehlo.case"(%seven) ({
    %3 = stablehlo.abs %x : tensor<3xf32>
    stablehlo.return %3 : tensor<3xf32>
  }, {
    stablehlo.return %x : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// The branch not taken has a side effect, which stays where it is; what was taken runs once.
// CHECK-LABEL: @inline_chosen_branch_beside_an_effect
func.func @inline_chosen_branch_beside_an_effect(%x: tensor<f32>, %t: !stablehlo.token) -> (tensor<f32>, !stablehlo.token) {
  // CHECK: %[[A:.*]] = stablehlo.custom_call @taken(%arg0)
  // CHECK: "stablehlo.if"
  // CHECK-NOT: @taken
  // CHECK: @not_taken
  // CHECK: return %[[A]], %arg1
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0:2 = "stablehlo.if"(%true) ({
    %1 = stablehlo.custom_call @taken(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1, %t : tensor<f32>, !stablehlo.token
  }, {
    %1 = stablehlo.custom_call @not_taken(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1, %t : tensor<f32>, !stablehlo.token
  }) : (tensor<i1>) -> (tensor<f32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<f32>, !stablehlo.token
}

// CHECK-LABEL: @keeps_unknown_choice
func.func @keeps_unknown_choice(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // CHECK: stablehlo.if
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: @loop_that_never_runs
func.func @loop_that_never_runs(%x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  // CHECK: %[[NINE:.*]] = stablehlo.constant dense<9> : tensor<i32>
  // CHECK-NEXT: return %[[NINE]], %arg0
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %nine, %a = %x) : tensor<i32>, tensor<f32>
  cond {
    %twice = stablehlo.add %three, %three : tensor<i32>
    %p = stablehlo.compare LT, %i, %twice : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %next = stablehlo.add %i, %three : tensor<i32>
    %sum = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %next, %sum : tensor<i32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<f32>
}

// CHECK-LABEL: @keeps_loop_that_runs
func.func @keeps_loop_that_runs(%x: tensor<f32>) -> tensor<i32> {
  // CHECK: stablehlo.while
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.while(%i = %one) : tensor<i32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %0 : tensor<i32>
}

// A call may have side effects, unless the option says that those would be declared.
// CHECK-LABEL: @loop_presumed_pure_that_never_runs
// PURE-LABEL: @loop_presumed_pure_that_never_runs
func.func @loop_presumed_pure_that_never_runs() -> tensor<i32> {
  // CHECK: stablehlo.while
  // CHECK: func.call @unknown
  // PURE-NOT: stablehlo.while
  // PURE: return
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.while(%i = %nine) : tensor<i32>
  cond {
    %p = stablehlo.compare LT, %nine, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = func.call @unknown() : () -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}

// CHECK-LABEL: @loop_that_never_runs_with_a_declared_effect
// PURE-LABEL: @loop_that_never_runs_with_a_declared_effect
func.func @loop_that_never_runs_with_a_declared_effect(%x: tensor<i32>, %t: !stablehlo.token) -> tensor<i32> {
  // CHECK: stablehlo.while
  // CHECK: "stablehlo.outfeed"
  // PURE: stablehlo.while
  // PURE: "stablehlo.outfeed"
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    stablehlo.return %false : tensor<i1>
  } do {
    %1 = "stablehlo.outfeed"(%i, %t) <{outfeed_config = ""}> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
    %2 = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }
  return %0 : tensor<i32>
}
