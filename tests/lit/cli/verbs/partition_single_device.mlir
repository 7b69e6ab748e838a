// A value that the program puts on one device is computed by every device; Shardy's pass computes it on the one and adds up.
// REQUIRES: partition, pass-sdy-resolve-single-device-sharding
// RUN: stablehlo partition %s | FileCheck %s
// RUN: stablehlo simulate %s --check | FileCheck %s --check-prefix=SAME
// RUN: stablehlo-opt %s --sdy-resolve-single-device-sharding | FileCheck %s --check-prefix=SHARDY

// CHECK: all_gather
// CHECK: stablehlo.tanh
// CHECK-NOT: all_reduce
// SAME: 4 devices agrees with the global program
// SHARDY: stablehlo.tanh
// SHARDY: sdy.all_reduce
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @one = <[], device_ids=[0]>
func.func public @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
