// torch-mlir's own passes and MLIR's are there by their names where torch-mlir has the dialects; otherwise it is named.
// RUN: %if torch-mlir %{ env STABLEHLO_PY_PROVIDER=torch_mlir STABLEHLO_PY_COLD_LIT=1 %python -c "from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()" --torch-shape-refinement-pipeline --torch-dtype-refinement-pipeline %s | FileCheck %s %}
// RUN: %if torch-mlir %{ env STABLEHLO_PY_PROVIDER=torch_mlir STABLEHLO_PY_COLD_LIT=1 %python -c "from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()" --torch-reify-shape-calculations --torch-reify-dtype-calculations %s | FileCheck --check-prefix=REIFIED %s %}
// RUN: %if torch-mlir %{ env STABLEHLO_PY_PROVIDER=torch_mlir STABLEHLO_PY_COLD_LIT=1 %python -c "from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()" --list-passes | FileCheck --check-prefix=LIST %s %}
// RUN: %if provider-jaxlib %{ not stablehlo-opt --torch-shape-refinement-pipeline %s 2>&1 | FileCheck --check-prefix=NONE %s %}

// CHECK: torch.aten.tanh %{{.*}} : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// REIFIED: torch.dtype.calculate
// REIFIED: torch.shape.calculate
// LIST: --convert-scf-to-cf
// LIST-NEXT: A pass of torch-mlir that other providers lack
// LIST: --torch-shape-refinement-pipeline
// NONE: error: flag --torch-shape-refinement-pipeline cannot be had: this is a pass of torch-mlir: pip install torch-mlir
func.func @main(%operand: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %result = torch.aten.tanh %operand : !torch.vtensor<[2,3],f32> -> !torch.vtensor
  return %result : !torch.vtensor
}
