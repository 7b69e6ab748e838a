// A custom call with Shardy's rule is computed by each device on its parts; one that logs is kept, and gets the value whole.
// REQUIRES: partition
// RUN: split-file %s %t
// RUN: stablehlo partition %t/rows.mlir | FileCheck %s --check-prefix=ROWS
// RUN: stablehlo simulate %t/rows.mlir --check | FileCheck %s --check-prefix=SAME
// RUN: stablehlo partition %t/columns.mlir | FileCheck %s --check-prefix=COLUMNS
// RUN: stablehlo simulate %t/columns.mlir --check | FileCheck %s --check-prefix=SAME
// RUN: stablehlo partition %t/factors.mlir | FileCheck %s --check-prefix=FACTORS

// SAME: 8 devices agree with the global program
// ROWS-NOT: all_gather
// ROWS: custom_call @TopK(%arg0) : (tensor<1x16xf32>) -> (tensor<1x4xf32>, tensor<1x4xi32>)
// COLUMNS: all_gather
// COLUMNS: custom_call @TopK(%{{.*}}) : (tensor<8x16xf32>)

// The major factor of a dimension is cut. A reduction is not: the rule does not say what combines its terms.
// FACTORS: custom_call @major(%arg0) : (tensor<2x4xf32>) -> tensor<1xf32>
// FACTORS: "stablehlo.all_gather"
// FACTORS: custom_call @summed(%{{.*}}) : (tensor<8x4xf32>) -> tensor<4xf32>
// FACTORS: custom_call @xla.debug.Log(%{{.*}}) {has_side_effect = true} : (tensor<8x4xf32>) -> ()

//--- rows.mlir
sdy.mesh @mesh = <["x"=8]>
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32>, tensor<8x4xi32>) {
  %0:2 = stablehlo.custom_call @TopK(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k], [i, k]) {i=8, j=16, k=4} need_replication={j, k}, custom>} : (tensor<8x16xf32>) -> (tensor<8x4xf32>, tensor<8x4xi32>)
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<8x4xi32>
}
//--- columns.mlir
sdy.mesh @mesh = <["x"=8]>
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x4xf32>, tensor<8x4xi32>) {
  %0:2 = stablehlo.custom_call @TopK(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k], [i, k]) {i=8, j=16, k=4} need_replication={j, k}, custom>} : (tensor<8x16xf32>) -> (tensor<8x4xf32>, tensor<8x4xi32>)
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<8x4xi32>
}
//--- factors.mlir
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.custom_call @major(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i]) {i=4, j=2, k=4} need_replication={k}, custom>} : (tensor<8x4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @summed(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j]) {i=8, j=4} reduction={i}, custom>} : (tensor<8x4xf32>) -> tensor<4xf32>
  stablehlo.custom_call @xla.debug.Log(%x) {has_side_effect = true} : (tensor<8x4xf32>) -> ()
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
