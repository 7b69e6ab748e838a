// RUN: not stablehlo-translate --serialize --target=1.4.0 %s 2>&1 | FileCheck --check-prefix=MIXED %s
// RUN: stablehlo-translate --serialize --target=1.4.0 --allow-other-dialects %s | stablehlo-translate --deserialize | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.99.0 %s 2>&1 | FileCheck --check-prefix=NEW %s
// RUN: not stablehlo-translate --serialize --target=0.8.9 %s 2>&1 | FileCheck --check-prefix=OLD %s
// RUN: not stablehlo-translate --serialize --target=latest %s 2>&1 | FileCheck --check-prefix=NAME %s
// RUN: stablehlo-translate --serialize --target=current --allow-other-dialects %s -o %t.bc
// RUN: head -c 150 %t.bc > %t.short.bc
// RUN: not stablehlo-translate --deserialize %t.short.bc 2>&1 | FileCheck --check-prefix=SHORT %s
// RUN: not stablehlo-translate --deserialize /dev/null 2>&1 | FileCheck --check-prefix=EMPTY %s
// RUN: sed -e 's/add_v1/add_v9/' %t.bc > %t.unknown.bc
// RUN: not stablehlo-translate --deserialize %t.unknown.bc 2>&1 | FileCheck --check-prefix=UNKNOWN %s

// MIXED: serialize_errors.mlir:[[# @LINE + 14]]:8: error: 'math.absf' op is not part of StableHLO
// MIXED: the program uses these dialects besides stablehlo: math
// MIXED: --allow-other-dialects
// CHECK: math.absf
// CHECK: stablehlo.add
// NEW: error: target version 1.99.0 is greater than current version
// OLD: error: target version 0.8.9 is less than minimum supported 0.9.0
// NAME: error: 'latest' is not a version
// NAME: current, minimum, 4w and 12w
// SHORT: error: the bytecode is damaged or cut short
// EMPTY: error: {{.*}}empty
// UNKNOWN: error: unregistered operation 'vhlo.add_v9'
// UNKNOWN: the file says that it is an artifact of StableHLO
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.absf %x : tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
