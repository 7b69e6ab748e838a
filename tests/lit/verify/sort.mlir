// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @sort(%inputs0: tensor<4x5xi32>, %inputs1: tensor<4x5xf32>) {
  %0:2 = "stablehlo.sort"(%inputs0, %inputs1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %b0: tensor<f32>, %b1: tensor<f32>):
      %before = stablehlo.compare LT, %a0, %a1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<4x5xi32>, tensor<4x5xf32>) -> (tensor<4x5xi32>, tensor<4x5xf32>)
  return
}

// -----

func.func @sort_c4_from_the_end(%inputs: tensor<4x5xi32>) {
  %0 = "stablehlo.sort"(%inputs) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      %before = stablehlo.compare GT, %a0, %a1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = -2 : i64} : (tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @sort_c2_dynamic(%inputs: tensor<?xi32>) {
  %0 = "stablehlo.sort"(%inputs) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      %before = stablehlo.compare GT, %a0, %a1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) : (tensor<?xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_c1() {
  // expected-error@+1 {{expected 1 or more operands, but found 0}}
  "stablehlo.sort"() ({
    ^bb0:
      %before = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) : () -> ()
  return
}

// -----

func.func @sort_c2_count(%inputs: tensor<5xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5xi32>' are incompatible with return type(s) of operation 'tensor<5xi32>', 'tensor<5xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = "stablehlo.sort"(%inputs) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      %before = stablehlo.compare GT, %a0, %a1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) : (tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)
  return
}

// -----

func.func @sort_c2_element_type(%inputs: tensor<5xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5xi32>' are incompatible with return type(s) of operation 'tensor<5xi64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.sort"(%inputs) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      %before = stablehlo.compare GT, %a0, %a1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) : (tensor<5xi32>) -> tensor<5xi64>
  return
}

// -----

func.func @sort_c3(%inputs0: tensor<5xi32>, %inputs1: tensor<6xi32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0:2 = "stablehlo.sort"(%inputs0, %inputs1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %b0: tensor<i32>, %b1: tensor<i32>):
      %before = stablehlo.compare GT, %a0, %a1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) : (tensor<5xi32>, tensor<6xi32>) -> (tensor<5xi32>, tensor<6xi32>)
  return
}

// -----

func.func @sort_c4(%inputs: tensor<5xi32>) {
  // expected-error@+1 {{dimension attribute value must be in range [-1, 1), but found 1}}
  %0 = "stablehlo.sort"(%inputs) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      %before = stablehlo.compare GT, %a0, %a1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_c4_negative(%inputs: tensor<5xi32>) {
  // expected-error@+1 {{dimension attribute value must be in range [-1, 1), but found -2}}
  %0 = "stablehlo.sort"(%inputs) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      %before = stablehlo.compare GT, %a0, %a1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = -2 : i64} : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_c5_arity(%inputs: tensor<5xi32>) {
  // expected-error@+1 {{comparator block should have 2 arguments}}
  %0 = "stablehlo.sort"(%inputs) ({
    ^bb0(%a0: tensor<i32>):
      %before = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_c5_argument(%inputs: tensor<5xi32>) {
  // expected-error@+1 {{comparator block argument #1 should be of type 'tensor<i32>' but got 'tensor<f32>'}}
  %0 = "stablehlo.sort"(%inputs) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<f32>):
      %before = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_c5_results(%inputs: tensor<5xi32>) {
  // expected-error@+1 {{comparator must return single output but got 2}}
  %0 = "stablehlo.sort"(%inputs) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      %before = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %before, %before : tensor<i1>, tensor<i1>
  }) : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_c5_result_type(%inputs: tensor<5xi32>) {
  // expected-error@+1 {{comparator must return tensor<i1> but got 'tensor<i32>'}}
  %0 = "stablehlo.sort"(%inputs) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      stablehlo.return %a0 : tensor<i32>
  }) : (tensor<5xi32>) -> tensor<5xi32>
  return
}
