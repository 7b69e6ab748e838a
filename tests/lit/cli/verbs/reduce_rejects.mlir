// RUN: not stablehlo reduce %s --engine=official --fails --jobs=1 -o %t.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not stablehlo reduce %s -o %t.none/reduced.mlir 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not stablehlo reduce %s --match='(' 2>&1 | FileCheck %s --check-prefix=MATCH
// FOLDER: error: Invalid value for '-o' / '--output': '{{.*}}.none' is not a folder
// MATCH: error: --match takes a regular expression, not '('
// FAILS: error: the program is not interesting: there is nothing to reduce
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
