// Every spelling of help and version that MLIR's tools have, on every tool.
// RUN: stablehlo-opt -help-hidden | FileCheck --check-prefix=OPT %s
// RUN: stablehlo-opt --help-list | FileCheck --check-prefix=OPT %s
// RUN: stablehlo-opt --help-list-hidden | FileCheck --check-prefix=OPT %s
// RUN: stablehlo-translate -h | FileCheck --check-prefix=TRANSLATE %s
// RUN: stablehlo-translate --help | FileCheck --check-prefix=TRANSLATE %s
// RUN: stablehlo-translate -help-hidden | FileCheck --check-prefix=TRANSLATE %s
// RUN: stablehlo-translate --help-list | FileCheck --check-prefix=TRANSLATE %s
// RUN: stablehlo-translate --help-list-hidden | FileCheck --check-prefix=TRANSLATE %s
// RUN: stablehlo-translate --version | FileCheck --check-prefix=VERSION %s
// RUN: stablehlo-compat --version | FileCheck --check-prefix=VERSION %s
// RUN: stablehlo --version | FileCheck --check-prefix=VERSION %s
// RUN: %python -m stablehlo_py --version | FileCheck --check-prefix=VERSION %s
// RUN: %python -m stablehlo_py --help | FileCheck --check-prefix=VERBS %s

// OPT: Usage: stablehlo-opt
// TRANSLATE: Usage: stablehlo-translate
// TRANSLATE: What to do:
// TRANSLATE: --serialize
// TRANSLATE: With --deserialize:
// TRANSLATE: With --interpret:
// TRANSLATE-NEXT: --args
// TRANSLATE: General:
// VERSION: stablehlo{{.*}} {{[0-9]+\.[0-9]+\.[0-9]+}}
// VERBS: Usage: stablehlo
