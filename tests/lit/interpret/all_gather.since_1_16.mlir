// REQUIRES: stablehlo-1.16
// RUN: stablehlo-translate --interpret --split-input-file %s

// Groups along an axis of a mesh whose devices are in an order of their own: x runs over ids 0, 1 and 2, 3.
module @mesh_axes {
  func.func @program(%operand: tensor<1xi64>) -> tensor<2xi64> {
    %result = "stablehlo.all_gather"(%operand) {
      all_gather_dim = 0 : i64,
      replica_groups = #stablehlo.replica_group_mesh_axes<
        mesh = #stablehlo.mesh<
          axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 2>],
          device_ids = dense<[0, 2, 1, 3]> : tensor<4xi64>>,
        axes = [#stablehlo.axis_ref<name = "x">]>
    } : (tensor<1xi64>) -> tensor<2xi64>
    return %result : tensor<2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<1xi64>
    %b = stablehlo.constant dense<2> : tensor<1xi64>
    %c = stablehlo.constant dense<3> : tensor<1xi64>
    %d = stablehlo.constant dense<4> : tensor<1xi64>
    %results:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {
      programs = [[@program], [@program], [@program], [@program]]
    } : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
        -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %results#0, dense<[1, 2]> : tensor<2xi64>
    check.expect_eq_const %results#1, dense<[1, 2]> : tensor<2xi64>
    check.expect_eq_const %results#2, dense<[3, 4]> : tensor<2xi64>
    check.expect_eq_const %results#3, dense<[3, 4]> : tensor<2xi64>
    return
  }
}
