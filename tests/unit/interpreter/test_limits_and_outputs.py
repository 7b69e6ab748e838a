"""Checks, printed values, limits and files of arrays at their very bounds, and in their second use."""

from __future__ import annotations

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.types import TensorType, TokenType, TupleType, decode_type
from stablehlo_py.errors import InputError, ResourceError
from stablehlo_py.interpreter import check, storage
from stablehlo_py.interpreter.printing import element_texts, format_dense, format_value
from stablehlo_py.interpreter.profile import Cost, Profile, _table
from stablehlo_py.interpreter.program import Program, interpret
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.interpreter.values import Token

F = np.float32
ABOVE = np.nextafter(F(1), F(2))


def test_a_mismatch_names_the_first_index_and_counts() -> None:
    actual, expected = np.int32([[1, 2], [3, 4]]), np.int32([[1, 2], [5, 6]])
    text = "element values don't match: 3 (actual) vs 5 (expected) at index [1, 0]; 2 of 4 elements differ"
    assert check.equal(actual, expected) == text
    assert check.equal(actual, actual) == ""
    assert check.equal(np.array(1), np.array(2)).endswith("at index []; 1 of 1 elements differ")
    assert check.equal(F([0.0, np.nan]), F([-0.0, np.nan])).endswith("at index [1]; 1 of 2 elements differ")
    bf16 = np.array([1, 2], ml_dtypes.bfloat16)
    assert "1.0 (actual) vs 2.0 (expected) at index [0]" in check.equal(bf16, bf16[::-1])


@pytest.mark.parametrize(
    ("actual", "expected", "tolerance", "agrees"),
    [
        (1.5, 1.0, 0.5, True),
        (1.5, 1.0, 0.25, False),
        (0.5, 1.0, 0.5, True),
        (np.inf, np.inf, 0.0, True),
        (np.inf, -np.inf, np.inf, False),
        (np.inf, 1.0, np.inf, False),
        (1.0, np.inf, np.inf, False),
        (1.0, -np.inf, np.inf, False),
        (1e300, -1e300, np.inf, True),
        (np.nan, np.nan, 0.0, True),
        (np.nan, 1.0, np.inf, False),
        (1.0, np.nan, np.inf, False),
        (-0.0, 0.0, 0.0, True),
        (1 + 1j, 1 + 1.5j, 0.5, True),
        (1 + 1j, 1 + 1.5j, 0.25, False),
    ],
)
def test_a_tolerance_belongs_to_what_is_allowed(
    actual: complex, expected: complex, tolerance: float, agrees: bool
) -> None:
    with np.errstate(invalid="ignore"):
        text = check.almost_equal(np.array([actual]), np.array([expected]), tolerance)
    assert (text == "") == agrees
    assert agrees or f"with tolerance {tolerance:g}" in text


@pytest.mark.parametrize(
    ("units", "smallest", "largest", "agrees"),
    [(0, 0, 0, True), (1, 0, 0, False), (1, 0, 1, True), (2, 0, 1, False), (1, 1, 3, True), (0, 1, 3, False)],
)
def test_units_in_the_last_place_have_a_least_and_a_largest_number(
    units: int, smallest: int, largest: int, agrees: bool
) -> None:
    actual = np.array([F(1) + units * np.spacing(F(1))])
    text = check.close(actual, F([1]), smallest, largest)
    assert (text == "") == agrees
    assert agrees or f"within {smallest} to {largest} ULPs" in text


def test_distances_are_counted_in_the_message() -> None:
    steps = np.array([0, 0, 1, 3, 4, 9], F) * np.spacing(F(1))
    text = check.close(1 + steps, np.ones(6, F), 0, 2)
    assert "3 of 6 elements differ" in text
    counts = "2 are 0 apart, 1 are 1 apart, 0 are 2 apart, 1 are 3 apart, 2 are at least 4 apart"
    assert text.endswith(f"; ULP differences: {counts}")
    nearer = check.close(1 + steps[:3], np.ones(3, F), 0, 0)
    assert nearer.endswith("2 are 0 apart, 1 are 1 apart, 0 are 2 apart, 0 are 3 apart, 0 are at least 4 apart")
    assert check.close(F([np.inf]), F([np.inf]), 0, 0) == ""
    assert check.close(F([np.inf]), F([np.finfo(F).max]), 0, 9) != ""
    assert check.close(F([np.inf]), F([-np.inf]), 0, 9) != ""


@pytest.fixture(scope="module")
def context() -> ir.Context:
    return make_context()


@pytest.mark.parametrize("size", [0, 1, 99, 100, 101, 200, 250])
@pytest.mark.parametrize(
    ("name", "dtype"), [("i32", np.int32), ("f32", F), ("i1", bool), ("complex<f32>", np.complex64)]
)
def test_every_element_of_a_long_value_is_printed(size: int, name: str, dtype: type, context: ir.Context) -> None:
    array = (np.arange(size) % 7).astype(dtype)
    if dtype is np.complex64:
        array = array * np.complex64(1 + 2j)
    with context:
        texts = element_texts(array, ir.Type.parse(name))
    assert len(texts) == size
    read = {
        "i32": int,
        "f32": float,
        "i1": lambda text: text == "true",
        "complex<f32>": lambda text: complex(*json.loads(text)),
    }[name]
    assert [read(text) for text in texts] == array.tolist()


def printed(array: np.ndarray, type_: str, context: ir.Context) -> str:
    with context:
        return format_value(array, decode_type(ir.Type.parse(type_)), context)


def test_rows_are_nested_and_empty_ones_closed(context: ir.Context) -> None:
    array = np.arange(8, dtype=np.int32).reshape(2, 2, 2)
    assert printed(array, "tensor<2x?x2xi32>", context).splitlines() == [
        *("tensor<2x2x2xi32> {", "  [", "    [", "      [0, 1],", "      [2, 3]", "    ],", "    ["),
        *("      [4, 5],", "      [6, 7]", "    ]", "  ]", "}"),
    ]
    assert printed(np.array(5, np.int32), "tensor<i32>", context) == "tensor<i32> {5}"
    assert printed(np.zeros((0, 2), np.int32), "tensor<0x2xi32>", context) == "tensor<0x2xi32> {\n  []\n}"
    empty = printed(np.zeros((2, 0), np.int32), "tensor<2x0xi32>", context)
    assert empty == "tensor<2x0xi32> {\n  [\n    [],\n    []\n  ]\n}"
    pair = TupleType((TensorType((), decode_type_of("i32", context)), TokenType()))
    text = format_value((np.array(1, np.int32), Token()), pair, context)
    assert text.splitlines()[1:] == ["tensor<i32> {1},", "!stablehlo.token", ")"]
    numbers = [np.array(number, np.int32) for number in range(3)]
    for count, lines in ((0, [")"]), (1, ["tensor<i32> {0}", ")"]),
                         (3, ["tensor<i32> {0},", "tensor<i32> {1},", "tensor<i32> {2}", ")"])):  # fmt: skip
        several = TupleType((TensorType((), decode_type_of("i32", context)),) * count)
        assert format_value(tuple(numbers[:count]), several, context).splitlines()[1:] == lines
    with context:
        type_ = decode_type(ir.Type.parse("tensor<?xi32>"))
    assert format_dense(np.int32([1, 2]), type_, context) == "dense<[1, 2]> : tensor<2xi32>"


def decode_type_of(element: str, context: ir.Context):
    with context:
        found = decode_type(ir.Type.parse(f"tensor<{element}>"))
    assert isinstance(found, TensorType)
    return found.element_type


CHAIN = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.add %1, %0 : tensor<4xf32>
  return %2 : tensor<4xf32>
}"""


@pytest.mark.parametrize("fast", [False, True])
def test_as_many_steps_as_the_limit_allows_in_every_run(fast: bool, context: ir.Context) -> None:
    module = ir.Module.parse(CHAIN, context)
    enough = Program(module, Settings(max_steps=3, fast=fast))
    short = Program(module, Settings(max_steps=2, fast=fast))
    for _ in range(3):
        assert len(enough.run([np.ones(4, F)])) == 1
        with pytest.raises(ResourceError, match="would be op number 3 to run, past the limit of 2") as caught:
            short.run([np.ones(4, F)])
        assert caught.value.op == "stablehlo.add"


@pytest.mark.parametrize("fast", [False, True])
def test_memory_up_to_the_limit_is_given(fast: bool, context: ir.Context) -> None:
    line = "%0 = stablehlo.iota dim = 0 : tensor<16xf32> return %0 : tensor<16xf32>"
    module = ir.Module.parse(f"func.func @main() -> tensor<16xf32> {{ {line} }}", context)
    assert len(interpret(module, [], settings=Settings(max_memory=64, fast=fast))) == 1
    with pytest.raises(ResourceError, match="needs 64 bytes, more than the limit of 63 bytes"):
        interpret(module, [], settings=Settings(max_memory=63, fast=fast))


@pytest.mark.parametrize("size", [storage._MAPPED - 129, storage._MAPPED - 128])
def test_files_of_a_megabyte_are_mapped(size: int, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(size, dtype=np.uint8))
    found = storage.load_array(str(tmp_path / "a.npy"))
    assert isinstance(found.base, np.memmap) == (size + 128 >= storage._MAPPED)
    assert found.size == size
    assert found[-1] == np.uint8((size - 1) % 256)


def names(stored: list[str], *parameters: str) -> list[str]:
    return storage._in_order("a.npz", stored, parameters)


def test_arrays_are_ordered_by_names_or_by_numbers() -> None:
    assert names(["y", "x"], "x", "y") == ["x", "y"]
    assert names(["arr_10", "arr_9", "arr_2"]) == ["arr_2", "arr_9", "arr_10"]
    assert names(["only"], "other", "another") == ["only"]
    assert names([]) == []
    with pytest.raises(InputError, match=r"no array in 'a\.npz' is called 'weights'; did you mean weight\?"):
        names(["weight", "x"], "weights", "x")
    with pytest.raises(InputError, match="is called 'y'"):
        names(["x", "z1"], "x", "y")
    with pytest.raises(InputError, match=r"tell no order: a, b, c, d, e and 1 more\n") as caught:
        names(["a", "b", "c", "d", "e", "f"])
    assert caught.value.notes == ("number the arrays",)
    with pytest.raises(InputError, match=r"tell no order: aa, bb, cc, dd, ee\n") as caught:
        names(["aa", "bb", "cc", "dd", "ee"], "xxxxxx", "yyyyyy")
    assert caught.value.notes == ("name the arrays xxxxxx, yyyyyy, or number them",)


def entry(dtype: object, shape: object, offsets: object) -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (entry("F32", [2], [0, 8]), ""),
        (entry("F32", [2], [8, 16]), ""),
        (entry("F32", [], [12, 16]), ""),
        (entry("BF16", [2, 4], [0, 16]), ""),
        (entry("F32", [0], [16, 16]), ""),
        (entry("F32", [2], [9, 17]), "at bytes 9 to 17 of 16"),
        (entry("F32", [2], [0, 7]), "not where F32[2] fits"),
        (entry("F32", [2], [0, 9]), "not where"),
        (entry("F32", [2], [8, 0]), "not where"),
        (entry("F32", [-2], [0, 8]), "no shape"),
        (entry("F32", [2.0], [0, 8]), "no shape"),
        (entry("F32", [True], [0, 4]), "no shape"),
        (entry("F32", [2], [0]), "no shape"),
        (entry("F32", [2], [0, 8, 8]), "no shape"),
        (entry("F32", [2], None), "no shape"),
        (entry("F31", [2], [0, 8]), "of type F31, expected one of BOOL, U8"),
        (7, "of type None"),
    ],
)
def test_entries_of_safetensors_lie_in_the_file(given: object, said: str, tmp_path: Path) -> None:
    header = json.dumps({"w": given, "__metadata__": {"a": "b"}}).encode()
    path = tmp_path / "a.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + np.arange(16, dtype=np.uint8).tobytes())
    if said:
        with pytest.raises(InputError) as caught:
            storage.load_safetensors(str(path))
        assert said in caught.value.message
        assert "'w' in '" in caught.value.message
        return
    (array,) = storage.load_safetensors(str(path)).values()
    assert isinstance(given, dict)
    assert list(array.shape) == given["shape"]
    first, last = given["data_offsets"]
    assert array.tobytes() == bytes(range(first, last))


def test_a_table_of_costs_shows_the_most_expensive_and_counts_the_others() -> None:
    costs = {f"op{number}": Cost(number, number / 1000, 1000 * number) for number in (1, 4, 3, 2)}
    lines = _table("op", costs, 2)
    assert [line.split() for line in lines[1:3]] == [
        ["4.000", "ms", "40.0%", "4", "4,000", "op4"],
        ["3.000", "ms", "30.0%", "3", "3,000", "op3"],
    ]
    assert lines[3:] == ["… and 2 more"]
    assert len(_table("op", costs, 4)) == 5
    assert _table("op", {"a": Cost(1)}, 1)[1].split() == ["0.000", "ms", "0.0%", "1", "0", "a"]


def test_a_profile_counts_ops_and_bytes_of_every_run(context: ir.Context) -> None:
    profile = Profile()
    program = Program(ir.Module.parse(CHAIN, context), Settings(listeners=(profile,)))
    for run in (1, 2):
        program.run([np.ones(4, F)])
        found = {name: (cost.count, cost.result_bytes) for name, cost in profile.by_op.items()}
        assert found["stablehlo.sine"] == (run, 16 * run)
        assert found["stablehlo.add"] == (run, 16 * run)
    rows = [row for row in profile.as_dict()["profile"] if row["op"] == "stablehlo.negate"]
    assert [(row["function"], row["index"], row["count"]) for row in rows] == [("main", 2, 2)]
