// Exceptions in a pass and in a pattern of a user's are reported at their own lines.
// RUN: sed -n 's|^// PY: \{0,1\}||p' %s > %t.py
// RUN: sed 's/negate"/negat"/' %t.py > %t.op.py
// RUN: not stablehlo-opt %s --load=%t.py --boom 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not stablehlo-opt %s --load=%t.py --parse 2>&1 | FileCheck %s --check-prefix=PATTERN
// RUN: not stablehlo-opt %s --load=%t.py --boom=sped=1 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not stablehlo-opt %s --load=%t.op.py --boom 2>&1 | FileCheck %s --check-prefix=OP

// PASS: .py:10:9: error: pass 'boom' raised ValueError: bad thing
// PASS-NEXT: .py:10:9: note: in run: raise ValueError("bad thing")
// PATTERN: .py:14:12: error: pattern 'parse' of pass 'parse' raised JSONDecodeError: Expecting value
// PATTERN-NEXT: decoder.py:{{.*}}: note: in raw_decode:
// OPTION: error: pass 'boom' has no option 'sped'; did you mean speed?
// OP: .op.py:12:1: error: {{.*}}there is no op 'stablehlo.negat'; did you mean 'stablehlo.negate'?

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// PY: import json
// PY: from stablehlo_py.extend import Pass, pattern, register_pass
// PY:
// PY: @register_pass
// PY: class Boom(Pass):
// PY:     name = "boom"
// PY:     summary = "Raise an error"
// PY:     speed: int = 0
// PY:     def run(self, op):
// PY:         raise ValueError("bad thing")
// PY:
// PY: @pattern("stablehlo.negate", of="parse")
// PY: def parse(op, rewriter):
// PY:     return json.loads("}")
