// RUN: stablehlo-translate --serialize --target=1.4.0 %s -o %t.bc
// RUN: stablehlo-compat info %t.bc | FileCheck %s
// RUN: stablehlo-compat info - < %t.bc | FileCheck %s
// RUN: stablehlo-compat info --json %t.bc | FileCheck --check-prefix=JSON %s
// RUN: stablehlo-opt --emit-bytecode %s -o %t.plain.bc
// RUN: stablehlo-compat info %t.plain.bc | FileCheck --check-prefix=PLAIN %s
// RUN: not stablehlo-compat info %s 2>&1 | FileCheck --check-prefix=TEXT %s
// RUN: not stablehlo-compat info %t.missing 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: head -c 60 %t.bc > %t.short.bc
// RUN: not stablehlo-compat info %t.short.bc 2>&1 | FileCheck --check-prefix=SHORT %s

// CHECK: StableHLO version: 1.4.0
// CHECK: bytecode format version: 6
// CHECK: producer: StableHLO_v1.4.0
// CHECK: dialects: builtin, vhlo
// CHECK: vhlo.tan_v1
// CHECK: functions: 2
// CHECK: @main(tensor<2x?xf32>) -> (tensor<2x?xf32>)
// CHECK: @helper(tensor<2xi8>, !stablehlo.token) -> ()
// CHECK: strings:

// JSON: "stablehlo_version": "1.4.0"
// JSON: "name": "main"

// PLAIN: StableHLO version: none
// PLAIN: stablehlo.tan

// TEXT: compat_info.mlir: error: this is not MLIR bytecode
// MISSING: cannot open input file
// SHORT: error: the bytecode is damaged or cut short

func.func @main(%operand: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = stablehlo.tan %operand : tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

func.func @helper(%0: tensor<2xi8>, %1: !stablehlo.token) {
  return
}
