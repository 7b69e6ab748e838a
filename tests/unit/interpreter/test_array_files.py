"""Arrays in files: what comes back, what is mapped into memory, and what damaged files say."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import weights_memory
from click.testing import CliRunner
from speeds import later

from stablehlo_py.cli.verbs.run import command
from stablehlo_py.errors import InputError
from stablehlo_py.interpreter import storage
from stablehlo_py.interpreter.storage import load_array, load_arrays, load_safetensors

ARRAYS = {
    "arg1": np.arange(6, dtype=np.float32).reshape(2, 3),
    "arg0": np.array([True, False]),
    "arg2": np.array(1.5, np.float64),
    "arg3": np.empty((0, 3), np.int8),
}


def written(path: Path, header: object, data: bytes = b"") -> str:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return str(path)


def is_mapped(array: np.ndarray) -> bool:
    base: object = array
    while isinstance(base, np.ndarray) and not isinstance(base, np.memmap):
        base = base.base
    return isinstance(base, np.memmap)


@pytest.mark.skipif(importlib.util.find_spec("safetensors") is None, reason="writes files with the library safetensors")
def test_what_the_library_writes_is_read_and_mapped(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    path = str(tmp_path / "weights.safetensors")
    save_file(ARRAYS, path, {"about": "metadata is no tensor"})
    found = load_safetensors(path)
    assert set(found) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert found[name].tobytes() == array.tobytes()
    assert is_mapped(found["arg1"])
    in_order = load_arrays(path, ("arg1", "arg0", "arg3", "arg2"))
    assert [array.shape for array in in_order] == [(2, 3), (2,), (0, 3), ()]
    assert [array.shape for array in load_arrays(path, part=slice(1, 3))] == [(2, 3), ()]


DTYPES = {
    "BOOL": np.bool_, "U8": np.uint8, "U16": np.uint16, "U32": np.uint32, "U64": np.uint64,
    "I8": np.int8, "I16": np.int16, "I32": np.int32, "I64": np.int64,
    "F16": np.float16, "F32": np.float32, "F64": np.float64, "C64": np.complex64, "BF16": ml_dtypes.bfloat16,
    "F8_E4M3": ml_dtypes.float8_e4m3fn, "F8_E5M2": ml_dtypes.float8_e5m2, "F8_E8M0": ml_dtypes.float8_e8m0fnu,
}  # fmt: skip


@pytest.mark.parametrize(("name", "dtype"), DTYPES.items())
def test_each_type_of_the_format_is_numpys_or_that_of_ml_dtypes(tmp_path: Path, name: str, dtype: type) -> None:
    array = np.array([[0.5, 1.0, 0.25], [2.0, 1.0, 4.0]]).astype(dtype)
    entry = {"dtype": name, "shape": [2, 3], "data_offsets": [2, 2 + array.nbytes]}
    path = written(tmp_path / "a.safetensors", {"x": entry}, b"__" + array.tobytes() + b"____")
    found = load_safetensors(path)["x"]
    assert found.dtype == array.dtype
    assert found.tolist() == array.tolist()


def entry(**changed: object) -> dict[str, object]:
    return {"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **changed}}


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (b"{", "is not a safetensors file"),
        (b"[" * 5000, "is not a safetensors file"),
        (b"\xff\xfe", "is not a safetensors file"),
        ([], "its header is no object"),
        ({"x": 1}, "is of type None"),
        (entry(dtype="F4"), "is of type F4"),
        (entry(shape=[-2]), "has no shape"),
        (entry(shape=[True, 2]), "has no shape"),
        (entry(data_offsets=[0]), "has no shape, or no offset in the file"),
        (entry(data_offsets=[4, 12]), "is at bytes 4 to 12 of 8"),
        (entry(data_offsets=[8, 0]), "is at bytes 8 to 0"),
        (entry(shape=[2**40, 2**40]), "which is not where"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, header: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        load_safetensors(written(tmp_path / "a.safetensors", header, bytes(8)))


def test_a_header_that_is_longer_than_the_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    for data in (b"", b"\1", (2**60).to_bytes(8, "little"), (10).to_bytes(8, "little") + b"{}"):
        path.write_bytes(data)
        with pytest.raises(InputError, match="safetensors"):
            load_arrays(str(path))
    for name in ("none.safetensors", "none.npz"):
        with pytest.raises(InputError, match=f"cannot read .*{name}': No such file or directory"):
            load_arrays(str(tmp_path / name))


def test_a_header_of_more_than_a_hundred_megabytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    length = 100_000_001
    with path.open("wb") as file:
        file.write(length.to_bytes(8, "little"))
        file.truncate(8 + 2 * length)
    with pytest.raises(InputError, match="not a safetensors file: its header"):
        load_safetensors(str(path))


def test_a_file_may_end_with_its_header_and_arrays_may_be_empty(tmp_path: Path) -> None:
    path = written(tmp_path / "a.safetensors", entry(shape=[0, 3], data_offsets=[0, 0]), b"")
    assert load_safetensors(path)["x"].shape == (0, 3)
    assert load_safetensors(written(tmp_path / "b.safetensors", {"__metadata__": {"a": "b"}}, b"")) == {}


@pytest.mark.parametrize(
    ("names", "parameters", "order"),
    [
        (["b", "a"], ["a", "b"], ["a", "b"]),
        (["x10", "x9"], ["a", "b"], ["x9", "x10"]),
        (["arr_1", "arr_0"], ["a", "b"], ["arr_0", "arr_1"]),
        (["only"], ["a"], ["only"]),
        ([], [], []),
        (["p", "q"], ["a", "b"], "the names in 'f' tell no order: p, q"),
        (["p1", "q"], [], "the names in 'f' tell no order: p1, q"),
        (["a", "zzz"], ["a", "weights"], "no array in 'f' is called 'weights'"),
        (["a", "wieghts"], ["a", "weights"], "no array in 'f' is called 'weights'; did you mean wieghts?"),
        (["wieghts"], ["weights"], "no array in 'f' is called 'weights'; did you mean wieghts?"),
        (["arr_0"], ["arr_0x"], ["arr_0"]),
        (list("pqrstu"), [], "the names in 'f' tell no order: p, q, r, s, t and 1 more"),
        (list("pqrst"), [], "the names in 'f' tell no order: p, q, r, s, t"),
    ],
)
def test_the_order_of_named_arrays(names: list[str], parameters: list[str], order: list[str] | str) -> None:
    if isinstance(order, list):
        assert storage._in_order("f", names, parameters) == order
        return
    with pytest.raises(InputError) as raised:
        storage._in_order("f", names, parameters)
    assert raised.value.message == order


@pytest.mark.parametrize(("path", "count", "said"), [
    ("a.txt", 1, "ends in neither"), ("a.npy", 2, "holds one array, not 2"), ("a.npy", 0, "holds one array, not 0"),
])  # fmt: skip
def test_arrays_that_a_file_cannot_hold(path: str, count: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        storage.save_arrays(path, [np.zeros(1)] * count)


def test_large_files_of_numpy_are_mapped_and_a_folder_holds_arguments(tmp_path: Path) -> None:
    large = np.arange(1 << 18, dtype=np.float32)
    for name, array in {"w2": large, "w10": np.ones(2), "w1": np.zeros(3)}.items():
        np.save(tmp_path / f"{name}.npy", array)
    assert is_mapped(load_array(str(tmp_path / "w2.npy")))
    found = load_arrays(str(tmp_path))
    assert [array.size for array in found] == [3, large.size, 2]
    assert found[1].tobytes() == large.tobytes()
    (tmp_path / "w2.npy").write_bytes((tmp_path / "w2.npy").read_bytes()[:-4])
    with pytest.raises(InputError, match=r"w2\.npy' is not a numpy file"):
        load_arrays(str(tmp_path))


@pytest.mark.parametrize("size", [1, 1 << 18])
def test_files_of_every_size_that_hold_no_single_array_of_numbers_say_so(tmp_path: Path, size: int) -> None:
    """Those that are large enough to be mapped are told from others by their first bytes."""
    numbers = np.zeros(size, np.float32)
    np.savez(tmp_path / "archive.npz", numbers)
    np.save(tmp_path / "structured.npy", numbers.view([("x", "f4")]))
    (tmp_path / "text.npy").write_text("1 " * 2 * size, encoding="utf-8")
    for name, said in {
        "archive.npz": "holds several arrays; --inputs takes it",
        "structured.npy": "holds values of type .*'x'.*, expected numbers",
        "text.npy": "is not a numpy file",
        "none.npy": "No such file",
    }.items():
        with pytest.raises(InputError, match=f"{name}.*{said}"):
            load_array(str(tmp_path / name))
    np.save(tmp_path / "bits.npy", numbers.view("V4"))
    assert load_array(str(tmp_path / "bits.npy")).dtype == np.dtype("V4"), "bits of a type that numpy lacks"


def test_files_of_a_folder_are_named_in_their_order(tmp_path: Path) -> None:
    for name in "dbfaec":
        np.save(tmp_path / f"{name}.npy", np.zeros(1))
    with pytest.raises(InputError, match="tell no order: a, b, c, d, e and 1 more"):
        load_arrays(str(tmp_path))


def test_the_command_line_takes_safetensors(tmp_path: Path) -> None:
    program = tmp_path / "add.mlir"
    program.write_text(
        "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.add %a, %a : tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}\n"
    )
    archive = written(tmp_path / "a.safetensors", entry(), np.float32([1, 2.5]).tobytes())
    found = CliRunner().invoke(command, [str(program), f"--inputs={archive}"], standalone_mode=False)
    assert found.exception is None, found.output
    assert "5.0" in found.output.replace("5.000000e+00", "5.0")


@pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="reads the memory of processes as Linux tells it"
)
@pytest.mark.parametrize("form", ["safetensors", later("npy")])
def test_weights_are_in_memory_once(form: str) -> None:
    found = weights_memory.measure(form, 128)
    assert found["ratio"] < weights_memory.LIMIT, found


@pytest.mark.parametrize("form", ["folder", "npz", "safetensors"])
@pytest.mark.parametrize("part", [slice(None), slice(1, 3), slice(3, 9), slice(None, None, 2)])
def test_a_part_of_the_arrays_is_that_of_their_order(form: str, part: slice, tmp_path: Path) -> None:
    arrays = {f"x{number}": np.array([number], np.int32) for number in (10, 2, 1, 0)}
    path = tmp_path / f"a.{form}"
    if form == "folder":
        path.mkdir()
        for name, array in arrays.items():
            np.save(path / f"{name}.npy", array)
    elif form == "npz":
        np.savez(path, **arrays)
    else:
        entries = {name: {"dtype": "I32", "shape": [1], "data_offsets": [4 * index, 4 * index + 4]}
                   for index, name in enumerate(arrays)}  # fmt: skip
        written(path, entries, b"".join(array.tobytes() for array in arrays.values()))
    assert [array.tolist() for array in load_arrays(str(path), (), part)] == [[0], [1], [2], [10]][part]
    names = ["x1", "x10", "x0", "x2"]
    assert [array.tolist() for array in load_arrays(str(path), names, part)] == [[1], [10], [0], [2]][part]


@pytest.mark.parametrize("kind", ["u", "V"])
@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, ml_dtypes.int4, ml_dtypes.float8_e5m2, np.float16])
def test_bits_in_a_file_are_elements_of_a_type_that_numpy_lacks(kind: str, dtype: type) -> None:
    type_ = np.dtype(dtype)
    bits = np.arange(3, dtype=f"u{type_.itemsize}")
    given = bits.view(f"{kind}{type_.itemsize}")
    found = storage.from_stored(given, type_)
    assert found.dtype == (given.dtype if type_ == np.float16 else type_)
    assert found.tobytes() == bits.tobytes()
    wide = np.zeros(3, f"{kind}8")
    assert storage.from_stored(wide, type_) is wide


def test_what_is_no_archive_says_why_if_there_is_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_text("some text")
    with pytest.raises(InputError) as plain:
        load_arrays(str(path))
    assert plain.value.message == f"'{path}' is not a numpy archive"
    np.savez(path, np.arange(100.0), np.arange(100.0))
    data = path.read_bytes()
    path.write_bytes(data[:300] + bytes(8) + data[308:])
    with pytest.raises(InputError) as damaged:
        load_arrays(str(path))
    assert damaged.value.message.startswith(f"'{path}' is not a numpy archive: ")
