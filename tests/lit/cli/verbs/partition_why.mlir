// Where each axis comes from, what a collective settles, and the change of one sharding that removes it.
// REQUIRES: partition, pass-sdy-remove-propagation-debug-info
// RUN: stablehlo partition %s --why | FileCheck %s
// RUN: stablehlo partition %s --why --json | FileCheck %s --check-prefix=JSON
// RUN: stablehlo partition %s --why --in-sharding='2=[{}, {}]' --report | FileCheck %s --check-prefix=FEWER
// RUN: not stablehlo partition %s --why --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not stablehlo partition %s --why --compare=%s 2>&1 | FileCheck %s --check-prefix=BOTH

// CHECK: where axes come from:
// CHECK-NEXT: argument 0 tensor<8x16xf32>
// CHECK-NEXT: "data": given here
// CHECK: stablehlo.dot_general tensor<8x32xf32> {{.*}}:{{[0-9]+}}:
// CHECK-NEXT: "data": from sdy.sharding_constraint {{.*}}:{{[0-9]+}}:8, step 2: from result 0 to operand 0 of stablehlo.tanh
// CHECK-NEXT: "model": from argument 1, step 3: from operand 1 to result 0 of stablehlo.dot_general
// CHECK: why collectives are there:
// CHECK-NEXT: stablehlo.all_gather: 128 B a device, 1.0 us
// CHECK-NEXT: stablehlo.tanh has [{"data"}, {"model"}]
// CHECK-NEXT: sdy.reshard wants [{"data"}, {}]
// CHECK-NEXT: sdy.sharding_constraint {{.*}} as [{"data"}, {"model"}] removes it:
// CHECK-NEXT: a device sends 32 B (now 160), and holds 1,440 B (now 1,440)
// CHECK-NEXT: stablehlo.all_reduce: 32 B a device, 2.0 us
// CHECK-NEXT: stablehlo.dot_general has terms along {"model"}
// CHECK-NEXT: stablehlo.dot_general wants [{"data"}, {}]
// CHECK-NEXT: argument 2 as [{}, {}] removes it:
// CHECK-NEXT: a device sends 128 B (now 160), and holds 1,696 B (now 1,440)

// JSON: "why": {
// JSON: "carried": "from operand 1 to result 0 of stablehlo.dot_general
// JSON: "tried": [

// FEWER: each device sends 128 B in all
// FEWER-NOT: all_reduce:
// BOTH: '--why' and
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func public @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %v: tensor<32x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.tanh %0 : tensor<8x32xf32>
  %c = sdy.sharding_constraint %1 <@mesh, [{"data"}, {}]> : tensor<8x32xf32>
  %2 = stablehlo.dot_general %c, %v, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
