// REQUIRES: location-setters
// RUN: stablehlo-opt %s --mlir-print-value-users | FileCheck %s
// RUN: stablehlo-opt %s --mlir-print-value-users | stablehlo-opt | FileCheck --check-prefix=AGAIN %s
// RUN: stablehlo-opt %s --mlir-print-value-users --mlir-print-debuginfo | FileCheck --check-prefix=PLACES %s

// CHECK: func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>)
// CHECK-NEXT: // %arg0 is used by %[[SUM:.+]]{{$}}
// CHECK-NEXT: // %arg1 is unused
// CHECK-NEXT: %[[SUM]] = stablehlo.add %arg0, %arg0 : tensor<4xf32> // users: %[[DEAD:.+]], %[[BOTH:.+]]#0, %[[BOTH]]#1
// CHECK-NEXT: %[[BOTH]]:2 = stablehlo.optimization_barrier %[[SUM]], %[[SUM]] : tensor<4xf32>, tensor<4xf32> // user: (%[[LOOP:.+]]), (unused)
// CHECK-NEXT: %[[DEAD]] = stablehlo.floor %{{.*}} // unused
// CHECK-NEXT: %[[LOOP]] = stablehlo.while(%iterArg = %[[BOTH]]#0) : tensor<4xf32>
// CHECK-NEXT: cond {
// CHECK-NEXT: // %iterArg is unused
// CHECK: } do {
// CHECK-NEXT: // %iterArg is used by %[[NEXT:.+]]{{$}}
// CHECK-NEXT: %[[NEXT]] = stablehlo.negate %iterArg : tensor<4xf32> // user: %[[RETURN:.+]]{{$}}
// CHECK-NEXT: stablehlo.return %[[NEXT]] : tensor<4xf32> // id: %[[RETURN]]{{$}}
// CHECK-NEXT: } // user: %[[END:.+]]{{$}}
// CHECK-NEXT: return %[[LOOP]] : tensor<4xf32> // id: %[[END]]{{$}}
// AGAIN: %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>{{$}}
// PLACES: stablehlo.add {{.*}} loc("{{.*}}print_value_users.mlir":{{.*}}) // users:
func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
  %1:2 = stablehlo.optimization_barrier %0, %0 : tensor<4xf32>, tensor<4xf32>
  %2 = stablehlo.floor %0 : tensor<4xf32>
  %3 = stablehlo.while(%value = %1#0) : tensor<4xf32>
    cond {
      %more = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %4 = stablehlo.negate %value : tensor<4xf32>
      stablehlo.return %4 : tensor<4xf32>
    }
  return %3 : tensor<4xf32>
}
