// RUN: stablehlo-opt --explain-op=dynamic_iota | FileCheck %s
// RUN: stablehlo-opt --explain-op=stablehlo.dynamic_iota | FileCheck %s
// RUN: not stablehlo-opt --explain-op=iotta 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: stablehlo-opt --explain-op=tanh | FileCheck %s --check-prefix=ACCURACY

// CHECK: stablehlo.dynamic_iota, since StableHLO 0.9.0
// CHECK: Operands
// CHECK-NEXT: output_shape statically shaped 1-dimensional tensor of index
// CHECK: Attributes
// CHECK-NEXT: iota_dimension i64, not negative
// CHECK: Results
// CHECK-NEXT: result ranked tensor of
// CHECK: Traits
// CHECK: NoMemoryEffect
// CHECK: Constraints
// CHECK-NEXT: C1 iota_dimension is a dimension
// CHECK-NEXT: C2
// CHECK: Example
// CHECK-NEXT: func.func @dynamic_iota
// CHECK: spec.md#dynamic_iota

// UNKNOWN: error: StableHLO has no op 'iotta'; did you mean iota?

// ACCURACY: Accuracy
// ACCURACY-NEXT: The interpreter rounds results correctly: at most half a last bit
