// RUN: stablehlo-opt --version | FileCheck --check-prefix=VERSION %s
// RUN: stablehlo-translate -version | FileCheck --check-prefix=VERSION %s
// RUN: stablehlo-compat --version | FileCheck --check-prefix=VERSION %s
// RUN: stablehlo --version | FileCheck --check-prefix=VERSION %s
// RUN: stablehlo-opt --help | FileCheck --check-prefix=HELP %s
// RUN: stablehlo-opt -h | FileCheck --check-prefix=HELP %s
// RUN: stablehlo-opt --list-passes | FileCheck --check-prefix=PASSES %s
// RUN: stablehlo-opt --show-dialects | FileCheck --check-prefix=DIALECTS %s

// VERSION: stablehlo-py {{[0-9]+\.[0-9]+\.[0-9]+}}
// VERSION: StableHLO {{[0-9]+\.[0-9]+\.[0-9]+}} (minimum {{[0-9]+\.[0-9]+\.[0-9]+}})
// VERSION-NEXT: MLIR bytecode {{[0-9]+$}}
// VERSION-NEXT: provider {{[a-z_]+}} {{[0-9]+}}
// HELP: Usage: stablehlo-opt
// HELP: --split-input-file[=<marker>]
// HELP: --stablehlo-refine-shapes
// PASSES: --canonicalize
// PASSES-NEXT: {{^ +[A-Z].*}}
// PASSES: max-iterations=10
// PASSES: --stablehlo-legalize-to-vhlo [builtin.module]
// PASSES-NEXT: {{^ +[A-Z].*}}
// PASSES-NEXT: allow-other-dialects=false
// DIALECTS: Available Dialects: {{.*}}check,chlo,{{.*}}stablehlo,{{.*}}vhlo
