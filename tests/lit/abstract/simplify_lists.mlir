// RUN: stablehlo-opt %s --stablehlo-simplify-shape-calculations | FileCheck %s

// Library functions as they could have been written by hand: a list that grows in a loop of a fixed number of rounds is the
// list literal, and the loop is gone.
// CHECK-LABEL: func.func @append
// CHECK: scf.execute_region -> tensor<0x1x2xf32> no_inline {
// CHECK: stablehlo.custom_call @count_up() : () -> tensor<0x1x2xf32>
// CHECK-NOT: scf.for
// CHECK: arith.constant dense<[0, 1, 2]> : tensor<3xindex>
func.func @append() -> tensor<?x?x?xf32> {
  %wrapped = scf.execute_region -> tensor<?x?x?xf32> no_inline {
    %body = stablehlo.custom_call @count_up() : () -> tensor<?x?x?xf32>
    %shape = scf.execute_region -> tensor<?xindex> no_inline {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %three = arith.constant 3 : index
      %nothing = arith.constant dense<> : tensor<0xindex>
      %empty = tensor.cast %nothing : tensor<0xindex> to tensor<?xindex>
      %list = scf.for %i = %zero to %three step %one iter_args(%grown = %empty) -> (tensor<?xindex>) {
        %item = tensor.from_elements %i : tensor<1xindex>
        %appended = tensor.concat dim(0) %grown, %item : (tensor<?xindex>, tensor<1xindex>) -> tensor<?xindex>
        scf.yield %appended : tensor<?xindex>
      }
      scf.yield %list : tensor<?xindex>
    } {stablehlo.calculation = "shape"}
    scf.yield %body : tensor<?x?x?xf32>
  } {stablehlo.calculate}
  return %wrapped : tensor<?x?x?xf32>
}

// A while loop, and replacing an element: 6 becomes 3 becomes 1.
// CHECK-LABEL: func.func @halve
// CHECK: stablehlo.custom_call @halve(%arg0) : (tensor<6x?xf32>) -> tensor<1x?xf32>
// CHECK-NOT: scf.while
// CHECK: tensor.dim %arg0
// CHECK: tensor.from_elements
func.func @halve(%x: tensor<6x?xf32>) -> tensor<?x?xf32> {
  %wrapped = scf.execute_region -> tensor<?x?xf32> no_inline {
    %body = stablehlo.custom_call @halve(%x) : (tensor<6x?xf32>) -> tensor<?x?xf32>
    %shape = scf.execute_region -> tensor<?xindex> no_inline {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      %extents = shape.shape_of %x : tensor<6x?xf32> -> tensor<?xindex>
      %first = tensor.extract %extents[%zero] : tensor<?xindex>
      %left = scf.while (%n = %first) : (index) -> index {
        %more = arith.cmpi sgt, %n, %one : index
        scf.condition(%more) %n : index
      } do {
      ^bb0(%n: index):
        %half = arith.floordivsi %n, %two : index
        scf.yield %half : index
      }
      %changed = tensor.insert %left into %extents[%zero] : tensor<?xindex>
      scf.yield %changed : tensor<?xindex>
    } {stablehlo.calculation = "shape"}
    scf.yield %body : tensor<?x?xf32>
  } {stablehlo.calculate}
  return %wrapped : tensor<?x?xf32>
}

// A loop whose number of rounds is unknown keeps its library function, and the type stays as it is.
// CHECK-LABEL: func.func @open_end
// CHECK: stablehlo.custom_call @open_end(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: scf.for
func.func @open_end(%x: tensor<?xf32>) -> tensor<?xf32> {
  %wrapped = scf.execute_region -> tensor<?xf32> no_inline {
    %body = stablehlo.custom_call @open_end(%x) : (tensor<?xf32>) -> tensor<?xf32>
    %shape = scf.execute_region -> tensor<?xindex> no_inline {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %extents = shape.shape_of %x : tensor<?xf32> -> tensor<?xindex>
      %count = tensor.extract %extents[%zero] : tensor<?xindex>
      %total = scf.for %i = %zero to %count step %one iter_args(%sum = %zero) -> (index) {
        %next = arith.addi %sum, %i : index
        scf.yield %next : index
      }
      %list = tensor.from_elements %total : tensor<1xindex>
      %open = tensor.cast %list : tensor<1xindex> to tensor<?xindex>
      scf.yield %open : tensor<?xindex>
    } {stablehlo.calculation = "shape"}
    scf.yield %body : tensor<?xf32>
  } {stablehlo.calculate}
  return %wrapped : tensor<?xf32>
}
