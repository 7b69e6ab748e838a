"""Types, strings and functions that the tables of bytecode hold, each encoding written here."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from bytecode_bytes import Entry, varint, with_tables

from stablehlo_py.artifacts.bytecode import Bytecode
from stablehlo_py.artifacts.contents import FunctionInfo, Tables, constant_bytes, functions
from stablehlo_py.artifacts.header import header_of
from stablehlo_py.artifacts.soundness import check_values
from stablehlo_py.errors import ArtifactError

DYNAMIC = (1 << 64) - 1  # the zigzag of the smallest integer


def zigzag(value: int) -> bytes:
    return varint(DYNAMIC if value == -(1 << 63) else value << 1 if value >= 0 else (-value << 1) - 1)


def custom(code: int, *numbers: int, dialect: str = "vhlo", rest: bytes = b"") -> Entry:
    return dialect, b"".join(map(varint, (code, *numbers))) + rest, True


def shaped(code: int, shape: Sequence[int], element: int, *first: int, dialect: str = "vhlo") -> Entry:
    rest = varint(len(shape)) + b"".join(map(zigzag, shape)) + varint(element)
    return custom(code, *first, dialect=dialect, rest=rest)


UNKNOWN = -(1 << 63)
F32, I1 = custom(4), custom(0)
# Type 0 is f32 and type 1 is i1; the last one is asked for.
TYPES = [
    (custom(1, 0), "complex<f32>"),
    (shaped(20, [2, 3], 0), "tensor<2x3xf32>"),
    (shaped(20, [], 1), "tensor<i1>"),
    (shaped(20, [UNKNOWN, 0, 5], 0), "tensor<?x0x5xf32>"),
    (shaped(21, [2], 1, 7), "tensor<2xi1>"),
    (custom(23, 2, 0, 1), "tuple<f32, i1>"),
    (custom(23, 0), "tuple<>"),
    (custom(24, 9, 1, 0), "!quant.uniform<i1:f32, …>"),
    (custom(25, 0), "tensor<*xf32>"),
    (custom(30, 9, 1, 0), "!quant.uniform<i1:f32, …>"),
    (shaped(41, [4], 0), "memref<4xf32>"),
    (custom(42, 1, 0), "!stablehlo.future<f32>"),
    (custom(8, 1, 0, 2, 1, 1), "(f32) -> (i1, i1)"),
    (custom(99), "?"),
    (custom(7), "f8E5M2"),
    (custom(40), "f8E8M0FNU"),
    (custom(22), "!stablehlo.token"),
    (("vhlo", b"text\0", False), "?"),
    (custom(5, dialect="builtin"), "?"),
]


def function_file(types: Sequence[Entry], inputs: Sequence[int], outputs: Sequence[int] = ()) -> Tables:
    """Tables whose attribute 0 is the type of a function with these inputs and outputs."""
    signature = custom(8, len(inputs), *inputs, len(outputs), *outputs)
    return Tables(with_tables([custom(17, len(types))], [*types, signature]))


@pytest.mark.parametrize(("entry", "text"), TYPES, ids=range(len(TYPES)))
def test_types_read_as_stablehlo_writes_them(entry: Entry, text: str) -> None:
    found = function_file([F32, I1, entry], [2, 0], [1]).function_type(0)
    assert found == ((text, "f32"), ("i1",))


@pytest.mark.parametrize(
    ("entry", "text", "parts"),
    [
        (custom(0, 32 << 2, dialect="builtin"), "an integer", []),
        (custom(1, dialect="builtin"), "index", []),
        (custom(5, dialect="builtin"), "f32", []),
        (custom(8, dialect="builtin"), "f128", []),
        (custom(9, 0, dialect="builtin"), "complex<{}>", [0]),
        (shaped(13, [2], 1, dialect="builtin"), "tensor<{}{}>", [1]),
        (shaped(14, [2], 1, 5, dialect="builtin"), "tensor<{1}{2}>", [1]),
        (custom(15, 2, 1, 0, dialect="builtin"), "tuple<{}>", [1, 0]),
        (shaped(19, [2], 1, dialect="builtin"), "vector<{}{}>", [1]),
        (custom(2, 1, 0, 2, 1, 1, dialect="builtin"), "({}) -> ({})", [0, 1, 1]),
        (custom(8, 1, 0, 1, 1), "({}) -> ({})", [0, 1]),
        (custom(24, 9, 1, 0), "!quant.uniform<{1}:{2}, …>", [1, 0]),
        (custom(99), "?", []),
    ],
)
def test_types_have_parts(entry: Entry, text: str, parts: list[int]) -> None:
    found = function_file([F32, I1, entry], []).type(2)
    assert found is not None
    assert (found.dialect, found.text, found.parts) == (entry[0], text, parts)


def test_numbers_of_entries_that_are_none() -> None:
    tables = Tables(
        with_tables([custom(17, 0), ("vhlo", b"", True), ("vhlo", b"t\0", False)], [F32, ("vhlo", b"", True)])
    )
    for number in range(4):
        assert (tables.attribute(number, "vhlo", 17) is not None) == (number == 0)
    assert tables.attribute(0, "vhlo", 14) is None
    assert tables.attribute(0, "builtin", 17) is None
    assert tables.type(0) == ("vhlo", "f32", [])
    assert tables.type(1) is None
    assert tables.type(2) is None
    assert tables.function_type(0) is None  # f32 is no function
    assert tables.function_type(2) is None


def test_lists_end_with_their_encoding() -> None:
    tables = function_file([F32, custom(23, 200, 0, 0)], [1])
    assert tables.function_type(0) == (("tuple<f32, f32>",), ())


def test_nests_are_shown_to_some_depth_and_size() -> None:
    chain = [F32, *[custom(23, 1, number) for number in range(40)]]  # each around the one before
    found = function_file(chain, [15, 16, 40]).function_type(0)
    assert found is not None
    assert found[0][0] == "tuple<" * 15 + "f32" + ">" * 15
    assert found[0][1] == "tuple<" * 16 + "f32" + ">" * 16
    deep = found[0][2]
    assert deep == "tuple<" * 32 + "?" + ">" * 32
    pairs = [F32, *[custom(23, 2, number, number) for number in range(14)]]  # each twice the one before
    tables = function_file(pairs, [10, 14, 0], [0])
    shown = tables.function_type(0)
    assert shown is not None
    assert shown[0][0].count("f32") == 1 << 10
    assert "…" in shown[0][1]
    total = sum(text.count("f32") + text.count("tuple<") for text in (*shown[0], *shown[1]))
    assert total == 4096
    assert shown == tables.function_type(0), "each signature has its own limit"


def test_strings_are_those_of_vhlo() -> None:
    tables = Tables(with_tables([custom(14, 2), custom(2, 3, dialect="builtin"), custom(15, 2)], texts=["a", "b"]))
    assert [tables.string(number) for number in range(4)] == ["a", None, None, None]


NAMES = ["sym_name", "function_type", "f", "g", "public"]
STRING = {name: 3 + number for number, name in enumerate(NAMES)}  # after the dialects and the op


def functions_of(dictionary: Sequence[tuple[str, int]], ops: Sequence[str] = ("func_v1",)) -> tuple[FunctionInfo, ...]:
    """The functions of an old file with one dictionary: pairs of a name and the number of an attribute."""
    attributes = [
        custom(14, STRING["f"]),
        custom(17, 2),
        *[custom(2, STRING[name], dialect="builtin") for name in NAMES[:2]],
    ]
    name_of = {name: 2 + number for number, name in enumerate(NAMES[:2])} | {"none": 0}
    entries = b"".join(varint(name_of[name]) + varint(value) for name, value in dictionary)
    attributes.append(custom(1, len(dictionary), dialect="builtin", rest=entries))
    types = [F32, I1, custom(8, 1, 0, 1, 1)]
    return functions(with_tables(attributes, types, texts=NAMES, ops=ops, version=4))


@pytest.mark.parametrize(
    ("dictionary", "found"),
    [
        ([("sym_name", 0), ("function_type", 1)], [("f", ("f32",), ("i1",))]),
        ([("function_type", 1), ("none", 3), ("sym_name", 0)], [("f", ("f32",), ("i1",))]),
        ([("sym_name", 0)], []),
        ([("function_type", 1)], []),
        ([("sym_name", 1), ("function_type", 1)], []),
        ([("sym_name", 0), ("function_type", 0)], []),
        ([], []),
    ],
)
def test_functions_of_older_formats_are_dictionaries(dictionary: list[tuple[str, int]], found: list[object]) -> None:
    assert [tuple(each) for each in functions_of(dictionary)] == found
    assert functions_of(dictionary, ops=["add_v1"]) == ()


def test_functions_of_newer_formats_are_entries_of_five_attributes() -> None:
    attributes = [custom(14, STRING["f"]), custom(14, STRING["g"]), custom(17, 2), custom(14, STRING["public"])]
    rows = [[9, 0, 9, 2, 3], [9, 9, 9, 9], [1, 2, 3, 9, 9], [0, 2, 3, 9, 9, 9]]
    entries = [b"".join(map(varint, row)) for row in rows]
    properties = varint(len(entries)) + b"".join(varint(len(entry)) + entry for entry in entries)
    types = [F32, I1, custom(8, 1, 0, 1, 1)]
    file = with_tables(attributes, types, texts=NAMES, ops=["func_v1"], properties=properties, version=5)
    assert list(map(str, functions(file))) == ["@f(f32) -> (i1)", "@g(f32) -> (i1)"]


def test_constants_are_counted_with_their_heads() -> None:
    data = custom(15, 0, 4, rest=b"abcd")
    file = with_tables([data, custom(14, 2), ("builtin", *data[1:]), ("vhlo", data[1], False), custom(15)], [F32])
    assert constant_bytes(file) == len(data[1])
    assert header_of(file).constant_bytes == len(data[1])


def flaw(file: Bytecode) -> str:
    try:
        check_values(file)
    except ArtifactError as error:
        return error.message.removeprefix("the bytecode is damaged or cut short: ")
    return ""


VALUES = [
    (shaped(20, [2, 3], 0), 24, ""),
    (shaped(20, [2, 3], 0), 4, ""),  # one value for all
    (shaped(20, [2, 3], 0), 23, "holds 23 bytes for 6 elements of 32 bits"),
    (shaped(20, [2, 3], 0), 0, "holds 0 bytes for 6 elements of 32 bits"),
    (shaped(20, [0], 0), 0, ""),
    (shaped(20, [], 0), 4, ""),
    (shaped(20, [9], 1), 9, ""),
    (shaped(20, [9], 1), 2, ""),  # packed
    (shaped(20, [9], 1), 1, ""),
    (shaped(20, [9], 1), 3, "holds 3 bytes for 9 elements of 1 bits"),
    (shaped(20, [16], 1), 2, ""),
    (shaped(20, [UNKNOWN], 0), 4, "holds values for a shape that is not static"),
    (shaped(20, [3], 2), 24, ""),  # of complex numbers
    (shaped(20, [3], 2), 12, "holds 12 bytes for 3 elements of 64 bits"),
    (shaped(20, [3], 3), 3, ""),  # of i4
    (shaped(20, [3], 3), 2, "holds 2 bytes for 3 elements of 4 bits"),
    (shaped(20, [3], 4), 5, ""),  # of a type that is not known here
    (shaped(21, [3], 0, 7), 5, "holds 5 bytes for 3 elements of 32 bits"),
    (shaped(13, [3], 5, dialect="builtin"), 5, "holds 5 bytes for 3 elements of 16 bits"),
    (shaped(13, [3], 6, dialect="builtin"), 23, "holds 23 bytes for 3 elements of 64 bits"),
    (shaped(13, [3], 7, dialect="builtin"), 5, "holds 5 bytes for 3 elements of 16 bits"),
    (F32, 3, ""),
]
ELEMENTS = [F32, I1, custom(1, 0), custom(10), custom(99), custom(0, 16 << 2, dialect="builtin"),
            custom(1, dialect="builtin"), ("builtin", b"bf16\0", False)]  # fmt: skip


@pytest.mark.parametrize(("type_", "size", "said"), VALUES, ids=range(len(VALUES)))
@pytest.mark.parametrize(("dialect", "code"), [("vhlo", 15), ("builtin", 18)])
def test_constants_have_the_bytes_that_their_type_asks_for(
    type_: Entry, size: int, said: str, dialect: str, code: int
) -> None:
    types = [*ELEMENTS, type_]
    value = custom(code, len(types) - 1, size, dialect=dialect, rest=b"x" * size)
    file = with_tables([custom(14, 2), value], types)
    assert flaw(file) == (f"attribute 1 {said}" if said else "")


@pytest.mark.parametrize(
    ("element", "count", "size", "said"),
    [
        (0, 3, 12, ""),
        (0, 3, 11, "is an array of 3 elements, and has 11 bytes"),
        (1, 3, 3, ""),
        (3, 3, 3, ""),
        (4, 3, 1, ""),
        (5, 3, 6, ""),
        (5, 0, 1, "is an array of 0 elements, and has 1 bytes"),
    ],
)
def test_arrays_have_the_bytes_that_they_say(element: int, count: int, size: int, said: str) -> None:
    file = with_tables([custom(17, element, count, size, dialect="builtin", rest=b"x" * size)], ELEMENTS)
    assert flaw(file) == (f"attribute 0 {said}" if said else "")
