// RUN: stablehlo-opt %s --emit-bytecode | head -c 4 | od -An -tx1 | FileCheck --check-prefix=MAGIC %s
// RUN: stablehlo-opt %s --emit-bytecode -o %t.bc && stablehlo-opt %t.bc | FileCheck %s
// RUN: stablehlo-opt %s --emit-bytecode | stablehlo-opt --mlir-print-debuginfo | FileCheck --check-prefix=LOCATION %s
// RUN: stablehlo-opt %s --emit-bytecode-version=1 -o %t.1 && stablehlo-opt %t.1 | FileCheck %s
// RUN: head -c 5 %t.1 | od -An -tx1 | FileCheck --check-prefix=VERSION %s
// RUN: not stablehlo-opt %s --emit-bytecode-version=4000 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: not stablehlo-opt %s --emit-bytecode-version=-1 2>&1 | FileCheck --check-prefix=NEGATIVE %s
// RUN: stablehlo-opt %s --emit-bytecode --emit-bytecode-producer=me -o %t.me && head -c 8 %t.me | od -An -c | FileCheck --check-prefix=PRODUCER %s
// RUN: stablehlo-opt %t.me | FileCheck %s

// PRODUCER: L 357 R {{.*}} m e \0
// MAGIC: 4d 4c ef 52
// VERSION: 4d 4c ef 52 03
// BAD: error: --emit-bytecode-version=4000: {{.*}}version
// NEGATIVE: error: --emit-bytecode-version=-1: {{.*}}version
// LOCATION: emit_bytecode.mlir":[[# @LINE + 2]]:1
// CHECK: func.func @identity(%{{.*}}: tensor<?xbf16>) -> tensor<?xbf16>
func.func @identity(%operand: tensor<?xbf16>) -> tensor<?xbf16> {
  return %operand : tensor<?xbf16>
}
