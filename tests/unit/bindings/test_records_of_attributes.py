"""Attributes and flatbuffers as plain data, and the methods that old bindings get."""

from __future__ import annotations

import struct
from types import SimpleNamespace
from typing import Any

import pytest
from parsed import parsed

from stablehlo_py.bindings import completion, ir, make_context
from stablehlo_py.bindings.attributes import (
    callee_of,
    enum_of,
    int_of,
    ints_of,
    is_private,
    string_of,
    symbol_name,
    symbol_of,
    symbol_rows,
)
from stablehlo_py.bindings.dimension_numbers import (
    ConvDimensionNumbers,
    DotAlgorithm,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from stablehlo_py.bindings.flatbuffers import Table
from stablehlo_py.bindings.walk import children, functions
from stablehlo_py.errors import InputError


@pytest.mark.parametrize(
    ("text", "read", "value"),
    [
        ("7 : i32", int_of, 7),
        ("-1 : i64", int_of, -1),
        ("array<i64: 1, 2>", ints_of, (1, 2)),
        ("array<i64>", ints_of, ()),
        ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>", ints_of, (1, 2, 3, 4)),
        ("dense<5> : tensor<2xi64>", ints_of, (5, 5)),
        ("[1, -2]", ints_of, (1, -2)),
        ("array<i32: 1, 2>", ints_of, (1, 2)),
        ('"a b"', string_of, "a b"),
        ("@f", symbol_of, "f"),
        ('@"f g"', symbol_of, "f g"),
        ("[[@a, @b], [@c]]", symbol_rows, [["a", "b"], ["c"]]),
        ("[]", symbol_rows, []),
        ("#stablehlo<comparison_direction LT>", enum_of, "LT"),
        ("#stablehlo<precision HIGHEST>", enum_of, "HIGHEST"),
        ("#chlo<comparison_direction GE>", enum_of, "GE"),
    ],
)
def test_attributes_as_data(text: str, read: Any, value: object) -> None:
    with make_context():
        assert read(ir.Attribute.parse(text)) == value


@pytest.mark.parametrize(
    ("text", "record"),
    [
        (
            "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], "
            "lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 4]>",
            DotDimensionNumbers([0], [1], [2, 3], [0, 4]),
        ),
        (
            "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[f, 1, 0, b]>",
            ConvDimensionNumbers(0, 3, [1, 2], 2, 3, [0, 1], 3, 0, [2, 1]),
        ),
        (
            "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [2], "
            "start_indices_batching_dims = [3], start_index_map = [0, 1], index_vector_dim = 4>",
            GatherDimensionNumbers([1], [0], [2], [3], [0, 1], 4),
        ),
        (
            "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [2], "
            "scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 4>",
            ScatterDimensionNumbers([1], [0], [2], [3], [0, 1], 4),
        ),
        (
            "#stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, "
            "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, "
            "allow_imprecise_accumulation = false>",
            DotAlgorithm("bf16", "bf16", "f32", 1, 1, 3, False),
        ),
    ],
)
def test_records_have_the_fields_of_their_attributes(text: str, record: Any) -> None:
    with make_context():
        assert type(record).of(ir.Attribute.parse(text)) == record


PROGRAM = """
func.func private @g(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %2 = stablehlo.composite "a.b" %0 {decomposition = @h} : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
func.func private @h(tensor<2xf32>) -> tensor<2xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
  %0 = call @g(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func nested @n()
"""


def test_functions_and_what_calls_them() -> None:
    module = parsed(PROGRAM)
    found = functions(module.operation)
    assert [(symbol_name(op), is_private(op)) for op in found.values()] == [
        *(("g", True), ("h", True), ("main", False), ("n", False)),
    ]
    dot, general, composite, end = children(found["g"])
    call = children(found["main"])[0]
    assert [callee_of(op) for op in (dot, composite, end, call)] == ["", "h", "", "g"]
    assert DotDimensionNumbers.of_op(dot, 2) == DotDimensionNumbers([], [], [1], [0])
    assert DotDimensionNumbers.of_op(dot, 1) == DotDimensionNumbers([], [], [0], [0])
    assert DotDimensionNumbers.of_op(general, 2) == DotDimensionNumbers([], [], [1], [0])


def buffer(*fields: bytes | int | None) -> bytes:
    """A flatbuffer whose table has such fields: numbers of four bytes, vectors, or none of a number."""
    vtable = struct.pack("<HH", 4 + 2 * len(fields), 4 + 4 * len(fields))
    offsets = [0 if field is None else 4 + 4 * number for number, field in enumerate(fields)]
    vtable += struct.pack(f"<{len(fields)}H", *offsets)
    table_at = 4 + len(vtable)
    table, tail = struct.pack("<i", table_at - 4), b""
    for number, field in enumerate(fields):
        if isinstance(field, bytes):
            end = table_at + 4 + 4 * len(fields)
            table += struct.pack("<I", end + len(tail) - (table_at + 4 + 4 * number))
            tail += field
        else:
            table += struct.pack("<I", field or 0)
    return struct.pack("<I", table_at) + vtable + table + tail


def vector(kind: str, *values: int) -> bytes:
    return struct.pack(f"<I{len(values)}{kind}", len(values), *values)


def test_a_table_has_numbers_texts_and_vectors() -> None:
    text, numbers = vector("B", *"é!".encode()), vector("H", 1, 2, 65535)
    table = Table.root(buffer(7, text, None, numbers, vector("q", -1), vector("B", 0xFF)))
    assert [table.number(field, "I") for field in (0, 2, 9)] == [7, 0, 0]
    assert table.number(0, "H") == 7
    assert [table.text(field) for field in (1, 2, 9)] == ["é!", None, None]
    assert [table.bytes(field) for field in (1, 2)] == ["é!".encode(), None]
    assert table.text(5) == "\N{REPLACEMENT CHARACTER}"
    assert [table.numbers(field, "H") for field in (3, 2)] == [[1, 2, 65535], []]
    assert table.numbers(4, "q") == [-1]
    assert table.tables(2) == []
    assert table.texts(2) == []
    assert table.table(2) is None


def test_tables_in_tables() -> None:
    words = struct.pack("<III", 2, 8, 12) + vector("B", *b"abcd") + vector("B", *b"e")
    outer = Table.root(buffer(struct.pack("<I", 0), words))
    assert outer.texts(1) == ["abcd", "e"]
    first, second = outer.tables(1)
    assert second.position - first.position == 8
    assert first.data == second.data == outer.data
    nested = outer.table(0)
    assert nested is not None
    assert outer.data[nested.position : nested.position + 8] == struct.pack("<II", 0, 2)


@pytest.mark.parametrize("length", [0, 3, 4, 8, 14, 20])
def test_a_flatbuffer_that_is_cut_off_is_an_error(length: int) -> None:
    data = buffer(7, vector("B", *b"abc"))[:length]

    def read() -> None:
        table = Table.root(data)
        table.number(0, "I")
        table.text(1)

    with pytest.raises(InputError, match="a flatbuffer ends in the middle of its data"):
        read()


def test_a_text_or_a_number_may_end_with_the_buffer() -> None:
    assert Table.root(buffer(7)).number(0, "I") == 7
    with pytest.raises(InputError):
        Table.root(buffer(7)[:-1]).number(0, "I")
    data = buffer(vector("B", *b"abc"))
    assert Table.root(data).text(0) == "abc"
    with pytest.raises(InputError):
        Table.root(data[:-1]).text(0)


@pytest.mark.parametrize("has_lookup", [True, False])
def test_old_bindings_get_the_methods_of_a_dictionary(has_lookup: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Map:
        """The attributes of an op, by number."""

        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> Any:
            return SimpleNamespace(name="ab"[index], attr=index + 5)

    prefixes = list[str]()
    monkeypatch.setattr(completion, "HAS_ATTRIBUTE_LOOKUP", has_lookup)
    monkeypatch.setattr(completion, "ir", SimpleNamespace(OpAttributeMap=Map))
    monkeypatch.setattr(completion, "_register_casters", lambda: None)
    registry = SimpleNamespace(append_dialect_search_prefix=prefixes.append)
    monkeypatch.setattr(completion, "dialect_registry", registry)
    completion.complete_bindings.__wrapped__()
    assert prefixes == ["stablehlo_py.bindings.dialects"]
    found: Any = Map()
    assert [hasattr(found, name) for name in ("get", "items", "keys", "values")] == [not has_lookup] * 4
    if not has_lookup:
        assert (found.get("a"), found.get("b", 1), found.get("c"), found.get("c", 2)) == (5, 6, None, 2)
        assert (found.keys(), found.values(), found.items()) == (["a", "b"], [5, 6], [("a", 5), ("b", 6)])
