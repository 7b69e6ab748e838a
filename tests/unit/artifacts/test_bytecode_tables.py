"""Tables of bytecode, written here byte by byte: numbers of each width, alignments, and what does not add up."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from bytecode_bytes import section, strings, varint, written
from hypothesis import given
from hypothesis import strategies as st

from stablehlo_py.artifacts.bytecode import MAGIC, Bytecode, ByteCursor, Section
from stablehlo_py.artifacts.contents import _function
from stablehlo_py.artifacts.header import _size, artifact_version, is_bytecode, read_header
from stablehlo_py.artifacts.versions import Version, bytecode_format, version_log
from stablehlo_py.errors import ArtifactError


def cursor(data: bytes) -> ByteCursor:
    return ByteCursor(b"x" + data + b"yy", 1, 1 + len(data))


EDGES = sorted({edge + off for bits in (0, *range(7, 64, 7), 63, 64) for edge in (1 << bits,) for off in (-1, 0)})


@pytest.mark.parametrize("value", [edge for edge in EDGES if edge < 1 << 64])
def test_numbers_take_as_many_bytes_as_their_first_one_says(value: int) -> None:
    data = varint(value)
    reader = cursor(data)
    assert reader.varint() == value
    assert reader.at_end
    for length in range(len(data)):
        with pytest.raises(ArtifactError, match="should follow at offset"):
            cursor(data[:length]).varint()
    if value < 1 << 63:
        assert cursor(varint(2 * value + 1)).flagged_varint() == (value, True)
        assert cursor(varint(2 * value)).flagged_varint() == (value, False)


@given(st.integers(-(2**63), 2**63 - 1))
def test_signed_numbers(value: int) -> None:
    assert cursor(varint((value << 1) ^ (value >> 63) if value >= 0 else ~(value << 1))).signed_varint() == value


@pytest.mark.parametrize("length", [0, 1, 255, 256, 257, 512, 700])
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_texts_are_as_long_as_they_are(length: int, kind: type) -> None:
    data = b"xx" + b"a" * length + b"\0bc\0"
    reader = ByteCursor(kind(data), 2, len(data))
    assert reader.text() == "a" * length
    assert reader.position == length + 3
    assert reader.text() == "bc"
    with pytest.raises(ArtifactError, match="the string at offset 2 has no end"):
        ByteCursor(kind(data), 2, length + 2).text()


def test_headers_are_read_from_any_buffer() -> None:
    data = bytes(written(PARTS).buffer)
    for kind in (bytearray, memoryview):
        assert read_header(kind(data)) == read_header(data)
    for missing in (Section.IR, Section.PROPERTIES, Section.ATTRIBUTES_AND_TYPES):
        with pytest.raises(ArtifactError, match="is missing"):
            read_header(written({name: part for name, part in PARTS.items() if name != missing}).buffer)


def test_texts_and_bytes_end_where_their_part_ends() -> None:
    reader = cursor("é".encode() + b"\0ab")
    assert reader.text() == "é"
    assert reader.take(0) == b""
    assert reader.take(2) == b"ab"
    with pytest.raises(ArtifactError, match="1 byte should follow at offset 6, where 0 are left"):
        reader.byte()
    with pytest.raises(ArtifactError, match="has no end"):
        cursor(b"abc").text()
    with pytest.raises(ArtifactError, match="3 bytes should follow at offset 1, where 2 are left"):
        cursor(b"ab").skip(3)


NAMES = strings(b"vhlo", b"add_v1", b"builtin", b"\xff")
# Two dialects, the first with a version of its own; of the first one op, which is registered.
DIALECTS = varint(2) + varint(0 << 1 | 1) + b"\x07" + varint(3) + b"abc" + varint(2 << 1) + varint(1)
DIALECTS += varint(0) + varint(1) + varint(1 << 1 | 1)
# Attributes of 2 bytes (text) and 3 (custom) of the second dialect, and a type of 1 byte of the first one.
OFFSETS = varint(2) + varint(1) + varint(1) + varint(2) + varint(2 << 1) + varint(3 << 1 | 1)
OFFSETS += varint(0) + varint(1) + varint(1 << 1)
PARTS = {
    Section.STRINGS: NAMES,
    Section.DIALECTS: DIALECTS,
    Section.ATTRIBUTES_AND_TYPES: b"aabbbc",
    Section.ATTRIBUTE_AND_TYPE_OFFSETS: OFFSETS,
    Section.IR: b"ir",
    Section.PROPERTIES: b"",
}


def test_tables_are_read_as_they_are_written() -> None:
    found = written(PARTS)
    found.check()
    assert (found.version, found.producer) == (6, "StableHLO_v1.2.3")
    assert found.dialects() == ["vhlo", "builtin"]
    assert list(map(str, found.op_names())) == ["vhlo.add_v1"]
    assert [(each.dialect, each.size, each.custom) for each in found.attribute_sizes()] == [
        ("builtin", 2, False),
        ("builtin", 3, True),
    ]
    (type_,) = found.type_sizes()
    assert (type_.dialect, found.buffer[type_.start : type_.end]) == ("vhlo", b"c")
    assert found.undecodable_strings() == {3}
    assert found.string(3) == "\N{REPLACEMENT CHARACTER}"
    with pytest.raises(ArtifactError, match="string 4 is used, of 4"):
        found.string(4)


def test_older_formats_have_neither_versions_nor_counts_nor_flags() -> None:
    old = {**PARTS, Section.DIALECTS: varint(1) + varint(0) + varint(0) + varint(1) + varint(1)}
    old[Section.ATTRIBUTE_AND_TYPE_OFFSETS] = varint(0) + varint(0)
    del old[Section.PROPERTIES]
    found = written(old, version=0)
    found.check()
    assert list(map(str, found.op_names())) == ["vhlo.add_v1"]
    old[Section.DIALECTS] = varint(1) + varint(0) + varint(1) + varint(0) + varint(1) + varint(1)
    assert list(map(str, written(old, version=4).op_names())) == ["vhlo.add_v1"]
    with pytest.raises(ArtifactError, match="the section for properties is missing"):
        written(old, version=5).check()


@pytest.mark.parametrize("alignment", [1, 2, 8, 64])
def test_contents_are_aligned_in_the_file(alignment: int) -> None:
    head = MAGIC + varint(6) + b"p\0"
    found = Bytecode(head + section(Section.RESOURCES, b"abc", alignment, len(head)))
    place = found.sections[Section.RESOURCES]
    assert place.start % alignment == 0
    assert (place.size, found.buffer[place.start : place.end]) == (3, b"abc")


@pytest.mark.parametrize(
    ("tail", "said"),
    [
        (bytes([9]) + varint(0), "section 9 is of no kind that version 6"),
        (section(Section.STRINGS, b""), "section 0 occurs twice"),
        (bytes([5 | 0x80]) + varint(0) + varint(3), "section 5 asks for the alignment 3"),
        (bytes([5 | 0x80]) + varint(0) + varint(0), "alignment 0"),
        (bytes([5 | 0x80]) + varint(0) + varint(1 << 31), "alignment 2147483648"),
        (bytes([5]) + varint(1), "1 byte should follow"),
        (bytes([5]), "1 byte should follow"),
    ],
)
def test_sections_that_cannot_be(tail: bytes, said: str) -> None:
    with pytest.raises(ArtifactError, match=said):
        written(PARTS, tail=tail)
    if "no kind" in said:
        assert 9 in written(PARTS, version=7, tail=tail).sections


@pytest.mark.parametrize(
    ("part", "content", "said"),
    [
        (Section.STRINGS, varint(200) + b"a", "it announces 200 strings"),
        (Section.STRINGS, varint(1) + varint(3) + b"a\0", "do not add up"),
        (Section.STRINGS, varint(1) + varint(0), "do not add up"),
        (Section.DIALECTS, varint(100), "it announces 100 dialects in 0 bytes"),
        (Section.DIALECTS, varint(1) + varint(4 << 1) + varint(0), "string 4 is used, of 4"),
        (Section.DIALECTS, varint(0) + varint(1) + varint(0) + varint(0), "dialect 0 is used, of 0"),
        (Section.ATTRIBUTE_AND_TYPE_OFFSETS, varint(1) + varint(0) + varint(2) + varint(1) + varint(14), "2 is used"),
        (Section.ATTRIBUTE_AND_TYPE_OFFSETS, varint(1) + varint(0) + varint(0) + varint(2) + varint(2) * 2, "add up"),
        (
            Section.ATTRIBUTE_AND_TYPE_OFFSETS,
            varint(1) + varint(0) + varint(0) + varint(1) + varint(14),
            "7 bytes of 6",
        ),
    ],
)
def test_tables_that_cannot_be(part: Section, content: bytes, said: str) -> None:
    with pytest.raises(ArtifactError, match=said) as caught:
        written({**PARTS, part: content}).check()
    assert caught.value.message.startswith("the bytecode is damaged or cut short: ")


@pytest.mark.parametrize("part", list(PARTS))
def test_parts_that_are_missing_are_named(part: Section) -> None:
    with pytest.raises(ArtifactError, match=f"the section for {part.name.lower().replace('_', ' ')} is missing"):
        written({name: content for name, content in PARTS.items() if name != part}).check()


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB (1024 B)"),
        (1536, "1.5 KiB (1536 B)"),
        (1 << 20, "1.0 MiB (1048576 B)"),
        (1 << 30, "1.0 GiB (1073741824 B)"),
        (1 << 41, "2048.0 GiB (2199023255552 B)"),
    ],
)
def test_sizes_in_words(count: int, text: str) -> None:
    assert _size(count) == text


def test_versions_of_producers_and_formats() -> None:
    assert artifact_version("StableHLO_v1.10.2") == Version(1, 10, 2)
    for other in ("StableHLO_v1.10", "MLIR21", "StableHLO_v1.2.3x", "xStableHLO_v1.2.3", "StableHLO_v1.2.1234567890"):
        assert artifact_version(other) is None
    assert is_bytecode(MAGIC)
    assert not is_bytecode(MAGIC[:3])
    for entry in version_log():
        assert bytecode_format(entry.version) == entry.bytecode
        assert bytecode_format(entry.version._replace(patch=99)) == entry.bytecode


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ([1, 10, 2, 3, 4], ("f", [], ["i32"])),
        ([10, 2, 1, 3, 4], ("public", [], ["i32"])),  # the first of the strings
        ([2, 3, 4, 1, 10], ("public", [], ["i32"])),
        ([1, 3, 4, 5, 6], None),  # no type
        ([3, 10, 4, 5, 6], None),  # no name
        ([1, 10, 2, 3], None),
        ([1, 10, 2, 3, 4, 5], None),
        ([], None),
    ],
)
def test_a_function_has_five_attributes_with_a_name_and_a_type(entry: list[int], found: tuple | None) -> None:
    strings, types = {1: "f", 2: "public"}, {10: ([], ["i32"])}
    tables = SimpleNamespace(string=strings.get, function_type=types.get)
    info = _function(tables, cursor(b"".join(map(varint, entry))))
    assert (info and tuple(info)) == found
