// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @composite(%input: tensor<2xf32>) {
  %0 = stablehlo.composite "my_library.twice" %input {
    composite_attributes = {factor = 2 : i64}, decomposition = @twice, version = 1 : i32
  } : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func private @twice(%value: tensor<2xf32>) -> tensor<2xf32> {
  %sum = stablehlo.add %value, %value : tensor<2xf32>
  return %sum : tensor<2xf32>
}

// -----

func.func @composite_no_values() {
  stablehlo.composite "my_library.nothing" {decomposition = @nothing} : () -> ()
  return
}
func.func private @nothing()

// -----

func.func @composite_c1_namespace(%input: tensor<2xf32>) {
  // expected-error@+1 {{name must be a valid namespaced op name}}
  %0 = stablehlo.composite "twice" %input {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func private @twice(%value: tensor<2xf32>) -> tensor<2xf32>

// -----

func.func @composite_c1_letters(%input: tensor<2xf32>) {
  // expected-error@+1 {{name must be a valid namespaced op name}}
  %0 = stablehlo.composite "my library.twice" %input {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func private @twice(%value: tensor<2xf32>) -> tensor<2xf32>

// -----

func.func @composite_c1_empty(%input: tensor<2xf32>) {
  // expected-error@+1 {{name must be a valid namespaced op name}}
  %0 = stablehlo.composite "" %input {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func private @twice(%value: tensor<2xf32>) -> tensor<2xf32>

// -----

func.func @composite_c2(%input: tensor<2xf32>) {
  // expected-error@+1 {{'thrice' does not reference a valid function}}
  %0 = stablehlo.composite "my_library.twice" %input {decomposition = @thrice} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @composite_c3_count(%input: tensor<2xf32>) {
  // expected-error@+1 {{has 2 operand(s), but decomposition has 1}}
  %0 = stablehlo.composite "my_library.twice" %input, %input {decomposition = @twice}
      : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func private @twice(%value: tensor<2xf32>) -> tensor<2xf32>

// -----

func.func @composite_c3(%input: tensor<3xf32>) {
  // expected-error@+1 {{operand at index 0 has type 'tensor<3xf32>', but decomposition has type 'tensor<2xf32>'}}
  %0 = stablehlo.composite "my_library.twice" %input {decomposition = @twice} : (tensor<3xf32>) -> tensor<2xf32>
  return
}
func.func private @twice(%value: tensor<2xf32>) -> tensor<2xf32>

// -----

func.func @composite_c4_count(%input: tensor<2xf32>) {
  // expected-error@+1 {{has 0 result(s), but decomposition has 1}}
  stablehlo.composite "my_library.twice" %input {decomposition = @twice} : (tensor<2xf32>) -> ()
  return
}
func.func private @twice(%value: tensor<2xf32>) -> tensor<2xf32>

// -----

func.func @composite_c4(%input: tensor<2xf32>) {
  // expected-error@+1 {{result at index 0 has type 'tensor<2xi32>', but decomposition has type 'tensor<2xf32>'}}
  %0 = stablehlo.composite "my_library.twice" %input {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xi32>
  return
}
func.func private @twice(%value: tensor<2xf32>) -> tensor<2xf32>

// -----

func.func @composite_decomposition(%input: tensor<2xf32>) {
  // expected-error@+1 {{requires attribute 'decomposition'}}
  %0 = "stablehlo.composite"(%input) {name = "my_library.twice"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
