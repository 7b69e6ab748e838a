// RUN: rm -rf %t.work && stablehlo reduce %s --engine=reference:bf16 --reference=reference --tolerance=0.1ulp --jobs=1 --output=%t.mlir --issue=%t.md --work=%t.work --keep | FileCheck %s
// RUN: FileCheck %s --check-prefix=REDUCED --input-file=%t.mlir
// RUN: FileCheck %s --check-prefix=ISSUE --input-file=%t.md
// RUN: stablehlo reduce %s --command='grep -c sine {module}' --interesting-if-exit=0 --match=1 --jobs=1 -o %t.mlir | FileCheck %s --check-prefix=COMMAND
// RUN: not stablehlo reduce %s --engine=official --fails --jobs=1 -o %t.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: stablehlo reduce %s --command='false {module}' --interesting-if-exit=any --jobs=1 -o %t.mlir | FileCheck %s --check-prefix=ANY
// RUN: stablehlo reduce %s --xla=xla_backend_optimization_level=0 --tolerance=0ulp --reference=reference:bf16 --jobs=1 -o %t.mlir --test=%t.test.mlir | FileCheck %s --check-prefix=TEST
// RUN: FileCheck %s --check-prefix=CHECKS --input-file=%t.test.mlir
// RUN: stablehlo reduce %s --command='false {module}' --interesting-if-exit=any --jobs=1 -o %t.mlir --json | FileCheck %s --check-prefix=JSON
// RUN: stablehlo reduce %s --command='false {module}' --interesting-if-exit=any --jobs=1 -o %t.mlir --test=%t.none.mlir --error-format=json 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: stablehlo reduce %s --command='false {module}' --interesting-if-exit=any --jobs=1 -o %t.mlir --issue=%t.md --json 2>%t.err | FileCheck %s --check-prefix=JSON
// RUN: FileCheck %s --check-prefix=WROTE --input-file=%t.err
// RUN: not stablehlo reduce %s -o %t.none/reduced.mlir 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: stablehlo reduce %s --engine=reference:bf16 --tolerance=0.1ulp --cluster=local --jobs=1 -o %t.mlir | FileCheck %s
// WROTE: wrote {{.*}}.mlir and its arguments
// WROTE-NEXT: wrote {{.*}}.md
// FOLDER: error: Invalid value for '-o' / '--output': '{{.*}}.none' is not a folder
// UNWRITTEN: {"tool": "stablehlo", "severity": "warning", {{.*}}"message": "did not write {{.*}}.none.mlir: no engine gives results to check
// JSON-NOT: wrote
// JSON: "ops_before": 3
// JSON-NOT: wrote
// ANY: exit code 1: 3 ops reduced to 1 in
// TEST: wrote {{.*}}.test.mlir, which reference:bf16 passes
// CHECKS: check.expect_almost_eq_const
// RUN: not stablehlo reduce %s --match='(' 2>&1 | FileCheck %s --check-prefix=MATCH
// MATCH: error: --match takes a regular expression, not '('
// CHECK: values differ in digit {{[45]}}: 3 ops reduced to 1 in
// REDUCED: func.func @main
// ISSUE: ## values differ in digit {{[45]}} on a program of 1 op
// COMMAND: exit code 0: 3 ops reduced to 1 in
// FAILS: error: the program is not interesting: there is nothing to reduce
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
