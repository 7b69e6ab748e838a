"""Elements and tensors of the interpreter's design document: as the ops of the same names, in each category of type."""

from __future__ import annotations

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.types import Kind, TensorType, element_type
from stablehlo_py.errors import InterpreterError
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
        with make_context():
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


@pytest.mark.parametrize("name", EVERY)
def test_bits_and_back(name: str) -> None:
    for value in _operand(name):
        element = Element(element_type(name), value)
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
