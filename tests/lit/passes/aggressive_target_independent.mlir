// RUN: stablehlo-opt --stablehlo-target-independent-optimization %s | FileCheck %s
// RUN: stablehlo-opt --stablehlo-target-independent-optimization --pass-report=text -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not stablehlo-opt --stablehlo-target-independent-optimization=fold-op-element-limit=-1 %s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not stablehlo-opt --stablehlo-target-independent-optimization=fold-op-element-limit=many %s 2>&1 | FileCheck %s --check-prefix=TEXTUAL
// RUN: not stablehlo-opt --pass-report=xml %s 2>&1 | FileCheck %s --check-prefix=FORM

// TEXT: stablehlo-target-independent-optimization: {{[0-9]+}} ops -> {{[0-9]+}}
// TEXT: inline_chosen_branch {{ *}}1 x
// NEGATIVE: error: option fold-op-element-limit of --stablehlo-target-independent-optimization must not be negative, but is -1
// TEXTUAL: error: {{.*}}fold-op-element-limit
// FORM: error: flag --pass-report expects one of json, text, found 'xml'

// Folding gives simplification constants, and simplification gives folding known shapes, until both are done.
// CHECK-LABEL: @together
func.func @together(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %arg0, dims = [1, 0]
  // CHECK-NEXT: %[[C:.*]] = stablehlo.convert %[[T]] : (tensor<3x2xf32>) -> tensor<?x?xf32>
  // CHECK-NEXT: return %[[C]]
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<2x3xf32>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  %big = stablehlo.compare GT, %columns, %rows : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = "stablehlo.if"(%big) ({
    %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    stablehlo.return %t : tensor<3x2xf32>
  }, {
    %r = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<3x2xf32>
    stablehlo.return %r : tensor<3x2xf32>
  }) : (tensor<i1>) -> tensor<3x2xf32>
  %rows1 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %columns1 = stablehlo.reshape %columns : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %columns1, %rows1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %1 = stablehlo.dynamic_reshape %0, %shape : (tensor<3x2xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
