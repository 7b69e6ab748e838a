// RUN: stablehlo-opt %s --abstract-interp-library=%S/inputs/my_library.py --stablehlo-shape-refinement-pipeline=dtypes=true | FileCheck %s
// RUN: stablehlo-opt %s --abstract-interp-library=%S/inputs/my_library.py --stablehlo-shape-refinement-pipeline='dtypes=true steps=true' | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-shape-refinement-pipeline | FileCheck %s --check-prefix=WITHOUT
// RUN: stablehlo-opt --abstract-interp-library=%S/inputs/my_library.py --print-abstract-interp-library=math.sin | FileCheck %s --check-prefix=PRINT

// CHECK-LABEL: func.func @custom_calls
// CHECK: stablehlo.custom_call @my.double({{.*}}) : (tensor<3xf32>) -> tensor<6xf32>
// CHECK: stablehlo.custom_call @my.top_rows({{.*}}) {rows = 2 : i64} : (tensor<6xf32>) -> tensor<2xf32>
// WITHOUT-LABEL: func.func @custom_calls
// WITHOUT: stablehlo.custom_call @my.top_rows({{.*}}) {rows = 2 : i64} : (tensor<?xf32>) -> tensor<?xf32>
func.func @custom_calls(%x: tensor<3xf32>) -> tensor<?xf32> {
  %double = stablehlo.custom_call @my.double(%x) : (tensor<3xf32>) -> tensor<?xf32>
  %top = stablehlo.custom_call @my.top_rows(%double) {rows = 2 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  return %top : tensor<?xf32>
}

// CHECK-LABEL: func.func @composite
// CHECK: stablehlo.composite "my.split" {{.*}} : (tensor<7xf32>) -> (tensor<3xf32>, tensor<4xf32>)
func.func @composite(%x: tensor<7xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %halves:2 = stablehlo.composite "my.split" %x {decomposition = @split} : (tensor<7xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %halves#0, %halves#1 : tensor<?xf32>, tensor<?xf32>
}

func.func private @split(%x: tensor<7xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %first = stablehlo.slice %x [0:3] : (tensor<7xf32>) -> tensor<?xf32>
  %second = stablehlo.slice %x [3:7] : (tensor<7xf32>) -> tensor<?xf32>
  return %first, %second : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @other_dialect
// CHECK: stablehlo.negate {{.*}} : tensor<3xf32>
// PRINT: func.func private @math.sin.shape(%arg0: tensor<?xindex>) -> tensor<?xindex>
func.func @other_dialect(%x: tensor<3xf32>) -> tensor<?xf32> {
  %sine = math.sin %x : tensor<3xf32>
  %result = stablehlo.negate %sine : (tensor<3xf32>) -> tensor<?xf32>
  return %result : tensor<?xf32>
}
