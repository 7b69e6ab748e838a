// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @return(%pred: tensor<i1>, %value: tensor<3xf32>) {
  %0 = "stablehlo.if"(%pred) ({
    stablehlo.return %value : tensor<3xf32>
  }, {
    stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}

// -----

func.func @return_not_last(%pred: tensor<i1>, %value: tensor<3xf32>) {
  %0 = "stablehlo.if"(%pred) ({
    // expected-error@+1 {{must be the last operation in the parent block}}
    stablehlo.return %value : tensor<3xf32>
    %late = stablehlo.abs %value : tensor<3xf32>
  }, {
    stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}

// -----

func.func @return_missing(%pred: tensor<i1>, %value: tensor<3xf32>) {
  %0 = "stablehlo.if"(%pred) ({
    // expected-error@+1 {{block with no terminator}}
    %late = stablehlo.abs %value : tensor<3xf32>
  }, {
    stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}

// -----

func.func @return_other_terminator(%pred: tensor<i1>, %value: tensor<3xf32>) {
  %0 = "stablehlo.if"(%pred) ({
    // expected-error@+1 {{expects parent op 'func.func'}}
    func.return %value : tensor<3xf32>
  }, {
    stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}
