// REQUIRES: stablehlo-1.6
// RUN: stablehlo-translate --serialize --target=1.6.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.5.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a dot_general that names its algorithm.

// CHECK: StableHLO version: 1.6.0
// EARLY: error: a dot_general that names its algorithm needs StableHLO 1.6.0, and the target is 1.5.0

func.func @main(%lhs: tensor<2x2xf32>, %rhs: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %result : tensor<2x2xf32>
}
