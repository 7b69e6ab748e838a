// Element types are checked without touching shapes, and shapes are refined as well on demand.
// RUN: stablehlo-opt %s --stablehlo-dtype-refinement-pipeline | FileCheck --check-prefix=DTYPES %s
// RUN: stablehlo-opt %s --stablehlo-dtype-refinement-pipeline=shapes=true | FileCheck --check-prefix=SHAPES %s

// DTYPES: stablehlo.abs %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<?xf32>
// SHAPES: stablehlo.abs %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// SHAPES: return %{{.*}} : tensor<4xf32>
func.func @magnitude(%operand: tensor<4xcomplex<f32>>) -> tensor<?xf32> {
  %0 = stablehlo.abs %operand : (tensor<4xcomplex<f32>>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
