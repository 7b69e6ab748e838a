// RUN: stablehlo-opt --interpreter-instrument-with-probe %s | FileCheck %s
// RUN: stablehlo-opt --interpreter-instrument-with-probe=useDebugInfo=true %s | FileCheck --check-prefix=NAMED %s
// RUN: rm -rf %t && stablehlo-opt --interpreter-instrument-with-probe %s | stablehlo-translate --interpret --probe-output-dir=%t && FileCheck --check-prefix=INDEX --input-file=%t/index.csv %s

// INDEX: probe1,tensor<i64>,{{.*}}probe1.npy
// INDEX: probe2,tensor<i64>,
// INDEX-NOT: quant

// CHECK-LABEL: func.func @main
// NAMED-LABEL: func.func @main
func.func @main() -> tensor<i64> {
  // CHECK-NEXT: %[[THREE:.*]] = stablehlo.constant dense<3>
  // CHECK-NEXT: stablehlo.constant dense<true>
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[THREE]], %[[THREE]]
  // CHECK-NEXT: %[[SEEN:.*]] = interpreter.probe %[[SUM]], probe_id = "probe1" : tensor<i64>
  // CHECK-NEXT: stablehlo.after_all
  // NAMED: probe_id = "dense/add.1"
  %three = stablehlo.constant dense<3> : tensor<i64>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %sum = stablehlo.add %three, %three : tensor<i64> loc("dense/add@outer")
  %token = stablehlo.after_all : !stablehlo.token
  // CHECK: stablehlo.add %[[SEEN]], %[[SEEN]]
  // CHECK: probe_id = "probe2"
  // NAMED: probe_id = "probe2"
  %branch = "stablehlo.if"(%yes) ({
    %twice = stablehlo.add %sum, %sum : tensor<i64>
    stablehlo.return %twice : tensor<i64>
  }, {
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<i1>) -> tensor<i64>
  // CHECK: probe_id = "probe3" : tensor<i64>
  return %branch : tensor<i64>
}

// Sizes that are not known, quantized elements and tokens are left out.
// CHECK-LABEL: func.func private @left_out
// CHECK-NOT: interpreter.probe
// CHECK: stablehlo.negate
// CHECK-NEXT: interpreter.probe
// CHECK-NOT: interpreter.probe
func.func private @left_out(%x: tensor<?xf32>, %y: tensor<2xf32>) -> (tensor<?xf32>, tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = stablehlo.abs %x : tensor<?xf32>
  %1 = stablehlo.uniform_quantize %y : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %2 = stablehlo.negate %y : tensor<2xf32>
  %3 = stablehlo.add %1, %1 : tensor<2x!quant.uniform<i8:f32, 0.5>>
  return %0, %3 : tensor<?xf32>, tensor<2x!quant.uniform<i8:f32, 0.5>>
}
