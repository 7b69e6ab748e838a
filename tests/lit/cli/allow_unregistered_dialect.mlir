// RUN: not stablehlo-opt %s 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: stablehlo-opt %s --allow-unregistered-dialect | FileCheck %s

// ERROR: allow_unregistered_dialect.mlir:[[# @LINE + 4]]:{{[0-9]+}}: error: operation being parsed with an unregistered dialect
// CHECK: "garden.water"(%{{.*}}) {liters = 3 : i32} : (tensor<2xf32>) -> ()
func.func @unregistered(%operand: tensor<2xf32>) {
  // The op below belongs to no dialect.
  "garden.water"(%operand) {liters = 3 : i32} : (tensor<2xf32>) -> ()
  return
}
