// RUN: stablehlo-opt --stablehlo-aggressive-simplification=optimize-float=false %s | FileCheck %s

// Each function is named after the pattern that it wants to see, or begins with `keeps_` where nothing may change.

// CHECK-LABEL: @constant_to_the_right
func.func @constant_to_the_right(%x: tensor<3xf32>, %n: tensor<3xi16>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi16>, tensor<3xi16>, tensor<3xi16>) {
  %c = stablehlo.constant dense<[1.5, -2.0, 4.0]> : tensor<3xf32>
  %k = stablehlo.constant dense<[5, 6, 12]> : tensor<3xi16>
  // CHECK: stablehlo.add %arg0, %cst : tensor<3xf32>
  %sum = stablehlo.add %c, %x : tensor<3xf32>
  // CHECK: stablehlo.multiply %arg0, %cst : tensor<3xf32>
  %product = stablehlo.multiply %c, %x : tensor<3xf32>
  // CHECK: stablehlo.maximum %arg0, %cst : tensor<3xf32>
  %most = stablehlo.maximum %c, %x : tensor<3xf32>
  // CHECK: stablehlo.minimum %arg0, %cst {mhlo.sharding = "{replicated}"} : tensor<3xf32>
  %least = stablehlo.minimum %c, %x {mhlo.sharding = "{replicated}"} : tensor<3xf32>
  // CHECK: stablehlo.and %arg1, %c : tensor<3xi16>
  %both = stablehlo.and %k, %n : tensor<3xi16>
  // CHECK: stablehlo.or %arg1, %c : tensor<3xi16>
  %either = stablehlo.or %k, %n : tensor<3xi16>
  // CHECK: stablehlo.xor %arg1, %c : tensor<3xi16>
  %one = stablehlo.xor %k, %n : tensor<3xi16>
  return %sum, %product, %most, %least, %both, %either, %one : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi16>, tensor<3xi16>, tensor<3xi16>
}

// CHECK-LABEL: @neutral_on_the_right_of_add
func.func @neutral_on_the_right_of_add(%x: tensor<3xf32>, %n: tensor<3xi64>, %p: tensor<3xi1>) -> (tensor<3xf32>, tensor<3xi64>, tensor<3xi1>) {
  %zero = stablehlo.constant dense<-0.0> : tensor<3xf32>
  %none = stablehlo.constant dense<0> : tensor<3xi64>
  %no = stablehlo.constant dense<false> : tensor<3xi1>
  %0 = stablehlo.add %x, %zero : tensor<3xf32>
  %1 = stablehlo.add %none, %n : tensor<3xi64>
  %2 = stablehlo.add %p, %no : tensor<3xi1>
  // CHECK-NEXT: return %arg0, %arg1, %arg2
  return %0, %1, %2 : tensor<3xf32>, tensor<3xi64>, tensor<3xi1>
}

// CHECK-LABEL: @keeps_add_positive_zero
func.func @keeps_add_positive_zero(%x: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<3xf32>
  // CHECK: stablehlo.add
  %0 = stablehlo.add %x, %zero : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @subtract_zero
func.func @subtract_zero(%x: tensor<3xbf16>, %n: tensor<3xui8>) -> (tensor<3xbf16>, tensor<3xui8>) {
  %zero = stablehlo.constant dense<0.0> : tensor<3xbf16>
  %none = stablehlo.constant dense<0> : tensor<3xui8>
  %0 = stablehlo.subtract %x, %zero : tensor<3xbf16>
  %1 = stablehlo.subtract %n, %none : tensor<3xui8>
  // CHECK-NEXT: return %arg0, %arg1
  return %0, %1 : tensor<3xbf16>, tensor<3xui8>
}

// CHECK-LABEL: @keeps_subtract_negative_zero
func.func @keeps_subtract_negative_zero(%x: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<-0.0> : tensor<3xf32>
  // CHECK: stablehlo.subtract
  %0 = stablehlo.subtract %x, %zero : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @cancels_itself
func.func @cancels_itself(%n: tensor<2x2xi8>, %p: tensor<5xi1>) -> (tensor<2x2xi8>, tensor<5xi1>) {
  // CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<2x2xi8>
  // CHECK-DAG: %[[FALSE:.*]] = stablehlo.constant dense<false> : tensor<5xi1>
  %0 = stablehlo.subtract %n, %n : tensor<2x2xi8>
  %1 = stablehlo.xor %p, %p : tensor<5xi1>
  // CHECK: return %[[ZERO]], %[[FALSE]]
  return %0, %1 : tensor<2x2xi8>, tensor<5xi1>
}

// CHECK-LABEL: @keeps_difference_of_floats
func.func @keeps_difference_of_floats(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: stablehlo.subtract
  %0 = stablehlo.subtract %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @absorbed_by_zero
func.func @absorbed_by_zero(%n: tensor<3xi32>, %m: tensor<3xui16>) -> (tensor<3xi32>, tensor<3xui16>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<0> : tensor<3xi32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<0> : tensor<3xui16>
  %a = stablehlo.constant dense<0> : tensor<3xi32>
  %b = stablehlo.constant dense<0> : tensor<3xui16>
  %0 = stablehlo.multiply %a, %n : tensor<3xi32>
  %1 = stablehlo.and %m, %b : tensor<3xui16>
  // CHECK: return %[[A]], %[[B]]
  return %0, %1 : tensor<3xi32>, tensor<3xui16>
}

// CHECK-LABEL: @keeps_float_times_zero
func.func @keeps_float_times_zero(%x: tensor<3xf64>) -> tensor<3xf64> {
  %zero = stablehlo.constant dense<0.0> : tensor<3xf64>
  // CHECK: stablehlo.multiply
  %0 = stablehlo.multiply %x, %zero : tensor<3xf64>
  return %0 : tensor<3xf64>
}

// CHECK-LABEL: @neutral_on_the_right_of_multiply
func.func @neutral_on_the_right_of_multiply(%x: tensor<3xf16>, %n: tensor<3xi32>) -> (tensor<3xf16>, tensor<3xi32>) {
  %one = stablehlo.constant dense<1.0> : tensor<3xf16>
  %single = stablehlo.constant dense<1> : tensor<3xi32>
  %0 = stablehlo.multiply %x, %one : tensor<3xf16>
  %1 = stablehlo.multiply %single, %n : tensor<3xi32>
  // CHECK-NEXT: return %arg0, %arg1
  return %0, %1 : tensor<3xf16>, tensor<3xi32>
}

// CHECK-LABEL: @divide_by_one
func.func @divide_by_one(%x: tensor<3xf16>, %n: tensor<3xi32>) -> (tensor<3xf16>, tensor<3xi32>) {
  %one = stablehlo.constant dense<1.0> : tensor<3xf16>
  %single = stablehlo.constant dense<1> : tensor<3xi32>
  %0 = stablehlo.divide %x, %one : tensor<3xf16>
  %1 = stablehlo.divide %n, %single : tensor<3xi32>
  // CHECK-NEXT: return %arg0, %arg1
  return %0, %1 : tensor<3xf16>, tensor<3xi32>
}

// CHECK-LABEL: @keeps_complex_times_one
func.func @keeps_complex_times_one(%z: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<2xcomplex<f32>>
  // CHECK: stablehlo.multiply
  %0 = stablehlo.multiply %z, %one : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: @keeps_one_divided
func.func @keeps_one_divided(%x: tensor<3xf32>) -> tensor<3xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<3xf32>
  // CHECK: stablehlo.divide
  %0 = stablehlo.divide %one, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @neutral_on_the_right_of_booleans
func.func @neutral_on_the_right_of_booleans(%p: tensor<3xi1>) -> tensor<3xi1> {
  %yes = stablehlo.constant dense<true> : tensor<3xi1>
  %0 = stablehlo.multiply %p, %yes : tensor<3xi1>
  // CHECK-NEXT: return %arg0
  return %0 : tensor<3xi1>
}

// CHECK-LABEL: @neutral_on_the_right_of_and
func.func @neutral_on_the_right_of_and(%n: tensor<3xi32>, %m: tensor<3xui8>, %p: tensor<3xi1>) -> (tensor<3xi32>, tensor<3xui8>, tensor<3xi1>) {
  %a = stablehlo.constant dense<-1> : tensor<3xi32>
  %b = stablehlo.constant dense<255> : tensor<3xui8>
  %c = stablehlo.constant dense<true> : tensor<3xi1>
  %0 = stablehlo.and %n, %a : tensor<3xi32>
  %1 = stablehlo.and %b, %m : tensor<3xui8>
  %2 = stablehlo.and %p, %c : tensor<3xi1>
  // CHECK-NEXT: return %arg0, %arg1, %arg2
  return %0, %1, %2 : tensor<3xi32>, tensor<3xui8>, tensor<3xi1>
}

// CHECK-LABEL: @keeps_and_one
func.func @keeps_and_one(%n: tensor<3xi32>) -> tensor<3xi32> {
  %one = stablehlo.constant dense<1> : tensor<3xi32>
  // CHECK: stablehlo.and
  %0 = stablehlo.and %n, %one : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: @or_ones
func.func @or_ones(%n: tensor<3xi64>, %m: tensor<3xui32>) -> (tensor<3xi64>, tensor<3xui32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<-1> : tensor<3xi64>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<4294967295> : tensor<3xui32>
  %a = stablehlo.constant dense<-1> : tensor<3xi64>
  %b = stablehlo.constant dense<4294967295> : tensor<3xui32>
  %0 = stablehlo.or %n, %a : tensor<3xi64>
  %1 = stablehlo.or %m, %b : tensor<3xui32>
  // CHECK: return %[[A]], %[[B]]
  return %0, %1 : tensor<3xi64>, tensor<3xui32>
}

// CHECK-LABEL: @neutral_on_the_right_of_or
func.func @neutral_on_the_right_of_or(%n: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %none = stablehlo.constant dense<0> : tensor<3xi32>
  %0 = stablehlo.or %n, %none : tensor<3xi32>
  %1 = stablehlo.xor %none, %n : tensor<3xi32>
  // CHECK-NEXT: return %arg0, %arg0
  return %0, %1 : tensor<3xi32>, tensor<3xi32>
}

// CHECK-LABEL: @neutral_on_the_right_of_bounds
func.func @neutral_on_the_right_of_bounds(%x: tensor<3xf32>, %n: tensor<3xi8>, %m: tensor<3xui8>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi8>, tensor<3xui8>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<3xf32>
  %high = stablehlo.constant dense<0x7F800000> : tensor<3xf32>
  %lowest = stablehlo.constant dense<-128> : tensor<3xi8>
  %highest = stablehlo.constant dense<255> : tensor<3xui8>
  %0 = stablehlo.maximum %low, %x : tensor<3xf32>
  %1 = stablehlo.minimum %x, %high : tensor<3xf32>
  %2 = stablehlo.maximum %n, %lowest : tensor<3xi8>
  %3 = stablehlo.minimum %m, %highest : tensor<3xui8>
  // CHECK-NEXT: return %arg0, %arg0, %arg1, %arg2
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<3xi8>, tensor<3xui8>
}

// CHECK-LABEL: @shift_by_nothing
func.func @shift_by_nothing(%n: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %none = stablehlo.constant dense<0> : tensor<3xi32>
  %0 = stablehlo.shift_left %n, %none : tensor<3xi32>
  %1 = stablehlo.shift_right_logical %n, %none : tensor<3xi32>
  %2 = stablehlo.shift_right_arithmetic %n, %none : tensor<3xi32>
  // CHECK-NEXT: return %arg0, %arg0, %arg0
  return %0, %1, %2 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}

// CHECK-LABEL: @keeps_shift_of_zero
func.func @keeps_shift_of_zero(%n: tensor<3xi32>) -> tensor<3xi32> {
  %none = stablehlo.constant dense<0> : tensor<3xi32>
  // CHECK: stablehlo.shift_left
  %0 = stablehlo.shift_left %none, %n : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: @idempotent
func.func @idempotent(%n: tensor<3xi32>, %x: tensor<3xf32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.and %n, %n : tensor<3xi32>
  %1 = stablehlo.or %n, %n : tensor<3xi32>
  %2 = stablehlo.maximum %x, %x : tensor<3xf32>
  %3 = stablehlo.minimum %x, %x : tensor<3xf32>
  // CHECK-NEXT: return %arg0, %arg0, %arg1, %arg1
  return %0, %1, %2, %3 : tensor<3xi32>, tensor<3xi32>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @involution
func.func @involution(%x: tensor<3xf32>, %n: tensor<3xi8>) -> (tensor<3xf32>, tensor<3xi8>, tensor<3xi8>) {
  %0 = stablehlo.negate %x : tensor<3xf32>
  %1 = stablehlo.negate %0 : tensor<3xf32>
  %2 = stablehlo.negate %n : tensor<3xi8>
  %3 = stablehlo.negate %2 : tensor<3xi8>
  %4 = stablehlo.not %n : tensor<3xi8>
  %5 = stablehlo.not %4 : tensor<3xi8>
  // CHECK-NEXT: return %arg0, %arg1, %arg1
  return %1, %3, %5 : tensor<3xf32>, tensor<3xi8>, tensor<3xi8>
}

// CHECK-LABEL: @abs_of_sign
func.func @abs_of_sign(%x: tensor<3xf32>, %n: tensor<3xi8>) -> (tensor<3xf32>, tensor<3xi8>) {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.abs %arg0
  // CHECK-NEXT: %[[B:.*]] = stablehlo.abs %arg1
  %0 = stablehlo.negate %x : tensor<3xf32>
  %1 = stablehlo.abs %0 : tensor<3xf32>
  %2 = stablehlo.abs %n : tensor<3xi8>
  %3 = stablehlo.abs %2 : tensor<3xi8>
  // CHECK-NEXT: return %[[A]], %[[B]]
  return %1, %3 : tensor<3xf32>, tensor<3xi8>
}

// CHECK-LABEL: @rounded_already
func.func @rounded_already(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.floor %arg0
  // CHECK-NEXT: %[[B:.*]] = stablehlo.round_nearest_even %arg0
  %0 = stablehlo.floor %x : tensor<3xf32>
  %1 = stablehlo.ceil %0 : tensor<3xf32>
  %2 = stablehlo.round_nearest_even %x : tensor<3xf32>
  %3 = stablehlo.round_nearest_afz %2 : tensor<3xf32>
  // CHECK-NEXT: return %[[A]], %[[B]]
  return %1, %3 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @convert_to_same_type
func.func @convert_to_same_type(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.convert %x : tensor<3xf32>
  %1 = stablehlo.bitcast_convert %x : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK-NEXT: return %arg0, %arg0
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @keeps_convert
func.func @keeps_convert(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: stablehlo.convert
  %0 = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xf16>
  // CHECK: stablehlo.convert
  %1 = stablehlo.convert %0 : (tensor<3xf16>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: @bitcast_of_bitcast
func.func @bitcast_of_bitcast(%x: tensor<3xf32>, %n: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xui32>) {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.bitcast_convert %arg1 : (tensor<3xi32>) -> tensor<3xui32>
  %0 = stablehlo.bitcast_convert %x : (tensor<3xf32>) -> tensor<3xi32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<3xi32>) -> tensor<3xf32>
  %2 = stablehlo.bitcast_convert %n : (tensor<3xi32>) -> tensor<3xf32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<3xf32>) -> tensor<3xui32>
  // CHECK-NEXT: return %arg0, %[[A]]
  return %1, %3 : tensor<3xf32>, tensor<3xui32>
}

// CHECK-LABEL: @part_of_complex
func.func @part_of_complex(%x: tensor<2xf64>, %y: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
  %z = stablehlo.complex %x, %y : tensor<2xcomplex<f64>>
  %0 = stablehlo.real %z : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %1 = stablehlo.imag %z : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  // CHECK-NEXT: return %arg0, %arg1
  return %0, %1 : tensor<2xf64>, tensor<2xf64>
}

// CHECK-LABEL: @complex_of_parts
func.func @complex_of_parts(%z: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.real %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = stablehlo.imag %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %2 = stablehlo.complex %0, %1 : tensor<2xcomplex<f32>>
  // CHECK-NEXT: return %arg0
  return %2 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: @keeps_swapped_parts
func.func @keeps_swapped_parts(%z: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.real %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = stablehlo.imag %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: stablehlo.complex
  %2 = stablehlo.complex %1, %0 : tensor<2xcomplex<f32>>
  return %2 : tensor<2xcomplex<f32>>
}
