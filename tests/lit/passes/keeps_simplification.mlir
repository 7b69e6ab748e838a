// RUN: diff <(stablehlo-opt --stablehlo-aggressive-simplification=optimize-float=false %s) <(stablehlo-opt %s)

// Nothing here may change: each function is next to what a pattern takes.

func.func @keeps_near_neutral_constants(%n: tensor<2xi8>, %m: tensor<2xui8>, %x: tensor<2xf32>) -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xui8>, tensor<2xui8>, tensor<2xui8>, tensor<2xi8>, tensor<2xi8>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi8>) {
  %lowest = stablehlo.constant dense<-127> : tensor<2xi8>
  %highest = stablehlo.constant dense<126> : tensor<2xi8>
  %most = stablehlo.constant dense<127> : tensor<2xi8>
  %almost = stablehlo.constant dense<254> : tensor<2xui8>
  %minus = stablehlo.constant dense<-1> : tensor<2xi8>
  %finite = stablehlo.constant dense<0xFF7FFFFF> : tensor<2xf32>
  %large = stablehlo.constant dense<0x7F7FFFFF> : tensor<2xf32>
  %one = stablehlo.constant dense<-1.0> : tensor<2xf32>
  %mixed = stablehlo.constant dense<[0, 1]> : tensor<2xi8>
  %0 = stablehlo.maximum %n, %lowest : tensor<2xi8>
  %1 = stablehlo.minimum %n, %highest : tensor<2xi8>
  %2 = stablehlo.and %n, %most : tensor<2xi8>
  %3 = stablehlo.minimum %m, %almost : tensor<2xui8>
  %4 = stablehlo.and %m, %almost : tensor<2xui8>
  %5 = stablehlo.or %m, %almost : tensor<2xui8>
  %6 = stablehlo.multiply %n, %minus : tensor<2xi8>
  %7 = stablehlo.divide %n, %minus : tensor<2xi8>
  %8 = stablehlo.maximum %x, %finite : tensor<2xf32>
  %9 = stablehlo.minimum %x, %large : tensor<2xf32>
  %10 = stablehlo.multiply %x, %one : tensor<2xf32>
  %11 = stablehlo.add %n, %mixed : tensor<2xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xui8>, tensor<2xui8>, tensor<2xui8>, tensor<2xi8>, tensor<2xi8>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi8>
}

func.func @keeps_what_zero_does_not_absorb(%n: tensor<2xi8>, %z: tensor<2xcomplex<f32>>) -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xcomplex<f32>>) {
  %zero = stablehlo.constant dense<0> : tensor<2xi8>
  %0 = stablehlo.maximum %n, %zero : tensor<2xi8>
  %1 = stablehlo.subtract %zero, %n : tensor<2xi8>
  %2 = stablehlo.remainder %zero, %n : tensor<2xi8>
  %3 = stablehlo.subtract %z, %z : tensor<2xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xcomplex<f32>>
}

func.func @keeps_sign_ops_of_others(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.abs %x : tensor<2xf32>
  %1 = stablehlo.negate %0 : tensor<2xf32>
  %2 = stablehlo.floor %1 : tensor<2xf32>
  %3 = stablehlo.abs %2 : tensor<2xf32>
  %4 = stablehlo.sign %3 : tensor<2xf32>
  return %1, %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

func.func @keeps_selections(%p: tensor<i1>, %q: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xi1>, tensor<2xf32>, tensor<2xi1>, tensor<2xf32>, tensor<2xi1>) {
  %yes = stablehlo.constant dense<true> : tensor<2xi1>
  %no = stablehlo.constant dense<false> : tensor<2xi1>
  %some = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %0 = stablehlo.select %p, %yes, %no : tensor<i1>, tensor<2xi1>
  %1 = stablehlo.select %some, %x, %y : tensor<2xi1>, tensor<2xf32>
  %2 = stablehlo.select %q, %yes, %some : tensor<2xi1>, tensor<2xi1>
  %3 = stablehlo.not %p : tensor<i1>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i1>) -> tensor<2xi1>
  %5 = stablehlo.select %4, %x, %y : tensor<2xi1>, tensor<2xf32>
  return %0, %1, %2, %5, %4 : tensor<2xi1>, tensor<2xf32>, tensor<2xi1>, tensor<2xf32>, tensor<2xi1>
}

func.func @keeps_slice_of_shared_concatenate(%x: tensor<3xf32>, %y: tensor<4xf32>, %z: tensor<5xf32>) -> (tensor<4xf32>, tensor<12xf32>) {
  %0 = stablehlo.concatenate %x, %y, %z, dim = 0 : (tensor<3xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<12xf32>
  %1 = stablehlo.slice %0 [4:11:2] : (tensor<12xf32>) -> tensor<4xf32>
  return %1, %0 : tensor<4xf32>, tensor<12xf32>
}

func.func @keeps_concatenate_along_another_dimension(%x: tensor<2x2xf32>, %y: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.concatenate %0, %y, dim = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

func.func @keeps_pads_that_are_not_one(%x: tensor<4xf32>, %v: tensor<f32>, %w: tensor<f32>) -> (tensor<6xf32>, tensor<9xf32>, tensor<9xf32>, tensor<4xf32>, tensor<6xf32>, tensor<5xf32>) {
  %0 = stablehlo.pad %x, %v, low = [1], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = stablehlo.pad %0, %w, low = [0], high = [1], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<6xf32>
  %2 = stablehlo.pad %x, %v, low = [0], high = [2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.pad %2, %v, low = [-2], high = [0], interior = [1] : (tensor<6xf32>, tensor<f32>) -> tensor<9xf32>
  %4 = stablehlo.pad %x, %v, low = [1], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = stablehlo.pad %4, %v, low = [0], high = [1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  %6 = stablehlo.pad %x, %v, low = [0], high = [-1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  %7 = stablehlo.pad %6, %v, low = [0], high = [1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  %8 = stablehlo.pad %x, %v, low = [0], high = [1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  %9 = stablehlo.pad %8, %v, low = [1], high = [0], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<6xf32>
  return %1, %3, %5, %7, %9, %8 : tensor<6xf32>, tensor<9xf32>, tensor<9xf32>, tensor<4xf32>, tensor<6xf32>, tensor<5xf32>
}

func.func @keeps_updates(%x: tensor<3xf32>, %u: tensor<1xf32>, %i: tensor<i32>) -> tensor<3xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<3xf32>, tensor<1xf32>, tensor<i32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @keeps_movement(%x: tensor<2x2xf32>, %y: tensor<2x1xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.reverse %x, dims = [1] : tensor<2x2xf32>
  %3 = stablehlo.reverse %y, dims = [0, 1] : tensor<2x1xf32>
  return %0, %1, %2, %3 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>
}

func.func @keeps_state_that_is_exchanged(%x: tensor<f32>, %y: tensor<f32>, %n: tensor<i32>) -> (tensor<f32>, tensor<f32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:3 = stablehlo.while(%i = %n, %a = %x, %b = %y) : tensor<i32>, tensor<f32>, tensor<f32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %b, %a : tensor<i32>, tensor<f32>, tensor<f32>
  }
  return %0#1, %0#2 : tensor<f32>, tensor<f32>
}

func.func @keeps_tuple_in_another_order(%t: tuple<tensor<f32>, tensor<f32>>) -> tuple<tensor<f32>, tensor<f32>> {
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  %1 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  %2 = stablehlo.tuple %0, %1 : tuple<tensor<f32>, tensor<f32>>
  return %2 : tuple<tensor<f32>, tensor<f32>>
}

func.func @keeps_reduce_with_another_start(%x: tensor<3xi32>, %y: tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>, tensor<3xi32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %plus = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  %1 = stablehlo.reduce(%y init: %plus) applies stablehlo.add across dimensions = [] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0, %1, %2 : tensor<3xi32>, tensor<3xf32>, tensor<3xi32>
}

func.func @keeps_dimension_sizes(%x: tensor<3x?xf32>, %n: tensor<i32>) -> (tensor<i32>, tensor<3x?xf32, #stablehlo.bounds<?, 4>>) {
  %y = stablehlo.constant dense<1.0> : tensor<3x4xf32>
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<3x?xf32>) -> tensor<i32>
  %1 = stablehlo.set_dimension_size %y, %n, dim = 1 : (tensor<3x4xf32>, tensor<i32>) -> tensor<3x?xf32, #stablehlo.bounds<?, 4>>
  return %0, %1 : tensor<i32>, tensor<3x?xf32, #stablehlo.bounds<?, 4>>
}
