module {
  func.func @main() -> tensor<1xi32> {
    %c = stablehlo.constant dense<-6> : tensor<1xi32>
    %0 = stablehlo.count_leading_zeros %c : tensor<1xi32>
    return %0 : tensor<1xi32>
  }
}
