// RUN: rm -rf %t && stablehlo-translate --interpret --split-input-file --probe-output-dir=%t %s
// RUN: FileCheck --input-file=%t/index.csv %s
// RUN: not stablehlo-translate --interpret --split-input-file %s 2>&1 | FileCheck --check-prefix=NOWHERE %s

// NOWHERE: error: 'interpreter.probe' op needs the directory of the probes: --probe-output-dir
func.func @any_type() {
  %small = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xbf16>
  %same = interpreter.probe %small, probe_id = "a/strange,name" : tensor<2xbf16>
  check.expect_eq %same, %small : tensor<2xbf16>
  return
}

// -----

// The index lists the runs of the last part only; the probe ran once an iteration.
// CHECK: counter,tensor<i64>,{{.*}}probe1.npy
// CHECK-NEXT: counter,tensor<i64>,{{.*}}probe2.npy
// CHECK-NEXT: counter,tensor<i64>,{{.*}}probe3.npy
// CHECK-NOT: {{.}}
func.func @in_a_loop() {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %two = stablehlo.constant dense<2> : tensor<i64>
  %three = stablehlo.constant dense<3> : tensor<i64>
  %result = stablehlo.while(%i = %zero) : tensor<i64> cond {
    %more = stablehlo.compare LT, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i64>
    %seen = interpreter.probe %next, probe_id = "counter" : tensor<i64>
    stablehlo.return %seen : tensor<i64>
  }
  check.expect_serialized_eq %one, probe_id = "counter" : tensor<i64>
  check.expect_serialized_eq %two, probe_id = "counter", iter = 1 : tensor<i64>
  check.expect_serialized_eq %three, probe_id = "counter", iter = 2 : tensor<i64>
  return
}
