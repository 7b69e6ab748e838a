// RUN: stablehlo-opt %s | FileCheck %s
// RUN: stablehlo-opt %s | stablehlo-opt | FileCheck %s
// RUN: stablehlo-opt %s --mlir-print-op-generic | stablehlo-opt | FileCheck %s
// RUN: stablehlo-opt %s --emit-bytecode | stablehlo-opt | FileCheck %s
// RUN: stablehlo-opt %s --mlir-print-op-generic | FileCheck --check-prefix=GENERIC %s
// RUN: stablehlo-opt %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck --check-prefix=LOCATION %s

// RUN: sed -n '/^func.func @plain/,$p' %s | stablehlo-opt --emit-bytecode | stablehlo-opt | FileCheck --check-prefix=PLAIN %s

#expected = dense<[3.0, 4.0]> : tensor<2xf32>

// CHECK-LABEL: func.func @checks
// CHECK-NEXT: check.expect_eq %arg0, %arg1 : tensor<2xf32>
// CHECK-NEXT: check.expect_eq_const %arg0, dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: check.expect_eq_const %arg0, dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: check.expect_eq_const %arg0, dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: check.expect_almost_eq %arg0, %arg1 : tensor<2xf32>
// CHECK-NEXT: check.expect_almost_eq %arg0, %arg1, tolerance = 1.000000e-01 : tensor<2xf32>
// CHECK-NEXT: check.expect_almost_eq_const %arg0, dense<3.500000e+00> : tensor<2xf32>, tolerance = 5.000000e-01
// CHECK-NEXT: check.expect_almost_eq_const %arg0, dense<[3.500000e+00, 4.000000e+00]> : tensor<2xf32>, tolerance = 5.000000e-01
// CHECK-NEXT: check.expect_close %arg0, %arg1, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: check.expect_close %arg0, %arg1, max_ulp_difference = 3, min_ulp_difference = 1 : {note = "near"} tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: check.expect_serialized_eq %arg0, probe_id = "check.first" : tensor<2xf32>
// CHECK-NEXT: check.expect_serialized_eq %arg0, probe_id = "second", iter = 4 {check.attribute} : tensor<2xf32>
// CHECK-NEXT: stablehlo.custom_call @check.eq(%arg0, %arg1)
// GENERIC: "check.expect_eq"(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) : (tensor<2xf32>, tensor<2xf32>) -> ()
// GENERIC: "check.expect_close"(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) <{max_ulp_difference = 3 : ui64}> : (tensor<2xf32>, tensor<2xf32>) -> ()
// LOCATION: check.expect_eq %arg0, %arg1 : tensor<2xf32> loc("{{.*}}check_dialect.mlir":[[# @LINE + 4]]:3)
// LOCATION-NEXT: check.expect_eq_const {{.*}} loc("{{.*}}check_dialect.mlir":[[# @LINE + 4]]:3)
// LOCATION-NEXT: check.expect_eq_const {{.*}} loc("{{.*}}check_dialect.mlir":[[# @LINE + 5]]:3)
func.func @checks(%actual: tensor<2xf32>, %expected: tensor<2xf32>) {
  check.expect_eq %actual, %expected : tensor<2xf32>
  check.expect_eq_const %actual, dense<[3.0,  // not check.expect_eq
      4.0]> : tensor<2xf32>
  check.expect_eq_const %actual, #expected
  check.expect_eq_const %actual, [3.0, 4.0] : tensor<2xf32>
  check.expect_almost_eq %actual, %expected : tensor<2xf32>
  check.expect_almost_eq %actual, %expected, tolerance = 0.1 : tensor<2xf32>
  check.expect_almost_eq_const %actual, dense<3.5> : tensor<2xf32>, tolerance = 0.5
  check.expect_almost_eq_const %actual, [3.5,
      4.0] : tensor<2xf32>, tolerance = 0.5
  check.expect_close %actual, %expected, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %actual, %expected, max_ulp_difference = 3, min_ulp_difference = 1
      : {note = "near"} tensor<2xf32>, tensor<2xf32>
  check.expect_serialized_eq %actual, probe_id = "check.first" : tensor<2xf32>
  "check.expect_serialized_eq"(%actual) <{probe_id = "second", iteration = 4 : ui32}> {check.attribute} : (tensor<2xf32>) -> ()
  stablehlo.custom_call @check.eq(%actual, %expected) : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}

// PLAIN-LABEL: func.func @plain
// PLAIN-NEXT: check.expect_eq
func.func @plain(%actual: tensor<2xf32>) {
  check.expect_eq %actual, %actual : tensor<2xf32>
  return
}
