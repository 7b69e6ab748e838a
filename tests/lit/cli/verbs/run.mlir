// RUN: stablehlo run %s --seed=3 2>&1 | FileCheck %s --check-prefix=DRAWN
// RUN: stablehlo run %s --args='[dense<0.0> : tensor<4xf32>, dense<2.0> : tensor<4xf32>]' 2>&1 | FileCheck %s --check-prefix=GIVEN
// DRAWN: the arguments are drawn with --seed=3; --inputs and --args give others
// GIVEN-NOT: drawn
// RUN: stablehlo run %s --engine=reference --args='[dense<0.0> : tensor<4xf32>, dense<2.0> : tensor<4xf32>]' --stats 2>&1 | FileCheck %s
// RUN: rm -rf %t.work && stablehlo run %s --seed=7 --input-distribution='uniform(0,1)' --timeout=500 --max-memory=8000000000 --work=%t.work --output=%t.npz
// RUN: stablehlo run %s --seed=7 --input-distribution='uniform(0,1)' --work=%t.work --json | FileCheck %s --check-prefix=JSON
// RUN: stablehlo run %S/one.mlir --inputs=%t.npz
// RUN: stablehlo run %s --function=main --seed=3 2>&1 | FileCheck %s --check-prefix=DRAWN
// RUN: not stablehlo run %s --function=mian 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not stablehlo run %s --engine=none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stablehlo run %s --engine=xla --xla xla_no_such=1 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not stablehlo run %s --engine=xla:plugin=%t.none.so 2>&1 | FileCheck %s --check-prefix=PLUGIN
// RUN: not stablehlo trace %s --args='[dense<0.0> : tensor<3xf32>, dense<2.0> : tensor<4xf32>]' 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: argument 0 is tensor<3xf32>, expected tensor<4xf32>
// OPTION: unknown XLA option or value: No such compile option: 'xla_no_such'
// PLUGIN: stablehlo run: error: xla:plugin={{.*}}: rejected: does not start: {{.*}}cannot open shared object file
// CHECK-DAG: [-0.000000e+00, -0.000000e+00, -0.000000e+00, -0.000000e+00]
// CHECK-DAG: load {{.*}} s, run {{.*}} s, peak
// JSON: "status": "ok"
// FUNCTION: did you mean main?
// NONE: error: unknown engine 'none'
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
