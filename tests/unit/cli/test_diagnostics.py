"""Diagnostics as data, and as the tools print them."""

from __future__ import annotations

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.diagnostics import diagnostics_to, file_location
from stablehlo_py.cli import messages
from stablehlo_py.cli.common import DiagnosticPrinter
from stablehlo_py.errors import Diagnostic, StablehloError, as_diagnostics
from stablehlo_py.syntax import Source


@pytest.fixture
def context():
    return make_context()


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ('loc("a.mlir":3:4)', "a.mlir:3:4"),
        ('loc("name"("a.mlir":3:4))', "a.mlir:3:4"),
        ('loc(fused["name", "a.mlir":3:4, "b.mlir":5:6])', "a.mlir:3:4"),
        ('loc(callsite("callee.mlir":1:2 at "caller.mlir":3:4))', "callee.mlir:1:2"),
        ('loc("name")', ""),
        ("loc(unknown)", ""),
    ],
)
def test_the_first_position_in_a_file(context, text, position):
    module = ir.Module.parse(f"module {{}} {text}", context=context)
    assert file_location(module.operation.location) == position


def emitted(context, text: str) -> list[Diagnostic]:
    received: list[Diagnostic] = []
    location = ir.Module.parse(f"module {{}} {text}", context=context).operation.location
    with diagnostics_to(context, received.append):
        location.emit_error("wrong")
    return received


def test_callers_are_notes(context):
    text = 'loc(callsite("a.mlir":1:2 at callsite("b.mlir":3:4 at "c.mlir":5:6)))'
    (diagnostic,) = emitted(context, text)
    assert (diagnostic.severity, diagnostic.location, diagnostic.message) == ("error", "a.mlir:1:2", "wrong")
    callers = [note for note in diagnostic.notes if note.message == "called from"]
    assert [note.location for note in callers] == ["b.mlir:3:4", "c.mlir:5:6"]


def test_a_location_without_a_file_stands_in_the_message(context):
    assert emitted(context, 'loc("formula 7")')[0].message == 'loc("formula 7"): wrong'
    assert emitted(context, "loc(unknown)")[0].message == "wrong"


def test_handlers_nest_and_end(context):
    outer: list[Diagnostic] = []
    with diagnostics_to(context, outer.append):
        assert len(emitted(context, "loc(unknown)")) == 1
    assert outer == []
    assert not context.emit_error_diagnostics


def test_a_diagnostic_is_printed_with_its_line_and_a_caret():
    printer = DiagnosticPrinter({"f.mlir": Source("f.mlir", b"first\n\tsecond \xc3\xa4\n\tthird\n")})
    note = Diagnostic("note", "f.mlir:3:2", "same place")
    other = Diagnostic("note", "f.mlir:1:3", "other place")
    assert printer.format(Diagnostic("error", "f.mlir:3:2", "wrong", (note, other))) == (
        "f.mlir:3:2: error: wrong\n        third\n        ^\n"
        "f.mlir:3:2: note: same place\n"
        "f.mlir:1:3: note: other place\nfirst\n  ^\n"
    )
    assert printer.format(Diagnostic("error", "f.mlir:2:2", "wide")).endswith("\tsecond ä\n")
    assert printer.format(Diagnostic("error", "f.mlir:9:1", "beyond")) == "f.mlir:9:1: error: beyond\n"
    assert printer.format(Diagnostic("error", "", "nowhere")) == "<unknown>:0: error: nowhere\n"


def test_an_error_as_diagnostics():
    error = StablehloError("is sour", location="f.mlir:1:2", op="garden.apple", notes=["it is green"])
    (diagnostic,) = as_diagnostics(error)
    assert str(diagnostic) == "f.mlir:1:2: error: 'garden.apple' op is sour\nf.mlir:1:2: note: it is green"


@pytest.mark.parametrize(
    ("value", "format_"), [(None, "text"), ("", "text"), ("text", "text"), ("json", "json"), ("sarif", "sarif")]
)
def test_messages_are_text_unless_the_environment_says_otherwise(
    value: str | None, format_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(messages.FORMAT_VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(messages.FORMAT_VARIABLE, value)
    assert messages.error_format() == format_
