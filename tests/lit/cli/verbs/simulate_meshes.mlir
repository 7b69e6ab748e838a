// REQUIRES: mpmd, partition
// RUN: stablehlo-opt %s | stablehlo-opt | FileCheck %s --check-prefix=PRINTED
// RUN: stablehlo simulate %s --check | FileCheck %s
// RUN: stablehlo simulate %s --json | FileCheck %s --check-prefix=JSON
// RUN: stablehlo run %s --args='[dense<2.0> : tensor<8x16xf32>, dense<0.0> : tensor<16x12xf32>]' | FileCheck %s --check-prefix=WHOLE
// RUN: stablehlo compare %s --engines=reference,reference:f64 --verdict-only | FileCheck %s --check-prefix=COMPARED
// RUN: stablehlo equiv %s %s | FileCheck %s --check-prefix=EQUAL
// RUN: stablehlo cost %s | FileCheck %s --check-prefix=COST
// RUN: not stablehlo partition %s 2>&1 | FileCheck %s --check-prefix=PARTITION
// RUN: stablehlo view %s -o %t.html && FileCheck %s --check-prefix=REPORT < %t.html
// RUN: stablehlo-opt %s --emit-bytecode -o %t.mlirbc && stablehlo info %t.mlirbc | FileCheck %s --check-prefix=INFO
// RUN: not stablehlo simulate %s --mesh=x=2 2>&1 | FileCheck %s --check-prefix=MESH
// PARTITION: error: found an MPMD program of several meshes, expected a program of one mesh
// PARTITION-NEXT: note: partition the body of each fragment on its own, or run all of them with `stablehlo simulate`
// PRINTED: mpmd.fragment<mesh="first", origin=["layer"], stage=0>
// PRINTED: mpmd.transfer
// CHECK: 1 result of 7 devices agrees with the global program
// CHECK-NEXT: layer on first: 4 devices, 1 collective, 192 B sent by each
// CHECK-NEXT: sum on second: 3 devices, 0 collectives, 0 B sent by each
// CHECK-NEXT: first -> second: tensor<8x12xf32>, 128 B to each device
// CHECK-NEXT: the same function but for rounding
// JSON: "devices": 7
// JSON: "mesh": "first"
// JSON: "bytes_received": 128
// WHOLE: tensor<8x12xf32>
// COMPARED: same: 1 of 1 results agree with reference
// EQUAL: the same function but for rounding
// COST: arithmetic operations: 3.1
// REPORT: fragments of MPMD are not counted here: stablehlo cost counts their global program
// INFO: dialects: {{.*}}mpmd
// MESH: error: an MPMD program says its meshes and shardings, and has no --trace and no --grid=mpi
!x = !mpmd.mesh_tensor<"first", tensor<8x16xf32>, sharding=<@first, [{"x"}, {"y"}]>>
!w = !mpmd.mesh_tensor<"first", tensor<16x12xf32>, sharding=<@first, [{"y"}, {}]>>
!y = !mpmd.mesh_tensor<"first", tensor<8x12xf32>, sharding=<@first, [{"x"}, {}]>>
!z = !mpmd.mesh_tensor<"second", tensor<8x12xf32>, sharding=<@second, [{}, {"z"}]>>
func.func public @main(%x: !x, %w: !w) -> !z attributes {
    topology = #mpmd.topology<<"first": <["x"=2, "y"=2]>>, <"second": <["z"=3]>>>} {
  %0 = mpmd.fragment<mesh="first", origin=["layer"], stage=0> (%x, %w) (%a: tensor<8x16xf32>, %b: tensor<16x12xf32>) {
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>
    mpmd.return %1 : tensor<8x12xf32>
  } : (!x, !w) -> !y
  %2 = mpmd.transfer %0 : (!y) -> !z
  %3 = mpmd.fragment<mesh="second", origin=["sum"], stage=1> (%2) (%a: tensor<8x12xf32>) {
    %4 = stablehlo.add %a, %a : tensor<8x12xf32>
    mpmd.return %4 : tensor<8x12xf32>
  } : (!z) -> !z
  return %3 : !z
}
