// Bindings without a remark engine say so.
// UNSUPPORTED: !torch-mlir
// RUN: not env STABLEHLO_PY_PROVIDER=torch_mlir STABLEHLO_PY_COLD_LIT=1 %python -c "from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()" --cse --remarks-filter=a %s 2>&1 | FileCheck %s

// CHECK: error: collecting remarks of passes needs jaxlib 0.12.0 or later, and torch-mlir {{.*}} is installed
func.func private @main()
