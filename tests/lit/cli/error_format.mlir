// Messages for programs: JSON with a line for each message, or one SARIF document.
// RUN: not stablehlo-opt %s --error-format=json 2>&1 | FileCheck --check-prefix=JSON %s
// RUN: not stablehlo-translate --serialize %s --error-format=json 2>&1 | FileCheck --check-prefix=JSON %s
// RUN: not stablehlo-compat --error-format=json minimum %s 2>&1 | FileCheck --check-prefix=JSON %s
// RUN: not stablehlo --error-format=json cost %s 2>&1 | FileCheck --check-prefix=JSON %s
// RUN: not stablehlo-opt %s --error-format=sarif 2>&1 | FileCheck --check-prefix=SARIF %s
// RUN: not stablehlo-opt %s --error-format=sarif 2>&1 | %python -m json.tool
// RUN: stablehlo-opt --version --error-format=sarif 2>&1 | FileCheck --check-prefix=CLEAN %s
// RUN: not stablehlo-opt --no-such-flag --error-format=json 2>&1 | FileCheck --check-prefix=FLAG %s
// RUN: not stablehlo-opt --error-format=xml 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not stablehlo-opt %s --color 2>&1 | FileCheck --check-prefix=COLOUR %s
// RUN: not stablehlo-translate --interpret %s --color=true 2>&1 | FileCheck --check-prefix=COLOUR %s
// RUN: not stablehlo-opt %s --color=false 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: not stablehlo-opt %s 2>&1 | FileCheck --check-prefix=PLAIN %s

// JSON: "severity": "error", "file": "{{.*}}error_format.mlir", "line": 29, "column": 8, "message": "'stablehlo.add' op requires
// JSON-SAME: "notes": [{"severity": "note"
// SARIF: "version": "2.1.0"
// SARIF: "name": "stablehlo-opt"
// SARIF: "level": "error"
// SARIF: "startLine": 29
// SARIF-NEXT: "startColumn": 8
// CLEAN: "results": []
// FLAG: {"tool": "stablehlo-opt", "severity": "error", "file": null, "line": null, "column": null, "message": "unknown flag '--no-such-flag'
// UNKNOWN: flag --error-format expects one of text, json, sarif, found 'xml'
// COLOUR: {{.*}}[1;31merror: {{.*}}'stablehlo.add' op
// PLAIN: {{^.*}}error_format.mlir:29:8: error: 'stablehlo.add'
func.func @main(%operand: tensor<2xf32>) {
  %0 = "stablehlo.add"(%operand, %operand) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}
