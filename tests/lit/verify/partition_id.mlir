// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @partition_id() {
  %0 = stablehlo.partition_id : tensor<ui32>
  return
}

// -----

func.func @partition_id_result() {
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = "stablehlo.partition_id"() : () -> tensor<i64>
  return
}

// -----

func.func @partition_id_result_rank() {
  // expected-error@+2 {{inferred type(s) 'tensor<ui32>' are incompatible with return type(s) of operation 'tensor<1xui32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.partition_id"() : () -> tensor<1xui32>
  return
}
