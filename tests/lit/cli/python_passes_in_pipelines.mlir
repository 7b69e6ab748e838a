// A pass written in Python stands between passes written in C++, takes options, and is reported like them.
// RUN: stablehlo-opt %s --cse --stablehlo-aggressive-folder=fold-op-element-limit=1 --symbol-dce | FileCheck --check-prefix=LIMIT %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(cse,stablehlo-aggressive-folder{fold-op-element-limit=64}),symbol-dce)' | FileCheck --check-prefix=FOLDED %s
// RUN: stablehlo-opt %s --cse --stablehlo-aggressive-folder --dump-pass-pipeline 2>&1 | FileCheck --check-prefix=DUMP %s
// RUN: not stablehlo-opt %s --stablehlo-aggressive-folder=speed=3 2>&1 | FileCheck --check-prefix=OPTION %s

// LIMIT: stablehlo.add
// FOLDED-NOT: stablehlo.add
// FOLDED: stablehlo.constant dense<[5, 7, 9]>
// DUMP: Pass Manager with 2 passes:
// DUMP-NEXT: builtin.module(cse,{{.*}}stablehlo-aggressive-folder
// OPTION: error: pass 'stablehlo-aggressive-folder' has no option 'speed'; it has: {{.*}}fold-op-element-limit
func.func @sum() -> tensor<3xi32> {
  %lhs = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %rhs = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi32>
  %sum = stablehlo.add %lhs, %rhs : tensor<3xi32>
  return %sum : tensor<3xi32>
}
