// RUN: sed -e 's/%%sum/%%other/g' -e 's/@relu_0/@relu_17/g' -e 's/{first = 1 : i64, second = 2 : i64}/{second = 2 : i64, first = 1 : i64}/' %s > %t.same.mlir
// RUN: stablehlo-compat diff %s %t.same.mlir
// RUN: sed -e 's/add %%x, %%y/add %%y, %%x/' %s > %t.operand.mlir
// RUN: not stablehlo-compat diff %s %t.operand.mlir | FileCheck --check-prefix=OPERAND %s
// RUN: sed -e 's/second = 2/second = 3/' %s > %t.attribute.mlir
// RUN: not stablehlo-compat diff %s %t.attribute.mlir | FileCheck --check-prefix=ATTRIBUTE %s
// RUN: sed -e 's/stablehlo.add/stablehlo.subtract/' %s > %t.op.mlir
// RUN: not stablehlo-compat diff %s %t.op.mlir | FileCheck --check-prefix=OP %s
// RUN: sed -e 's/call @relu_0/call @relu_1/' %s > %t.symbol.mlir
// RUN: not stablehlo-compat diff %s %t.symbol.mlir | FileCheck --check-prefix=SYMBOL %s
// RUN: sed -e 's/{is_stable = false}/{}/' %s > %t.default.mlir
// RUN: not stablehlo-compat diff %s %t.default.mlir | FileCheck --check-prefix=DEFAULT %s
// RUN: stablehlo-compat diff --write-defaults %s %t.default.mlir

// RUN: stablehlo-translate --serialize %s | stablehlo-compat diff --write-defaults %s -
// RUN: not stablehlo-compat diff --json %s %t.attribute.mlir | FileCheck --check-prefix=JSON %s
// RUN: not stablehlo-compat diff --color=true %s %t.op.mlir | FileCheck --check-prefix=COLOUR %s
// RUN: not stablehlo-compat diff -o %t.html %s %t.op.mlir
// RUN: FileCheck --check-prefix=PAGE %s < %t.html

// OPERAND: ~ @main: stablehlo.add {{.*}}compat_diff.mlir:[[#]]:10 -> {{.*}}operand.mlir:[[#]]:10
// OPERAND-NEXT: operand 0 is another value
// OPERAND-NEXT: argument 0 of func.func -> argument 1 of func.func
// ATTRIBUTE: ~ @main: stablehlo.add
// ATTRIBUTE-NEXT: attribute second: 2 : i64 -> 3 : i64
// ATTRIBUTE-NOT: {{.}}
// OP: - @main: stablehlo.add
// OP: + @main: stablehlo.subtract
// SYMBOL: ~ @main: func.call
// SYMBOL-NEXT: attribute callee: @relu_0 -> @relu_1
// DEFAULT: attribute is_stable: false -> absent
// JSON: "kind": "changed",
// JSON: "attribute second: 2 : i64 -> 3 : i64"
// COLOUR: {{.}}[31m- @main: stablehlo.add
// PAGE: <!doctype html>

func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %sum = stablehlo.add %x, %y {first = 1 : i64, second = 2 : i64} : tensor<2xf32>
  %0 = func.call @relu_0(%sum) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = func.call @relu_1(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "stablehlo.sort"(%1) ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %3 = stablehlo.compare LT, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) {is_stable = false} : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

func.func private @relu_0(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

func.func private @relu_1(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
