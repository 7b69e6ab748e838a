"""Numbers of Python as elements: held against exact fractions, at the edges of each kind of type."""

from __future__ import annotations

import itertools
import math
import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from stablehlo_py.bindings.python_numbers import (
    is_number,
    is_plain,
    native,
    number_key,
    numbers,
    rounded,
    to_odd_single,
)
from stablehlo_py.bindings.types import element_type
from stablehlo_py.errors import InputError, NumberError

TINY = Fraction(1, 2**200)
F32, F64, I32 = map(element_type, ("f32", "f64", "i32"))


def refusal(value: Any, name: str | None) -> str:
    with pytest.raises(NumberError) as caught:
        numbers(value, None if name is None else element_type(name))
    return caught.value.message


def bits_of(array: np.ndarray) -> int:
    return int(array.reshape(1).view(f"u{array.dtype.itemsize}")[0])


def neighbours(name: str, count: int) -> list[tuple[Any, Any]]:
    """Pairs of positive values of a float type, of which each is followed by the other."""
    dtype = element_type(name).dtype
    unsigned, chance = np.dtype(f"u{dtype.itemsize}"), random.Random(name)
    last = bits_of(np.array(np.finfo(np.float32).max if name == "f32" else numbers(1.0, element_type(name)), dtype))
    starts = {chance.randrange(last) for _ in range(count)}
    return [tuple(np.array([bits, bits + 1], unsigned).view(dtype)) for bits in sorted(starts)]


@pytest.mark.parametrize("name", ["f32", "f16", "bf16", "f8E5M2", "f8E4M3FN", "f4E2M1FN"])
def test_a_number_between_two_values_becomes_the_nearer_or_the_even_one(name: str) -> None:
    dtype = element_type(name).dtype
    for low, high in neighbours(name, 12):
        middle = (Fraction(float(low)) + Fraction(float(high))) / 2
        even = low if bits_of(np.array(low)) % 2 == 0 else high
        ulp = Fraction(float(np.spacing(float(middle))))  # of the doubles
        given = [middle - TINY, middle, middle + TINY, Fraction(float(low)) + TINY, Fraction(float(high)) - TINY]
        given += [middle - ulp + TINY, middle + ulp - TINY]
        wanted = [low, even, high, low, high, low, high]
        for sign in (1, -1):
            found = rounded([sign * number for number in given], dtype)
            assert [float(each) for each in found] == [sign * float(each) for each in wanted], f"{low} to {high}"
            by_elements = numbers([sign * number for number in given], element_type(name))
            assert by_elements.tobytes() == found.tobytes()


@pytest.mark.parametrize(("name", "fraction_bits"), [("bf16", 7), ("f32", 23), ("f64", 52)])
def test_integers_past_the_doubles_are_rounded_once(name: str, fraction_bits: int) -> None:
    element = element_type(name)
    for exponent, offset, sign in itertools.product((53, 54, 60, 62), (-1, 0, 1), (1, -1)):
        low, step = 2**exponent, 2 ** (exponent - fraction_bits)
        number = sign * (low + step // 2 + offset)
        wanted = float(sign * (low if offset <= 0 else low + step))
        for given in ([number], np.array([number], np.int64), np.array([number], object)):
            assert float(numbers(given, element)[0]) == wanted, f"{number} as {name}"
    for number in (2**53, 2**53 + 2, -(2**53), 2**53 - 1):
        assert numbers(np.array([number]), F64).tolist() == [number]


def test_doubles_become_odd_singles() -> None:
    one, after = np.float32(1), np.nextafter(np.float32(1), np.float32(2))
    for sign in (1.0, -1.0):
        for value in (1 + 2.0**-24, 1 + 2.0**-30, float(after) - 2.0**-40):
            assert to_odd_single(np.array(sign * value)) == sign * after, value  # the neighbour whose last bit is set
        assert to_odd_single(np.array(sign * 1.0)) == sign * one
        before = float(np.nextafter(np.float32(1), np.float32(0)))
        assert to_odd_single(np.array(sign * (1 - 2.0**-30))) == sign * before
    assert np.isnan(to_odd_single(np.array(np.nan)))


def test_the_type_without_zero_takes_its_least_value_for_what_is_below() -> None:
    dtype, least = element_type("f8E8M0FNU").dtype, 2.0**-127
    given = [0.0, least / 4, least, 1.25 * least, 1.5 * least, 1.75 * least, 2 * least, 1.0]
    wanted = [least, least, least, least, 2 * least, 2 * least, 2 * least, 1.0]
    assert rounded(given, dtype).astype(np.float64).tolist() == wanted


@pytest.mark.parametrize(
    ("given", "dtype"),
    [
        ([1, 2], "int64"), ([2**63], "uint64"), ([2**63, 1], "uint64"), ([1, 2.5], "float64"), ([1.5], "float64"),
        ([1, 2j], "complex128"), ([1j], "complex128"), ([True], "bool"), ([Fraction(1, 2)], "float64"),
        ([Decimal(1), 1], "float64"), (np.int8([1]), "int64"), (np.uint8([1]), "uint64"),
        (np.float32([1]), "float64"), (np.complex64([1]), "complex128"), ([], "float64"), (7, "int64"),
    ],
)  # fmt: skip
def test_numbers_without_a_type_get_that_of_numpy(given: Any, dtype: str) -> None:
    found = numbers(given)
    assert (found.dtype.name, found.shape) == (dtype, np.shape(given))
    assert found.tolist() == (np.array(given).tolist() if not isinstance(given, list) else [complex(n) for n in given])


def test_an_array_of_the_type_is_given_back_itself() -> None:
    array = np.float32([1, 2])
    assert numbers(array, F32) is array
    assert numbers(array, F64) is not array
    booleans = np.array([True])
    assert numbers(booleans, element_type("i1")) is booleans


def test_complex_numbers_come_of_every_kind() -> None:
    for name, dtype in (("complex<f32>", np.complex64), ("complex<f64>", np.complex128)):
        element = element_type(name)
        mixed = numbers([[1 + 2j, 3], [Fraction(1, 2), 2.5]], element)
        assert (mixed.dtype, mixed.tolist()) == (dtype, [[1 + 2j, 3], [0.5, 2.5]])
        for other in (np.complex64, np.complex128):
            table = np.array([[1 + 2j, 3, 4], [5, 6j, 7]], other)
            found = numbers(table, element)
            assert (found.dtype, found.tolist()) == (dtype, table.tolist())
        assert numbers(np.int8([[1, 2]]), element).tolist() == [[1, 2]]
    third = numbers([Fraction(1, 3), 1j], element_type("complex<f64>"))
    assert third.tolist() == [1 / 3, 1j]
    assert refusal([1 + 1e300j, 1], "complex<f32>") == "(1+1e+300j) is not a value of complex64"
    for given in (np.array([1, 1e300 + 1j]), np.array([[1, 1, 2], [1, 1e300 + 1j, 1]])):
        assert refusal(given, "complex<f32>") == "(1e+300+1j) is not a value of complex64"


@pytest.mark.parametrize("name", ["i4", "ui4", "i8", "ui8", "i16", "i32", "ui32", "i64", "ui64"])
def test_integers_are_taken_from_floats_and_integers_up_to_the_bounds(name: str) -> None:
    element = element_type(name)
    low, high = map(int, element.bounds)
    assert numbers([float(low), 0.0, 3.0], element).tolist() == [low, 0, 3]
    assert numbers([low, Fraction(high)], element).tolist() == [low, high]
    for refused in (float(high + 1), float(2 * low - 3), 0.5, math.inf, -math.inf, math.nan):
        assert refusal([1.0, refused], name) == f"{refused} is not a value of {element.dtype}"
        assert refusal([1, refused], name) == f"{refused} is not a value of {element.dtype}"
    if element.bits < 64:
        assert numbers([float(high), float(low)], element).tolist() == [high, low]
        assert numbers(np.array([low, high], np.int64), element).tolist() == [low, high]
        assert refusal(np.array([0, high + 1], np.int64), name) == f"{high + 1} is not a value of {element.dtype}"
        assert refusal(np.array([low - 1], np.int64), name) == f"{low - 1} is not a value of {element.dtype}"
    assert refusal([low - 1, Fraction(1)], name) == f"{low - 1} is not a value of {element.dtype}"
    assert refusal([high + 1, Fraction(1)], name) == f"{high + 1} is not a value of {element.dtype}"
    assert refusal([Decimal("NaN"), 1], name) == f"NaN is not a value of {element.dtype}"


@pytest.mark.parametrize(
    ("given", "name", "said"),
    [
        ([1.0, 2.5, 3.5], "i32", "2.5 is not a value of int32"),
        ([1, True], "i32", "True is not a value of int32"),
        (np.array([True, False]), "f32", "True is not a value of float32"),
        ([Fraction(1), np.bool_(False)], "f32", "False is not a value of float32"),
        ([1, 2j], "f32", "2j is not a value of float32"),
        (np.array([3, 2j]), "i32", "(3+0j) is not a value of int32"),
        (2, "i1", "2 is not a value of bool"),
        (10**400, "f64", f"1{'0' * 59} is not a value of float64"),
        ([1, -(10**5000)], "f32", "a number of thousands of digits is not a value of float32"),
        (math.inf, "f8E4M3FN", "inf is not a value of float8_e4m3fn"),
        (math.nan, "f4E2M1FN", "nan is not a value of float4_e2m1fn"),
        (-math.inf, "f6E2M3FN", "-inf is not a value of float6_e2m3fn"),
        (Decimal("sNaN"), "f32", "sNaN is no number"),
        ([[1, 2], [3]], "f32", "lists of different lengths are no array"),
        ([[[1]], [2]], None, "lists of different lengths are no array"),
        (["a"], "f32", "'a' is no number"),
        ("x" * 100, None, repr("x" * 100)[:60] + " is no number"),
        (np.array(["2020-01-01"], "datetime64[D]"), None, "values of type datetime64[D] are no numbers"),
        (np.array(["a"]), "f32", "values of type <U1 are no numbers"),
    ],
)  # fmt: skip
def test_what_is_refused_is_named(given: Any, name: str | None, said: str) -> None:
    assert refusal(given, name) == said


def test_infinities_and_nans_stay_where_the_type_has_them() -> None:
    for name in ("f16", "bf16", "f32", "f64", "f8E5M2"):
        found = numbers([math.inf, -math.inf, math.nan, 1.0], element_type(name)).astype(np.float64)
        assert found[:2].tolist() == [math.inf, -math.inf]
        assert np.isnan(found).tolist() == [False, False, True, False]
    assert rounded([10**400, -(10**400), 1], np.dtype(np.float64)).tolist() == [math.inf, -math.inf, 1.0]
    assert rounded([Fraction(1, 10**400)], np.dtype(np.float32)).tolist() == [0.0]


def test_arrays_of_narrow_and_wide_types_are_read_exactly() -> None:
    bf16, i4, ui4 = (element_type(name) for name in ("bf16", "i4", "ui4"))
    narrow = np.array([1.5, -2.0], bf16.dtype)
    assert numbers(narrow, F32).tolist() == [1.5, -2.0]
    assert numbers(np.array([-8, 7], i4.dtype), I32).tolist() == [-8, 7]
    assert numbers(np.array([15], ui4.dtype), element_type("i8")).tolist() == [15]
    assert refusal(np.array([15], ui4.dtype), "i4") == "15 is not a value of int4"
    assert refusal(narrow, "i32") == "1.5 is not a value of int32"
    wide = np.longdouble(1) + np.longdouble(2) ** -60
    assert numbers(np.array([wide]), F64).tolist() == [1.0]
    assert refusal(np.array([wide]), "i32").endswith("is not a value of int32")


def test_arrays_come_in_any_byte_order_and_without_masks() -> None:
    swapped = np.array([1, 2], ">i4")
    assert native(swapped).dtype == np.dtype("=i4")
    assert native(swapped).tolist() == [1, 2]
    plain = np.int32([1, 2])
    assert native(plain) is plain
    for array in (np.ma.masked_array([1, 2], [True, False]), np.ma.masked_array([1])):
        with pytest.raises(InputError, match="masked array"):
            native(array)
        with pytest.raises(InputError, match="masked array"):
            numbers(array, F32)


def test_numbers_of_python_are_told_from_those_of_numpy() -> None:
    plain = [1, 1.5, 1j, True, Fraction(1, 2), Decimal(1)]
    assert all(map(is_number, plain))
    assert not any(map(is_number, [np.float32(1), np.float64(1), np.int8(1), np.bool_(True), "1", None, [1]]))
    assert [is_plain(each) for each in (1, [1], [], (1,), np.int8(1), np.int8([1]))] == [True] * 3 + [False] * 3


def test_numbers_are_found_by_their_kind_and_their_sign() -> None:
    others = [1, 1.0, True, 1 + 0j, 0, 0.0, -0.0, False, Fraction(1), complex(0, -0.0), complex(0, 0.0), Decimal(1)]
    assert len({number_key(each) for each in others}) == len(others)
    for each in others:
        assert number_key(each) == number_key(type(each)(str(each)) if not isinstance(each, bool) else each)


@pytest.mark.parametrize(("name", "tie"), [("f4E2M1FN", 7.0), ("f6E2M3FN", 7.75), ("f6E3M2FN", 30.0)])
def test_a_tie_past_the_greatest_value_is_refused(name: str, tie: float) -> None:
    assert refusal(tie, name).startswith(f"{tie} is not a value of")
    assert refusal(-tie, name).startswith(f"{-tie} is not a value of")
    assert float(numbers(math.nextafter(tie, 0), element_type(name))) == float(element_type(name).bounds[1])
