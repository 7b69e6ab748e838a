// Bindings without IRDL say so; torch-mlir has it.
// RUN: %if torch-mlir %{ env STABLEHLO_PY_PROVIDER=torch_mlir STABLEHLO_PY_COLD_LIT=1 %python -c "from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()" --irdl-file=%S/Inputs/cmath.irdl.mlir %s | FileCheck %s %}
// RUN: %if provider-jaxlib %{ not stablehlo-opt --irdl-file=%S/Inputs/cmath.irdl.mlir %s 2>&1 | FileCheck --check-prefix=NONE %s %}

// CHECK: func.func private @main(!cmath.complex<f32>)
// NONE: error: flag --irdl-file cannot be had: jaxlib does not carry the IRDL dialect
// NONE: note: torch-mlir does
func.func private @main(!cmath.complex<f32>)
