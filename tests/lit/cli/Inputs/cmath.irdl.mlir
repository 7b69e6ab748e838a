irdl.dialect @cmath {
  irdl.type @complex {
    %0 = irdl.any
    irdl.parameters(element: %0)
  }
}
