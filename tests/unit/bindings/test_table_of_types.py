"""Every element type with all that is known of it, and types of the bindings as data."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.types import (
    ElementType,
    FutureType,
    Kind,
    OtherType,
    Quantization,
    TensorType,
    TokenType,
    TupleType,
    TypeReader,
    bounds_of,
    decode_type,
    dtype_name,
    element_type,
    element_type_names,
    is_future,
    shape_of,
)
from stablehlo_py.errors import StablehloError

# Integer, integral, real, has a sign, a negative zero, a zero, is closed under rounding, has an infinity.
FACTS = {
    "i": "is_integer", "l": "is_integral", "r": "is_real", "s": "has_sign", "n": "has_negative_zero", "z": "has_zero",
    "c": "is_closed_under_rounding", "f": "has_infinity",
}  # fmt: skip
ROWS = [
    ("i1", "bool", "BOOLEAN", 1, ".l...z..", (0, 1), "i1"),
    ("i8", "int8", "SIGNED", 8, "ilrs.z..", (-128, 127), "i8"),
    ("si8", "int8", "SIGNED", 8, "ilrs.z..", (-128, 127), "i8"),
    ("ui8", "uint8", "UNSIGNED", 8, "ilr..z..", (0, 255), "ui8"),
    ("i16", "int16", "SIGNED", 16, "ilrs.z..", (-32768, 32767), "i16"),
    ("si16", "int16", "SIGNED", 16, "ilrs.z..", (-32768, 32767), "i16"),
    ("ui16", "uint16", "UNSIGNED", 16, "ilr..z..", (0, 65535), "ui16"),
    ("i32", "int32", "SIGNED", 32, "ilrs.z..", (-2147483648, 2147483647), "i32"),
    ("si32", "int32", "SIGNED", 32, "ilrs.z..", (-2147483648, 2147483647), "i32"),
    ("ui32", "uint32", "UNSIGNED", 32, "ilr..z..", (0, 4294967295), "ui32"),
    ("i64", "int64", "SIGNED", 64, "ilrs.z..", (-9223372036854775808, 9223372036854775807), "i64"),
    ("si64", "int64", "SIGNED", 64, "ilrs.z..", (-9223372036854775808, 9223372036854775807), "i64"),
    ("ui64", "uint64", "UNSIGNED", 64, "ilr..z..", (0, 18446744073709551615), "ui64"),
    ("index", "int64", "SIGNED", 64, "ilrs.z..", (-9223372036854775808, 9223372036854775807), "i64"),
    ("f16", "float16", "FLOAT", 16, "..rsnzcf", (-inf, inf), "f16"),
    ("f32", "float32", "FLOAT", 32, "..rsnzcf", (-inf, inf), "f32"),
    ("f64", "float64", "FLOAT", 64, "..rsnzcf", (-inf, inf), "f64"),
    ("complex<f32>", "complex64", "COMPLEX", 64, "...s.z.f", (-inf, inf), "complex<f32>"),
    ("complex<f64>", "complex128", "COMPLEX", 128, "...s.z.f", (-inf, inf), "complex<f64>"),
    ("i2", "int2", "SIGNED", 2, "ilrs.z..", (-2, 1), "i2"),
    ("ui2", "uint2", "UNSIGNED", 2, "ilr..z..", (0, 3), "ui2"),
    ("i4", "int4", "SIGNED", 4, "ilrs.z..", (-8, 7), "i4"),
    ("ui4", "uint4", "UNSIGNED", 4, "ilr..z..", (0, 15), "ui4"),
    ("f4E2M1FN", "float4_e2m1fn", "FLOAT", 4, "..rsnzc.", (-6.0, 6.0), "f4E2M1FN"),
    ("f6E2M3FN", "float6_e2m3fn", "FLOAT", 6, "..rsnz..", (-7.5, 7.5), "f6E2M3FN"),
    ("f6E3M2FN", "float6_e3m2fn", "FLOAT", 6, "..rsnzc.", (-28.0, 28.0), "f6E3M2FN"),
    ("f8E3M4", "float8_e3m4", "FLOAT", 8, "..rsnzcf", (-inf, inf), "f8E3M4"),
    ("f8E4M3", "float8_e4m3", "FLOAT", 8, "..rsnzcf", (-inf, inf), "f8E4M3"),
    ("f8E4M3FN", "float8_e4m3fn", "FLOAT", 8, "..rsnzc.", (-448.0, 448.0), "f8E4M3FN"),
    ("f8E4M3FNUZ", "float8_e4m3fnuz", "FLOAT", 8, "..rs.zc.", (-240.0, 240.0), "f8E4M3FNUZ"),
    ("f8E4M3B11FNUZ", "float8_e4m3b11fnuz", "FLOAT", 8, "..rs.zc.", (-30.0, 30.0), "f8E4M3B11FNUZ"),
    ("f8E5M2", "float8_e5m2", "FLOAT", 8, "..rsnzcf", (-inf, inf), "f8E5M2"),
    ("f8E5M2FNUZ", "float8_e5m2fnuz", "FLOAT", 8, "..rs.zc.", (-57344.0, 57344.0), "f8E5M2FNUZ"),
    ("f8E8M0FNU", "float8_e8m0fnu", "FLOAT", 8, "..r.....", (2.0**-127, 2.0**127), "f8E8M0FNU"),
    ("bf16", "bfloat16", "FLOAT", 16, "..rsnzcf", (-inf, inf), "bf16"),
]


@pytest.mark.parametrize(("name", "dtype", "kind", "bits", "facts", "bounds", "own"), ROWS, ids=[r[0] for r in ROWS])
def test_what_is_known_of_an_element_type(
    name: str, dtype: str, kind: str, bits: int, facts: str, bounds: tuple[float, float], own: str
) -> None:
    type_ = element_type(name)
    assert (str(type_), type_.dtype.name, type_.kind, type_.bits) == (name, dtype, Kind[kind], bits)
    assert "".join(letter if getattr(type_, fact) else "." for letter, fact in FACTS.items()) == facts
    assert type_.bounds == bounds
    assert dtype_name(type_.dtype) == own
    assert (type_.quantization, type_.is_quantized) == (None, False)
    assert element_type(name) is type_
    with make_context():
        if name not in ("si8", "si16", "si32", "si64"):  # which tensors of the dialect do not have
            text = f"tensor<2x{name}>"
            assert decode_type(ir.Type.parse(text)) == type_[2]
            assert str(type_[2]) == text


def test_the_table_is_whole() -> None:
    assert element_type_names() == tuple(row[0] for row in ROWS)
    assert (dtype_name(np.dtype("M8[s]")), dtype_name(np.dtype(object))) == ("datetime64[s]", "object")
    for wrong in ("f7", "", "f128", "complex<f16>", "tensor<f32>"):
        with pytest.raises(StablehloError, match=f"unsupported element type {wrong}$"):
            element_type(wrong)


@pytest.mark.parametrize(
    ("text", "storage", "bits", "quantization"),
    [
        ("i8:f32, 0.5", "int8", 8, Quantization(element_type("f32"), -128, 127, (0.5,), (0,))),
        ("u8:f32, 0.5:3", "uint8", 8, Quantization(element_type("f32"), 0, 255, (0.5,), (3,))),
        ("i8<-127:126>:f32, 0.5:-3", "int8", 8, Quantization(element_type("f32"), -127, 126, (0.5,), (-3,))),
        ("i4:f16, 2.0", "int4", 4, Quantization(element_type("f16"), -8, 7, (2.0,), (0,))),
        (
            "i32:f64:1, {0.5:1, 2.0, 4.0:-7}",
            "int32",
            32,
            Quantization(element_type("f64"), -(1 << 31), (1 << 31) - 1, (0.5, 2.0, 4.0), (1, 0, -7), 1),
        ),
    ],
)
def test_quantized_types(text: str, storage: str, bits: int, quantization: Quantization) -> None:
    name = f"!quant.uniform<{text}>"
    found = element_type(name)
    assert found == ElementType(name, np.dtype(found.dtype), Kind.QUANTIZED, bits, quantization)
    assert found.dtype.name == storage
    assert found.bounds == (quantization.storage_min, quantization.storage_max)
    assert (found.is_quantized, found.has_zero, found.is_real, found.has_infinity) == (True, False, False, False)
    assert (found.has_sign, found.has_negative_zero, found.is_closed_under_rounding) == (False, False, False)


def test_quantized_types_that_cannot_be_read() -> None:
    for text in ("!quant.uniform<i8:f32>", "!quant.any<i8:f32>"):
        with pytest.raises(StablehloError, match=f"unsupported quantized element type {text}"):
            element_type(text)


F32, I1 = element_type("f32"), element_type("i1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tensor<f32>", TensorType((), F32)),
        ("tensor<?x2xi1>", TensorType((None, 2), I1)),
        ("tensor<?x2x?xf32, #stablehlo.bounds<4, ?, ?>>", TensorType((None, 2, None), F32, (4, None, None))),
        ("tensor<0xf32>", TensorType((0,), F32)),
        ("f32", TensorType((), F32)),
        ("index", TensorType((), element_type("index"))),
        ("!stablehlo.token", TokenType()),
        ("tuple<>", TupleType(())),
        ("tuple<tensor<f32>, tuple<!stablehlo.token>>", TupleType((TensorType((), F32), TupleType((TokenType(),))))),
        ("tensor<*xf32>", OtherType("tensor<*xf32>")),
        ("i7", OtherType("i7")),
        ("memref<2xf32>", OtherType("memref<2xf32>")),
    ],
)
def test_types_as_data(text: str, expected: object) -> None:
    with make_context():
        type_ = ir.Type.parse(text)
        assert decode_type(type_) == expected
        assert str(decode_type(type_)) == (text if text not in ("f32", "index") else f"tensor<{text}>")
        assert not is_future(type_)
        types = TypeReader()
        assert types[type_] is types[type_]


def test_futures_and_what_is_inside_them() -> None:
    future = FutureType((TensorType((2,), F32), TokenType()))
    assert str(future) == "!stablehlo.future<tensor<2xf32>, !stablehlo.token>"
    with make_context():
        try:
            type_ = ir.Type.parse(str(future))
        except ir.MLIRError:
            pytest.skip("these bindings have no futures")
        assert is_future(type_)
        assert decode_type(type_) == future


def test_shapes_and_bounds_of_the_bindings_types() -> None:
    with make_context():
        plain = ir.RankedTensorType(ir.Type.parse("tensor<?x3xf32>"))
        bounded = ir.RankedTensorType(ir.Type.parse("tensor<?x3x?xf32, #stablehlo.bounds<?, ?, 7>>"))
        encoded = ir.RankedTensorType(ir.Type.parse('tensor<2xf32, "other">'))
        assert [shape_of(one) for one in (plain, bounded, encoded)] == [(None, 3), (None, 3, None), (2,)]
        assert [bounds_of(one) for one in (plain, bounded, encoded)] == [(), (None, None, 7), ()]


@pytest.mark.parametrize(
    ("type_", "shape", "fits"),
    [
        (F32[2, 3], (2, 3), True),
        (F32[2, 3], (3, 2), False),
        (F32[2, 3], (2, 3, 1), False),
        (F32[2, None], (2, 0), True),
        (TensorType((None,), F32, (4,)), (4,), True),
        (TensorType((None,), F32, (4,)), (5,), False),
        (TensorType((None,), F32, (None,)), (5,), True),
        (F32[()], (), True),
        (F32[()], (1,), False),
    ],
)
def test_arrays_that_are_values_of_a_type(type_: TensorType, shape: tuple[int, ...], fits: bool) -> None:
    assert type_.accepts(shape, np.dtype(np.float32)) == fits
    assert not type_.accepts(shape, np.dtype(np.int32))
    assert (type_.rank, type_.dtype) == (len(type_.shape), np.dtype(np.float32))
    assert type_.is_static == (None not in type_.shape)
    if type_.is_static:
        assert type_.static_shape == type_.shape
        assert type_.largest == type_
