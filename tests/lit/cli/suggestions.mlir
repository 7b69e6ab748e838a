// RUN: not stablehlo-opt %s --split-input-file 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: not stablehlo run %s 2>&1 | FileCheck %s --check-prefix=VERB
// RUN: not stablehlo comapre %s 2>&1 | FileCheck %s --check-prefix=MISSPELLED

// RUN: not stablehlo-translate --interpret %s --split-input-file 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: not stablehlo-translate --interprt %s 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not stablehlo-translate --export=hlo-txt %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not stablehlo run --engine=referense %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=ENGINE
// RUN: not stablehlo compare --toleranc=1ulp %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not stablehlo numerics --as=bfloat16 %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not stablehlo fuzz --types=bfloat16 --count=1 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not stablehlo fuzz --weights=gathr=2 --count=1 2>&1 | FileCheck %s --check-prefix=WEIGHT
// RUN: not stablehlo conformance coverage --types=bfloat16 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not stablehlo conformance coverage --ops=tanhh 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not stablehlo-opt --explain-op=tanhh 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not stablehlo run --input-distribution=norml %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=DISTRIBUTION
// RUN: not stablehlo corpus --check=verfy -o %t %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=CHECKS
// RUN: not stablehlo explain --target=curent %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not stablehlo-opt --canonicalize=max-iteration=3 %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=PASS-OPTION
// RUN: not stablehlo-opt --pass-pipeline='func.func(canonicalize{max-iteration=3})' %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=PASS-OPTION
// RUN: not stablehlo-opt --canonicalize=max-iterations=few %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not stablehlo-opt --canonicalize=top-down=perhaps %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=SWITCH

// RUN: not stablehlo-opt --mlir-print-ir-after=canonicalise --canonicalize %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=PRINTED
// RUN: not stablehlo-opt --print-abstract-interp-library=tanhh 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not stablehlo-opt --print-abstract-interp-stub=stablehlo.tanhh 2>&1 | FileCheck %s --check-prefix=STUB
// RUN: not stablehlo conformance rnu 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: not stablehlo run --inputs=%s %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=ARCHIVE

// PRINTED: flag --mlir-print-ir-after: there is no pass 'canonicalise'; did you mean canonicalize?
// LIBRARY: 'stablehlo.tanhh'; did you mean stablehlo.tanh?
// STUB: 'stablehlo.tanhh'; did you mean stablehlo.tanh?

// INNER: id you mean {{'?}}run
// ARCHIVE: suggestions.mlir' is not a numpy archive{{$}}
// RUN: not stablehlo-opt --time-passes %S/dashes.mlir 2>&1 | FileCheck %s --check-prefix=TIMES

// TIMES: unknown flag '--time-passes'; did you mean --mlir-timing?
// FLAG: unknown flag '--interprt'; did you mean --interpret?
// FORM: no exporter for 'hlo-txt'; did you mean hlo-text?
// ENGINE: unknown engine 'referense'; did you mean reference?
// OPTION: No such option '--toleranc'. Did you mean '--tolerance'?
// TYPE: 'bfloat16'; did you mean bf16?
// WEIGHT: not a weight: 'gathr=2'; did you mean gather?
// OP: 'tanhh'; did you mean tanh?
// DISTRIBUTION: not a distribution: 'norml'; did you mean normal?
// CHECKS: unknown check 'verfy'; did you mean verify?
// VERSION: 'curent' is not a version; did you mean current?
// PASS-OPTION: stablehlo-opt: error: pass 'canonicalize' has no option 'max-iteration'; did you mean max-iterations?
// NUMBER: stablehlo-opt: error: option 'max-iterations' of pass 'canonicalize' is an integer, not 'few'
// NUMBER-NOT: {{.}}
// SWITCH: stablehlo-opt: error: option 'top-down' of pass 'canonicalize' is true or false, not 'perhaps'
// PROGRAM: error: custom op 'stablehlo.tanhh' is unknown
// PROGRAM: note: did you mean stablehlo.tanh?
// PROGRAM: error: expected non-function type
// PROGRAM: note: did you mean bf16?
// PROGRAM: error: use of undeclared SSA value name
// PROGRAM: note: did you mean %value?
// PROGRAM: error: Dialect `stableho' not found
// PROGRAM: note: did you mean stablehlo.tanh?
// PROGRAM: error: operation being parsed with an unregistered dialect
// PROGRAM: note: did you mean stablehlo.tanh?
// PROGRAM: error: 'stablehlo.transpose' op requires attribute 'permutation'
// PROGRAM: note: did you mean permutation?
// PROGRAM: error: custom op 'stablehlo.compare' expected ComparisonDirection to be one of
// PROGRAM: note: did you mean LT?
// PROGRAM: error: expected non-function type
// PROGRAM: note: did you mean tensor?
// PROGRAM: error: expected operation name in quotes
// PROGRAM: :[[# @LINE + 57]]:37: note: this brace is never closed
// VERB: note: did you mean stablehlo.tanh?
// MISSPELLED: note: did you mean compare?
func.func @op(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanhh %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @type(%x: tensor<2xbfloat16>) {
  return
}

// -----

func.func @value(%value: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanh %vlaue : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @dialect(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stableho.tanh %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @generic_dialect(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stableho.tanh"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @attribute(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = "stablehlo.transpose"(%x) {permutaton = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @direction(%x: tensor<2xf32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LESS, %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @tensor(%x: tensr<2xf32>) {
  return
}

// -----

func.func @brace(%x: tensor<2xf32>) {
  return
