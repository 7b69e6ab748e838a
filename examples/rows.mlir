func.func @main(%rows: tensor<?x4xf32>, %more: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %all = stablehlo.concatenate %rows, %more, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  return %all : tensor<?x?xf32>
}
