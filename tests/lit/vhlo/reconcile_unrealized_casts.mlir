// Casts without a way back to their own type stay: of an argument, of nothing, and of one result of several.
// RUN: stablehlo-opt --reconcile-unrealized-casts %s | FileCheck %s

// CHECK-LABEL: @of_an_argument
// CHECK-NEXT: builtin.unrealized_conversion_cast %arg0 : index to i32
func.func @of_an_argument(%a: index) -> i32 {
  %0 = builtin.unrealized_conversion_cast %a : index to i32
  return %0 : i32
}

// CHECK-LABEL: @of_nothing
// CHECK-NEXT: builtin.unrealized_conversion_cast to i32
func.func @of_nothing() -> i32 {
  %0 = builtin.unrealized_conversion_cast to i32
  return %0 : i32
}

// CHECK-LABEL: @of_one_of_two
// CHECK: builtin.unrealized_conversion_cast %{{.*}}#1 : index to i32
func.func @of_one_of_two(%a: i32, %b: i32) -> i32 {
  %0:2 = builtin.unrealized_conversion_cast %a, %b : i32, i32 to index, index
  %1 = builtin.unrealized_conversion_cast %0#1 : index to i32
  return %1 : i32
}

// CHECK-LABEL: @there_and_back
// CHECK-NEXT: return %arg0
func.func @there_and_back(%a: i32) -> i32 {
  %0 = builtin.unrealized_conversion_cast %a : i32 to index
  %1 = builtin.unrealized_conversion_cast %0 : index to i32
  return %1 : i32
}
