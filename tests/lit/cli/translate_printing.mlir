// The flags of MLIR's printer hold for what --deserialize prints; one translation may follow another.
// RUN: stablehlo-translate --serialize %s -o %t.bc
// RUN: stablehlo-translate --deserialize %t.bc --mlir-print-op-generic=true | FileCheck --check-prefix=GENERIC %s
// RUN: stablehlo-translate --deserialize %t.bc --mlir-print-op-generic=false | FileCheck --check-prefix=PRETTY %s
// RUN: stablehlo-translate --deserialize %t.bc --mlir-print-debuginfo --mlir-print-local-scope | FileCheck --check-prefix=PLACES %s
// RUN: stablehlo-translate --deserialize %t.bc --mlir-pretty-debuginfo | FileCheck --check-prefix=PEOPLE %s
// RUN: stablehlo-translate --deserialize %t.bc --mlir-print-skip-regions | FileCheck --check-prefix=SKIPPED %s
// RUN: stablehlo-translate --deserialize %t.bc --mlir-use-nameloc-as-prefix --mlir-print-assume-verified --mlir-disable-threading | FileCheck --check-prefix=NAMED %s
// RUN: stablehlo-translate --deserialize %t.bc --mlir-elide-elementsattrs-if-larger=2 --mlir-elide-resource-strings-if-larger=4 | FileCheck --check-prefix=ELIDED %s
// RUN: %if location-setters %{ stablehlo-translate --deserialize %t.bc --mlir-print-value-users --mlir-print-unique-ssa-ids | FileCheck --check-prefix=USERS %s %}
// RUN: stablehlo-translate --serialize --deserialize %s | FileCheck --check-prefix=PRETTY %s
// RUN: stablehlo-translate --deserialize --print-stablehlo-version %t.bc | FileCheck --check-prefix=ARTIFACT %s
// RUN: stablehlo-translate --interpret --allow-unregistered-dialect --split-input-file --output-split-marker='// next' %s | FileCheck --check-prefix=RESULT %s
// RUN: stablehlo-translate -serialize -interpret %s | FileCheck --check-prefix=RESULT %s
// RUN: stablehlo-translate --verify-diagnostics=only-expected --interpret %s | FileCheck --check-prefix=RESULT %s
// RUN: not stablehlo-translate --verify-diagnostics=some --interpret %s 2>&1 | FileCheck --check-prefix=LEVEL %s

// GENERIC: "stablehlo.constant"()
// PRETTY: stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// PLACES: stablehlo.constant {{.*}} loc("weights")
// PEOPLE: stablehlo.constant {{.*}} "weights"
// SKIPPED-NOT: stablehlo.constant
// NAMED: %weights = stablehlo.constant
// ELIDED: stablehlo.constant dense_resource<__elided__>
// USERS: %cst = stablehlo.constant {{.*}} // user: %
// RESULT: tensor<3xf32> {{.*}}
// ARTIFACT: // Reading portable artifact with StableHLO version
// LEVEL: error: flag --verify-diagnostics expects one of all, only-expected
module {
  func.func @main() -> tensor<3xf32> {
    %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32> loc("weights")
    return %0 : tensor<3xf32>
  }
}
