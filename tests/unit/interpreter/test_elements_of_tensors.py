"""Elements and tensors of the interpreter's design document: as the ops of the same names, in each category of type."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from parsed import shared_context

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.types import Kind, TensorType, element_type
from stablehlo_py.errors import InterpreterError, StablehloError
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.interpreter.tensors import Element, Tensor, bitcast_convert

INTEGERS = ["ui4", "i4", "i8", "ui16", "i64"]
FLOATS = ["f8E4M3FN", "bf16", "f32", "f64"]
COMPLEX = ["complex<f32>", "complex<f64>"]
REAL, EVERY = INTEGERS + FLOATS, ["i1", *INTEGERS, *FLOATS, *COMPLEX]
BITS = ["i1", *INTEGERS]

# Each of upstream's operations on two elements and on one: the op, how it is written here, and its element types.
BINARY = {
    "add": (lambda a, b: a + b, EVERY),
    "subtract": (lambda a, b: a - b, REAL + COMPLEX),
    "multiply": (lambda a, b: a * b, EVERY),
    "divide": (lambda a, b: a / b, REAL + COMPLEX),
    "remainder": (lambda a, b: a % b, REAL),
    "power": (lambda a, b: a**b, FLOATS + COMPLEX),
    "and": (lambda a, b: a & b, BITS),
    "or": (lambda a, b: a | b, BITS),
    "xor": (lambda a, b: a ^ b, BITS),
    "shift_left": (lambda a, b: a << b, INTEGERS),
    "shift_right_arithmetic": (lambda a, b: a >> b, INTEGERS),
    "shift_right_logical": (lambda a, b: a.shift_right_logical(b), INTEGERS),
    "maximum": (lambda a, b: a.maximum(b), EVERY),
    "minimum": (lambda a, b: a.minimum(b), EVERY),
    "atan2": (lambda a, b: a.atan2(b), FLOATS + COMPLEX),
    "complex": (lambda a, b: a.complex(b), ["f32", "f64"]),
    "compare EQ": (lambda a, b: a == b, EVERY),
    "compare NE": (lambda a, b: a != b, EVERY),
    "compare LT": (lambda a, b: a < b, ["i1", *REAL]),
    "compare LE": (lambda a, b: a <= b, ["i1", *REAL]),
    "compare GT": (lambda a, b: a > b, ["i1", *REAL]),
    "compare GE": (lambda a, b: a >= b, ["i1", *REAL]),
}
_FUNCTIONS = ["cbrt", "sqrt", "rsqrt", "cosine", "sine", "tan", "tanh", "exponential", "exponential_minus_one", "log"]
UNARY = {
    **{name: (lambda a, name=name: getattr(a, name)(), FLOATS + COMPLEX) for name in _FUNCTIONS},
    "log_plus_one": (lambda a: a.log_plus_one(), FLOATS + COMPLEX),
    "logistic": (lambda a: a.logistic(), FLOATS + COMPLEX),
    "abs": (abs, ["i4", "i8", "i64", *FLOATS, *COMPLEX]),
    "negate": (lambda a: -a, REAL + COMPLEX),
    "not": (lambda a: ~a, BITS),
    "sign": (lambda a: a.sign(), ["i4", "i8", "i64", *FLOATS, *COMPLEX]),
    "ceil": (lambda a: a.ceil(), FLOATS),
    "floor": (lambda a: a.floor(), FLOATS),
    "round_nearest_afz": (lambda a: a.round_nearest_afz(), FLOATS),
    "round_nearest_even": (lambda a: a.round_nearest_even(), FLOATS),
    "is_finite": (lambda a: a.is_finite(), FLOATS),
    "real": (lambda a: a.real(), COMPLEX),
    "imag": (lambda a: a.imag(), COMPLEX),
    "popcnt": (lambda a: a.popcnt(), INTEGERS),
    "count_leading_zeros": (lambda a: a.count_leading_zeros(), INTEGERS),
    "convert": (lambda a: a.convert(element_type("f32")), EVERY),
}  # fmt: skip
RESULTS = {"complex": "complex<{}>", "is_finite": "i1", "convert": "f32", "real": "{part}", "imag": "{part}"}


def _operand(name: str) -> np.ndarray:
    type_ = element_type(name)
    if type_.kind is Kind.BOOLEAN:
        return np.array([True, False, True])
    if type_.kind is Kind.COMPLEX:
        return np.array([1.5 - 2j, -0.25 + 1j, 3 + 0.5j], type_.dtype)
    numbers = [1.5, -0.625, 3] if type_.kind is Kind.FLOAT else [5, -3 if type_.kind is Kind.SIGNED else 11, 2]
    return np.array(numbers).astype(type_.dtype)


def _program(op: str, name: str, arity: int) -> str:
    """Return a program of one op with operands of this element type."""
    part = name.removeprefix("complex<").removesuffix(">")
    result = "i1" if op.startswith("compare") else RESULTS.get(op, "{}").format(name, part=part)
    result = part if op == "abs" else result
    type_, of = f"tensor<3x{name}>", f"tensor<3x{result}>"
    operands = ", ".join([f"%{i}" for i in range(arity)])
    attribute, bare = "", op
    if op.startswith("compare"):
        bare, direction = op.split()
        attribute = f" {{comparison_direction = #stablehlo<comparison_direction {direction}>}}"
    types = ", ".join([type_] * arity)
    names = ", ".join([f"%a{i}: {type_}" for i in range(arity)])
    return (
        f"func.func @main({names}) -> {of} {{\n"
        f'  %0 = "stablehlo.{bare}"({operands.replace("%", "%a")}){attribute} : ({types}) -> {of}\n'
        f"  return %0 : {of}\n}}"
    )


@pytest.mark.parametrize("op", [*BINARY, *UNARY])
def test_an_operation_of_elements_is_the_op(op: str) -> None:
    """Of each element type, in value and in type, and with the operands in both orders."""
    operation, names = BINARY[op] if op in BINARY else UNARY[op]
    arity = 2 if op in BINARY else 1
    assert names
    for name in names:
        lhs = _operand(name)
        operands = [lhs, lhs[::-1].copy()][:arity]
        with shared_context():
            module = ir.Module.parse(_program(op, name, arity))
            (expected,) = interpret(module, operands)
        of = TensorType((3,), element_type(name))
        tensors = [Tensor.of(of, operand) for operand in operands]
        for index in tensors[0].index_space():
            element = operation(*[tensor.get(index) for tensor in tensors])
            assert element.type.dtype == expected.dtype, f"{op} of {name} is of type {element.type}"
            assert element.value.tobytes() == expected[index].tobytes(), f"{op} of {name} at {index}: {element}"


def test_the_documents_loop() -> None:
    """A tensor of a type alone, and the indices of its elements in lexicographical order."""
    type_ = element_type("ui4")[2, 3]
    lhs, rhs = Tensor.of(type_, np.full((2, 3), 7).astype(type_.dtype)), Tensor(type_)
    result = Tensor(type_)
    for index in result.index_space():
        rhs.set(index, Element(type_.element_type, 3 * index[0] + index[1]))
    for index in result.index_space():
        result.set(index, lhs.get(index) + rhs.get(index))
    assert list(result.index_space()) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert result.storage.astype(int).tolist() == [[7, 8, 9], [10, 11, 12]]
    assert list(Tensor(element_type("f32")[()]).index_space()) == [()]
    assert list(Tensor(element_type("f32")[2, 0]).index_space()) == []


@pytest.mark.parametrize("name", [name for name in EVERY if 1 < element_type(name).bits < 8])
def test_bits_above_those_of_an_element_are_none_of_it(name: str) -> None:
    type_ = element_type(name)
    for number, value in enumerate(np.arange(256, dtype=np.uint8).view(type_.dtype)):
        assert Element(type_, value).to_bits() == number % 2**type_.bits


@pytest.mark.parametrize("name", EVERY)
def test_bits_and_back(name: str) -> None:
    for value in _operand(name):
        element = Element(element_type(name), value)
        assert element.to_bits() == int.from_bytes(value.tobytes(), "little") % 2**element.type.bits
        assert Element.from_bits(element.type, element.to_bits()).value.tobytes() == value.tobytes()
        parts = bitcast_convert(element_type("ui4"), element) if element.type.bits % 4 == 0 else [element]
        (whole,) = bitcast_convert(element.type, *parts)
        assert whole.value.tobytes() == value.tobytes()
    with pytest.raises(InterpreterError, match="4 bits do not make elements of type f32, which have 32"):
        bitcast_convert(element_type("f32"), Element.zero(element_type("ui4")))


def test_truth_and_nearness() -> None:
    single = element_type("f32")
    fifth, near, nan = Element(single, 0.2), Element(single, 0.19999), Element(single, float("nan"))
    assert fifth != near
    assert fifth.is_approximately_equal(near)
    assert not fifth.is_approximately_equal(near, 1e-6)
    assert nan != nan
    assert fifth.reduce_precision(5, 2).value == np.float32(0.1875)
    assert (fifth == near) or (fifth > near)
    with pytest.raises(InterpreterError, match="an element of type f32 is neither true nor false"):
        bool(fifth)
    with pytest.raises(InterpreterError, match="elements of types f32 and f64 do not combine"):
        _ = fifth + Element(element_type("f64"), 0.2)
    with pytest.raises(InterpreterError, match="elements of type complex<f32> have no order"):
        _ = Element.zero(element_type("complex<f32>")) < Element.zero(element_type("complex<f32>"))


def test_storage_is_contiguous() -> None:
    """In major-to-minor order, whatever the order of the array that a tensor is made of."""
    transposed = np.arange(6, dtype=np.int32).reshape(3, 2).T
    tensor = Tensor.of(element_type("i32")[2, 3], transposed)
    assert tensor.storage.flags.c_contiguous
    assert np.frombuffer(tensor.storage.tobytes(), np.int32).tolist() == transposed.reshape(-1).tolist()
    assert tensor.get([1, 2]).value == transposed[1, 2]


def test_a_tensor_of_an_array_has_elements_of_its_own() -> None:
    for array in (np.arange(6, dtype=np.int32).reshape(2, 3), np.int32(5), np.array(5, np.int32)):
        tensor = Tensor.of(element_type("i32")[array.shape], array)
        before = np.array(array)
        tensor.set([0] * array.ndim, Element(element_type("i32"), 99))
        np.testing.assert_array_equal(array, before)


def test_quantized_elements_and_those_of_their_storage_do_not_combine() -> None:
    quantized, stored = element_type("!quant.uniform<i8:f32, 5.000000e-01>"), element_type("i8")
    assert quantized.dtype == stored.dtype
    one, other = Element.zero(stored), Element.zero(quantized)
    for first, second in ((one, other), (other, one)):
        with pytest.raises(InterpreterError, match=f"elements of types {first.type} and {second.type} do not combine"):
            first.apply(np.add, second)
    with pytest.raises(InterpreterError, match=r"an element of type .* does not go into"):
        Tensor(stored[2]).set([0], other)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0)])
def test_an_index_has_a_number_below_each_size(shape: tuple[int, ...]) -> None:
    type_ = element_type("i32")[shape]
    tensor = Tensor(type_)
    one, known = Element(type_.element_type, 1), set(tensor.index_space())
    lengths = {max(len(shape) - 1, 0), len(shape), len(shape) + 1}
    for index in [index for length in lengths for index in product(range(-2, 5), repeat=length)]:
        if index in known:
            tensor.set(index, one)
            assert tensor.get(index).value == 1
            continue
        for touch in (tensor.get, lambda index: tensor.set(index, one)):
            with pytest.raises(InterpreterError) as raised:
                touch(index)
            assert raised.value.message == f"index {list(index)} is outside {type_}"
    assert (tensor.storage == 1).all(), "an index stands for another element"


def test_what_is_not_of_the_type_does_not_go_into_a_tensor() -> None:
    type_ = element_type("f32")[2]
    for array in (np.zeros(2), np.zeros(3, np.float32), np.zeros((2, 1), np.float32), np.zeros(2, np.int32)):
        with pytest.raises(InterpreterError, match=r"^error: tensor<.*> is not a value of tensor<2xf32>"):
            Tensor.of(type_, array)
    for other in ("f64", "i32", "bf16"):
        with pytest.raises(InterpreterError, match=f"an element of type {other} does not go into tensor<2xf32>"):
            Tensor(type_).set([0], Element.zero(element_type(other)))


def test_elements_hold_numbers_of_their_types_whatever_they_are_made_of() -> None:
    for name, number in product(["i8", "ui16", "f32", "bf16", "f64"], [3, np.int64(3), np.float64(3), np.float32(3)]):
        value = Element(element_type(name), number).value
        assert (value.dtype, float(value)) == (element_type(name).dtype, 3), f"{number!r} as {name}"
    for number in (300, np.int64(300)):
        with pytest.raises(StablehloError):
            Element(element_type("i8"), number)


def test_elements_are_compared_with_elements_alone() -> None:
    three = Element(element_type("i32"), 3)
    for other in (3, np.int32(3), None, "3"):
        assert (three == other, three != other) == (False, True), f"compared with {other!r}"
    with pytest.raises(TypeError):
        _ = three < 3


@pytest.mark.parametrize("name", ["i1", *REAL])
def test_an_element_is_converted_as_the_op_has_it(name: str) -> None:
    """Whatever the number: infinities, NaN and what the other type does not hold raise and warn of nothing."""
    with np.errstate(all="ignore"):
        values = np.array([0, 1, -1, 2.5, 1e4, -1e30, 1e300, np.inf, np.nan]).astype(element_type(name).dtype)
    types = [f"tensor<{len(values)}x{other}>" for other in EVERY]
    source = f"tensor<{len(values)}x{name}>"
    ops = "".join(f"  %{i} = stablehlo.convert %a : ({source}) -> {type_}\n" for i, type_ in enumerate(types))
    returned = ", ".join(f"%{i}" for i in range(len(types)))
    text = (
        f"func.func @main(%a: {source}) -> ({', '.join(types)}) {{\n{ops}  return {returned} : {', '.join(types)}\n}}"
    )
    with shared_context():
        results = interpret(ir.Module.parse(text), [values])
    for other, expected in zip(EVERY, results, strict=True):
        for value, wanted in zip(values, expected, strict=True):
            found = Element(element_type(name), value).convert(element_type(other))
            assert found.type == element_type(other)
            assert found.value.tobytes() == wanted.tobytes(), f"{value} of {name} as {other}: {found}"
