// RUN: sed 's/divide %all, %count/multiply %all, %inverse/' %s > %t.rounded.mlir
// RUN: sed 's/add %x, %mean/subtract %x, %mean/' %s > %t.other.mlir
// RUN: sed 's/add %x, %mean/add %mean, %x/; s/%ratio/%quotient/g' %s > %t.same.mlir
// RUN: sed 's/^  %noise = .*/  %noise = stablehlo.rng %zero, %count, %dims, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>/' %s > %t.random.mlir
// RUN: stablehlo equiv %s %t.same.mlir --samples=3 | FileCheck %s --check-prefix=SAME
// RUN: stablehlo equiv %s %t.rounded.mlir --sarif=%t.sarif | FileCheck %s --check-prefix=ROUNDED
// RUN: FileCheck %s --check-prefix=SARIF < %t.sarif
// RUN: not stablehlo equiv %s %t.other.mlir --args='[dense<[1.0, 2.0]> : tensor<2xf32>]' | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/^  return %0/  %n = stablehlo.reduce_precision %0, format = e5m10 : tensor<2xf32>\n  return %n/' %s > %t.narrow.mlir
// RUN: stablehlo equiv %s %t.narrow.mlir | FileCheck %s --check-prefix=SAME
// RUN: stablehlo equiv %t.narrow.mlir %t.narrow.mlir --keep-rounding | FileCheck %s --check-prefix=SAME
// RUN: not stablehlo equiv %s %t.narrow.mlir --keep-rounding --seed=7 | FileCheck %s --check-prefix=KEPT
// RUN: not stablehlo equiv %s %t.other.mlir --json | FileCheck %s --check-prefix=JSON
// RUN: not stablehlo equiv %s %t.random.mlir | FileCheck %s --check-prefix=RANDOM
// RUN: not stablehlo equiv %s %S/../../../../examples/mean.mlir 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not stablehlo diff %s %t.same.mlir | FileCheck %s --check-prefix=SAME
// RUN: not stablehlo diff %s %t.other.mlir | FileCheck %s --check-prefix=CHANGED
// RUN: not stablehlo diff %s %S/../../../../examples/mean.mlir | FileCheck %s --check-prefix=UNKNOWN
// RUN: stablehlo compare %s %t.same.mlir | FileCheck %s --check-prefix=SAME
// RUN: not stablehlo compare %s %t.other.mlir --json | FileCheck %s --check-prefix=JSON
// RUN: not stablehlo bisect-passes %s --load=%S/Inputs/drops_term.py --pass-pipeline='builtin.module(cse,drops-term,canonicalize)' | FileCheck %s --check-prefix=PASSES
// RUN: diff <(stablehlo hash %s --by=function) <(stablehlo hash %t.same.mlir --by=function --function=main)
// RUN: diff <(stablehlo hash %s) <(stablehlo-opt %s --mlir-print-op-generic | sed 's/%/%v/g' | stablehlo hash - --by=ops)
// RUN: stablehlo hash %s --json | grep '"by": "ops"'
// RUN: not diff <(stablehlo hash %s --by=function) <(stablehlo hash %t.other.mlir --by=function)
// RUN: not diff <(stablehlo hash %s) <(stablehlo hash %t.other.mlir)

// SAME: the same function but for rounding
// ROUNDED: the same function but for 1 rounding of constants
// ROUNDED-NEXT: stablehlo.divide at {{.*}}equiv.mlir:{{[0-9]+}}:{{[0-9]+}} ~ stablehlo.multiply at {{.*}}rounded.mlir:{{[0-9]+}}:{{[0-9]+}}: {{.*}}e-08 apart
// SARIF: "level": "note"
// OTHER: different functions: result 0[0] is {{.*}} in the first program, {{.*}} in the second
// OTHER-NEXT: first op of program 1 that the other lacks: stablehlo.add at {{.*}}equiv.mlir
// OTHER-NEXT: first op of program 2 that the other lacks: stablehlo.subtract at {{.*}}other.mlir
// CHANGED: different functions: result 0[{{[01]}}] is
// UNKNOWN: cannot tell whether they are one function: the programs take different arguments
// PASSES: drops-term: changes results
// PASSES: after cse: the same function but for rounding
// PASSES-NOT: after canonicalize
// KEPT: different functions
// KEPT: seen on the arguments of --seed=7
// JSON: "verdict": "different functions"
// RANDOM: cannot tell: {{.*}}'stablehlo.rng' op has no reading as fingerprints
// TYPES: error: the programs take different arguments

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<3.0> : tensor<f32>
  %inverse = stablehlo.constant dense<0.333333343> : tensor<f32>
  %dims = stablehlo.constant dense<> : tensor<0xi64>
  %noise = stablehlo.constant dense<1.0> : tensor<f32>
  %all = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %ratio = stablehlo.divide %all, %count : tensor<f32>
  %mean = stablehlo.broadcast_in_dim %ratio, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.add %x, %mean : tensor<2xf32>
  return %0 : tensor<2xf32>
}
