// What the bindings cannot do is refused by name, with the reason.
// RUN: not stablehlo-opt --debug 2>&1 | FileCheck --check-prefix=DEBUG %s
// RUN: not stablehlo-opt --debug-only 2>&1 | FileCheck --check-prefix=DEBUG-ONLY %s
// RUN: not stablehlo-opt --elide-resource-data-from-bytecode 2>&1 | FileCheck --check-prefix=ELIDE-RESOURCE-DATA-FROM-BYTECODE %s
// RUN: not stablehlo-opt --load-dialect-plugin 2>&1 | FileCheck --check-prefix=LOAD-DIALECT-PLUGIN %s
// RUN: not stablehlo-opt --load-pass-plugin 2>&1 | FileCheck --check-prefix=LOAD-PASS-PLUGIN %s
// RUN: not stablehlo-opt --log-actions-to 2>&1 | FileCheck --check-prefix=LOG-ACTIONS-TO %s
// RUN: not stablehlo-opt --log-mlir-actions-filter 2>&1 | FileCheck --check-prefix=LOG-MLIR-ACTIONS-FILTER %s
// RUN: not stablehlo-opt --mlir-debug-counter 2>&1 | FileCheck --check-prefix=MLIR-DEBUG-COUNTER %s
// RUN: not stablehlo-opt --mlir-enable-debugger-hook 2>&1 | FileCheck --check-prefix=MLIR-ENABLE-DEBUGGER-HOOK %s
// RUN: not stablehlo-opt --mlir-print-debug-counter 2>&1 | FileCheck --check-prefix=MLIR-PRINT-DEBUG-COUNTER %s
// RUN: not stablehlo-opt --mlir-print-elementsattrs-with-hex-if-larger 2>&1 | FileCheck --check-prefix=MLIR-PRINT-ELEMENTSATTRS-WITH-HEX-IF-LARGER %s
// RUN: not stablehlo-opt --mlir-print-stacktrace-on-diagnostic 2>&1 | FileCheck --check-prefix=MLIR-PRINT-STACKTRACE-ON-DIAGNOSTIC %s
// RUN: not stablehlo-opt --mlir-very-unsafe-disable-verifier-on-parsing 2>&1 | FileCheck --check-prefix=MLIR-VERY-UNSAFE-DISABLE-VERIFIER-ON-PARSING %s
// RUN: not stablehlo-opt --print-all-options 2>&1 | FileCheck --check-prefix=PRINT-ALL-OPTIONS %s
// RUN: not stablehlo-opt --print-options 2>&1 | FileCheck --check-prefix=PRINT-OPTIONS %s
// RUN: not stablehlo-opt --profile-actions-to 2>&1 | FileCheck --check-prefix=PROFILE-ACTIONS-TO %s
// RUN: %if provider-jaxlib %{ not stablehlo-opt --convert-scf-to-cf %s 2>&1 | FileCheck --check-prefix=MLIR-PASS %s %}
// RUN: %if provider-jaxlib %{ not stablehlo-opt --pass-pipeline='builtin.module(convert-scf-to-cf)' %s 2>&1 | FileCheck --check-prefix=MLIR-PASS %s %}
// RUN: not stablehlo-opt --stablehlo-legalize-to-tosa %s 2>&1 | FileCheck --check-prefix=TOSA %s
// RUN: not stablehlo-opt --mlir-output-format=json 2>&1 | FileCheck --check-prefix=MLIR-OUTPUT-FORMAT %s
// RUN: not stablehlo-opt --mlir-timing-display=tree 2>&1 | FileCheck --check-prefix=MLIR-TIMING-DISPLAY %s
// RUN: not stablehlo-translate --mlir-print-elementsattrs-with-hex-if-larger 2>&1 | FileCheck --check-prefix=T-MLIR-PRINT-ELEMENTSATTRS-WITH-HEX-IF-LARGER %s
// RUN: not stablehlo-translate --mlir-print-stacktrace-on-diagnostic 2>&1 | FileCheck --check-prefix=T-MLIR-PRINT-STACKTRACE-ON-DIAGNOSTIC %s
// RUN: not stablehlo-translate --print-all-options 2>&1 | FileCheck --check-prefix=T-PRINT-ALL-OPTIONS %s
// RUN: not stablehlo-translate --print-options 2>&1 | FileCheck --check-prefix=T-PRINT-OPTIONS %s
// RUN: not stablehlo-translate --debug 2>&1 | FileCheck --check-prefix=T-DEBUG %s
// RUN: not stablehlo-translate --debug-only 2>&1 | FileCheck --check-prefix=T-DEBUG-ONLY %s
// RUN: not stablehlo-translate --mlir-output-format 2>&1 | FileCheck --check-prefix=T-MLIR-OUTPUT-FORMAT %s
// RUN: not stablehlo-translate --mlir-timing 2>&1 | FileCheck --check-prefix=T-MLIR-TIMING %s
// RUN: not stablehlo-translate --mlir-timing-display 2>&1 | FileCheck --check-prefix=T-MLIR-TIMING-DISPLAY %s

// DEBUG: stablehlo-opt: error: flag --debug cannot be had: the packages with the dialects are release builds, without L
// DEBUG-ONLY: stablehlo-opt: error: flag --debug-only cannot be had: the packages with the dialects are release builds, without L
// ELIDE-RESOURCE-DATA-FROM-BYTECODE: stablehlo-opt: error: flag --elide-resource-data-from-bytecode cannot be had: the bindings' bytecode writer has no such setting
// LOAD-DIALECT-PLUGIN: stablehlo-opt: error: flag --load-dialect-plugin cannot be had: the packages with the dialects load no plugins
// LOAD-PASS-PLUGIN: stablehlo-opt: error: flag --load-pass-plugin cannot be had: the packages with the dialects load no plugins
// LOG-ACTIONS-TO: stablehlo-opt: error: flag --log-actions-to cannot be had: the bindings give no access to MLIR's actions
// LOG-MLIR-ACTIONS-FILTER: stablehlo-opt: error: flag --log-mlir-actions-filter cannot be had: the bindings give no access to MLIR's actions
// MLIR-DEBUG-COUNTER: stablehlo-opt: error: flag --mlir-debug-counter cannot be had: the bindings give no access to MLIR's debug counters
// MLIR-ENABLE-DEBUGGER-HOOK: stablehlo-opt: error: flag --mlir-enable-debugger-hook cannot be had: the bindings give no access to MLIR's actions
// MLIR-PRINT-DEBUG-COUNTER: stablehlo-opt: error: flag --mlir-print-debug-counter cannot be had: the bindings give no access to MLIR's debug counters
// MLIR-PRINT-ELEMENTSATTRS-WITH-HEX-IF-LARGER: stablehlo-opt: error: flag --mlir-print-elementsattrs-with-hex-if-larger cannot be had: the bindings' printer has no such setting
// MLIR-PRINT-STACKTRACE-ON-DIAGNOSTIC: stablehlo-opt: error: flag --mlir-print-stacktrace-on-diagnostic cannot be had: the bindings have no such setting
// MLIR-VERY-UNSAFE-DISABLE-VERIFIER-ON-PARSING: stablehlo-opt: error: flag --mlir-very-unsafe-disable-verifier-on-parsing cannot be had: the bindings verify whatever they read
// PRINT-ALL-OPTIONS: stablehlo-opt: error: flag --print-all-options cannot be had: LLVM's list of its own variables is not there
// PRINT-OPTIONS: stablehlo-opt: error: flag --print-options cannot be had: LLVM's list of its own variables is not there
// PROFILE-ACTIONS-TO: stablehlo-opt: error: flag --profile-actions-to cannot be had: the bindings give no access to MLIR's actions
// MLIR-PASS: {{flag --|the pass '}}convert-scf-to-cf{{'?}} cannot be had: jaxlib does not carry this pass of MLIR; torch-mlir does
// TOSA: stablehlo-opt: error: flag --stablehlo-legalize-to-tosa cannot be had: no package carries StableHLO's conversion
// MLIR-OUTPUT-FORMAT: stablehlo-opt: error: flag --mlir-output-format=json cannot be had: the bindings print times as text only
// MLIR-TIMING-DISPLAY: stablehlo-opt: error: flag --mlir-timing-display=tree cannot be had: the bindings print times as a list only
// T-MLIR-PRINT-ELEMENTSATTRS-WITH-HEX-IF-LARGER: stablehlo-translate: error: flag --mlir-print-elementsattrs-with-hex-if-larger cannot be had: 
// T-MLIR-PRINT-STACKTRACE-ON-DIAGNOSTIC: stablehlo-translate: error: flag --mlir-print-stacktrace-on-diagnostic cannot be had: 
// T-PRINT-ALL-OPTIONS: stablehlo-translate: error: flag --print-all-options cannot be had: 
// T-PRINT-OPTIONS: stablehlo-translate: error: flag --print-options cannot be had: 
// T-DEBUG: stablehlo-translate: error: flag --debug cannot be had: 
// T-DEBUG-ONLY: stablehlo-translate: error: flag --debug-only cannot be had: 
// T-MLIR-OUTPUT-FORMAT: stablehlo-translate: error: flag --mlir-output-format cannot be had: 
// T-MLIR-TIMING: stablehlo-translate: error: flag --mlir-timing cannot be had: 
// T-MLIR-TIMING-DISPLAY: stablehlo-translate: error: flag --mlir-timing-display cannot be had: 
