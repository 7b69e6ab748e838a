"""Codes of element types, as dtype functions see them.

A built-in element type has its place in `NAMES` as its code. A quantized type gets `QUANTIZED + serial * 4096 + storage
* 64 + expressed`, so that a library function can tell both parts. The serial number counts the quantized types of one
module, which keeps them in an attribute so that printed code stays meaningful."""

from __future__ import annotations

from ..bindings.types import element_type

TYPES = (
    *("i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64"),
    *("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ"),
    *("f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU", "bf16", "f16", "f32", "f64", "complex<f32>", "complex<f64>"),
)
NAMES = (*TYPES, "index", "!stablehlo.token", "!stablehlo.future")
CODES = {name: code for code, name in enumerate(NAMES)}
BITS = [element_type(name).bits for name in TYPES]

I1 = CODES["i1"]
I2 = CODES["i2"]
I32 = CODES["i32"]
I64 = CODES["i64"]
UI32 = CODES["ui32"]
UI64 = CODES["ui64"]
F32 = CODES["f32"]
F64 = CODES["f64"]
COMPLEX_F32 = CODES["complex<f32>"]
COMPLEX_F64 = CODES["complex<f64>"]
INDEX = CODES["index"]
TOKEN = CODES["!stablehlo.token"]
FUTURE = CODES["!stablehlo.future"]
QUANTIZED = 65536
UNKNOWN = -1
