// RUN: stablehlo-opt --print-abstract-interp-stub=stablehlo.abs | FileCheck %s
// RUN: not stablehlo-opt --print-abstract-interp-stub=stablehlo.absent 2>&1 | FileCheck --check-prefix=ABSENT %s

// CHECK: @shape_function("stablehlo.abs")
// CHECK-NEXT: def abs_(operand: Shape) -> Shape:
// CHECK: @dtype_function("stablehlo.abs")
// CHECK-NEXT: def abs_dtype(operand: DType) -> DType:
// ABSENT: error: {{.*}}absent
