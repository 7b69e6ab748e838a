// A plain program on a grid of processes, one set of arguments a process.
// RUN: stablehlo-translate --interpret %s --num-replicas=2 --args='[dense<1> : tensor<1xi64>, dense<5> : tensor<1xi64>]' | FileCheck %s
// RUN: not stablehlo-translate --interpret %s --num-replicas=2 --args='[dense<1> : tensor<1xi64>]' 2>&1 | FileCheck --check-prefix=SHARE %s
// RUN: not stablehlo-translate --interpret %s --num-partitions=2 --args='[dense<1> : tensor<1xi64>, dense<5> : tensor<1xi64>]' 2>&1 | FileCheck --check-prefix=GRID %s
// RUN: not stablehlo-translate --interpret %s --num-replicas=0 2>&1 | FileCheck --check-prefix=RANGE %s

// CHECK: tensor<2xi64> {
// CHECK-NEXT: [1, 5]
// CHECK: tensor<2xi64> {
// CHECK-NEXT: [1, 5]
// SHARE: cannot divide 1 inputs among 2 processes
// GRID: error: 'stablehlo.all_gather' op names processes outside the grid of 1 replicas by 2 partitions; --num-replicas and --num-partitions set its size
// GRID: note: in process (replica 0, partition {{[01]}})
// RANGE: flag --num-replicas expects an integer from 1 to 4096, found '0'
func.func @main(%operand: tensor<1xi64>) -> tensor<2xi64> {
  %result = "stablehlo.all_gather"(%operand) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<1xi64>) -> tensor<2xi64>
  return %result : tensor<2xi64>
}
