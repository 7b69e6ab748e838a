// REQUIRES: stablehlo-1.3
// RUN: stablehlo-translate --serialize --target=1.3.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.2.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a custom_call with a dictionary as backend_config, or of API version 4 (typed FFI).

// CHECK: StableHLO version: 1.3.0
// EARLY: error: a custom_call with a dictionary as backend_config, or of API version 4 (typed FFI) needs StableHLO 1.3.0, and the target is 1.2.0

func.func @main(%input: tensor<2xf32>) -> tensor<2xf32> {
  %result = stablehlo.custom_call @house(%input) {api_version = 4 : i32, backend_config = {level = 3 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  return %result : tensor<2xf32>
}
