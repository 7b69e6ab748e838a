// REQUIRES: pass-sdy-close-shardings
// RUN: stablehlo-opt %s --sdy-resolve-single-device-sharding --split-input-file --verify-diagnostics | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(sdy-resolve-single-device-sharding{replica-count=2}))' --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=REPLICAS
// RUN: not stablehlo-opt %s --sdy-resolve-single-device-sharding='replica-count=2 partition-count=2' --split-input-file 2>&1 | FileCheck %s --check-prefix=GRID

// GRID: error: cannot place func.func: single-device shardings with several replicas and several partitions

sdy.mesh @mesh = <["x"=2]>
sdy.mesh @second = <[], device_ids=[1]>

// Another device computes zeros; the sum is everywhere what the second device computes.
// CHECK-LABEL: func.func @one_op
// CHECK-SAME: %[[A:.*]]: tensor<4xi32>
// CHECK-NOT: sdy.reshard
// CHECK: %[[ID:.*]] = stablehlo.partition_id
// CHECK: %[[WIDE:.*]] = stablehlo.convert %[[ID]] : (tensor<ui32>) -> tensor<i64>
// CHECK: %[[DEVICE:.*]] = stablehlo.constant dense<1> : tensor<i64>
// CHECK: %[[HERE:.*]] = stablehlo.compare EQ, %[[WIDE]], %[[DEVICE]]
// CHECK: %[[IF:.*]] = "stablehlo.if"(%[[HERE]]) ({
// CHECK: %[[SUM:.*]] = stablehlo.add %[[A]], %[[A]] : tensor<4xi32>
// CHECK: stablehlo.return %[[SUM]]
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<4xi32>
// CHECK: stablehlo.return %[[ZERO]]
// CHECK: %[[ALL:.*]] = sdy.all_reduce {"x"} %[[IF]] out_sharding=<@mesh, [{}]> : tensor<4xi32>
// CHECK: return %[[ALL]]
// REPLICAS-LABEL: func.func @one_op
// REPLICAS: stablehlo.replica_id
func.func @one_op(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = sdy.reshard %a <@second, []> : tensor<4xi32>
  %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@second, []>]>} : tensor<4xi32>
  %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<4xi32>
  return %2 : tensor<4xi32>
}

// A token has no sum, and an op with other shardings stays.
// CHECK-LABEL: func.func @token
// CHECK: stablehlo.negate %{{.*}} {sdy.sharding
// CHECK: %[[BOTH:.*]]:2 = "stablehlo.if"
// CHECK: "stablehlo.infeed"
// CHECK: stablehlo.create_token
// CHECK: sdy.all_reduce {"x"} %[[BOTH]]#0
// CHECK: return %{{.*}}, %[[BOTH]]#1
func.func @token(%a: tensor<4xi32>, %token: !stablehlo.token) -> (tensor<4xi32>, !stablehlo.token) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xi32>
  %1:2 = "stablehlo.infeed"(%token) {infeed_config = "", sdy.sharding = #sdy.sharding_per_value<[<@second, []>, <@second, []>]>} : (!stablehlo.token) -> (tensor<4xi32>, !stablehlo.token)
  return %1#0, %1#1 : tensor<4xi32>, !stablehlo.token
}

// -----

sdy.mesh @mesh = <["x"=32]>
sdy.mesh @first = <[], device_ids=[16]>
sdy.mesh @second = <[], device_ids=[9]>

func.func @two_devices(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error@+1 {{cannot place stablehlo.optimization_barrier: its results are on the devices 9, 16}}
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@first, []>, <@second, []>]>} %a, %a : tensor<4xi32>, tensor<4xi32>
  return %0#0 : tensor<4xi32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
sdy.mesh @second = <[], device_ids=[1]>

func.func @one_cut(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error@+1 {{cannot place stablehlo.optimization_barrier: one result is on a single device, another one is cut}}
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@second, []>]>} %a, %a : tensor<4xi32>, tensor<4xi32>
  return %0#0 : tensor<4xi32>
}

// -----

// Without a mesh of several devices there is nothing to do.
sdy.mesh @second = <[], device_ids=[1]>

// CHECK-LABEL: func.func @no_mesh
// CHECK-NEXT: stablehlo.negate %{{.*}} {sdy.sharding
func.func @no_mesh(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@second, []>]>} : tensor<4xi32>
  return %0 : tensor<4xi32>
}
