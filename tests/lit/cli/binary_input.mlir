// Files that hold no program are named as what they are, by every tool in the same way.
// RUN: %python -c "import numpy; numpy.savez(r'%t.npz', numpy.ones(2)); numpy.save(r'%t.npy', numpy.ones(2))"
// RUN: not stablehlo-opt %t.npz 2>&1 | FileCheck %s --check-prefix=ZIP
// RUN: not stablehlo-translate --interpret %t.npz 2>&1 | FileCheck %s --check-prefix=ZIP
// RUN: not stablehlo run %t.npz 2>&1 | FileCheck %s --check-prefix=ZIP
// RUN: not stablehlo minimum %t.npz 2>&1 | FileCheck %s --check-prefix=ZIP
// RUN: not stablehlo-translate --deserialize %t.npz 2>&1 | FileCheck %s --check-prefix=NO-BYTECODE
// RUN: not stablehlo info %t.npz 2>&1 | FileCheck %s --check-prefix=NO-BYTECODE
// RUN: not stablehlo cost %t.npy 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: not stablehlo format %t.npy 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: %python -c "import numpy; numpy.load(r'%t.npy')"

// Half of an artifact.
// RUN: stablehlo-translate --serialize %s -o %t.bc
// RUN: %python -c "data = open(r'%t.bc', 'rb').read(); open(r'%t.half', 'wb').write(data[:len(data) // 2])"
// RUN: not stablehlo-opt %t.half 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not stablehlo-translate --deserialize %t.half 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not stablehlo-translate --interpret %t.half 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not stablehlo run %t.half 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not stablehlo info %t.half 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not stablehlo upgrade %t.half 2>&1 | FileCheck %s --check-prefix=HALF

// ZIP: .npz:1:1: error: this is a zip file, not a program
// ZIP-NEXT: .npz:1:1: note: arguments go with --inputs=FILE.npz
// NO-BYTECODE: .npz: error: this is not MLIR bytecode: this is a zip file
// ARRAY: .npy:1:1: error: this is an array of numpy, not a program
// FORMAT: .npy:1:1: error: expected text, found an array of numpy
// HALF: .half: error: the bytecode is damaged or cut short:
// HALF-NEXT: .half: note: copy the file again, or serialize the program again; nothing was written
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
