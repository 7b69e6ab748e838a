// The asynchronous collectives of JAX: the call that starts one computes it, the call that ends it returns its operand.
// RUN: stablehlo-translate --interpret %s
// RUN: env STABLEHLO_PY_FAST=0 stablehlo-translate --interpret %s

func.func private @add(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %sum = stablehlo.add %a, %b : tensor<i32>
  return %sum : tensor<i32>
}

func.func @gather(%x: tensor<1x2xi32>) -> tensor<2x2xi32> {
  %started = stablehlo.custom_call @"all-gather-start"(%x) {mhlo.frontend_attributes = {async_collective_config = "{\22all_gather_dimension\22: 0, \22replica_groups\22: [[0, 1]], \22use_global_device_ids\22: true, \22channel_id\22: 1}"}} : (tensor<1x2xi32>) -> tensor<2x2xi32>
  %done = stablehlo.custom_call @"all-gather-done"(%started) : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %done : tensor<2x2xi32>
}

func.func @reduce(%x: tensor<1x2xi32>) -> tensor<1x2xi32> {
  %started = stablehlo.custom_call @"all-reduce-start"(%x) {called_computations = [@add], mhlo.frontend_attributes = {async_collective_config = "{\22replica_groups\22: [[0, 1]], \22use_global_device_ids\22: true, \22channel_id\22: 1}"}} : (tensor<1x2xi32>) -> tensor<1x2xi32>
  %done = stablehlo.custom_call @"all-reduce-done"(%started) : (tensor<1x2xi32>) -> tensor<1x2xi32>
  return %done : tensor<1x2xi32>
}

func.func @scatter(%x: tensor<1x2xi32>) -> tensor<1x1xi32> {
  %started = stablehlo.custom_call @"reduce-scatter-start"(%x) {called_computations = [@add], mhlo.frontend_attributes = {async_collective_config = "{\22scatter_dimension\22: 1, \22replica_groups\22: [[0, 1]], \22tiled\22: true, \22use_global_device_ids\22: true, \22channel_id\22: 1}"}} : (tensor<1x2xi32>) -> tensor<1x1xi32>
  %done = stablehlo.custom_call @"reduce-scatter-done"(%started) : (tensor<1x1xi32>) -> tensor<1x1xi32>
  return %done : tensor<1x1xi32>
}

func.func @exchange(%x: tensor<1x2xi32>) -> tensor<2x1xi32> {
  %started = stablehlo.custom_call @"all-to-all-start"(%x) {mhlo.frontend_attributes = {async_collective_config = "{\22split_dimension\22: 1, \22concat_dimension\22: 0, \22split_count\22: 2, \22replica_groups\22: [[0, 1]], \22channel_id\22: 1}"}} : (tensor<1x2xi32>) -> tensor<2x1xi32>
  %done = stablehlo.custom_call @"all-to-all-done"(%started) : (tensor<2x1xi32>) -> tensor<2x1xi32>
  return %done : tensor<2x1xi32>
}

func.func @permute(%x: tensor<1x2xi32>) -> tensor<1x2xi32> {
  %started = stablehlo.custom_call @"collective-permute-start"(%x) {mhlo.frontend_attributes = {async_collective_config = "{\22permutation\22: [[0, 1]], \22channel_id\22: 1}"}} : (tensor<1x2xi32>) -> tensor<1x2xi32>
  %done = stablehlo.custom_call @"collective-permute-done"(%started) : (tensor<1x2xi32>) -> tensor<1x2xi32>
  return %done : tensor<1x2xi32>
}

// Groups of different sizes.
func.func @uneven(%x: tensor<1x2xi32>) -> tensor<1x2xi32> {
  %started = stablehlo.custom_call @"all-reduce-start"(%x) {called_computations = [@add], mhlo.frontend_attributes = {async_collective_config = "{\22replica_groups\22: [[0, 2], [1]], \22use_global_device_ids\22: true, \22channel_id\22: 1}"}} : (tensor<1x2xi32>) -> tensor<1x2xi32>
  return %started : tensor<1x2xi32>
}

func.func @main() {
  %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %b = stablehlo.constant dense<[[10, 20]]> : tensor<1x2xi32>
  %c = stablehlo.constant dense<[[100, 200]]> : tensor<1x2xi32>
  %g:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@gather, @gather]]} : (tensor<1x2xi32>, tensor<1x2xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>)
  check.expect_eq_const %g#0, dense<[[1, 2], [10, 20]]> : tensor<2x2xi32>
  check.expect_eq_const %g#1, dense<[[1, 2], [10, 20]]> : tensor<2x2xi32>
  %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@reduce, @reduce]]} : (tensor<1x2xi32>, tensor<1x2xi32>) -> (tensor<1x2xi32>, tensor<1x2xi32>)
  check.expect_eq_const %r#0, dense<[[11, 22]]> : tensor<1x2xi32>
  check.expect_eq_const %r#1, dense<[[11, 22]]> : tensor<1x2xi32>
  %s:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@scatter, @scatter]]} : (tensor<1x2xi32>, tensor<1x2xi32>) -> (tensor<1x1xi32>, tensor<1x1xi32>)
  check.expect_eq_const %s#0, dense<11> : tensor<1x1xi32>
  check.expect_eq_const %s#1, dense<22> : tensor<1x1xi32>
  %e:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@exchange, @exchange]]} : (tensor<1x2xi32>, tensor<1x2xi32>) -> (tensor<2x1xi32>, tensor<2x1xi32>)
  check.expect_eq_const %e#0, dense<[[1], [10]]> : tensor<2x1xi32>
  check.expect_eq_const %e#1, dense<[[2], [20]]> : tensor<2x1xi32>
  %p:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@permute, @permute]]} : (tensor<1x2xi32>, tensor<1x2xi32>) -> (tensor<1x2xi32>, tensor<1x2xi32>)
  check.expect_eq_const %p#0, dense<0> : tensor<1x2xi32>
  check.expect_eq_const %p#1, dense<[[1, 2]]> : tensor<1x2xi32>
  %u:3 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@uneven, @uneven, @uneven]]} : (tensor<1x2xi32>, tensor<1x2xi32>, tensor<1x2xi32>) -> (tensor<1x2xi32>, tensor<1x2xi32>, tensor<1x2xi32>)
  check.expect_eq_const %u#0, dense<[[101, 202]]> : tensor<1x2xi32>
  check.expect_eq_const %u#1, dense<[[10, 20]]> : tensor<1x2xi32>
  check.expect_eq_const %u#2, dense<[[101, 202]]> : tensor<1x2xi32>
  return
}
