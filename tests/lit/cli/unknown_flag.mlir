// RUN: not stablehlo-opt --canonicalise %s 2>&1 | FileCheck --check-prefix=PASS %s
// RUN: not stablehlo-opt --split-input %s 2>&1 | FileCheck --check-prefix=FLAG %s
// RUN: not stablehlo-opt -o 2>&1 | FileCheck --check-prefix=VALUE %s
// RUN: not stablehlo-opt --verify-each=perhaps %s 2>&1 | FileCheck --check-prefix=SWITCH %s
// RUN: not stablehlo-opt --mlir-elide-elementsattrs-if-larger=few %s 2>&1 | FileCheck --check-prefix=INTEGER %s
// RUN: not stablehlo-opt %s %s 2>&1 | FileCheck --check-prefix=INPUTS %s

// PASS: stablehlo-opt: error: unknown flag '--canonicalise'; did you mean --canonicalize?
// FLAG: stablehlo-opt: error: unknown flag '--split-input'; did you mean --split-input-file?
// VALUE: stablehlo-opt: error: flag -o needs a value: -o=file
// SWITCH: stablehlo-opt: error: flag --verify-each expects true or false, found 'perhaps'
// INTEGER: stablehlo-opt: error: flag --mlir-elide-elementsattrs-if-larger expects an integer, found 'few'
// INPUTS: stablehlo-opt: error: too many input files
