"""Sources, split markers, logs and words at their edges."""

from __future__ import annotations

import io
import json
import os
import pickle
from pathlib import Path

import pytest

from stablehlo_py.bindings import make_context
from stablehlo_py.errors import InputError, ProviderError
from stablehlo_py.isolation import files
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.isolation.logs import add_to_log, read_log
from stablehlo_py.syntax import parser
from stablehlo_py.syntax import source as sources
from stablehlo_py.syntax.source import (
    BYTECODE_MAGIC,
    MappedBytecode,
    NearMiss,
    Source,
    binary_kind,
    read_source,
    split_source,
)
from stablehlo_py.syntax.spelling import hint, nearest
from stablehlo_py.syntax.suggestions import suggestion
from stablehlo_py.syntax.tables import short, shortened, table


@pytest.mark.parametrize(
    ("text", "chunks", "misses"),
    [
        ("a", ["a"], []),
        ("", [""], []),
        ("a\n// -----\nb", ["a\n", "\n\nb"], []),
        ("// -----", ["", ""], []),
        ("a\n// -----\n// -----\nb\n", ["a\n", "\n\n", "\n\n\nb\n"], []),
        ("a // ----- b", ["a ", " b"], []),
        ("a\n// ----\nb", ["a\n// ----\nb"], [(2, 1)]),
        ("a\n  // ---x-\nb", ["a\n  // ---x-\nb"], [(2, 3)]),
        ("a\n// ------\nb", ["a\n// ------\nb"], [(2, 1)]),
        ("é\né // ---\n// -----\nc", ["é\né // ---\n", "\n\n\nc"], [(2, 4)]),
        ("// --", ["// --"], []),
    ],
)
def test_chunks_keep_the_lines_of_the_file_and_near_misses_are_told(
    text: str, chunks: list[str], misses: list[tuple[int, int]]
) -> None:
    found, missed = split_source(Source("a", text.encode()))
    assert [chunk.data.decode() for chunk in found] == chunks
    assert missed == [NearMiss(*miss) for miss in misses]
    lines = text.split("\n")
    for chunk in found:
        for number, line in enumerate(chunk.data.decode().split("\n"), 1):
            assert line in lines[number - 1]


def test_markers_of_users() -> None:
    assert [chunk.data for chunk in split_source(Source("a", b"a###b"), "###")[0]] == [b"a", b"b"]
    with pytest.raises(InputError, match="more than 2 characters: '##'"):
        split_source(Source("a", b"a"), "##")
    bytecode = Source("a", BYTECODE_MAGIC + b"// -----\n")
    assert split_source(bytecode) == ([bytecode], [])
    assert bytecode.line(1) is None


@pytest.mark.parametrize(
    ("data", "kind", "has_advice"),
    [
        (b"func.func", "", False),
        (b"", "", False),
        (b"\t\n\v\f\r\x1b ", "", False),
        (BYTECODE_MAGIC + b"\x00", "", False),
        (b"PK\x03\x04", "a zip file", True),
        (b"\x93NUMPY", "an array of numpy", True),
        (b"\x1f\x8b", "gzip data", False),
        (b"\x7fELF", "a library or an executable", False),
        (b"a\x00", "binary data", False),
        (b"a\x7f", "binary data", False),
        (b"x" * 63 + b"\x00", "binary data", False),
        (b"x" * 64 + b"\x00", "", False),
    ],
)
def test_what_data_is_in_words(data: bytes, kind: str, has_advice: bool) -> None:
    found, advice = binary_kind(data)
    assert (found, bool(advice)) == (kind, has_advice)


def test_files_that_are_empty_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    path.write_bytes(b" \n\t")
    with pytest.raises(InputError, match="input file is empty") as caught:
        read_source(path)
    assert caught.value.location == f"{path}:1:1"
    assert read_source(path, may_be_empty=True).data == b" \n\t"
    assert read_source(path, may_be_empty=True).is_file
    with pytest.raises(InputError, match="No such file"):
        read_source(tmp_path / "none")
    with pytest.raises(InputError, match="null"):
        read_source("a\0b")


class Endless(io.RawIOBase):
    def read(self, size: int = -1) -> bytes:
        return b"x" * min(size, 1000)


@pytest.mark.parametrize(("memory", "most"), [(40, 10), (36, 9), (20_000, 5000)])
def test_a_stream_may_give_as_much_as_its_limit(memory: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "limits", lambda: Limits(memory_bytes=memory))
    assert files.read_stream(io.BytesIO(b"x" * most), "a") == b"x" * most
    for endless in (io.BytesIO(b"x" * (most + 1)), Endless()):
        with pytest.raises(InputError, match=f"'a': it is a device or a pipe and gives more than {most} bytes"):
            files.read_stream(endless, "a")  # type: ignore[arg-type]


def test_only_files_that_tell_their_size_are_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"x" * 1000)
    monkeypatch.setattr(files, "limits", lambda: Limits(memory_bytes=40))
    with (tmp_path / "a").open("rb") as file:
        assert files.read_stream(file, "a") == b"x" * 1000
    with open(os.devnull, "rb") as file:
        assert files.read_stream(file, os.devnull) == b""
    own = Path("/proc/self/status")  # a file of the system, with a size of 0
    if own.exists():
        with own.open("rb") as file, pytest.raises(InputError, match="gives more than 10 bytes"):
            files.read_stream(file, str(own))


@pytest.mark.parametrize("error", [KeyError("a"), TypeError("b"), ValueError("c")])
def test_an_entry_that_cannot_be_decoded_is_named_by_its_line(tmp_path: Path, error: Exception) -> None:
    path = tmp_path / "log"

    def decode(value: int) -> int:
        if value == 3:
            raise error
        return value

    for number in (1, 2, 3, 4):
        add_to_log(path, number)
    with pytest.raises(InputError) as raised:
        read_log(path, decode)
    assert (raised.value.message, raised.value.location) == ("not an entry of this log", f"{path}:3:1")
    assert raised.value.notes == ("without this line, or without the file, its work is done again",)
    assert read_log(path, str) == ["1", "2", "3", "4"]


def test_a_log_goes_on_behind_its_last_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "log"
    assert read_log(path, int) == []
    for number in (1, 2):
        add_to_log(path, number)
    with path.open("ab") as file:
        file.write(b"34")
    assert read_log(path, int) == [1, 2]
    add_to_log(path, 5)
    assert read_log(path, int) == [1, 2, 5]
    assert path.read_bytes() == b"1\n2\n5\n"
    add_to_log(path, "bad")
    with pytest.raises(InputError, match="not an entry of this log") as caught:
        read_log(path, int)
    assert caught.value.location == f"{path}:4:1"
    with pytest.raises(InputError, match="cannot open"):
        read_log(tmp_path, int)
    assert json.loads(path.read_bytes().splitlines()[0]) == 1


@pytest.mark.parametrize(
    ("word", "known", "guess"),
    [
        ("revers", ["reverse", "reduce"], "reverse"),
        ("xyz", ["reverse"], None),
        ("", ["reverse"], None),
        ("reverse", [], None),
        ("reverse", ["reversed", "reverse"], "reverse"),
    ],
)
def test_the_nearest_word(word: str, known: list[str], guess: str | None) -> None:
    assert nearest(word, known) == guess
    assert hint(word, iter(known), "--") == (f"; did you mean --{guess}?" if guess else "")


@pytest.mark.parametrize(
    ("message", "text", "found"),
    [
        ("custom op 'stablehlo.revers' is unknown", "", ("stablehlo.revers", "stablehlo.reverse")),
        ("unregistered operation 'stablehlo.tanhh' found in dialect", "", ("stablehlo.tanhh", "stablehlo.tanh")),
        ("custom op 'other.xyzzy' is unknown", "", None),
        ("expected non-function type", "float32>", ("float32", "f32")),
        ("invalid tensor element type", "bfloat16", ("bfloat16", "bf16")),
        ("expected type", "uint8,", ("uint8", "ui8")),
        ("expected type", "int32", ("int32", "i32")),
        ("expected type", "bool", ("bool", "i1")),
        ("expected type", "f32", None),
        ("expected type", "tensro<", ("tensro", "tensor")),
        ("expected type", "%x", None),
        ("expected something else", "float32", None),
        ("must be x but got 'tensor<2x3xsi8>'", "", ("si8", "i8")),
        ("expected x to be one of: EQ, LT, LE", "less_equal,", ("less_equal", "LE")),
        ("expected x to be one of: EQ, LT, LE", "GREATER,", None),
        ("expected x to be one of: FLOAT, SIGNED", "SIGND", ("SIGND", "SIGNED")),
        ("expected 'dims'", "dim = [0]", ("dim", "dims")),
        ("expected 'dims'", "%x", None),
        ("op requires attribute 'permutation'", "{permutation = 1}", None),
        ("Dialect `xyzzy' not found for custom op 'xyzzy.tanh'", "", None),
    ],
)
def test_suggestions_for_ops_and_types(message: str, text: str, found: tuple[str, str] | None) -> None:
    assert suggestion(message, text) == found


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 B"), (999, "999 B"), (999.4, "999 B"), (999.5, "1 kB"), (1000, "1 kB"), (1234567, "1.23 MB"),
        (-1500, "-1.5 kB"), (10**15, "1 PB"), (10**19, "1e+04 PB"), ("n", "n B"),
    ],
)  # fmt: skip
def test_short_numbers(number: object, text: str) -> None:
    assert short(number, "B") == text
    assert short(number) == text.removesuffix("B").rstrip()


def test_texts_of_tables() -> None:
    assert shortened("a\n  b") == "a b"
    assert shortened("x" * 160) == "x" * 160
    assert shortened("x" * 161) == "x" * 160 + "…"
    page = table("<t>", ["a"], [["<b>"], [1]])
    assert page.endswith("<tr><th>a</th></tr><tr><td>&lt;b&gt;</td></tr><tr><td>1</td></tr></table>")
    assert "&lt;t&gt;</caption>" in page


def test_a_value_is_looked_for_in_the_program() -> None:
    program = "%first = a.b %second, %3 : i32\n"
    message = "use of undeclared SSA value name"
    assert suggestion(message, "%frist : i32", "", program) == ("%frist", "%first")
    assert suggestion(message, "%4 : i32", "", program) is None
    other = "%frist = a.b\n"  # in another function, so it is not the one that is meant
    assert suggestion(message, "%frist : i32", "", other + program) == ("%frist", "%first")


def test_an_attribute_that_is_missing_is_none_of_those_written() -> None:
    text = "{dimension = 0 : i64} a.b {dimensions = 1 : i64}"
    assert suggestion("requires attribute 'dimension'", text) == ("dimensions", "dimension")


@pytest.mark.parametrize("size", [9, 10, 11])
@pytest.mark.parametrize("head", [BYTECODE_MAGIC, b"func", b"ML\xef", b""])
def test_bytecode_is_mapped_from_a_size_on(
    size: int, head: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_MAPPED_FROM", 10)
    path, data = tmp_path / "a", head.ljust(size, b"x")
    path.write_bytes(data)
    found = read_source(path)
    assert isinstance(found.data, MappedBytecode) == (size >= 10 and head == BYTECODE_MAGIC)
    assert (found.name, found.is_file, found.data[:], len(found.data)) == (str(path), True, data, size)
    assert found.is_bytecode == (head == BYTECODE_MAGIC)
    monkeypatch.setattr(sources, "_MAPPED_FROM", 12)
    assert read_source(path).data == data


def test_programs_of_several_meshes_need_bindings_that_read_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a context lets unknown dialects pass, nothing is needed."""

    def lacks(name: str) -> None:
        raise ProviderError(f"no {name}")

    monkeypatch.setattr(parser, "has_dialect", lambda _, name: name != "mpmd")
    monkeypatch.setattr(parser, "require", lacks)
    plain = Source("a", b"func.func @f() { return }")
    typed = Source("a", b'func.func @f() attributes {a = "!mpmd.x"} { return }')
    for allows in (True, False):
        context = make_context(allow_unregistered_dialects=allows)
        assert "@f" in str(parser.parse_source(plain, context))
        if allows:
            assert "!mpmd.x" in str(parser.parse_source(typed, context))
        else:
            with pytest.raises(ProviderError, match="no mpmd"):
                parser.parse_source(typed, context)
    monkeypatch.setattr(parser, "has_dialect", lambda _, name: name == "mpmd")
    assert "!mpmd.x" in str(parser.parse_source(typed, make_context()))


def test_a_file_whose_name_the_compiler_does_not_take_is_read_not_mapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = BYTECODE_MAGIC.ljust(20, b"x")
    strange = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    strange.write_bytes(data)
    monkeypatch.setattr(sources, "_MAPPED_FROM", 10)
    found = read_source(strange)
    assert (found.name, found.data, found.is_file) == (f"{tmp_path}/\\xff", data, False)
    assert isinstance(found.data, bytes)


def test_mapped_bytecode_has_the_methods_of_bytes_that_readers_use(tmp_path: Path) -> None:
    data = BYTECODE_MAGIC + bytes(range(64)) * 300 + b" end\n"
    path = tmp_path / "a"
    path.write_bytes(data)
    mapped = MappedBytecode.of(str(path))
    for end in range(8):
        assert mapped.startswith(data[:end])
        assert not mapped.startswith(data[:end] + b"\xfe")
    for part in (b"", b"ML", b"\x3f\x00", b" end", b"end\n", BYTECODE_MAGIC):
        assert part in mapped
    assert b"\x3f\x01" not in mapped
    assert b" end\n\n" not in mapped
    assert 77 not in mapped
    assert (mapped.strip() is mapped, mapped.lstrip() is mapped, len(mapped)) == (True, True, len(data))
    again = pickle.loads(pickle.dumps(mapped))
    assert (type(again), again.path, again[:]) == (MappedBytecode, str(path), data)


def test_a_marker_that_is_misspelt_has_its_place_in_the_whole_file() -> None:
    data = b"a\n  // ----x\n// -----\n\nb\n// -----\nc // ------\n"
    chunks, misses = split_source(Source("f", data))
    assert misses == [(2, 3), (7, 3)]
    assert [chunk.data.strip() for chunk in chunks] == [b"a\n  // ----x", b"b", b"c // ------"]
    assert [
        chunk.data.count(b"\n", 0, chunk.data.find(word))
        for chunk, word in zip(chunks, (b"a", b"b", b"c"), strict=True)
    ] == [0, 4, 6]
