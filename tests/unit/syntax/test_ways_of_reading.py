"""What `parse` takes, and what it says where the reader of another process crashes or a check refuses."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.errors import ArtifactError, InputError, ParseError
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.syntax import Source, crash_site, parse
from stablehlo_py.syntax.crash_site import crashing_part
from stablehlo_py.syntax.parser import BytecodeError, as_source, parse_guarded, parse_source
from stablehlo_py.syntax.source import BYTECODE_MAGIC
from stablehlo_py.syntax.suggestions import suggestion

TEXT = "func.func @main() {\n  return\n}\n"


@pytest.mark.parametrize(
    ("given", "name", "found"),
    [
        ("a b", None, ("<string>", b"a b")),
        ("a b", "", ("", b"a b")),
        ("a b", "x.mlir", ("x.mlir", b"a b")),
        ("a b", "x\udcff", ("x\\xff", b"a b")),
        ("a \u20ac\udcff", None, ("<string>", b"a \xe2\x82\xac\xff")),
        (b"\xff", None, ("<string>", b"\xff")),
        (bytearray(b"a"), "b", ("b", b"a")),
        (memoryview(b"a"), "b", ("b", b"a")),
    ],
)
def test_text_and_bytes_are_sources_with_a_name(given: Any, name: str | None, found: tuple[str, bytes]) -> None:
    source = as_source(given, name)
    assert (source.name, source.data, source.is_file) == (*found, False)
    assert as_source(source, "other") is source


@pytest.mark.parametrize(
    ("given", "notes"),
    [
        (3, ()),
        (None, ()),
        (SimpleNamespace(lower=str), ("pass f.lower(…) of the function's arguments",)),
        ([b"a"], ()),
    ],
)
def test_what_is_no_program_is_told_by_its_type(given: Any, notes: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as raised:
        as_source(given)
    assert raised.value.message == f"expected text, bytes or a path, not {type(given).__name__}"
    assert raised.value.notes == notes


@pytest.mark.parametrize("is_bytecode", [False, True])
@pytest.mark.parametrize("line", [None, 2])
@pytest.mark.parametrize("crash", ["SIGSEGV (Segmentation fault)", "it did not end within 3 s", "SIGABRT"])
def test_a_crash_of_the_reader_is_told_with_the_line_of_the_op(
    is_bytecode: bool, line: int | None, crash: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    outcome = Outcome(cause="crash", crash=crash, notes=("LLVM ERROR: x", "more"))
    monkeypatch.setattr("stablehlo_py.bindings.handover.module_in_child", lambda *_, **__: outcome)
    monkeypatch.setattr(crash_site, "locate", lambda text: (asked.append(text), line)[1])
    data = BYTECODE_MAGIC + b"x" if is_bytecode else TEXT.encode()
    with pytest.raises(ParseError) as raised:
        parse_guarded(Source("a.mlir", data), make_context())
    is_searched = not is_bytecode and crash.startswith("SIG")
    assert asked == ([TEXT] if is_searched else [])
    (found,) = raised.value.diagnostics
    kind = "bytecode" if is_bytecode else "text"
    location = "a.mlir:2:1" if is_searched and line else ""
    assert (found.severity, found.location, found.message) == (
        "error",
        location,
        f"MLIR's reader fails on the {kind}: {crash}",
    )
    assert [(note.severity, note.location, note.message) for note in found.notes] == [
        ("note", location, "LLVM ERROR: x"), ("note", location, "more"),
    ]  # fmt: skip
    assert isinstance(raised.value, BytecodeError) == isinstance(raised.value, ArtifactError) == is_bytecode


def refuse(data: bytes) -> None:
    raise ArtifactError("is damaged", notes=["once"])


@pytest.mark.parametrize("is_trusted", [False, True])
def test_a_check_is_asked_about_bytecode_alone_and_names_the_file(is_trusted: bool) -> None:
    asked: list[bytes] = []

    def check(data: bytes) -> None:
        asked.append(data)
        refuse(data)

    assert "@main" in str(parse(TEXT, check=refuse, trust_input=is_trusted))
    assert "@main" in str(parse_source(Source("a.mlir", TEXT.encode()), make_context(), check=check))
    data = bytecode_of(parse(TEXT))
    assert asked == []
    if is_trusted:
        assert "@main" in str(parse(data, check=refuse, trust_input=True))
        return
    with pytest.raises(BytecodeError) as raised:
        parse_source(Source("a.mlirbc", data), make_context(), check=check)
    (found,) = raised.value.diagnostics
    assert (asked, found.location, found.message) == ([data], "a.mlirbc:0:0", "is damaged")
    assert [(note.location, note.message) for note in found.notes] == [("a.mlirbc:0:0", "once")]
    assert isinstance(raised.value, ParseError)
    with pytest.raises(BytecodeError, match="is damaged"):
        parse(data, check=refuse)


@pytest.mark.parametrize(
    ("word", "guess"),
    [("bool", "i1"), ("double", "f64"), ("float", "f32"), ("half", "f16"), ("bfloat", "bf16"), ("index32", "i32")]
    + [
        ("float64", "f64"),
        ("int8", "i8"),
        ("uint16", "ui16"),
        ("bfloat16", "bf16"),
        ("tensr", "tensor"),
    ],
)
def test_types_of_other_languages_have_a_name_here(word: str, guess: str) -> None:
    for message in ("expected non-function type", "invalid tensor element type: x", "expected type"):
        found = suggestion(message, f"{word}> {{")
        assert found == (word, guess)


@pytest.mark.parametrize(
    ("word", "guess"),
    [("LESS", "LT"), ("less_equal", "LE"), ("GREATER", "GT"), ("GREATER_EQUAL", "GE"), ("EQUAL", "EQ"),
     ("not_equal", "NE"), ("ge", "GE"), ("double", None)],
)  # fmt: skip
def test_directions_of_other_languages_have_a_name_here(word: str, guess: str | None) -> None:
    message = "expected comparison_direction to be one of: EQ, NE, GE, GT, LE, LT"
    assert suggestion(message, f"{word}>") == (None if guess is None else (word, guess))


def test_a_misspelled_attribute_stands_in_the_op_itself() -> None:
    message = "'stablehlo.iota' op requires attribute 'iota_dimension'"
    program = "x {iota_dimensio = 0}\n"
    assert suggestion(message, "op {iota_dimenson = 0 : i64}", "", program) == ("iota_dimenson", "iota_dimension")
    assert suggestion(message, "op {other = 0 : i64}", "{iota_dimensoin = 1}", program) is None


@pytest.mark.parametrize("bad", range(5))
def test_an_item_that_crashes_alone_is_found_where_no_half_does(bad: int) -> None:
    def crashes(items: Any, length: int | None = None) -> bool:
        return list(items) == [bad] and (length is None or length >= 2)

    assert crashing_part(range(5), crashes, lambda _: 3) == (bad, 2)
