// A guard in a loop takes the size that the loop carries, not that of the loop's own result, which comes later.
// RUN: stablehlo-opt %s --stablehlo-insert-shape-guards | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-reify-shape-calculations --stablehlo-inline-calculations --stablehlo-simplify-shape-calculations --stablehlo-insert-shape-guards | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: stablehlo.while(%[[CARRIED:.*]] =
// CHECK: stablehlo.get_dimension_size %[[CARRIED]], dim = 0
// CHECK: stablehlo.custom_call @shape_assertion({{.*}}dimension 0 of while.1 is {
func.func @main(%x: tensor<?xf32>, %z: tensor<?xf32>, %go: tensor<i1>) -> tensor<?xf32> {
  %open = stablehlo.custom_call @unknown(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %end = stablehlo.while(%carried = %open) : tensor<?xf32>
   cond {
    stablehlo.return %go : tensor<i1>
  } do {
    %longer = stablehlo.concatenate %carried, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %sum = stablehlo.add %longer, %z : tensor<?xf32>
    stablehlo.return %longer : tensor<?xf32>
  }
  // CHECK: return
  return %end : tensor<?xf32>
}
