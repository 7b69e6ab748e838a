// RUN: stablehlo-opt --stablehlo-aggressive-simplification=optimize-float=false --allow-unregistered-dialect %s | FileCheck %s

// Each function is named after the pattern that it wants to see, or begins with `keeps_` where nothing may change.

// CHECK-LABEL: @loop_invariant_state
func.func @loop_invariant_state(%x: tensor<f32>, %n: tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<f32>) {
  // CHECK: %[[LOOP:.*]]:2 = stablehlo.while(%{{.*}} = %c, %{{.*}} = %arg0) : tensor<i32>, tensor<f32> attributes {mhlo.note = "kept"}
  // CHECK: stablehlo.add %{{.*}}, %arg0
  // CHECK: return %[[LOOP]]#0, %arg0, %[[LOOP]]#1
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %x) : tensor<i32>, tensor<f32>, tensor<f32> attributes {mhlo.note = "kept"}
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %sum = stablehlo.add %b, %a : tensor<f32>
    stablehlo.return %next, %a, %sum : tensor<i32>, tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1, %0#2 : tensor<i32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: @loop_state_nobody_reads
func.func @loop_state_nobody_reads(%x: tensor<f32>) -> tensor<i32> {
  // CHECK: %[[LOOP:.*]] = stablehlo.while(%{{.*}} = %c) : tensor<i32>
  // CHECK-NOT: stablehlo.multiply
  // CHECK: return %[[LOOP]]
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %x) : tensor<i32>, tensor<f32>, tensor<f32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %product = stablehlo.multiply %a, %b : tensor<f32>
    %sum = stablehlo.add %product, %b : tensor<f32>
    stablehlo.return %next, %sum, %product : tensor<i32>, tensor<f32>, tensor<f32>
  }
  return %0#0 : tensor<i32>
}

// A side effect in the body reads the state.
// CHECK-LABEL: @keeps_state_that_an_effect_reads
func.func @keeps_state_that_an_effect_reads(%x: tensor<f32>) -> tensor<i32> {
  // CHECK: stablehlo.while(%{{.*}} = %c, %{{.*}} = %arg0)
  // CHECK: stablehlo.custom_call @log_it
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<f32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %sum = stablehlo.add %a, %a : tensor<f32>
    stablehlo.custom_call @log_it(%a) {has_side_effect = true} : (tensor<f32>) -> ()
    stablehlo.return %next, %sum : tensor<i32>, tensor<f32>
  }
  return %0#0 : tensor<i32>
}

// CHECK-LABEL: @element_of_tuple
func.func @element_of_tuple(%x: tensor<f32>, %n: tensor<i32>) -> tensor<i32> {
  // CHECK-NEXT: return %arg1
  %0 = stablehlo.tuple %x, %n : tuple<tensor<f32>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: @tuple_of_elements
func.func @tuple_of_elements(%t: tuple<tensor<f32>, tensor<i32>>) -> tuple<tensor<f32>, tensor<i32>> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  %2 = stablehlo.tuple %0, %1 : tuple<tensor<f32>, tensor<i32>>
  return %2 : tuple<tensor<f32>, tensor<i32>>
}

// CHECK-LABEL: @keeps_tuple_of_some_elements
func.func @keeps_tuple_of_some_elements(%t: tuple<tensor<f32>, tensor<f32>>) -> tuple<tensor<f32>, tensor<f32>> {
  // CHECK: stablehlo.tuple
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  %2 = stablehlo.tuple %1, %0 : tuple<tensor<f32>, tensor<f32>>
  return %2 : tuple<tensor<f32>, tensor<f32>>
}

// CHECK-LABEL: @barrier_around_nothing
func.func @barrier_around_nothing(%x: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: %[[B:.*]] = stablehlo.optimization_barrier %arg0
  // CHECK-NEXT: return %[[B]]
  "stablehlo.optimization_barrier"() : () -> ()
  %0 = stablehlo.optimization_barrier %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: @backend_config_as_attribute
func.func @backend_config_as_attribute(%x: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: stablehlo.custom_call @kernel(%arg0) {api_version = 4 : i32, backend_config = {tiles = 8 : i64}}
  %0 = stablehlo.custom_call @kernel(%x) {api_version = 1 : i32, mhlo.backend_config = {tiles = 8 : i64}} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: @keeps_backend_config_in_use
func.func @keeps_backend_config_in_use(%x: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: stablehlo.custom_call @kernel(%arg0) {{.*}}mhlo.backend_config
  %0 = stablehlo.custom_call @kernel(%x) {api_version = 1 : i32, backend_config = "text", mhlo.backend_config = {tiles = 8 : i64}} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: @tensors_without_elements
func.func @tensors_without_elements(%x: tensor<0x3xf32>, %y: tensor<3x2xf32>) -> (tensor<0x2xf32>, tensor<0x3xcomplex<f32>>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<> : tensor<0x2xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<> : tensor<0x3xcomplex<f32>>
  // CHECK: return %[[A]], %[[B]]
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<0x3xf32>, tensor<3x2xf32>) -> tensor<0x2xf32>
  %1 = stablehlo.complex %x, %x : tensor<0x3xcomplex<f32>>
  return %0, %1 : tensor<0x2xf32>, tensor<0x3xcomplex<f32>>
}

// CHECK-LABEL: @loop_invariant_state_without_elements
func.func @loop_invariant_state_without_elements(%n: tensor<i32>, %x: tensor<0xf32>) -> tensor<0xf32> {
  // CHECK-NEXT: %[[NONE:.*]] = stablehlo.constant dense<> : tensor<0xf32>
  // CHECK-NEXT: return %[[NONE]]
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %state:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<0xf32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %n : tensor<i32>
    stablehlo.return %next, %y : tensor<i32>, tensor<0xf32>
  }
  return %state#1 : tensor<0xf32>
}

// CHECK-LABEL: @returned_argument_without_elements
func.func @returned_argument_without_elements(%x: tensor<0xf32>) -> tensor<0xf32> {
  // CHECK-NEXT: return %arg0
  return %x : tensor<0xf32>
}

// CHECK-LABEL: @keeps_effect_on_no_elements
func.func @keeps_effect_on_no_elements(%x: tensor<0xf32>) -> tensor<0xf32> {
  // CHECK-NEXT: stablehlo.custom_call @log_it(%arg0)
  %0 = stablehlo.custom_call @log_it(%x) {has_side_effect = true} : (tensor<0xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// Ops of dialects that nobody knows stay, with what they use.
// CHECK-LABEL: @keeps_unknown_ops
func.func @keeps_unknown_ops(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = stablehlo.constant
  // CHECK: "unknown.op"(%arg0, %[[C]])
  // CHECK: "unknown.unused"()
  %c = stablehlo.constant dense<-0.0> : tensor<2xf32>
  %0 = "unknown.op"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = "unknown.unused"() : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// The loop's result has a type that knows less than its operand's: they cannot stand for each other.
// CHECK-LABEL: @keeps_state_of_another_type
func.func @keeps_state_of_another_type(%x: tensor<4xf32>) -> tensor<?xf32> {
  // CHECK: stablehlo.while
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<?xf32>):
    %false = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %false : tensor<i1>
  }, {
  ^bb0(%a: tensor<?xf32>):
    stablehlo.return %a : tensor<?xf32>
  }) : (tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
