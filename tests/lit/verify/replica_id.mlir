// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @replica_id() {
  %0 = stablehlo.replica_id : tensor<ui32>
  return
}

// -----

func.func @replica_id_result() {
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = "stablehlo.replica_id"() : () -> tensor<i32>
  return
}

// -----

func.func @replica_id_result_rank() {
  // expected-error@+2 {{inferred type(s) 'tensor<ui32>' are incompatible with return type(s) of operation 'tensor<2xui32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.replica_id"() : () -> tensor<2xui32>
  return
}
