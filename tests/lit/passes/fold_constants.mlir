// RUN: stablehlo-opt --stablehlo-fold-constants %s | FileCheck %s
// RUN: stablehlo-opt --stablehlo-fold-constants=max-bytes=16 --pass-report=json -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not stablehlo-opt --stablehlo-fold-constants=max-bytes=-1 %s 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// SMALL: "pass": "stablehlo-fold-constants"
// SMALL: "reason": "more than 16 bytes"
// NEGATIVE: error: option max-bytes of --stablehlo-fold-constants must not be negative, but is -1

// The table is computed once, and only the part that the program reads is stored.
// CHECK-LABEL: @table
func.func @table(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[TABLE:.*]] = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 4.000000e+00, 9.000000e+00]> : tensor<4xf32>
  // CHECK-NEXT: stablehlo.multiply %arg0, %[[TABLE]]
  // CHECK-NEXT: return
  %n = stablehlo.iota dim = 0 : tensor<100xf32>
  %squares = stablehlo.multiply %n, %n : tensor<100xf32>
  %part = stablehlo.slice %squares [0:4] : (tensor<100xf32>) -> tensor<4xf32>
  %0 = stablehlo.multiply %x, %part : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Regions are run too, with what they take from outside.
// CHECK-LABEL: @loop
func.func @loop() -> (tensor<i32>, tensor<i32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<81> : tensor<i32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<6> : tensor<i32>
  // CHECK: return %[[A]], %[[B]]
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %limit = stablehlo.constant dense<50> : tensor<i32>
  %0 = stablehlo.while(%i = %one) : tensor<i32>
  cond {
    %p = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %next = stablehlo.multiply %i, %three : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  %true = stablehlo.constant dense<true> : tensor<i1>
  %1 = "stablehlo.if"(%true) ({
    %2 = stablehlo.add %three, %three : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }, {
    stablehlo.return %one : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// Constant parts of a region that depends on input are folded too, and move out of it.
// CHECK-LABEL: @constants_inside_a_loop
func.func @constants_inside_a_loop(%x: tensor<i32>) -> tensor<i32> {
  // CHECK: %[[TWELVE:.*]] = stablehlo.constant dense<12> : tensor<i32>
  // CHECK: stablehlo.while
  // CHECK: stablehlo.compare LT, %{{.*}}, %[[TWELVE]]
  // CHECK: stablehlo.add
  %0 = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %four = stablehlo.constant dense<4> : tensor<i32>
    %twelve = stablehlo.multiply %three, %four : tensor<i32>
    %p = stablehlo.compare LT, %i, %twelve : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %0 : tensor<i32>
}

// A loop without end is left alone.
// CHECK-LABEL: @endless
func.func @endless() -> tensor<i32> {
  // CHECK: stablehlo.while
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    stablehlo.return %true : tensor<i1>
  } do {
    %next = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %0 : tensor<i32>
}

// What differs from run to run, or from process to process, and what is not to be looked through.
// CHECK-LABEL: @keeps
func.func @keeps(%t: !stablehlo.token) -> (tensor<2xf32>, tensor<ui32>, tensor<f32>, tensor<2xi32>, tensor<2xf32>) {
  // CHECK: stablehlo.rng
  // CHECK: stablehlo.replica_id
  // CHECK: stablehlo.optimization_barrier
  // CHECK: stablehlo.divide
  // CHECK: stablehlo.custom_call
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  %1 = stablehlo.replica_id : tensor<ui32>
  %2 = stablehlo.optimization_barrier %one : tensor<f32>
  %n = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %d = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
  %3 = stablehlo.divide %n, %d : tensor<2xi32>
  %4 = stablehlo.custom_call @somewhere(%one) : (tensor<f32>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<ui32>, tensor<f32>, tensor<2xi32>, tensor<2xf32>
}
