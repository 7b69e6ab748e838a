// RUN: stablehlo-opt --stablehlo-target-independent-optimization %s | FileCheck %s --check-prefixes=CHECK,UNUSED
// RUN: stablehlo-opt --stablehlo-fold-constants %s | FileCheck %s

// Ops with side effects are never removed, copied or reordered, whether or not anybody uses their results.

// CHECK-LABEL: @nobody_uses_them
func.func @nobody_uses_them(%x: tensor<2xf32>, %t: !stablehlo.token, %state: tensor<2xui64>) {
  // CHECK: stablehlo.custom_call @first
  // CHECK-NEXT: "stablehlo.outfeed"
  // CHECK-NEXT: "stablehlo.infeed"
  // CHECK-NEXT: "stablehlo.send"
  // CHECK-NEXT: "stablehlo.recv"
  // CHECK-NEXT: stablehlo.rng
  // CHECK-NEXT: stablehlo.rng_bit_generator
  // CHECK-NEXT: "stablehlo.all_gather"
  // CHECK-NEXT: "stablehlo.all_to_all"
  // CHECK-NEXT: "stablehlo.collective_broadcast"
  // CHECK-NEXT: "stablehlo.collective_permute"
  // CHECK-NEXT: "stablehlo.all_reduce"
  // CHECK: stablehlo.custom_call @last
  // CHECK-NEXT: return
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  stablehlo.custom_call @first() {has_side_effect = true} : () -> ()
  %0 = "stablehlo.outfeed"(%x, %t) <{outfeed_config = ""}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %1:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %2 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %3:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %4 = stablehlo.rng %zero, %zero, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  %5:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %6 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  %7 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  %8 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  %9 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  %10 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %11 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %11 : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  stablehlo.custom_call @last() {has_side_effect = true} : () -> ()
  return
}

// An unused call that declares no side effect goes, one that declares one stays; so does what contains it.
// UNUSED-LABEL: @unused_calls
func.func @unused_calls(%p: tensor<i1>, %x: tensor<f32>) {
  // UNUSED-NOT: @harmless
  // UNUSED: stablehlo.if
  // UNUSED-NOT: @harmless
  // UNUSED: stablehlo.custom_call @effect
  // UNUSED-NOT: @harmless
  // UNUSED: return
  %0 = stablehlo.custom_call @harmless(%x) : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.if"(%p) ({
    %2 = stablehlo.custom_call @effect(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %3 = "stablehlo.if"(%p) ({
    %4 = stablehlo.custom_call @harmless(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// A terminator has no effects of its own, in whichever dialect: nothing is left of a branch that nobody needs.
// CHECK-LABEL: @unused_scf_if
func.func @unused_scf_if(%x: tensor<2xf32>, %runs: i1) -> tensor<2xf32> {
  // UNUSED-NEXT: return %arg0
  %0 = scf.if %runs -> tensor<2xf32> {
    %1 = stablehlo.negate %x : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %x : tensor<2xf32>
}
