"""Numbers and files of arrays that are damaged, and text that would take long though it is short: one clear error."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.artifacts.bytecode import Bytecode
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import ArtifactError, InputError, ParseError
from stablehlo_py.interpreter.storage import load_array, load_arrays

# Numbers --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "type_"),
    [([100], "i4"), ([-1], "ui8"), ([1.5], "i32"), ([2], "i1"), ([2**70], "i64"), ([1e300], "f32"),
     ([2**200], "f32"), ([[1], [1, 2]], "f32"), (["a"], "f32"), ([1j], "f32"), ([None], "f32"),
     (np.ma.array([1, 2], mask=[0, 1], dtype=np.float32), "f32")],
)  # fmt: skip
def test_what_a_type_has_no_value_for_is_an_error(value, type_):
    with make_context(), pytest.raises(InputError):
        stablehlo_py.from_numpy(value, ir.Type.parse(type_))


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [([7, -8], "i4", "[7, -8]"), ([2**63], "ui64", "9223372036854775808"), ([0.1], "f32", "1.000000e-01"),
     ([2**24 + 1], "f32", "0x4B800000"),
     ([float("inf")], "f32", "0x7F800000"), (np.array([1, 2], ">i4"), "i32", "[1, 2]"),
     (np.arange(6, dtype=np.int32)[::2], "i32", "[0, 2, 4]"), ([True, False], "i1", "[true, false]")],
)  # fmt: skip
def test_numbers_are_converted_exactly(value, type_, text):
    with make_context():
        assert str(stablehlo_py.from_numpy(value, ir.Type.parse(type_))).startswith(f"dense<{text}>")


def header(description: str) -> bytes:
    text = description.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(64)


@pytest.mark.parametrize(
    "data",
    [b"", b"PK\x03\x04", b"\x93NUMPY\x01\x00", header("{'descr': '<f4', 'fortran_order': False, 'shape': ("),
     header("{'descr': '<f4', 'fortran_order': False, 'shape': (10000000000000,), }"),
     header("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }"),
     header("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }"),
     header("{'descr': '<f4', 'fortran_order': False, 'shape': ('a',), }"),
     header("{'descr': '<M8[s]', 'fortran_order': False, 'shape': (2,), }"),
     header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }")],
)  # fmt: skip
def test_a_damaged_array_is_an_error(tmp_path, data):
    path = tmp_path / "array.npy"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"array\.npy"):
        load_array(str(path))
    archive = tmp_path / "arrays.npz"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("arr_0.npy", data)
    with pytest.raises(InputError, match=r"arrays\.npz"):
        load_arrays(str(archive))


def test_a_damaged_archive_is_an_error(tmp_path):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, np.arange(1000.0))
    data = bytearray(buffer.getvalue())
    path, refused = tmp_path / "arrays.npz", 0
    positions = range(0, len(data), 37)
    for position in positions:
        path.write_bytes(data[:position] + bytes([data[position] ^ 0x55]) + data[position + 1 :])
        try:
            loaded = load_arrays(str(path))
        except InputError:
            refused += 1
        else:  # some damage is to bytes that nobody reads
            assert [array.tolist() for array in loaded] == [np.arange(1000.0).tolist()], position
    assert refused > len(positions) // 2


# What takes long in few words -----------------------------------------------------------------------------------------


def doubled(mark: str, first: str, pair: str, count: int) -> str:
    aliases = [f"{mark}t0 = {first}"]
    aliases += [f"{mark}t{n} = {pair.format(f'{mark}t{n - 1}')}" for n in range(1, count)]
    return "\n".join(aliases)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (doubled("!", "tensor<f32>", "tuple<{0}, {0}>", 40) + "\nfunc.func @f(%a: !t39) { return }", "t.mlir:19:1"),
        (doubled("#", '"x"', "[{0}, {0}]", 40) + "\nmodule attributes {a = #t39} {}", "t.mlir:20:1"),
        ("module {\n  %0 = stablehlo.constant dense<" + "9" * 20000 + "> : tensor<i32>\n}", "t.mlir:2:33"),
    ],
)
def test_text_that_would_take_too_long_is_refused(text, where):
    with pytest.raises(ParseError, match="would take too long") as caught:
        stablehlo_py.parse(text, source_name="t.mlir")
    assert caught.value.diagnostics[0].location.startswith(where)


def with_first_element_type(artifact, number):
    """The artifact of a tuple with its tensor's element type replaced by another of its types."""
    bytecode = Bytecode(artifact)
    tensor = next(entry for entry in bytecode.type_sizes() if artifact[entry.start] >> 1 == 20)
    changed = bytearray(artifact)
    changed[tensor.end - 1] = number << 1 | 1
    return bytes(changed)


def test_a_type_that_is_a_part_of_itself_is_refused():
    text = doubled("!", "tensor<f32>", "tuple<{0}, {0}>", 4) + "\nfunc.func @main(%a: !t3) -> !t3 { return %a : !t3 }"
    damaged = with_first_element_type(stablehlo_py.serialize(stablehlo_py.parse(text)), 0)
    with pytest.raises(ArtifactError, match="a part of itself"):
        stablehlo_py.deserialize(damaged)


def test_a_type_too_large_to_be_written_out_is_refused():
    module = stablehlo_py.parse("func.func @main() { return }")
    with module.context:
        type_ = ir.Type.parse("tensor<f32>")
        for _ in range(22):
            type_ = ir.TupleType.get_tuple([type_, type_])
        function = module.body.operations[0]
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get([type_], []))
        function.regions[0].blocks[0].add_argument(type_, ir.Location.unknown())
    with pytest.raises(ArtifactError, match="more than 1048576 parts"):
        stablehlo_py.deserialize(stablehlo_py.serialize(module))


def test_what_is_long_or_shared_but_cheap_is_read():
    zeros = "0" * 32768
    locations = doubled("#", 'loc("a":1:1)', "loc(callsite({0} at {0}))", 40).replace("#t", "#loc")
    text = f"""{doubled("!", "tensor<f32>", "tuple<{0}, {0}>", 8)}
      {locations}
      func.func @f(%a: !t7) -> tensor<4096xf32> {{
        %0 = stablehlo.constant dense<"0x{zeros}"> : tensor<4096xf32>
        return %0 : tensor<4096xf32> loc(#loc39)
      }}"""
    assert "tensor<4096xf32>" in str(stablehlo_py.parse(text))
