// RUN: rm -f %t.jsonl
// RUN: stablehlo corpus %s -o %t.jsonl -j 1 --check=verify --check=roundtrip --check=interpret --check=passes | FileCheck %s
// RUN: stablehlo corpus %s -o %t.jsonl --resume --json | FileCheck %s --check-prefix=RESUMED
// RUN: not stablehlo corpus %s -o %t.jsonl 2>&1 | FileCheck %s --check-prefix=EXISTS
// RUN: not stablehlo corpus %s -o %t.none.jsonl --check=nothing 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// CHECK: 4 checks: 4 ok
// CHECK: 4 new in
// RESUMED: "new": 0
// EXISTS: error: '{{.*}}.jsonl' exists
// EXISTS: note: --resume goes on with it
// UNKNOWN: error: unknown check 'nothing'
// UNKNOWN: note: the checks are verify, roundtrip, interpret, compare, judge, passes
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
