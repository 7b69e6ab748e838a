"""Weights in resources of a file of bytecode are read where they lie; what is not found there is copied."""

from __future__ import annotations

import mmap
import pickle
import sys

import ml_dtypes
import numpy as np
import pytest
import weights_memory

from stablehlo_py.artifacts.artifact import parse_bytecode
from stablehlo_py.bindings import handover, ir, make_context, mapped
from stablehlo_py.bindings.elements import element_type_of, to_numpy
from stablehlo_py.bindings.resources import write_out_resources
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import InputError
from stablehlo_py.syntax import read_source, source
from stablehlo_py.syntax.source import MappedBytecode

COUNT = 1 << 16


def _arrays():
    random = np.random.default_rng(1)
    floats = random.standard_normal(COUNT).astype(np.float32)
    late = np.concatenate([np.zeros(COUNT - 5, np.int32), np.arange(1, 6, dtype=np.int32)])
    return {
        "first": floats,
        "small": floats[:3],
        "bf16": floats.astype(ml_dtypes.bfloat16),
        "complex": floats.view(np.complex64),
        "late": late,
        "later": late + (np.arange(COUNT, dtype=np.int32) == COUNT - 1),
        "bytes": random.integers(-128, 127, COUNT, np.int8),
        "again": floats,
        "zeros": np.zeros(COUNT, np.float64),
    }


def _text(arrays, alignment=64):
    with make_context():
        types = {name: f"tensor<{array.size}x{element_type_of(array.dtype)}>" for name, array in arrays.items()}
    lines = [f"  %{name} = stablehlo.constant dense_resource<{name}> : {type_}" for name, type_ in types.items()]
    blobs = [f'{name}: "0x{alignment:02X}000000{array.tobytes().hex()}"' for name, array in arrays.items()]
    body = "\n".join(["func.func @main() {", *lines, "  return", "}"])
    return f"{body}\n{{-# dialect_resources: {{ builtin: {{ {', '.join(blobs)} }} }} #-}}\n"


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "_MAPPED_FROM", 1)
    monkeypatch.setattr(handover, "_MAPPED", 1)
    path = tmp_path / "program.mlirbc"
    with path.open("wb") as opened:
        ir.Module.parse(_text(_arrays()), make_context()).operation.write_bytecode(opened)
    return path


def _constants(module):
    found = [operation for operation in operations(module.operation) if operation.name == "stablehlo.constant"]
    return {str(each.attributes["value"]).partition("<")[2].partition(">")[0]: each for each in found}


def _lies_in_a_file(array):
    while isinstance(array, np.ndarray):
        array = array.base
    return isinstance(array, memoryview) and isinstance(array.obj, mmap.mmap)


@pytest.mark.parametrize("trusted", [True, False])
def test_resources_are_views_of_the_file_with_the_same_bits(file, trusted):
    module = parse_bytecode(read_source(file).data, context=make_context(), trusted=trusted)
    arrays, constants = _arrays(), _constants(module)
    assert constants.keys() == arrays.keys()
    for name, array in arrays.items():
        value = to_numpy(constants[name].attributes["value"])
        assert value.dtype == array.dtype
        assert value.tobytes() == array.tobytes(), name
        assert not value.flags.writeable
        assert value.flags.aligned
        if trusted or sys.platform == "linux":
            assert _lies_in_a_file(value) == (name not in ("small", "zeros")), name


def test_a_file_is_not_searched_without_end(file):
    found = mapped._MappedFile(read_source(file).data)
    first, absent = _arrays()["first"].tobytes(), np.arange(COUNT, dtype=np.uint32).tobytes()
    assert found.view(first, 4) is not None
    for _ in range(2 * mapped._SEARCHES):
        assert found.view(absent, 4) is None
    assert found.view(_arrays()["bytes"].tobytes(), 1) is None
    assert found.view(first, 4) is not None


def test_a_piece_is_found_where_it_is_aligned_and_the_same_to_its_end():
    """Its beginning is also elsewhere, and all of it at an odd place; what was read last does not matter."""
    head = bytes(range(1, 81))
    piece, other = head + b"end", bytes(range(100, 180))
    content = b"".join([head + b"xyz", b"....", piece, b"...", head + b"END", piece, other]).ljust(512, b".")
    odd = content.index(piece)
    even = content.index(piece, odd + 1)
    assert (odd % 4, even % 4) == (3, 0)
    start = np.frombuffer(content, np.uint8).ctypes.data
    for asked in ([1, 4], [4, 1], [4, 4, 1]):
        file = mapped._MappedFile(content)
        for alignment in asked:
            view = file.view(piece, alignment)
            offset = np.frombuffer(view, np.uint8).ctypes.data - start
            assert bytes(view) == piece
            assert offset % alignment == 0, asked
            assert offset == (odd if alignment == asked[0] == 1 else even), asked
        assert bytes(file.view(other, 1)) == other
        assert bytes(file.view(head + b"xyz", 1)) == head + b"xyz", "it lies in front of what was read last"
        assert file.view(piece, 512) is None


def test_a_resource_of_another_size_is_an_error():
    text = _text({"first": np.zeros(COUNT, np.float32)}).replace(f"tensor<{COUNT}x", f"tensor<{COUNT + 1}x")
    constants = _constants(ir.Module.parse(text, make_context()))
    with pytest.raises(InputError, match=f"holds {4 * COUNT} bytes, which do not fit its type"):
        to_numpy(constants["first"].attributes["value"])


def test_a_mapped_file_answers_as_its_bytes_do(file):
    data, large = file.read_bytes(), read_source(file).data
    assert isinstance(large, MappedBytecode)
    for each in (large, pickle.loads(pickle.dumps(large))):
        assert each[:] == data
        assert each.strip()[:] == each.lstrip()[:] == data
        assert each.startswith(data[:4])
        assert not each.startswith(b"func")
        assert b"dense_resource" not in each
        assert data[-64:] in each


@pytest.mark.skipif(sys.platform != "linux", reason="what processes share is told by Linux's /proc")
def test_the_tool_holds_weights_in_resources_once():
    assert weights_memory.measure("resources", 48)["ratio"] < weights_memory.LIMIT


def test_only_constants_with_resources_are_written_out():
    plain = """func.func @main() -> tensor<2xf32> {
      %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
      return %c : tensor<2xf32> }"""
    module = ir.Module.parse(plain, make_context())
    before = str(module)
    assert not write_out_resources(module.operation)
    assert str(module) == before
    resource = "%r = stablehlo.constant dense_resource<a> : tensor<2xf32>"
    data = '{-# dialect_resources: { builtin: { a: "0x040000000000803F00000040" } } #-}'
    module = ir.Module.parse(plain.replace("return", f"{resource}\nreturn") + data, make_context())
    assert write_out_resources(module.operation)
    values = [op.attributes["value"] for op in operations(module.operation) if op.name == "stablehlo.constant"]
    assert [isinstance(value, ir.DenseElementsAttr) for value in values] == [True, True]
    assert [to_numpy(value).tolist() for value in values] == [[1, 2], [1, 2]]
    assert not write_out_resources(module.operation)
