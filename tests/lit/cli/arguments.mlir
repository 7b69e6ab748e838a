// Messages about arguments say how to give the right ones.
// RUN: %python -c "import numpy; numpy.savez(r'%t.npz', numpy.ones(2), numpy.ones(2))"
// RUN: %python -c "import numpy; numpy.savez(r'%t.names.npz', **{'layer.weights': numpy.ones(2), 'layer.bias': numpy.ones(2)})"
// RUN: not stablehlo-translate --interpret %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stablehlo-translate --interpret %s --inputs=%t.npz 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not stablehlo run %s --inputs=%t.npz 2>&1 | FileCheck %s --check-prefix=RUN-TYPE
// RUN: not stablehlo run %s --inputs=%t.names.npz 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: stablehlo-translate --interpret %s --inputs=%t.npz --cast-inputs | FileCheck %s
// RUN: stablehlo run %s --inputs=%t.npz --cast-inputs | FileCheck %s

// NONE: error: function @main takes 2 arguments, not 0
// NONE: note: --args='[dense<...> : tensor<2xf32>, dense<...> : tensor<2xf32>]', --input=@FILE.npy for each, or --inputs=FILE.npz gives them
// TYPE: error: argument 0 ('layer.weight') of function @main is tensor<2xf64> instead of tensor<2xf32>
// TYPE: note: --cast-inputs converts arguments to other element types
// RUN-TYPE: error: argument 0 is tensor<2xf64>, expected tensor<2xf32>
// RUN-TYPE-NEXT: note: --cast-inputs converts it
// NAMES: error: no array in '{{.*}}' is called 'layer.weight'; did you mean layer.weights?
// NAMES-NOT: {{.}}
// CHECK: [2.000000e+00, 2.000000e+00]
func.func @main(%x: tensor<2xf32> loc("layer.weight"), %y: tensor<2xf32> loc("layer.bias")) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}
