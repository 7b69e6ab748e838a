"""What becomes of numbers and indices that a type or an op does not take, and of those that take some care."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

import stablehlo_py
from stablehlo_py import ops
from stablehlo_py.bindings.python_numbers import numbers
from stablehlo_py.bindings.types import TensorType, element_type
from stablehlo_py.cli.interpret import fitted
from stablehlo_py.errors import ArgumentError, NumberError, StablehloError

X = np.arange(6, dtype=np.float32).reshape(2, 3)
ONE = np.ones(3, np.float32)
NARROW = "!quant.uniform<i8<-127:127>:f32, 0.1:0>"
GATHER = {"offset_dims": [1], "collapsed_slice_dims": [0], "start_index_map": [0], "index_vector_dim": 1}


def built(function, type_):
    with ops.module():
        return ops.function(x=type_)(lambda x: function(x))


REFUSED = {
    "a fraction as a dimension": lambda: ops.reverse(X, [1.7]),
    "a fraction as padding": lambda: ops.pad(X, 0.0, [1.5, 0], [0, 0], [0, 0]),
    "a fraction as a dimension of a reduction": lambda: ops.reduce(X, 0.0, dimensions=[0.9], body=ops.add),
    "a fraction as an index": lambda: ops.dynamic_slice(X, [1.9, 0.5], slice_sizes=[1, 2]),
    "a fraction as a branch": lambda: ops.case(0.9, [lambda: X, lambda: X + 1]),
    "a fraction as a size": lambda: ops.set_dimension_size(X, 2.9, dimension=1),
    "a fraction as a shape": lambda: ops.reshape(X, [2.5, 2]),
    "a fraction as an index of gather": lambda: ops.gather(X, [[1.5]], **GATHER, slice_sizes=[1, 3]),
    "a fraction as a group": lambda: ops.all_reduce(ONE, replica_groups=[[0.5]], computation=ops.add),
    "NaN as an index": lambda: ops.dynamic_slice(X, [float("nan"), 0], slice_sizes=[1, 2]),
    "an index of 33 bits": lambda: ops.case(2**32, [lambda: X, lambda: X + 1]),
    "a boolean as a dimension": lambda: ops.reverse(X, [True]),
    "digits": lambda: ops.reverse(X, "01"),
    "a number in place of a list": lambda: ops.reverse(X, 1),
    "a string as a boolean": lambda: ops.cholesky(np.eye(2, dtype=np.float32), lower="false"),
    "a string as a predicate": lambda: ops.select("false", ONE, ONE),
    "an epsilon past f32": lambda: ops.batch_norm_inference(X, ONE, ONE, ONE, ONE, epsilon=1e300, feature_index=1),
    "ragged lists": lambda: ops.add([[1, 2], [3]], X),
    "a ragged constant": lambda: ops.constant([[1, 2], [3]], ops.f32),
    "a negative size": lambda: ops.reshape(X, [-1, 2]),
    "a size of 71 bits": lambda: ops.reshape(X, [2**70]),
    "a dynamic constant": lambda: ops.constant(1, ops.f32[None]),
    "a token as a constant": lambda: ops.constant(1, "!stablehlo.token"),
    "a constant out of range": lambda: ops.constant(300, ops.ui8),
    "an array of another type": lambda: ops.constant(ONE, ops.f64),
    "an array of another shape": lambda: ops.constant(ONE, [2]),
    "a product of two types": lambda: built(lambda x: x @ np.ones(3), ops.f32[3]),
    "a product with a scalar": lambda: built(lambda x: x @ 2.0, ops.f32[3]),
    "an index past the end": lambda: built(lambda x: x[5], ops.f32[2, 0]),
    "a fraction in a slice": lambda: built(lambda x: x[1.5:], ops.f32[3]),
    "a list as an index": lambda: built(lambda x: x[[0, 1]], ops.f32[3]),
    "an array as an index": lambda: built(lambda x: x[np.array([0, 1])], ops.f32[3]),
    "a value as an index": lambda: built(lambda x: x[x > 0], ops.f32[3]),
    "a step of 0": lambda: built(lambda x: x[::0], ops.f32[3]),
    "objects": lambda: ops.add(ONE, np.array([1, 2, 3], object)),
    "typed: an integer out of range": lambda: ops.typed([9], "i4"),
    "typed: a fraction": lambda: ops.typed([1.5], "i32"),
    "typed: past the range": lambda: ops.typed([1e300], "f32"),
    "typed: no boolean": lambda: ops.typed([2], "i1"),
    "typed: ragged": lambda: ops.typed([[1], [2, 3]], "f32"),
    "typed: an array past narrow storage": lambda: ops.typed(np.int8([-128]), NARROW),
}


def test_refusals_are_errors_of_the_package_at_the_call():
    wrong = []
    for name, call in REFUSED.items():
        try:
            wrong.append(f"{name}: gives {call()!r}")
        except StablehloError as error:
            if "test_python_numbers.py:" not in f"{error.location} {error}":
                wrong.append(f"{name}: {error}")
    assert wrong == []


def test_constants_have_the_type_that_is_asked_for():
    third = Fraction(1, 3)
    assert ops.constant(third, ops.f32) == np.float32(1 / 3)
    assert ops.constant([1, third], "bf16").dtype.name == "bfloat16"
    assert ops.constant(1.0, [2]).tolist() == [1.0, 1.0]
    assert ops.constant([2**63, 1]).tolist() == [2**63, 1]
    assert ops.constant([2**53 + 1, 1.0], ops.i64[2]).tolist() == [2**53 + 1, 1]
    assert ops.constant([1], NARROW).type.element_type.is_quantized


def test_the_sign_of_zero_is_part_of_a_number():
    assert ops.divide(ONE, 0.0).tolist() == [np.inf] * 3
    assert ops.divide(ONE, -0.0).tolist() == [-np.inf] * 3
    signs = [np.signbit(ops.pad(ONE, number, [1], [0], [0])[0]) for number in (0.0, -0.0, 0, Decimal("-0"))]
    assert signs == [False, True, False, True]
    complexes = [ops.constant(number, "complex<f64>").imag for number in (complex(1, 0.0), complex(1, -0.0))]
    assert np.signbit(complexes).tolist() == [False, True]


def test_numbers_beside_arrays_take_their_type_and_arrays_any_byte_order():
    assert ops.add(np.array([1, 2], ">f4"), 1.0).tolist() == [2.0, 3.0]
    assert ops.select(True, ONE, 2 * ONE).tolist() == ONE.tolist()
    assert ops.case(np.int64(1), [lambda: X, lambda: X + 1]).tolist() == (X + 1).tolist()
    with ops.module():
        main = ops.function(a=ops.f32[2])(lambda a: a + ops.add(np.float32([1, 2]), 1.0))
    assert main([1, 1]).tolist() == [3.0, 4.0]
    assert main(np.array([1, 1], ">f4")).tolist() == [3.0, 4.0]


def test_a_value_stays_in_its_region():
    kept = []
    with pytest.raises(ArgumentError, match=r"test_python_numbers.py:\d+:\d+: .*outside of the region"), ops.module():

        @ops.function(a=ops.f32[2])
        def main(a):
            ops.if_(a[0] > 0, lambda: kept.append(a + 1) or kept[0], lambda: a)
            return kept[0] + a


def test_values_of_enclosing_regions_are_used_inside():
    with ops.module():

        @ops.function(a=ops.f32[2])
        def main(a):
            b = a + 1
            return ops.if_(a[0] > 0, lambda: ops.if_(b[1] > 0, lambda: a + b, lambda: b), lambda: a)

    assert main([1, 2]).tolist() == [3.0, 5.0]


def test_casts_of_inputs_follow_the_rule():
    def cast(values, name):
        array = np.array(values)
        return fitted(array, TensorType(array.shape, element_type(name)), cast=True)

    assert cast([1 + 2**-8 + 2**-40], "bf16").tolist() == [1.0078125]
    assert cast([2**53 + 1], "f64").tolist() == [2.0**53]
    assert cast([True, False], "f32").tolist() == [1.0, 0.0]
    assert cast([3.0], "i4").tolist() == [3]
    for values, name in (
        ([1.5], "i32"),
        ([np.nan], "i8"),
        ([1e300], "f32"),
        ([300], "ui8"),
        ([1j], "f32"),
        ([2], "i1"),
    ):
        with pytest.raises(NumberError, match="is not a value of"):
            cast(values, name)


def test_numbers_of_every_library():
    single = element_type("f32")
    assert numbers([np.float64(0.1), np.int8(2), Decimal("0.1"), Fraction(1, 3)], single).tolist() == [
        np.float32(0.1),
        2,
        np.float32(0.1),
        np.float32(1 / 3),
    ]
    assert numbers([np.float32([1, 2]), [3, 4]], single).tolist() == [[1, 2], [3, 4]]
    assert numbers([np.longdouble(1) / 3], element_type("f64")).tolist() == [float(np.longdouble(1) / 3)]
    for value in (10**5000, -(10**400), "1", None, [None], [[1], [2, 3]], [[[1]], [2]], object(), Decimal("sNaN"), 1j):
        with pytest.raises(NumberError):
            numbers(value, single)


def test_arguments_of_quantized_types_are_stored_integers():
    type_ = f"tensor<1x{NARROW}>"
    program = stablehlo_py.load(f"func.func @main(%x: {type_}) -> {type_} {{ return %x : {type_} }}")
    assert program([-127]).tolist() == [-127]
    for value in ([-128], np.int8([-128])):
        with pytest.raises(ArgumentError, match="-128 is not a value of !quant"):
            program(value)


NARROW_FLOATS = [
    "f8E5M2",
    "f8E4M3",
    "f8E4M3FN",
    "f8E4M3FNUZ",
    "f8E3M4",
    "f6E2M3FN",
    "f6E3M2FN",
    "f4E2M1FN",
    "bf16",
    "f16",
    "f32",
]


@pytest.mark.parametrize("name", NARROW_FLOATS)
def test_a_float_has_room_for_what_is_nearer_to_its_greatest_than_to_the_next_number(name):
    element = element_type(name)
    limits = ml_dtypes.finfo(element.dtype)
    greatest = float(limits.max)
    below = float(np.nextafter(limits.max, element.dtype.type(0)))
    middle = greatest + (greatest - below) / 2
    assert 0 < below < greatest < middle
    for sign in (1.0, -1.0):
        for held in (greatest, np.nextafter(middle, 0)):
            assert float(numbers(sign * held, element)) == sign * greatest
        for refused in (np.nextafter(middle, np.inf), 2 * middle, 1e300):
            with pytest.raises(NumberError):
                numbers(sign * refused, element)
    assert numbers(0.0, element).tobytes() != numbers(-0.0, element).tobytes() or "FNUZ" in name


@pytest.mark.parametrize("name", ["i4", "ui4", "i8", "ui32", "i64", "ui64", "i1"])
def test_an_integer_has_room_for_its_bounds(name):
    element = element_type(name)
    for bound, outward in zip(map(int, element.bounds), (-1, 1), strict=True):
        given = bool(bound) if name == "i1" else bound
        assert int(numbers(given, element)) == bound
        for refused in (bound + outward, Fraction(2 * bound + outward, 2)):
            with pytest.raises(NumberError):
                numbers(refused, element)
