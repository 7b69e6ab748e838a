// RUN: stablehlo steps %s 'func.func(cse),canonicalize' | FileCheck %s
// RUN: stablehlo steps %s 'func.func(cse),canonicalize' --json | FileCheck --check-prefix=JSON %s
// RUN: stablehlo steps %s cse --timeout=1e-9 | FileCheck --check-prefix=NOTASKED %s
// RUN: not stablehlo steps %s 'vhlo-to-version{target=0.1.0},cse' 2>&1 | FileCheck --check-prefix=FAILS %s
// RUN: not stablehlo steps %s csee 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// CHECK: 1 func.func(cse): 5 -> 4 ops, 12 -> 8 flops
// CHECK-NEXT: 1 changed, 1 removed; the same function but for rounding
// CHECK-NEXT: --- before
// CHECK-NEXT: +++ after func.func(cse)
// CHECK: -    %1 = stablehlo.add
// CHECK: 2 canonicalize: changed nothing
// JSON: "name": "func.func(cse)"
// JSON: "ops": 5
// JSON: "ops": 4
// JSON: "function": "the same function but for rounding"
// JSON: "--- before"
// JSON: "name": "canonicalize"
// JSON: "changes": ""
// NOTASKED: not asked whether they are one function: {{.*}} s or more, where 1e-09 s may pass
// FAILS: 1 vhlo-to-version{target=0.1.0}: error: {{.*}}target version 0.1.0 is less than minimum supported
// FAILS-NOT: cse
// UNKNOWN: error: 'csee' does not refer to a registered pass or pass pipeline; did you mean cse?
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %y : tensor<4xf32>
  %1 = stablehlo.add %x, %y : tensor<4xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
