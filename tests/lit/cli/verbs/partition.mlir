// What the collectives of a loop move and take, beside those of other shardings.
// REQUIRES: partition
// RUN: split-file %s %t
// RUN: stablehlo partition %t/a.mlir --report --bandwidth=1e9 --latency=1e-5 | FileCheck %s --check-prefix=REPORT
// RUN: stablehlo partition %t/a.mlir --compare=%t/b.mlir | FileCheck %s --check-prefix=COMPARE
// RUN: stablehlo partition %t/a.mlir --compare=%t/b.mlir --json | FileCheck %s --check-prefix=JSON
// RUN: stablehlo partition %t/a.mlir --mlir-print-ir-after-all -o %t/local.mlir 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not stablehlo partition %t/a.mlir --latency=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not stablehlo partition %t/a.mlir --compare=%t/c.mlir 2>&1 | FileCheck %s --check-prefix=MISSING

// One message each of 128 B and 64 B: 3 * (10 us + 128 B / (1 GB/s) + 10 us + 64 B / (1 GB/s)) = 60.6 us.
// REPORT: steps: inline,symbol-dce, sdy-propagation-pipeline, localize
// REPORT: collectives:
// REPORT-NEXT: stablehlo.all_gather: 1 group of 2, 128 B a device, 3 times
// REPORT-NEXT: stablehlo.all_to_all: 1 group of 2, 64 B a device, 3 times
// REPORT-NEXT: each device sends 576 B in all; loops of unknown length count once
// REPORT-NEXT: the collectives take 60.6 us on a ring of links of 1 GB/s and 10 us

// COMPARE: a.mlir {{.*}}b.mlir
// COMPARE-NEXT: bytes sent by a device 576 0
// COMPARE-NEXT: collectives 2 0
// COMPARE-NEXT: time on a ring of links of 100 GB/s and 1 us 6.0 us 0.0 us
// COMPARE-NEXT: stablehlo.all_gather  {{.*}}a.mlir:8:57 384 B, 3.0 us -
// COMPARE-NEXT: stablehlo.all_to_all  {{.*}}a.mlir:8:57 192 B, 3.0 us -

// JSON: "runs": 3
// JSON: "bytes_sent": 576,
// JSON-NEXT: "seconds": 6.0
// JSON: "bytes_sent": 0,
// JSON-NEXT: "seconds": 0

// STEPS: IR Dump After inline,symbol-dce
// STEPS: IR Dump After sdy-propagation-pipeline
// STEPS: stablehlo.while{{.*}} {sdy.sharding
// STEPS: IR Dump After localize
// STEPS: tensor<8x4xf32>
// STEPS: stablehlo.all_gather

// NEGATIVE: Invalid value for '--latency'
// MISSING: error: cannot open input file {{.*}}c.mlir

//--- a.mlir
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8x8xf32>
    cond { %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }
    do { %j = stablehlo.add %i, %one : tensor<i32> %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> stablehlo.return %j, %y : tensor<i32>, tensor<8x8xf32> }
  return %r#1 : tensor<8x8xf32>
}
//--- b.mlir
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8x8xf32>
    cond { %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }
    do { %j = stablehlo.add %i, %one : tensor<i32> %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> stablehlo.return %j, %y : tensor<i32>, tensor<8x8xf32> }
  return %r#1 : tensor<8x8xf32>
}
