// REQUIRES: stablehlo-1.16
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @mesh_axes(%operand: tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%operand) {
    all_gather_dim = 0 : i64,
    replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>
  } : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @mesh_axes_unknown(%operand: tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%operand) {
    all_gather_dim = 0 : i64,
    // expected-error@+1 {{axis 'y' not found in mesh definition}}
    replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "y">]>
  } : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @mesh_axes_kind(%operand: tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%operand) {
    all_gather_dim = 0 : i64,
    // expected-error@+1 {{expected AxisRefAttr in axes list}}
    replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>, axes = [1 : i32]>
  } : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @mesh_kind(%operand: tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%operand) {
    all_gather_dim = 0 : i64,
    // expected-error@+1 {{mesh must be a FlatSymbolRefAttr or MeshAttr}}
    replica_groups = #stablehlo.replica_group_mesh_axes<mesh = "x", axes = []>
  } : (tensor<4xf32>) -> tensor<8xf32>
  return
}
