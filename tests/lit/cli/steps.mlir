// RUN: rm -rf %t && stablehlo-opt %s --steps=%t --stablehlo-aggressive-simplification --cse --canonicalize | FileCheck %s
// RUN: FileCheck --check-prefix=AFTER %s < %t/02-cse.mlir
// RUN: FileCheck --check-prefix=PAGE %s < %t/index.html
// RUN: stablehlo-opt %s --steps=%t.html --pass-pipeline='builtin.module(func.func(cse),cse)' -o %t.mlir
// RUN: FileCheck --check-prefix=NESTED %s < %t.html
// RUN: not stablehlo-opt %s --steps=%t.failed.html --cse --vhlo-to-version=target=0.1.0 2>&1 | FileCheck --check-prefix=FAILS %s
// RUN: FileCheck --check-prefix=FAILED %s < %t.failed.html
// RUN: not stablehlo-opt %s --steps=%t.html --split-input-file --cse 2>&1 | FileCheck --check-prefix=SPLIT %s
// CHECK: stablehlo.add
// CHECK-NOT: stablehlo.add
// AFTER-COUNT-1: stablehlo.add
// AFTER-NOT: stablehlo.add
// PAGE: {"title":"steps.mlir","steps":[{"number":1,"name":"func.func(stablehlo-aggressive-simplification)","before":{"ops":6,
// PAGE-SAME: "after":{"ops":4,
// PAGE-SAME: "function":"the same function but for rounding"
// PAGE-SAME: "number":2,"name":"cse"
// PAGE-SAME: "number":3,"name":"canonicalize","before":{{.*}}"changes":"","function":""{{.*}}"sides":null
// NESTED: "number":1,"name":"func.func(cse)"
// NESTED-SAME: "number":2,"name":"cse"{{.*}}"sides":null
// FAILS: error: target version 0.1.0 is less than minimum supported
// FAILED: "number":1,"name":"cse"{{.*}}"error":""
// FAILED-SAME: "number":2,"name":"vhlo-to-version{target=0.1.0}"{{.*}}"error":"{{.*}}target version 0.1.0 is less than minimum supported
// SPLIT: error: --steps needs one module, without --split-input-file and --no-implicit-module
func.func @main(%operand: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<2xi32>
  %sum = stablehlo.add %operand, %zero : tensor<2xi32>
  %first = stablehlo.add %sum, %operand : tensor<2xi32>
  %second = stablehlo.add %sum, %operand : tensor<2xi32>
  return %first, %second : tensor<2xi32>, tensor<2xi32>
}
