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

I1, I2, I32, I64, UI32, UI64 = (CODES[name] for name in ("i1", "i2", "i32", "i64", "ui32", "ui64"))
F32, F64, COMPLEX_F32, COMPLEX_F64 = (CODES[name] for name in ("f32", "f64", "complex<f32>", "complex<f64>"))
INDEX, TOKEN, FUTURE = (CODES[name] for name in ("index", "!stablehlo.token", "!stablehlo.future"))
QUANTIZED = 65536
UNKNOWN = -1
