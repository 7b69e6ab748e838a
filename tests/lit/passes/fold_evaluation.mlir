// REQUIRES: op-chlo.mulhi
// RUN: stablehlo-opt --stablehlo-aggressive-folder=fold-op-element-limit=6 %s | FileCheck %s
// RUN: stablehlo-opt --stablehlo-aggressive-folder='fold-op-element-limit=6 optimize-float=false' %s | FileCheck %s --check-prefix=EXACT

// Each function is named after the pattern that it wants to see, or begins with `keeps_` where nothing may change.

// CHECK-LABEL: @fold_elementwise_of_splats
func.func @fold_elementwise_of_splats() -> (tensor<100xi32>, tensor<100xcomplex<f32>>, tensor<2x50xi1>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<12> : tensor<100xi32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<(-1.000000e+00,8.000000e+00)> : tensor<100xcomplex<f32>>
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<true> : tensor<2x50xi1>
  %three = stablehlo.constant dense<3> : tensor<100xi32>
  %four = stablehlo.constant dense<4> : tensor<100xi32>
  %0 = stablehlo.multiply %three, %four : tensor<100xi32>
  %z = stablehlo.constant dense<(2.0, 3.0)> : tensor<100xcomplex<f32>>
  %w = stablehlo.constant dense<(3.0, -5.0)> : tensor<100xcomplex<f32>>
  %1 = stablehlo.subtract %z, %w : tensor<100xcomplex<f32>>
  %h = stablehlo.constant dense<1.5> : tensor<2x50xbf16>
  %2 = stablehlo.compare LE, %h, %h : (tensor<2x50xbf16>, tensor<2x50xbf16>) -> tensor<2x50xi1>
  // CHECK: return %[[A]], %[[B]], %[[C]]
  return %0, %1, %2 : tensor<100xi32>, tensor<100xcomplex<f32>>, tensor<2x50xi1>
}

// CHECK-LABEL: @fold_movement_of_splat
func.func @fold_movement_of_splat(%i: tensor<i32>, %places: tensor<4x1xi32>) -> (tensor<50x2xf32>, tensor<100x7xf32>, tensor<9xf32>, tensor<3xf32>, tensor<4x5xf32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<2.500000e+00> : tensor<50x2xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<2.500000e+00> : tensor<100x7xf32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<2.500000e+00> : tensor<9xf32>
  // CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<2.500000e+00> : tensor<3xf32>
  // CHECK-DAG: %[[E:.*]] = stablehlo.constant dense<2.500000e+00> : tensor<4x5xf32>
  %c = stablehlo.constant dense<2.5> : tensor<100xf32>
  %0 = stablehlo.reshape %c : (tensor<100xf32>) -> tensor<50x2xf32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<100xf32>) -> tensor<100x7xf32>
  %2 = stablehlo.slice %c [1:100:11] : (tensor<100xf32>) -> tensor<9xf32>
  %3 = stablehlo.dynamic_slice %c, %i, sizes = [3] : (tensor<100xf32>, tensor<i32>) -> tensor<3xf32>
  %4 = "stablehlo.gather"(%c, %places) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 5>
  }> : (tensor<100xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  return %0, %1, %2, %3, %4 : tensor<50x2xf32>, tensor<100x7xf32>, tensor<9xf32>, tensor<3xf32>, tensor<4x5xf32>
}

// CHECK-LABEL: @fold_constant_operands
// EXACT-LABEL: @fold_constant_operands
func.func @fold_constant_operands() -> (tensor<3xi16>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<i32>, tensor<4xui8>, tensor<3xf32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<[5, 7, -9]> : tensor<3xi16>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<{{\[\[}}3.500000e+01, 4.400000e+01], [4.400000e+01, 5.600000e+01]]> : tensor<2x2xf32>
  // CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<-9> : tensor<i32>
  // CHECK-DAG: %[[E:.*]] = stablehlo.constant dense<[9, 1, 9, 2]> : tensor<4xui8>
  // CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<[0xFF800000, -0.000000e+00, 1.000000e+00]> : tensor<3xf32>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]]
  // Without optimize-float, what is rounded nowhere is folded, and what is rounded is not.
  // EXACT-NOT: stablehlo.transpose
  // EXACT: stablehlo.dot_general
  // EXACT-NOT: stablehlo.reduce
  // EXACT-NOT: stablehlo.maximum
  %n = stablehlo.constant dense<[5, -7, 9]> : tensor<3xi16>
  %s = stablehlo.constant dense<[1, -1, -1]> : tensor<3xi16>
  %0 = stablehlo.multiply %n, %s : tensor<3xi16>
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %v = stablehlo.constant dense<[4, -9, 2, 1, 0, 3, 8]> : tensor<7xi32>
  %top = stablehlo.constant dense<2147483647> : tensor<i32>
  %3 = stablehlo.reduce(%v init: %top) applies stablehlo.minimum across dimensions = [0] : (tensor<7xi32>, tensor<i32>) -> tensor<i32>
  %u = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
  %nine = stablehlo.constant dense<9> : tensor<ui8>
  %4 = stablehlo.pad %u, %nine, low = [1], high = [0], interior = [1] : (tensor<2xui8>, tensor<ui8>) -> tensor<4xui8>
  %f = stablehlo.constant dense<[0xFF800000, -0.0, 1.0]> : tensor<3xf32>
  %g = stablehlo.constant dense<[0xFF800000, -1.0, -1.0]> : tensor<3xf32>
  %5 = stablehlo.maximum %f, %g : tensor<3xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi16>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<i32>, tensor<4xui8>, tensor<3xf32>
}

// Special values come out as the interpreter computes them; the sign of a new NaN is the machine's.
// CHECK-LABEL: @fold_constant_operands_special_values
func.func @fold_constant_operands_special_values() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 0x{{[7F]}}FC00000, 0x{{[7F]}}FC00000]> : tensor<4xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00]> : tensor<4xf32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<[-0.000000e+00, 0.000000e+00, 0xFF800000, 0x7F800000]> : tensor<4xf32>
  // CHECK: return %[[A]], %[[B]], %[[C]]
  %x = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  %y = stablehlo.constant dense<[0.0, -0.0, 0xFF800000, 0x7F800000]> : tensor<4xf32>
  %0 = stablehlo.add %x, %y : tensor<4xf32>
  %1 = stablehlo.sign %x : tensor<4xf32>
  %2 = stablehlo.negate %x : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @fold_constant_operands_chlo
func.func @fold_constant_operands_chlo() -> tensor<2xf32> {
  // CHECK-NEXT: stablehlo.constant dense<[0.000000e+00, 0.842700
  %x = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %0 = chlo.erf %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @join_equal_splats
func.func @join_equal_splats(%x: tensor<2xi32>) -> tensor<12xi32> {
  // CHECK-DAG: %[[ONES:.*]] = stablehlo.constant dense<1> : tensor<6xi32>
  // CHECK-DAG: %[[TWOS:.*]] = stablehlo.constant dense<2> : tensor<2xi32>
  // CHECK: stablehlo.concatenate %[[ONES]], %[[TWOS]], %arg0, %[[TWOS]], dim = 0
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %two = stablehlo.constant dense<2> : tensor<2xi32>
  %0 = stablehlo.concatenate %one, %one, %one, %two, %x, %two, dim = 0 : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<12xi32>
  return %0 : tensor<12xi32>
}

// CHECK-LABEL: @keeps_more_elements_than_the_limit
func.func @keeps_more_elements_than_the_limit() -> (tensor<7xi32>, tensor<2x7xi32>) {
  // CHECK: stablehlo.add
  // CHECK: stablehlo.broadcast_in_dim
  %v = stablehlo.constant dense<[4, -9, 2, 1, 0, 3, 8]> : tensor<7xi32>
  %0 = stablehlo.add %v, %v : tensor<7xi32>
  %1 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<7xi32>) -> tensor<2x7xi32>
  return %0, %1 : tensor<7xi32>, tensor<2x7xi32>
}

// CHECK-LABEL: @fold_empty_iota
func.func @fold_empty_iota() -> (tensor<2x0xf32>, tensor<1xi8>) {
  // CHECK-DAG: stablehlo.constant dense<> : tensor<2x0xf32>
  // CHECK-DAG: stablehlo.constant dense<0> : tensor<1xi8>
  %0 = stablehlo.iota dim = 0 : tensor<2x0xf32>
  %1 = stablehlo.iota dim = 0 : tensor<1xi8>
  return %0, %1 : tensor<2x0xf32>, tensor<1xi8>
}

// CHECK-LABEL: @keeps_iota
func.func @keeps_iota() -> tensor<4xi32> {
  // CHECK-NEXT: stablehlo.iota
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// The spec leaves these results to the implementation.
// CHECK-LABEL: @keeps_what_the_spec_leaves_open
func.func @keeps_what_the_spec_leaves_open() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<2xi8>) {
  // CHECK: stablehlo.divide
  // CHECK: stablehlo.remainder
  // CHECK: stablehlo.divide
  // CHECK: stablehlo.convert
  %n = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %d = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %0 = stablehlo.divide %n, %d : tensor<2xi32>
  %1 = stablehlo.remainder %n, %d : tensor<2xi32>
  %low = stablehlo.constant dense<[-128, 4]> : tensor<2xi8>
  %minus = stablehlo.constant dense<-1> : tensor<2xi8>
  %2 = stablehlo.divide %low, %minus : tensor<2xi8>
  %x = stablehlo.constant dense<[300.0, 1.0]> : tensor<2xf32>
  %3 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi8>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<2xi8>
}

// CHECK-LABEL: @keeps_faults_in_sight
func.func @keeps_faults_in_sight() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>) {
  // CHECK: stablehlo.log
  // CHECK: stablehlo.log_plus_one
  // CHECK: stablehlo.rsqrt
  // CHECK: stablehlo.sqrt
  // CHECK: stablehlo.sign
  // CHECK: stablehlo.convert
  %zero = stablehlo.constant dense<-0.0> : tensor<f32>
  %minus = stablehlo.constant dense<-1.0> : tensor<f32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %0 = stablehlo.log %zero : tensor<f32>
  %1 = stablehlo.log_plus_one %minus : tensor<f32>
  %2 = stablehlo.rsqrt %zero : tensor<f32>
  %3 = stablehlo.sqrt %minus : tensor<f32>
  %4 = stablehlo.sign %nan : tensor<f32>
  %5 = stablehlo.convert %zero : (tensor<f32>) -> tensor<i32>
  return %0, %1, %2, %3, %4, %5 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>
}

// CHECK-LABEL: @keeps_quantized
func.func @keeps_quantized() -> tensor<2x!quant.uniform<i8:f32, 2.0>> {
  // CHECK: stablehlo.uniform_quantize
  %x = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 2.0>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 2.0>>
}

// Taking elements by their index rounds nothing, and neither does asking whether they are infinite.
// CHECK-LABEL: @fold_exact_selection
// EXACT-LABEL: @fold_exact_selection
func.func @fold_exact_selection() -> (tensor<2xf32>, tensor<3xi1>, tensor<3xi32>) {
  // EXACT-DAG: %[[A:.*]] = stablehlo.constant dense<[3.000000e+00, 1.000000e+00]> : tensor<2xf32>
  // EXACT-DAG: %[[B:.*]] = stablehlo.constant dense<[false, true, false]> : tensor<3xi1>
  // EXACT-DAG: %[[C:.*]] = stablehlo.constant dense<[1, 0, 2]> : tensor<3xi32>
  // EXACT: return %[[A]], %[[B]], %[[C]]
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %i = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %0 = "stablehlo.torch_index_select"(%x, %i) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<3xf32>, tensor<2xi32>) -> tensor<2xf32>
  %y = stablehlo.constant dense<[1.0, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  %1 = chlo.is_inf %y : tensor<3xf32> -> tensor<3xi1>
  %n = stablehlo.constant dense<[1073741824, 2, 2147483647]> : tensor<3xi32>
  %m = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi32>
  %2 = chlo.mulhi %n, %m : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
  return %0, %1, %2 : tensor<2xf32>, tensor<3xi1>, tensor<3xi32>
}
