// RUN: stablehlo reduce %s --command='grep -c sine {module}' --interesting-if-exit=0 --match=1 --jobs=1 -o %t.mlir | FileCheck %s --check-prefix=COMMAND
// RUN: stablehlo reduce %s --command='false {module}' --interesting-if-exit=any --jobs=1 -o %t.mlir | FileCheck %s --check-prefix=ANY
// RUN: stablehlo reduce %s --command='false {module}' --interesting-if-exit=any --jobs=1 -o %t.mlir --test=%t.none.mlir --error-format=json 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: stablehlo reduce %s --command='false {module}' --interesting-if-exit=any --jobs=1 -o %t.mlir --issue=%t.md --json 2>%t.err | FileCheck %s --check-prefix=JSON
// RUN: FileCheck %s --check-prefix=WROTE --input-file=%t.err
// WROTE: wrote {{.*}}.mlir and its arguments
// WROTE-NEXT: wrote {{.*}}.md
// UNWRITTEN: {"tool": "stablehlo", "severity": "warning", {{.*}}"message": "did not write {{.*}}.none.mlir: no engine gives results to check
// JSON-NOT: wrote
// JSON: "ops_before": 3
// ANY: exit code 1: 3 ops reduced to 1 in
// COMMAND: exit code 0: 3 ops reduced to 1 in
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
