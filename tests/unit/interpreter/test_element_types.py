"""Scalars and arrays come to the same, in value and in type, whatever the operation."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from stablehlo_py.bindings.types import Kind, element_type
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.element_types import arithmetic, converter
from stablehlo_py.interpreter.element_types.arithmetic import Operation
from stablehlo_py.interpreter.fast.blocks import in_blocks
from stablehlo_py.interpreter.tensors import Element

INTEGERS = ["i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]
FLOATS = ["f4E2M1FN", "f6E2M3FN", "f8E3M4", "f8E4M3FN", "f8E5M2FNUZ", "f8E8M0FNU", "bf16", "f16", "f32", "f64"]
COMPLEX = ["complex<f32>", "complex<f64>"]
EVERYWHERE = ["add", "multiply", "maximum", "minimum"]
ON_INTEGERS = ["and_", "divide", "or_", "power", "remainder", "shift_left", "shift_right_arithmetic"]
ON_INTEGERS += ["shift_right_logical", "subtract", "xor"]
ON_FLOATS = ["atan2", "divide", "power", "remainder", "subtract"]
OF_INTEGER = ["abs", "count_leading_zeros", "negate", "not_", "popcnt", "sign"]
OF_FLOAT = [
    "abs",
    "cbrt",
    "ceil",
    "cosine",
    "exponential",
    "exponential_minus_one",
    "floor",
    "imag",
    "is_finite",
    "log",
]
OF_FLOAT += ["log_plus_one", "logistic", "negate", "real", "round_nearest_afz", "round_nearest_even", "rsqrt", "sign"]
OF_FLOAT += ["sine", "sqrt", "tan", "tanh"]
OF_COMPLEX = [
    "abs",
    "cbrt",
    "cosine",
    "exponential",
    "exponential_minus_one",
    "imag",
    "log",
    "log_plus_one",
    "logistic",
]
OF_COMPLEX += ["negate", "real", "rsqrt", "sign", "sine", "sqrt", "tan", "tanh"]


@pytest.fixture(autouse=True)
def _quiet_arithmetic():
    with np.errstate(all="ignore"):
        yield


def values(name: str) -> np.ndarray:
    """A dozen values with zeros, limits, infinities and NaN among them."""
    described = element_type(name)
    if described.kind is Kind.BOOLEAN:
        return np.array([False, True])
    if described.bits <= 8:
        patterns = np.arange(1 << described.bits, dtype=np.uint8)
        return patterns[:: max(1, patterns.size // 16)].view(described.dtype)
    if described.is_integer:
        limits = np.iinfo(described.dtype)
        return np.array([limits.min, limits.max, 0, 1, 2, 3, 17, 63, limits.max // 3], described.dtype)
    numbers = np.array([0.0, -0.0, 0.5, -1.5, 2.5, 1e4, -3e-5, np.inf, -np.inf, np.nan])
    if described.kind is Kind.COMPLEX:
        return (numbers[:, np.newaxis] + 1j * numbers).reshape(-1).astype(described.dtype)
    return numbers.astype(np.float32).astype(described.dtype)


def parts(array: np.ndarray) -> np.ndarray:
    """The bits, with every NaN the same."""
    if array.dtype.kind == "c":
        array = np.ascontiguousarray(array).view(f"f{array.itemsize // 2}")
    bits = array.view(f"u{array.itemsize}")
    if array.dtype.kind in "biu" or array.dtype.name.startswith(("int", "uint")):
        return bits
    return np.where(np.isnan(array.astype(np.float64)), np.zeros_like(bits), bits)


def assert_scalars_agree(operation: Operation, *operands: np.ndarray) -> None:
    """Scalars give scalars, 0-d arrays something 0-d, of the type and value that arrays give."""
    whole = operation(*operands)
    assert isinstance(whole, np.ndarray)
    each = [operation(*[operand[index] for operand in operands]) for index in range(operands[0].size)]
    assert all(isinstance(result, np.generic) for result in each)
    assert {result.dtype for result in each} == {whole.dtype}
    np.testing.assert_array_equal(parts(np.array(each, whole.dtype)), parts(whole))
    zero_d = operation(*[operand[1].reshape(()) for operand in operands])
    assert zero_d.shape == ()
    assert zero_d.dtype == whole.dtype


def two(name: str) -> tuple[np.ndarray, np.ndarray]:
    some = values(name)
    if name.startswith("complex"):
        some = some[::7]  # each part meets each other in some of them
    return np.repeat(some, some.size), np.tile(some, some.size)


BINARY = [(op, name) for op in EVERYWHERE for name in ["i1", *INTEGERS, *FLOATS, *COMPLEX]]
BINARY += [(op, name) for op in ON_INTEGERS for name in INTEGERS]
BINARY += [(op, name) for op in ON_FLOATS for name in FLOATS] + [("divide", name) for name in COMPLEX]
UNARY = [(op, name) for op in OF_INTEGER for name in INTEGERS] + [("not_", "i1")]
UNARY += [(op, name) for op in OF_FLOAT for name in FLOATS] + [(op, name) for op in OF_COMPLEX for name in COMPLEX]


@pytest.mark.parametrize(("op", "name"), BINARY)
def test_binary_on_scalars(op: str, name: str) -> None:
    assert_scalars_agree(getattr(arithmetic(element_type(name)), op), *two(name))


@pytest.mark.parametrize(("op", "name"), UNARY)
def test_unary_on_scalars(op: str, name: str) -> None:
    assert_scalars_agree(getattr(arithmetic(element_type(name)), op), values(name))


@pytest.mark.parametrize("name", ["i1", *INTEGERS, *FLOATS, *COMPLEX])
def test_comparison_on_scalars(name: str) -> None:
    for direction in ["EQ", "NE", "LT", "LE", "GT", "GE"]:
        assert_scalars_agree(arithmetic(element_type(name)).comparison(direction), *two(name))


@pytest.mark.parametrize("name", FLOATS)
def test_total_order(name: str) -> None:
    """The order of the values, with -0 before 0 and NaN at the ends by its sign."""
    order = arithmetic(element_type(name)).comparison("LE", total_order=True)
    lhs, rhs = two(name)
    assert_scalars_agree(order, lhs, rhs)
    smaller = lhs.astype(np.float64) < rhs.astype(np.float64)
    assert order(lhs, rhs)[smaller].all()
    assert not order(rhs, lhs)[smaller].any()


@pytest.mark.parametrize("source", ["i1", *INTEGERS, *FLOATS, *COMPLEX])
def test_conversion_of_scalars(source: str) -> None:
    for target in ["i1", *INTEGERS, *FLOATS, *COMPLEX]:
        convert = converter(element_type(source), element_type(target))
        assert_scalars_agree(convert, values(source))
        assert convert(values(source)).dtype == element_type(target).dtype


@pytest.mark.parametrize("name", FLOATS)
def test_reduce_precision_of_scalars(name: str) -> None:
    for exponent_bits, mantissa_bits in [(2, 1), (3, 0), (5, 2), (8, 23), (11, 52)]:
        reduce = arithmetic(element_type(name)).reduce_precision(exponent_bits, mantissa_bits)
        assert_scalars_agree(reduce, values(name))


def test_integer_division_by_zero() -> None:
    """What XLA makes of it: all bits set, and the dividend as the remainder."""
    for name in INTEGERS:
        integers = arithmetic(element_type(name))
        lhs, rhs = values(name), np.zeros_like(values(name))
        assert (parts(integers.divide(lhs, rhs)) == parts(integers.not_(rhs))).all()
        assert (parts(integers.remainder(lhs, rhs)) == parts(lhs)).all()


def test_the_smallest_integer_divided_by_minus_one() -> None:
    integers = arithmetic(element_type("i32"))
    smallest, minus_one = np.int32(-(2**31)), np.int32(-1)
    assert integers.divide(smallest, minus_one) == smallest
    assert integers.remainder(smallest, minus_one) == 0
    assert (integers.divide(np.array([smallest]), np.array([minus_one])) == smallest).all()


def test_floats_of_no_sign_and_no_zero() -> None:
    powers = arithmetic(element_type("f8E8M0FNU"))
    one = element_type("f8E8M0FNU").dtype.type(1.0)
    assert float(powers.subtract(one, one)) == 2.0**-127
    assert np.isnan(float(powers.negate(one)))
    assert float(powers.multiply(one, powers.add(one, one))) == 2.0


def test_types_of_finite_values_only() -> None:
    """Overflow gives the largest value; infinity and NaN become zero."""
    floats = arithmetic(element_type("f4E2M1FN"))
    one, six = [element_type("f4E2M1FN").dtype.type(value) for value in (1.0, 6.0)]
    assert float(floats.add(six, six)) == 6.0
    assert float(floats.divide(one, floats.subtract(one, one))) == 0.0


def test_what_a_type_does_not_have() -> None:
    with pytest.raises(InterpreterError, match="not defined for elements of type i1"):
        _ = arithmetic(element_type("i1")).exponential
    with pytest.raises(InterpreterError, match="not defined for elements of type i4"):
        _ = arithmetic(element_type("i4")).sine


def test_elements_have_the_arithmetic_of_their_type() -> None:
    true = Element(element_type("i1"), np.True_)
    assert (true + true).value
    four_bits = element_type("ui4")
    nine = Element(four_bits, four_bits.dtype.type(9))
    assert [int(element.value) for element in (nine + nine, nine * nine, nine - nine - nine, -nine)] == [2, 1, 7, 7]


def test_blocks_cover_everything() -> None:
    """Of any size, with scalars and broadcasts among the operands, and in the order of the elements."""
    add = in_blocks(lambda lhs, rhs: lhs + rhs)
    for size in (0, 5, 65_536, 100_001):
        lhs = np.arange(size, dtype=np.int64)
        np.testing.assert_array_equal(add(lhs, np.int64(3)), lhs + 3)
        np.testing.assert_array_equal(add(lhs, lhs[::-1]), lhs + lhs[::-1])
    square = np.arange(90_000, dtype=np.int64).reshape(300, 300)
    np.testing.assert_array_equal(add(square.T, square[:1]), square.T + square[:1])


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide"])
def test_long_arrays_of_bf16_are_as_short_ones(name: str) -> None:
    """With every number on the left, and one of all kinds of them on the right."""
    operation = getattr(arithmetic(element_type("bf16")), name)
    lhs = np.arange(1 << 16, dtype=np.uint16).view(ml_dtypes.bfloat16)
    rights = [0x0000, 0x8000, 0x0001, 0x8080, 0x3F80, 0x3FFF, 0xC2A5, 0x7F7F, 0x7F80, 0xFF80, 0x7FC0]
    for bits in rights + np.random.default_rng(0).integers(0, 1 << 16, 10).tolist():
        rhs = np.full(lhs.size, bits, np.uint16).view(lhs.dtype)
        with np.errstate(all="ignore"):
            short = [operation(lhs[i : i + 2048], rhs[:2048]) for i in range(0, lhs.size, 2048)]
            np.testing.assert_array_equal(parts(operation(lhs, rhs)), parts(np.concatenate(short)))
            np.testing.assert_array_equal(parts(operation(lhs, rhs[0])), parts(np.concatenate(short)))


@pytest.mark.parametrize("name", ["bf16", "f16", "f32", "f64"])
def test_rounding_of_few_elements(name: str) -> None:
    """One, four and all of the numbers next to ties of narrower types come to the same."""
    dtype = element_type(name).dtype
    ties = (np.arange(-240, 240) / 8.0).astype(dtype)
    bits = ties.view(f"i{dtype.itemsize}")
    numbers = np.concatenate([(bits + step).view(dtype) for step in (-1, 0, 1)] + [values(name)])[: 12 * 300]
    numbers = numbers[: numbers.size // 4 * 4]
    operations = [
        converter(element_type(name), element_type(target)) for target in ("bf16", "f8E4M3FN", "f8E5M2", "i8")
    ]
    elements = arithmetic(element_type(name))
    operations += [elements.reduce_precision(*bits) for bits in [(5, 2), (4, 3), (3, 1), (8, 7)]]
    for operation in [*operations, elements.round_nearest_afz]:
        assert_scalars_agree(operation, numbers)
        fours = np.concatenate([operation(four) for four in numbers.reshape(-1, 4)])
        np.testing.assert_array_equal(parts(fours), parts(operation(numbers)))


def test_functions_of_doubles_next_to_their_zeros_and_poles_are_rounded_correctly():
    floats = arithmetic(element_type("f64"))
    worst = np.array([6381956970095103 * 2.0**797, 0.0, 1.0, np.inf, 1e-300])  # the double next to a zero of the cosine
    assert floats.cosine(worst)[0] == floats.cosine(worst[0]) == -4.6871659242546277e-19
    assert floats.tan(worst)[0] == floats.tan(worst[0]) == -2.133485385753704e18
    assert floats.sine(np.array([worst[0]]))[0] == 1.0
    assert floats.sine(worst)[-1] == 1e-300
    assert np.isnan(floats.sine(worst)[3])
