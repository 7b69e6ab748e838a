// RUN: echo "print('loaded')" > %t.py
// RUN: stablehlo-opt %s --load=%t.py | FileCheck %s
// RUN: not stablehlo-opt %s --load=%t.absent.py 2>&1 | FileCheck --check-prefix=ABSENT %s

// CHECK-DAG: loaded
// CHECK-DAG: stablehlo.negate
// ABSENT: stablehlo-opt: error: {{.*}}absent.py
func.func @main(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %result = stablehlo.negate %operand : tensor<4xf32>
  return %result : tensor<4xf32>
}
