// Turns VHLO of the current version into StableHLO.
// RUN: stablehlo-opt %s --vhlo-legalize-to-stablehlo | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(vhlo-legalize-to-stablehlo)' | FileCheck %s

// CHECK-LABEL: func.func @negated
// CHECK-SAME: %{{.*}}: tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.negate %{{.*}} : tensor<2xf32>
// CHECK-NEXT: return %{{.*}} : tensor<2xf32>
"vhlo.func_v1"() <{arg_attrs = #vhlo.array_v1<[]>, function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"negated">, sym_visibility = #vhlo.string_v1<"">}> ({
^bb0(%operand: !vhlo.tensor_v1<2x!vhlo.f32_v1>):
  %0 = "vhlo.negate_v1"(%operand) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>
  "vhlo.return_v1"(%0) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> ()
}) : () -> ()
