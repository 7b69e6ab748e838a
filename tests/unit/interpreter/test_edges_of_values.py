"""Values on their way in and out: what is taken and advised, elements by index, prints, files, complex parts."""

from __future__ import annotations

import io
import itertools
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from parsed import parsed, shared_context

from stablehlo_py.bindings.types import FutureType, OtherType, TensorType, TokenType, TupleType, element_type
from stablehlo_py.errors import ArgumentError, InputError, InterpreterError, ResourceError, StablehloError
from stablehlo_py.interpreter import storage
from stablehlo_py.interpreter.custom_calls import registry
from stablehlo_py.interpreter.element_types import arithmetic
from stablehlo_py.interpreter.plan import located
from stablehlo_py.interpreter.printing import format_dense, format_value
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.tensors import Element, Tensor
from stablehlo_py.interpreter.values import Future, Token


def tensor(name: str, *shape: int) -> TensorType:
    return TensorType(shape, element_type(name))


def taking(type_: str) -> Program:
    return Program(parsed(f"func.func @main(%weights: {type_}) -> {type_} {{ return %weights : {type_} }}"))


AS_F32 = "x.astype(np.float32) converts an array x to f32"


@pytest.mark.parametrize(
    ("type_", "given", "said", "notes"),
    [
        ("tensor<2xf32>", np.ma.masked_array([1.0], [True]), "a masked array has elements without a value",
         ["x.filled(0) gives them one"]),
        ("tensor<2xf32>", np.zeros(2), "tensor<2xf64> instead of tensor<2xf32>", [AS_F32]),
        ("tensor<2xf32>", np.zeros(3, np.float32), "tensor<3xf32> instead of tensor<2xf32>", []),
        ("tensor<i1>", np.int8(1), "tensor<i8> instead of tensor<i1>",
         ["x.astype(np.bool_) converts an array x to i1"]),
        ("tensor<bf16>", np.uint16(1), "tensor<ui16> instead of tensor<bf16>",
         ["x.view(ml_dtypes.bfloat16) takes the bits of an array x for bf16; "
          "x.astype(ml_dtypes.bfloat16) converts an array x to bf16"]),
        ("tensor<bf16>", np.void(b"ab"), "tensor<void16> instead of tensor<bf16>",  # as numpy's files hold it
         ["x.view(ml_dtypes.bfloat16) takes the bits of an array x for bf16; "
          "x.astype(ml_dtypes.bfloat16) converts an array x to bf16"]),
        ("tensor<bf16>", np.int16(1), "tensor<i16> instead of tensor<bf16>",
         ["x.astype(ml_dtypes.bfloat16) converts an array x to bf16"]),
        ("tensor<bf16>", np.uint8(1), "tensor<ui8> instead of tensor<bf16>",
         ["x.astype(ml_dtypes.bfloat16) converts an array x to bf16"]),
        ("tensor<f16>", np.uint16(1), "tensor<ui16> instead of tensor<f16>",
         ["x.astype(np.float16) converts an array x to f16"]),
        ("tensor<0x?xf32>", [], "tensor<0xf32> instead of tensor<0x?xf32>", None),
        ("tensor<2xf32>", "text", "str instead of tensor<2xf32>", None),
        ("tuple<tensor<f32>, tensor<f32>>", (np.float32(1),), "instead of tuple<tensor<f32>, tensor<f32>>", []),
        ("tuple<tensor<f32>, tensor<f32>>", (np.float32(1), np.float64(2)), "instead of tuple<", [AS_F32]),
        ("tuple<tensor<f32>, tensor<f32>>", (np.float64(1), np.float64(2)), "instead of tuple<", [AS_F32, AS_F32]),
        ("tuple<tensor<f32>>", np.float32(1), "instead of tuple<tensor<f32>>", []),
    ],
)  # fmt: skip
def test_an_argument_that_does_not_fit_is_told_with_advice(
    type_: str, given: Any, said: str, notes: list[str] | None
) -> None:
    with pytest.raises(ArgumentError) as raised:
        taking(type_).run([given])
    assert raised.value.message.endswith(said) or said in raised.value.message
    assert notes is None or list(raised.value.notes) == notes
    if "masked" not in said:
        assert raised.value.message.startswith("argument 0 of function @main is ")
        assert raised.value.location


@pytest.mark.parametrize(
    ("name", "word"),
    [("arg0", ""), ("arg1", " ('arg1')"), ("args", " ('args')"), ("arg", " ('arg')"), ("arg00", " ('arg00')"),
     ("x", " ('x')")],
)  # fmt: skip
def test_an_argument_is_told_with_its_name_if_that_is_not_its_number(name: str, word: str) -> None:
    text = f'func.func @main(%x: tensor<f32> loc("{name}")) {{ return }}'
    with pytest.raises(ArgumentError) as raised:
        Program(parsed(text)).run([np.float64(0)])
    assert raised.value.message.startswith(f"argument 0{word} of function @main is "), raised.value.message


@pytest.mark.parametrize(("count", "word"), [(0, "1 argument, not 0"), (2, "1 argument, not 2")])
def test_the_number_of_arguments_is_told(count: int, word: str) -> None:
    with pytest.raises(ArgumentError, match=f"function @main takes {word}"):
        taking("tensor<f32>").run([np.float32(0)] * count)


TORCH = {
    "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2", "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2fnuz": "f8E5M2FNUZ", "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64",
    "int8": "i8", "uint8": "ui8", "int16": "i16", "int32": "i32", "int64": "i64", "bool": "i1",
    "complex64": "complex<f32>", "complex128": "complex<f64>",
}  # fmt: skip


class TorchTensor:
    """What arguments need of a tensor of torch, as strict as torch is."""

    def __init__(self, array: np.ndarray, dtype: str, *, on_device: bool = False, has_gradient: bool = False) -> None:
        self.array, self.dtype, self.on_device, self.has_gradient = array, dtype, on_device, has_gradient

    def detach(self) -> TorchTensor:
        return TorchTensor(self.array, self.dtype, on_device=self.on_device)

    def cpu(self) -> TorchTensor:
        return TorchTensor(self.array, self.dtype, has_gradient=self.has_gradient)

    def contiguous(self) -> TorchTensor:
        return TorchTensor(np.ascontiguousarray(self.array), self.dtype, on_device=self.on_device)

    def view(self, dtype: str) -> TorchTensor:
        width = {"torch.uint8": 1, "torch.int16": 2}[dtype]
        assert self.array.flags.c_contiguous
        assert width == self.array.itemsize, f"{self.dtype} as {dtype}"
        return TorchTensor(self.array.view(f"{'i' if width == 2 else 'u'}{width}"), dtype)

    def numpy(self) -> np.ndarray:
        if self.on_device or self.has_gradient or self.array.dtype.isbuiltin != 1:
            raise TypeError("cannot be converted")
        return self.array


@pytest.mark.parametrize("name", TORCH)
def test_tensors_of_torch_are_arrays_of_their_type(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = SimpleNamespace(Tensor=TorchTensor, uint8="torch.uint8", int16="torch.int16")
    monkeypatch.setitem(sys.modules, "torch", torch)
    dtype = np.dtype(getattr(ml_dtypes if hasattr(ml_dtypes, name) else np, name))
    array = np.array([[1.0, 0.0], [0.5, -2.0 if dtype.kind != "u" else 2.0]]).astype(dtype)
    for values in (array, array.T):
        for options in ({}, {"on_device": True}, {"has_gradient": True}):
            (found,) = taking(f"tensor<2x2x{TORCH[name]}>").run([TorchTensor(values, f"torch.{name}", **options)])
            np.testing.assert_array_equal(found, values, strict=True)


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("text", "produced str as result 0"),
        (object(), "produced object as result 0"),
        ({"a": 1}, "produced dict as result 0"),
        ([1, 2, 3], "tensor<2xi8>"),
        ([1, 300], r"handler returned \[1, 300\], expected tensor<2xi8>"),
        ([1, 2.5], r"handler returned \[1, 2\.5\], expected tensor<2xi8>"),
        (np.zeros(2), "produced tensor<2xf64> as result 0, expected tensor<2xi8>"),
    ],
)
def test_what_a_handler_gives_that_is_no_number_is_told(result: Any, said: str) -> None:
    text = """func.func @main() -> tensor<2xi8> {
      %0 = stablehlo.custom_call @edges.of_values() : () -> tensor<2xi8>
      return %0 : tensor<2xi8>
    }"""
    registry.custom_call_handler("edges.of_values")(lambda _: result)
    try:
        with pytest.raises(InterpreterError, match=said) as raised:
            Program(parsed(text)).run([])
        assert raised.value.op == "stablehlo.custom_call"
    finally:
        del registry.USERS["edges.of_values"]


def test_a_handler_may_give_a_token_or_a_tuple() -> None:
    type_ = "tuple<tensor<2xi8>, tuple<tensor<f32>>>"
    text = f"""func.func @main() -> {type_} {{
      %0:2 = stablehlo.custom_call @edges.of_values() : () -> ({type_}, !stablehlo.token)
      return %0#0 : {type_}
    }}"""
    registry.custom_call_handler("edges.of_values")(lambda _: (([1, 2], (2.5,)), Token()))
    try:
        ((first, (second,)),) = Program(parsed(text)).run([])
    finally:
        del registry.USERS["edges.of_values"]
    assert (first.tolist(), first.dtype) == ([1, 2], np.int8)
    assert (second.tolist(), second.dtype) == (2.5, np.float32)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (1, 2, 2)])
def test_an_element_is_at_an_index_of_the_shape_and_at_no_other(shape: tuple[int, ...]) -> None:
    made = Tensor(tensor("i32", *shape))
    made.storage[...] = np.arange(made.storage.size).reshape(shape)
    inside = list(np.ndindex(shape))
    assert list(made.index_space()) == inside
    for index in itertools.chain(*(itertools.product(range(-1, 4), repeat=rank) for rank in range(5))):
        if index in inside:
            assert int(made.get(index).value) == inside.index(index)
            continue
        for access in (lambda index=index: made.get(index), lambda index=index: made.set(index, made.get(inside[0]))):
            with pytest.raises(InterpreterError) as raised:
                access()
            assert raised.value.message == f"index {list(index)} is outside {made.type}"
    with pytest.raises(InterpreterError, match="an element of type f32 does not go into"):
        made.set(inside[0], Element(element_type("f32"), 1.0))
    made.set(inside[-1], Element(element_type("i32"), 77))
    assert made.storage.reshape(-1)[-1] == 77


PAIR = TupleType((tensor("i32"), tensor("f32", 2)))
PAIR_TEXT = (
    "tuple<tensor<i32>, tensor<2xf32>> (\ntensor<i32> {1},\ntensor<2xf32> {\n  [2.500000e+00, -0.000000e+00]\n}\n)"
)
VALUES = np.int32(1), np.array([2.5, -0.0], np.float32)


@pytest.mark.parametrize(
    ("value", "type_", "printed", "dense"),
    [
        (np.int8(-3), tensor("i8"), "tensor<i8> {-3}", "dense<-3> : tensor<i8>"),
        (np.zeros((0, 2), np.int8), tensor("i8", 0, 2), "tensor<0x2xi8> {\n  []\n}", "dense<> : tensor<0x2xi8>"),
        (np.array([True, False]), TensorType((None,), element_type("i1")), "tensor<2xi1> {\n  [true, false]\n}",
         "dense<[true, false]> : tensor<2xi1>"),
        (np.array([[1 - 2j]], np.complex64), tensor("complex<f32>", 1, 1),
         "tensor<1x1xcomplex<f32>> {\n  [\n    [[1.000000e+00, -2.000000e+00]]\n  ]\n}",
         "dense<(1.000000e+00,-2.000000e+00)> : tensor<1x1xcomplex<f32>>"),
        (VALUES, PAIR, PAIR_TEXT, PAIR_TEXT),
        ((), TupleType(()), "tuple<> (\n)", "tuple<> (\n)"),
        (Future(lambda: VALUES), FutureType(PAIR.types), PAIR_TEXT.replace("tuple<", "!stablehlo.future<", 1),
         PAIR_TEXT.replace("tuple<", "!stablehlo.future<", 1)),
        (Token(), TokenType(), "!stablehlo.token", "!stablehlo.token"),
        (object(), tensor("i32"), "tensor<i32> {...}", "tensor<i32> {...}"),
        (Token(), tensor("i32"), "tensor<i32>", "tensor<i32>"),
        (np.int32(1), TokenType(), "!stablehlo.token {...}", "!stablehlo.token {...}"),
        (object(), OtherType("!shape.shape"), "!shape.shape {...}", "!shape.shape {...}"),
    ],
)  # fmt: skip
def test_values_are_printed_by_their_types(value: Any, type_: Any, printed: str, dense: str) -> None:
    context = shared_context()
    assert format_value(value, type_, context) == printed
    assert format_dense(value, type_, context) == dense


@pytest.mark.parametrize("size", [1, 99, 100, 101, 250])
def test_long_tensors_are_printed_element_by_element(size: int) -> None:
    for values in (np.arange(size, dtype=np.int32), np.full(size, 7, np.int32)):
        printed = format_value(values, tensor("i32", size), shared_context())
        assert printed == f"tensor<{size}xi32> {{\n  [{', '.join(map(str, values))}]\n}}"


OWN = [np.bool_, np.int8, np.uint16, np.int64, np.float16, np.float32, np.float64, np.complex64, np.complex128]
OTHERS = {
    "bfloat16": np.uint16,
    "float8_e5m2": np.uint8,
    "float8_e4m3fn": np.uint8,
    "int4": np.uint8,
    "uint2": np.uint8,
}


@pytest.mark.parametrize("ending", ["npy", "npz"])
def test_files_hold_numpys_types_as_they_are_and_the_bits_of_others(ending: str) -> None:
    def read(array: np.ndarray) -> np.ndarray:
        found = np.load(io.BytesIO(storage.save_arrays(f"x.{ending}", [array])), allow_pickle=False)
        return found if ending == "npy" else found["arr_0"]

    for dtype in OWN:
        array = np.array([[0, 1, 1]]).astype(dtype)
        np.testing.assert_array_equal(read(array), array, strict=True)
        assert storage.from_stored(array, array.dtype) is array
        assert storage.from_stored(array, np.dtype(np.float64)) is array
    for name, bits in OTHERS.items():
        array = np.array([[0, 1, 1]]).astype(getattr(ml_dtypes, name))
        found = read(array)
        np.testing.assert_array_equal(found, array.view(bits), strict=True)
        np.testing.assert_array_equal(storage.from_stored(found, array.dtype), array, strict=True)
    with pytest.raises(InputError, match=r"'x\.txt' ends in neither \.npy nor \.npz"):
        storage.save_arrays("x.txt", [])


@pytest.mark.parametrize("part", ["f32", "f64"])
def test_parts_of_complex_numbers_are_broadcast(part: str) -> None:
    made = arithmetic(element_type(f"complex<{part}>")).complex
    dtype, whole = {"f32": (np.float32, np.complex64), "f64": (np.float64, np.complex128)}[part]
    shapes = [None, (), (1,), (3,), (2, 1), (2, 3), (0,)]
    for first, second in itertools.product(shapes, repeat=2):
        try:
            shape = np.broadcast_shapes(first or (), second or ())
        except ValueError:
            continue
        real, imag = [
            dtype(number) if sizes is None else np.full(sizes, number, dtype)
            for sizes, number in ((first, 2.5), (second, -0.0))
        ]
        found = made(real, imag)
        assert (found.dtype, np.shape(found)) == (whole, shape), f"{first} and {second}"
        assert np.all(found.real == 2.5)
        assert np.all(np.signbit(found.imag))
        assert isinstance(found, np.generic) == (shape == ())


CANNOT = "cannot be evaluated on operands of types tensor<f32>"


def error_of(raising: Callable[[], Any]) -> Exception:
    try:
        raising()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    ("raising", "kind", "said"),
    [
        (lambda: np.zeros(3).reshape([1] * 64 + [3]), ResourceError, "needs an array of more than 64 dimensions"),
        (lambda: np.zeros([1] * 65), ResourceError, "needs an array of more than 64 dimensions"),
        (lambda: np.zeros([1] * 60)[(None,) * 5], ResourceError, "needs an array of more than 64 dimensions"),
        (lambda: np.concatenate([np.zeros(1), np.zeros((1, 1))]), InterpreterError, CANNOT),
        (lambda: np.moveaxis(np.zeros(3), 0, 1), InterpreterError, CANNOT),
        (lambda: np.zeros(3).reshape(2), InterpreterError, CANNOT),
        (lambda: [][0], InterpreterError, CANNOT),
        (lambda: error_raised(MemoryError()), ResourceError, "ran out of memory"),
        (lambda: error_raised(MemoryError("why")), ResourceError, "ran out of memory: why"),
        (lambda: error_raised(RecursionError()), ResourceError, "calls go too deep"),
    ],
)
def test_errors_of_kernels_are_those_of_their_op(raising: Callable[[], Any], kind: type, said: str) -> None:
    op = SimpleNamespace(name="stablehlo.add", location="a.py:1:2", operand_types=[tensor("f32")])
    found: Any = located(error_of(raising), SimpleNamespace(op=op))  # type: ignore[arg-type]
    assert (type(found), found.message) == (kind, said)
    assert (found.op, found.location) == ("stablehlo.add", "a.py:1:2")
    if kind is InterpreterError:
        assert "this is a mistake of the interpreter, please report it" in found.notes
        assert any("test_edges_of_values.py" in note for note in found.notes)


def error_raised(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("op", "location", "expected"),
    [("", "", ("stablehlo.add", "a.py:1:2")), ("x", "", ("x", "")), ("", "y", ("", "y")), ("x", "y", ("x", "y"))],
)
def test_an_error_with_a_place_keeps_it(op: str, location: str, expected: tuple[str, str]) -> None:
    here = SimpleNamespace(name="stablehlo.add", location="a.py:1:2", operand_types=[])
    given = InterpreterError("fails", op=op, location=location)
    found: StablehloError = located(given, SimpleNamespace(op=here))  # type: ignore[arg-type]
    assert found is given
    assert (found.op, found.location) == expected


def test_an_error_from_nowhere_has_no_line() -> None:
    here = SimpleNamespace(name="stablehlo.add", location="a.py:1:2", operand_types=[])
    found = located(ValueError("why"), SimpleNamespace(op=here))  # type: ignore[arg-type]
    assert list(found.notes) == ["this is a mistake of the interpreter, please report it"]
    yours = SimpleNamespace(name="stablehlo.custom_call", location="a.py:1:2", operand_types=[])
    found = located(ValueError("why"), SimpleNamespace(op=yours))  # type: ignore[arg-type]
    assert (found.message, list(found.notes)) == ("runs code of yours, which raises ValueError: why", [])
