"""Arrays become attributes and come back with every bit, for every element type."""

from __future__ import annotations

import math
import time
import timeit
from decimal import Decimal
from functools import partial

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsed import shared_context

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.elements import (
    build_constant,
    constant_value,
    dtype_of,
    element_type_of,
    from_numpy,
    to_numpy,
)
from stablehlo_py.bindings.python_numbers import rounded
from stablehlo_py.errors import InputError, StablehloError

INTEGERS = ["i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]
FLOATS = [
    *("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ"),
    *("f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU", "bf16", "f16", "f32", "f64"),
]
COMPLEX = ["complex<f32>", "complex<f64>"]
ELEMENT_TYPES = [*INTEGERS, *FLOATS, *COMPLEX]
QUANTIZED = ["!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<u8:f32:0, {0.5,0.25:7}>", "!quant.uniform<i4:f32, 2.0>"]
# types narrower than the byte that holds one element
WIDTHS = {"i1": 1, "i2": 2, "ui2": 2, "i4": 4, "ui4": 4, "f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6}


@pytest.fixture(autouse=True)
def _context():
    with shared_context(), ir.Location.unknown():
        yield


def array_of_bits(name: str, data: bytes, shape: tuple[int, ...]) -> np.ndarray:
    """An array whose bits are `data`, as far as the type has that many."""
    dtype = dtype_of(ir.Type.parse(name))
    bits = np.frombuffer(data[: math.prod(shape) * dtype.itemsize], dtype=np.uint8)
    if name in WIDTHS:
        bits = bits & ((1 << WIDTHS[name]) - 1)
    return np.ascontiguousarray(bits).view(dtype).reshape(shape)


def assert_same_bits(actual: np.ndarray, expected: np.ndarray) -> None:
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    assert np.ascontiguousarray(actual).tobytes() == np.ascontiguousarray(expected).tobytes()


def constant(text: str) -> np.ndarray:
    module = ir.Module.parse(f"func.func @main() {{ {text}\n return }}")
    return constant_value(module.body.operations[0].regions[0].blocks[0].operations[0])


@pytest.mark.parametrize("name", ELEMENT_TYPES)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_round_trip_keeps_every_bit(name, data):
    shape = tuple(data.draw(st.lists(st.integers(0, 4), max_size=4), label="shape"))
    size = math.prod(shape) * 16
    array = array_of_bits(name, data.draw(st.binary(min_size=size, max_size=size), label="bits"), shape)
    with shared_context():
        attribute = from_numpy(array, ir.Type.parse(name))
        assert str(ir.ShapedType(attribute.type).element_type) == name
        assert_same_bits(to_numpy(attribute), array)


@pytest.mark.parametrize("name", ELEMENT_TYPES)
def test_round_trip_of_every_pattern_and_of_large_arrays(name):
    patterns = np.arange(1 << 16, dtype=np.uint16).tobytes()
    array = array_of_bits(name, patterns, (32, 16))
    assert_same_bits(to_numpy(from_numpy(array, ir.Type.parse(name))), array)


@pytest.mark.parametrize("name", ["f8E4M3", "f8E5M2", "f8E8M0FNU", "f8E4M3FNUZ", "bf16", "complex<f32>"])
def test_decimal_and_hexadecimal_text_agree(name):
    array = array_of_bits(name, np.random.default_rng(7).bytes(8 * 4000), (4000,))
    small = [to_numpy(from_numpy(part, ir.Type.parse(name))) for part in np.split(array, 80)]
    assert_same_bits(np.concatenate(small), array)


@pytest.mark.parametrize("name", ["f16", "bf16", "f32", "f64", "complex<f32>", "complex<f64>", "f8E5M2", "f8E4M3FN"])
def test_negative_zero_infinity_and_nan_payloads_survive(name):
    dtype = dtype_of(ir.Type.parse(name))
    part = np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype
    bits = np.array([1, -0.0, -0.0, 0.0, math.nan, math.nan], part).view(f"u{part.itemsize}")
    bits[-1] |= 1 << (8 * part.itemsize - 1)
    if part.itemsize > 1:
        bits[-2] += 3
    array = bits.view(dtype)
    assert_same_bits(to_numpy(from_numpy(array, ir.Type.parse(name))), array)


def test_a_decimal_close_to_a_tie_is_rounded_once():
    # The 64-bit value nearest to these decimals is halfway between two 32-bit ones; they themselves are just beside it.
    above, below = "1.000000059604644775390625000000001", "-1.00000017881393432617187499999999"
    one = np.float32(1)
    assert rounded([Decimal(above)], one.dtype) == np.nextafter(one, np.float32(2))
    assert np.float32(float(above)) == one
    assert rounded([Decimal(below)], one.dtype) == np.float32(-(1 + 2**-23))
    assert np.float32(float(below)) == np.float32(-(1 + 2**-22))


@pytest.mark.parametrize("name", ELEMENT_TYPES)
def test_splat_is_one_element_broadcast(name):
    element = array_of_bits(name, b"\x01" * 16, (1,))
    attribute = from_numpy(np.broadcast_to(element, (5, 60)), ir.Type.parse(name))
    assert attribute.is_splat
    value = to_numpy(attribute)
    assert_same_bits(value, np.broadcast_to(element, (5, 60)))
    assert value.strides == (0, 0)
    assert not value.flags.writeable


@pytest.mark.parametrize("name", ELEMENT_TYPES)
@pytest.mark.parametrize("shape", [(0,), (3, 0), ()])
def test_empty_and_scalar_tensors(name, shape):
    array = array_of_bits(name, b"\x01" * 16, shape)
    attribute = from_numpy(array, ir.Type.parse(name))
    assert_same_bits(to_numpy(attribute), array)


@pytest.mark.parametrize("name", [*ELEMENT_TYPES, "index"])
def test_index_and_resources(name):
    array = array_of_bits(name, bytes(range(1, 97)), (2, 3))
    blob = "04000000" + array.tobytes().hex()
    dialect = "arith" if name == "index" else "stablehlo"
    text = f"%0 = {dialect}.constant dense_resource<weights> : tensor<2x3x{name}>"
    module = ir.Module.parse(
        f'func.func @main() {{ {text}\n return }} {{-# dialect_resources: {{builtin: {{weights: "0x{blob}"}}}} #-}}'
    )
    op = module.body.operations[0].regions[0].blocks[0].operations[0]
    assert_same_bits(constant_value(op), array)
    assert_same_bits(to_numpy(from_numpy(array, ir.Type.parse(name))), array)


def test_resource_without_data_is_an_error():
    with pytest.raises(InputError, match="holds no data for the resource"):
        constant("%0 = stablehlo.constant dense_resource<absent> : tensor<2xf32>")


@pytest.mark.parametrize("name", QUANTIZED)
def test_quantized_constants_give_their_storage(name):
    element_type = ir.Type.parse(name)
    array = np.array([[1, 2], [3, 4]]).astype(dtype_of(element_type))
    module = ir.Module.parse("func.func @main() { return }")
    with ir.InsertionPoint.at_block_begin(module.body.operations[0].regions[0].blocks[0]):
        value = build_constant(array, element_type)
    assert str(value.type) == f"tensor<2x2x{element_type}>"
    assert module.operation.verify()
    assert_same_bits(constant_value(value.owner), array)


def test_complex_constants_can_be_built_and_read():
    array = np.array([1 + 2j, 4 - 3j], np.complex64)
    module = ir.Module.parse("func.func @main() { return }")
    with ir.InsertionPoint.at_block_begin(module.body.operations[0].regions[0].blocks[0]):
        value = build_constant(array)
    assert "stablehlo.constant dense<[(1.000000e+00,2.000000e+00), (4.000000e+00,-3.000000e+00)]>" in str(module)
    assert_same_bits(constant_value(value.owner), array)
    assert_same_bits(constant("%0 = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>"), np.full(2, array[0]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("array<i64: 1, -2>", np.array([1, -2])),
        ("array<i1: true, false>", np.array([True, False])),
        ("array<i32>", np.array([], np.int32)),
        ("array<f32: 0.1>", np.array([0.1], np.float32)),
        ("5 : i8", np.int8(5)),
        ("18446744073709551615 : ui64", np.uint64(2**64 - 1)),
        ("7 : index", np.int64(7)),
        ("true", np.bool_(True)),
        ("-0.0 : f32", np.float32(-0.0)),
        ("0x7FC1 : bf16", np.array(0x7FC1, np.uint16).view(ml_dtypes.bfloat16)),
    ],
)
def test_other_attributes_that_hold_numbers(text, expected):
    assert_same_bits(to_numpy(ir.Attribute.parse(text)), np.asarray(expected))


def test_attributes_without_numbers_are_an_error():
    with pytest.raises(InputError, match='not an attribute that holds an array: "text"'):
        to_numpy(ir.Attribute.parse('"text"'))


@pytest.mark.parametrize("name", ELEMENT_TYPES)
def test_element_type_of_inverts_dtype_of(name):
    assert element_type_of(dtype_of(ir.Type.parse(name))) == ir.Type.parse(name)


def test_type_is_inferred_from_the_array():
    assert str(from_numpy(np.zeros((2, 0), ml_dtypes.float8_e4m3fn)).type) == "tensor<2x0xf8E4M3FN>"
    assert str(from_numpy([True, False])) == "dense<[true, false]> : tensor<2xi1>"
    assert str(from_numpy([1, 2], ir.Type.parse("ui4"))) == "dense<[1, 2]> : tensor<2xui4>"
    assert str(from_numpy(np.arange(6, dtype=">i4").reshape(2, 3).T)).endswith("tensor<3x2xi32>")


@pytest.mark.parametrize(
    ("array", "type_text", "message"),
    [
        (np.zeros(3, np.float32), "tensor<2xf32>", r"shape \(3,\) does not match tensor<2xf32>"),
        (np.zeros(3, np.float32), "tensor<?xf32>", "requires a static shape"),
        (np.zeros(3, np.float64), "tensor<3xf32>", "array of float64 does not match tensor<3xf32>"),
        (np.zeros(3, np.int8), "ui8", "array of int8 does not match tensor<3xui8>"),
    ],
)
def test_disagreeing_type_is_an_error(array, type_text, message):
    with pytest.raises(InputError, match=message):
        from_numpy(array, ir.Type.parse(type_text))


def test_unknown_types_are_an_error():
    with pytest.raises(StablehloError, match="unsupported element type str128"):
        element_type_of(np.dtype("U4"))
    with pytest.raises(StablehloError, match="tf32"):
        dtype_of(ir.Type.parse("tf32"))


@pytest.mark.parametrize(("name", "factor"), [("f32", 100), ("bf16", 2000), ("complex<f64>", 2000), ("i4", 4000)])
def test_sixteen_megabytes_take_a_bounded_number_of_copies(name, factor):
    array = array_of_bits(
        name, np.random.default_rng(1).bytes(1 << 24), ((1 << 24) // dtype_of(ir.Type.parse(name)).itemsize,)
    )
    timed = partial(
        timeit.repeat, timer=time.process_time, number=1
    )  # what a busy machine does to the clock is no cost
    copy = min(timed(lambda: array.copy(), repeat=5))
    write = min(timed(lambda: from_numpy(array, ir.Type.parse(name)), repeat=2))
    attribute = from_numpy(array, ir.Type.parse(name))
    read = min(timed(lambda: to_numpy(attribute), repeat=2))
    assert write < factor * copy
    assert read < factor * copy


@given(st.lists(st.booleans(), max_size=40), st.booleans())
def test_booleans_of_any_number_go_in_and_out(values: list[bool], same: bool):
    values = [True, *values]
    values = [values[-1]] * len(values) if same else values
    attribute = from_numpy(np.array(values), ir.Type.parse(f"tensor<{len(values)}xi1>"))
    text = f"dense<[{', '.join(str(value).lower() for value in values)}]> : tensor<{len(values)}xi1>"
    assert attribute == ir.Attribute.parse(text)
    assert to_numpy(attribute).tolist() == values
    assert to_numpy(ir.Attribute.parse(text)).tolist() == values


@pytest.mark.parametrize("rank", [0, 1, 63, 64, 65, 66, 100])
def test_dense_values_have_at_most_as_many_dimensions_as_arrays(rank: int) -> None:
    values = {"f32": "1.0", "i1": "true", "i4": "3", "complex<f32>": "(1.0, 2.0)", "bf16": "2.0"}
    shapes = [(1,) * (rank - 1) + (size,) for size in (0, 1, 2)] if rank else [()]
    for element, value in values.items():
        for shape in shapes:
            text = f"dense<{'' if 0 in shape else value}> : tensor<{''.join(f'{one}x' for one in shape)}{element}>"
            attribute = ir.Attribute.parse(text)
            if rank <= 64:
                found = to_numpy(attribute)
                assert (found.shape, found.flags.writeable) == (shape, False), text
                continue
            with pytest.raises(InputError) as raised:
                to_numpy(attribute)
            assert raised.value.message == f"a dense value of rank {rank}: arrays have at most 64 dimensions"
