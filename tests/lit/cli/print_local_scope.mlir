// RUN: stablehlo-opt %s | FileCheck --check-prefix=ALIAS %s
// RUN: stablehlo-opt %s --mlir-print-local-scope | FileCheck --check-prefix=LOCAL %s

// ALIAS: #[[$MAP:.*]] = affine_map<(d0) -> (d0 + 1)>
// ALIAS: test.map = #[[$MAP]]
// LOCAL-NOT: {{^}}#
// LOCAL: test.map = affine_map<(d0) -> (d0 + 1)>
func.func private @map() attributes {test.map = affine_map<(d0) -> (d0 + 1)>}
