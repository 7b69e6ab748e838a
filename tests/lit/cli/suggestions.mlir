// RUN: not stablehlo-opt %s --split-input-file 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: not stablehlo run %s 2>&1 | FileCheck %s --check-prefix=VERB
// RUN: not stablehlo comapre %s 2>&1 | FileCheck %s --check-prefix=MISSPELLED

// PROGRAM: error: custom op 'stablehlo.tanhh' is unknown
// PROGRAM: note: did you mean stablehlo.tanh?
// PROGRAM: error: expected non-function type
// PROGRAM: note: did you mean bf16?
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
