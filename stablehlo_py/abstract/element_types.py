"""Codes of element types, as dtype functions see them.

A built-in element type has its place in `NAMES` as its code. A quantized type, of which there are endlessly many, gets
`QUANTIZED + serial * 4096 + storage * 64 + expressed`, so that a calculation can tell both parts; the serial number
counts the quantized types of one module, which keeps them in an attribute so that printed code stays meaningful.
"""

from __future__ import annotations

NAMES = (
    *("i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64"),
    *("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ"),
    *("f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU", "bf16", "f16", "f32", "f64", "complex<f32>", "complex<f64>", "index"),
    *("!stablehlo.token", "!stablehlo.future"),
)
CODES = {name: code for code, name in enumerate(NAMES)}

# Written out, not computed: calculations use them, and the compiler reads these lines.
I1 = 0
I2 = 1
I32 = 5
I64 = 6
UI32 = 11
UI64 = 12
F4E2M1FN = 13
F32 = 26
F64 = 27
COMPLEX_F32 = 28
COMPLEX_F64 = 29
INDEX = 30
TOKEN = 31
FUTURE = 32
QUANTIZED = 65536
UNKNOWN = -1

BITS = [1, 2, 4, 8, 16, 32, 64, 2, 4, 8, 16, 32, 64, 4, 6, 6, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16, 32, 64, 64, 128]
