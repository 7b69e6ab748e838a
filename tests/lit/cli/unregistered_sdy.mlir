// REQUIRES: dialect-sdy
// RUN: stablehlo-opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: not stablehlo-opt %s 2>&1 | FileCheck %s --check-prefix=STRICT

// Shardy's dialect is no part of StableHLO: where unknown dialects are allowed, a program can have ops that are called so.
// CHECK: "sdy.mesh"() {note = 7 : i64} : () -> ()
// STRICT: error: 'sdy.mesh' op requires attribute
"sdy.mesh"() {note = 7 : i64} : () -> ()
