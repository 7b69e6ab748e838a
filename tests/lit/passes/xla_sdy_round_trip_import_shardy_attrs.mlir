// Turns the frontend attributes of an exported program into Shardy's attributes.
// REQUIRES: pass-xla-sdy-round-trip-import-shardy-attrs
// RUN: stablehlo-opt %s --xla-sdy-round-trip-import-shardy-attrs | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(xla-sdy-round-trip-import-shardy-attrs)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32>
// CHECK-NEXT: return %{{.*}} : tensor<4xf32>
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\"x\"=2]>}"}} {
  func.func @main(%operand: tensor<4xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\"x\"}]>"}}) -> tensor<4xf32> {
    return %operand : tensor<4xf32>
  }
}
