"""Command lines as MLIR's tools take them, and the text of messages: at their bounds, empty, and behind characters of
several bytes."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from typing import Any

import pytest

from stablehlo_py.analysis.diagnostic_notes import explained
from stablehlo_py.cli import messages
from stablehlo_py.cli.command_line import read_command_line, take_common_flags
from stablehlo_py.cli.common import DiagnosticPrinter
from stablehlo_py.cli.diagnostics import ALL, ERRORS, Filter
from stablehlo_py.cli.opt_passes import instrumentation_of, pipeline_of
from stablehlo_py.cli.options import OPT, TRANSLATE, options_of
from stablehlo_py.errors import Diagnostic, UsageError
from stablehlo_py.syntax import Source


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (["--o=a"], "o", "a"),
        (["-o", "a"], "o", "a"),
        (["-o=a", "--o", "b"], "o", "b"),
        (["--o="], "o", ""),
        (["--target=a=b"], "target", "a=b"),
        (["--split-input-file"], "split-input-file", "// -----"),
        (["--split-input-file="], "split-input-file", ""),
        (["--split-input-file", "x.mlir"], "split-input-file", "// -----"),
        (["--num-replicas", "4096"], "num-replicas", "4096"),
        (["--timeout=0"], "timeout", "0"),
        (["--max-steps=9223372036854775807"], "max-steps", "9223372036854775807"),
        ([], "o", "-"),
        ([], "num-replicas", "1"),
    ],
)
def test_values_stand_behind_an_equals_sign_or_in_the_next_word(words: list[str], name: str, value: str) -> None:
    options = read_command_line(TRANSLATE, words)
    assert options.text(name) == value
    assert options.is_given(name) == bool(words)
    assert options.given(name) == (value if words else None)
    assert options.input == ("x.mlir" if "x.mlir" in words else "-")


@pytest.mark.parametrize(
    ("word", "on"),
    [("--interpret", True), ("-interpret=true", True), ("--interpret=1", True), ("--interpret=", True),
     ("--interpret=false", False), ("--interpret=0", False), ("--interpret=False", False)],
)  # fmt: skip
def test_switches(word: str, on: bool) -> None:
    options = read_command_line(TRANSLATE, [word])
    assert options.switch("interpret") is on
    assert options.switch("serialize") is False
    assert options.switch("mlir-print-op-on-diagnostic") is True
    assert (
        read_command_line(TRANSLATE, ["--mlir-print-op-on-diagnostic=0"]).switch("mlir-print-op-on-diagnostic") is False
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--interpret=yes"], "flag --interpret expects true or false, found 'yes'"),
        (["--num-replicas=0"], "expects an integer from 1 to 4096, found '0'"),
        (["--num-replicas=4097"], "from 1 to 4096"),
        (["--num-replicas=1.0"], "expects an integer, found '1.0'"),
        (["--num-replicas="], "expects an integer, found ''"),
        (["--max-steps=-1"], "expects an integer of at least 0, found '-1'"),
        (["--max-steps=9223372036854775808"], "an integer of 64 bits"),
        (["--timeout=-0.5"], "expects a number of at least 0"),
        (["--timeout=nan"], "expects a number of at least 0"),
        (["--timeout=soon"], "expects a number, found 'soon'"),
        (["--grid=other"], "flag --grid expects one of local, mpi, found 'other'"),
        (["--o"], "flag --o needs a value: --o=file"),
        (["-o"], "flag -o needs a value: -o=file"),
        (["a", "b"], "too many input files: a, b"),
        (["a", "--", "-b"], "too many input files: a, -b"),
        (["--debug"], "flag --debug cannot be had: "),
        (["--interpre"], "unknown flag '--interpre'; did you mean --interpret?"),
        (["--xyzzy=1"], "unknown flag '--xyzzy'; --help lists all"),
    ],
)
def test_what_is_wrong_is_said(words: list[str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_command_line(TRANSLATE, words)
    assert said in caught.value.message


def test_passes_keep_their_order_and_their_options() -> None:
    words = ["--b=x=1 y={a b}", "in.mlir", "-a", "--b", "--", ]  # fmt: skip
    options = read_command_line(OPT, words, lambda name: name in "ab")
    assert options.passes == [("b", "x=1 y={a b}"), ("a", ""), ("b", "")]
    assert options.inputs == ["in.mlir"]
    assert read_command_line(OPT, ["--", "-a"], lambda name: name in "ab").passes == []
    assert read_command_line(OPT, ["-p=any(cse)"]).text("pass-pipeline") == "any(cse)"
    assert read_command_line(OPT, ["-"]).input == "-"
    with pytest.raises(UsageError, match="the bindings print times as a list only"):
        read_command_line(OPT, ["--mlir-timing-display=tree"])


def test_flags_of_every_tool_are_taken_out_up_to_two_dashes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STABLEHLO_PY_COLOR", "STABLEHLO_PY_ERROR_FORMAT"):
        monkeypatch.setenv(name, "before")
    words = ["a", "--load=x.py", "--load", "y.py", "--trust-input", "-o", "f", "--error-format=json", "--color",
             "--", "--load=z.py", "--trust-input=false"]  # fmt: skip
    rest, loaded, trusted = take_common_flags(words)
    assert (rest, loaded, trusted) == (["a", "-o", "f", "--", *words[-2:]], ["x.py", "y.py"], True)
    assert (os.environ["STABLEHLO_PY_ERROR_FORMAT"], os.environ["STABLEHLO_PY_COLOR"]) == ("json", "true")
    assert take_common_flags(["--trust-input", "--trust-input=0"])[2] is False
    with pytest.raises(UsageError, match="flag --color expects one of true, false, found 'always'"):
        take_common_flags(["--color=always"])
    assert take_common_flags(["--color=false"])[0] == []
    assert os.environ["STABLEHLO_PY_COLOR"] == "false"
    for wrong in (["--load"], ["--load="], ["--guard-memory="], ["--error-format=xml"], ["--trust-input=perhaps"]):
        with pytest.raises(UsageError, match=wrong[0].partition("=")[0]):
            take_common_flags(wrong)


LINE = "  %0 = stablehlo.negate %x : tensor<2xf32>"
SOURCE = Source("a.mlir", f"x\n{LINE}\n\tab\tc\né {LINE}\n{'a' * 150}b{'c' * 150}\n\x01\nlast".encode())
printer = DiagnosticPrinter({"a.mlir": SOURCE})


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("2:3", f"{LINE}\n  ^\n"),
        ("2:1", f"{LINE}\n^\n"),
        ("2:0", f"{LINE}\n^\n"),
        ("3:2", "        ab      c\n        ^\n"),
        ("3:5", "        ab      c\n                ^\n"),
        ("4:3", f"é {LINE}\n"),
        ("5:151", f"...{'a' * 100}b{'c' * 99}...\n{' ' * 103}^\n"),
        ("5:1", f"{'a' * 100}...\n^\n"),
        ("5:301", f"...{'c' * 100}c\n{' ' * 103}^\n"),
        ("5:102", f"...{'a' * 149}b{'c' * 50}...\n{' ' * 103}^\n"),
        ("5:101", f"{'a' * 150}b{'c' * 49}...\n{' ' * 100}^\n"),
        ("6:1", ""),
        ("7:1", "last\n^\n"),
        ("8:1", ""),
        ("0:1", ""),
    ],
)
def test_a_line_is_shown_with_a_caret_under_its_column(place: str, shown: str) -> None:
    assert printer.source_line(f"a.mlir:{place}") == shown
    assert printer.source_line(f"b.mlir:{place}") == ""


def test_lines_of_three_windows_are_shown_whole() -> None:
    for length in (300, 301):
        source = Source("b", b"a" * length)
        shown = DiagnosticPrinter({"b": source}).source_line("b:1:300")
        assert ("..." in shown) == (length > 300)


def test_notes_show_their_line_where_it_is_another_and_long_messages_are_cut() -> None:
    here, there = "a.mlir:2:3", "a.mlir:7:1"
    notes = (Diagnostic("note", here, "same"), Diagnostic("note", there, "other"), Diagnostic("note", there, "again"))
    text = printer.format(Diagnostic("error", here, "wrong", notes))
    assert text.splitlines() == [
        f"{here}: error: wrong", LINE, "  ^", f"{here}: note: same", f"{there}: note: other", "last", "^",
        f"{there}: note: again",
    ]  # fmt: skip
    assert printer.format(Diagnostic("warning", "", "text")) == "<unknown>:0: warning: text\n"
    assert "more" not in printer.format(Diagnostic("error", "", "x" * 20_000))
    assert f"{'x' * 20_000}… (1 more characters)\n" in printer.format(Diagnostic("error", "", "x" * 20_001))


OP_NOTE = Diagnostic("note", "", "see current operation: x")


@pytest.mark.parametrize(
    ("words", "severities", "notes"),
    [
        ([], ["error", "warning", "remark"], 2),
        (["--mlir-diagnostic-verbosity-level=warnings"], ["error", "warning"], 2),
        (["--mlir-diagnostic-verbosity-level=errors"], ["error"], 2),
        (["--mlir-print-op-on-diagnostic=false"], ["error", "warning", "remark"], 1),
        (["--mlir-disable-diagnostic-notes"], ["error", "warning", "remark"], 0),
    ],
)
def test_which_diagnostics_and_notes_are_shown(words: list[str], severities: list[str], notes: int) -> None:
    shown = Filter.of(read_command_line(OPT, words))
    given = [Diagnostic(severity, "", "m", (Diagnostic("note", "", "n"), OP_NOTE)) for severity in
             ("error", "warning", "remark")]  # type: ignore[arg-type]  # fmt: skip
    found = [each for each in map(shown, given) if each is not None]
    assert [each.severity for each in found] == severities
    assert {len(each.notes) for each in found} == {notes}
    assert ERRORS < ALL


def test_only_errors_are_explained_and_their_notes_come_last() -> None:
    source = Source("a.mlir", '  "é🙂" "stablehlo.slice"(%x)'.encode())
    column = '  "é🙂" '.encode().__len__() + 1
    message = "limit index 9 is larger than dimension size 5 in dimension 0"
    given = Diagnostic("error", f"a.mlir:1:{column}", message, (OP_NOTE,))
    found = explained(given, source)
    assert found.notes[0] == OP_NOTE
    assert found.notes[1].message.startswith("this breaks constraint C3 of slice")
    assert explained(given._replace(severity="warning"), source).notes == (OP_NOTE,)
    assert explained(given._replace(location=f"a.mlir:1:{column - 1}"), source).notes == (OP_NOTE,)
    assert explained(given._replace(location=f"b.mlir:1:{column}"), source).notes == (OP_NOTE,)


@pytest.mark.parametrize("tool", [OPT, TRANSLATE])
def test_flags_that_cannot_be_had_are_not_proposed(tool: str) -> None:
    known = options_of(tool)
    refused = [name for name, option in known.items() if option.refused]
    assert refused
    for name in refused:
        with pytest.raises(UsageError, match=f"^error: unknown flag '--{name[:-1]}'") as raised:
            read_command_line(tool, [f"--{name[:-1]}"])
        guess = raised.value.message.partition("did you mean --")[2].removesuffix("?")
        assert guess not in refused, raised.value.message


@pytest.mark.parametrize(
    ("location", "place"),
    [
        ("a:b.mlir:3:4", ("a:b.mlir", 3, 4)),
        ("a.mlir", ("a.mlir", 0, 0)),
        ("a.mlir:x:4", ("a.mlir:x:4", 0, 0)),
        ("", (None, None, None)),
    ],
)
def test_messages_in_json(location: str, place: tuple, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STABLEHLO_PY_ERROR_FORMAT", "json")
    monkeypatch.setattr(sys, "stderr", written := io.StringIO())
    messages.speak_as("tool")
    messages.say(Diagnostic("warning", location, "é", (Diagnostic("note", location, "n"),)), "text")
    found = json.loads(written.getvalue())
    assert (found["tool"], found["severity"], found["message"]) == ("tool", "warning", "é")
    assert (found["file"], found["line"], found["column"]) == place
    assert found["notes"][0]["file"] == place[0]


@pytest.mark.parametrize("location", ["", "a.mlir:3:4"])
@pytest.mark.parametrize("notes", [(), ("one",), ("one", "two")])
def test_notes_of_what_is_announced(
    notes: tuple[str, ...], location: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A message is about a place, its notes are about none, and text names the tool in place of a place."""
    messages.speak_as("tool")
    monkeypatch.delenv("STABLEHLO_PY_ERROR_FORMAT", raising=False)
    messages.announce("warning", "bad", *notes, location=location)
    lines = [f"{location or 'tool'}: warning: bad", *(f"tool: note: {note}" for note in notes)]
    assert capsys.readouterr() == ("", "".join(f"{line}\n" for line in lines))
    monkeypatch.setenv("STABLEHLO_PY_ERROR_FORMAT", "json")
    messages.announce("warning", "bad", *notes, location=location)
    nowhere = {"file": None, "line": None, "column": None}
    place = {"file": "a.mlir", "line": 3, "column": 4} if location else nowhere
    below = [{"severity": "note", **nowhere, "message": note, "notes": []} for note in notes]
    found = json.loads(capsys.readouterr().err)
    assert found == {"tool": "tool", "severity": "warning", **place, "message": "bad", "notes": below}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "stream", "wanted"),
    [
        ({}, Terminal(), True),
        ({}, io.StringIO(), False),
        ({"NO_COLOR": "1"}, Terminal(), False),
        ({"NO_COLOR": ""}, Terminal(), True),
        ({"TERM": "dumb"}, Terminal(), False),
        ({"STABLEHLO_PY_COLOR": "true", "NO_COLOR": "1"}, io.StringIO(), True),
        ({"STABLEHLO_PY_COLOR": "false"}, Terminal(), False),
    ],
)
def test_when_messages_have_colours(
    variables: dict[str, str], stream: io.StringIO, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("STABLEHLO_PY_COLOR", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert messages.wants_color(stream) is wanted


@pytest.mark.parametrize(
    ("line", "colored"),
    [
        ("a:1:2: error: bad\n", "\x1b[1ma:1:2: \x1b[0m\x1b[1;31merror: \x1b[0;1mbad\x1b[0m\n"),
        ("note: more\n", "\x1b[1;36mnote: \x1b[0;1mmore\x1b[0m\n"),
        ("t: warning: w: x\n", "\x1b[1mt: \x1b[0m\x1b[1;35mwarning: \x1b[0;1mw: x\x1b[0m\n"),
        ("remark: r\n", "\x1b[1;34mremark: \x1b[0;1mr\x1b[0m\n"),
        ("   ^\n", "\x1b[1;32m   ^\x1b[0m\n"),
        ("   x ^\n", "   x ^\n"),
        ("plain\n", "plain\n"),
    ],
)
def test_colours_of_a_line(line: str, colored: str) -> None:
    assert messages._colored_line(line) == colored


@pytest.mark.parametrize("color", ["true", "false"])
def test_a_message_of_several_lines_keeps_them(
    color: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STABLEHLO_PY_COLOR", color)
    monkeypatch.delenv("STABLEHLO_PY_ERROR_FORMAT", raising=False)
    text = "a:1:2: error: bad\n  the line\n  ^\nnote: more\n\nend"
    messages.say(Diagnostic("error", "a:1:2", "bad"), text)
    said = capsys.readouterr().err
    assert re.sub(r"\x1b\[[\d;]*m", "", said) == text
    assert (said != text) == (color == "true")


def test_sarif_waits_and_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STABLEHLO_PY_ERROR_FORMAT", "sarif")
    monkeypatch.setattr(sys, "stderr", written := io.StringIO())
    messages.announce("error", "bad", "because", location="a b.mlir:3:0")
    assert written.getvalue() == ""
    messages.finish()
    (result,) = json.loads(written.getvalue())["runs"][0]["results"]
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.mlir"
    assert place["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 1}
    assert result["level"] == "error"
    written.truncate(0)
    messages.finish()
    assert '"results": []' in written.getvalue()


@pytest.mark.parametrize("form", ["text", "json", "sarif", ""])
def test_notes_of_a_finding_have_places_of_their_own(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty variable asks for text, which is written as it is given."""
    monkeypatch.setenv("STABLEHLO_PY_ERROR_FORMAT", form)
    monkeypatch.setenv("STABLEHLO_PY_COLOR", "false")
    monkeypatch.setattr(sys, "stderr", written := io.StringIO())
    notes = Diagnostic("note", "b.mlir:5:6", "there"), Diagnostic("remark", "", "nowhere")
    messages.say(Diagnostic("remark", "a.mlir:3:4", "here", notes), "text\n")
    messages.finish()
    if form in ("text", ""):
        assert written.getvalue() == "text\n"
        return
    found = json.loads(written.getvalue())
    if form == "json":
        places = [tuple(each[name] for name in ("file", "line", "column")) for each in (found, *found["notes"])]
        assert places == [("a.mlir", 3, 4), ("b.mlir", 5, 6), (None, None, None)]
        assert [each["severity"] for each in (found, *found["notes"])] == ["remark", "note", "remark"]
        return
    (result,) = found["runs"][0]["results"]

    def place(uri: str, line: int, column: int) -> dict[str, Any]:
        region = {"startLine": line, "startColumn": column}
        return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}

    assert result == {
        "level": "note",
        "message": {"text": "here"},
        "locations": [place("a.mlir", 3, 4)],
        "relatedLocations": [{"message": {"text": "there"}, **place("b.mlir", 5, 6)}, {"message": {"text": "nowhere"}}],
    }


FLAGS_OF_PRINTING = {
    "mlir-print-ir-before-all": "print_before_all",
    "mlir-print-ir-after-all": "print_after_all",
    "mlir-print-ir-after-change": "print_after_change",
    "mlir-print-ir-after-failure": "print_after_failure",
    "mlir-print-ir-module-scope": "print_module_scope",
    "mlir-print-op-generic": "print_generic_op_form",
    "mlir-print-debuginfo": "enable_debug_info",
    "mlir-elide-elementsattrs-if-larger=7": "large_elements_limit",
    "mlir-elide-resource-strings-if-larger=7": "large_resource_limit",
    "mlir-print-ir-tree-dir=7": "tree_printing_dir_path",
}
OTHER_FLAGS = {
    "verify-each=false": {"verify_each": False},
    "mlir-print-ir-before=cse,canonicalize": {"print_before": {"cse", "canonicalize"}},
    "mlir-print-ir-after=cse,": {"print_after": {"cse"}},
    "mlir-timing": {"timing": True},
    "mlir-pass-statistics": {"statistics": True},
    "mlir-pass-statistics-display=list": {"statistics_as_list": True},
}


def instrumented(*flags: str) -> tuple[dict, dict]:
    found = instrumentation_of(read_command_line(OPT, [f"--{flag}" for flag in flags]))
    return {name: value for name, value in found._asdict().items() if name != "ir_printing"}, dict(found.ir_printing)


@pytest.mark.parametrize("flag", [*FLAGS_OF_PRINTING, *OTHER_FLAGS])
def test_each_flag_about_passes_changes_one_thing(flag: str) -> None:
    (usual, printing), (changed, printed) = instrumented(), instrumented(flag)
    name, _, value = flag.partition("=")
    differing = {key: each for key, each in {**changed, **printed}.items() if each != {**usual, **printing}[key]}
    if flag in FLAGS_OF_PRINTING:
        wanted = {FLAGS_OF_PRINTING[flag]: (7 if "larger" in name else value) if value else True}
    else:
        wanted = OTHER_FLAGS[flag]
    assert differing == wanted
    assert usual["verify_each"] is True


def test_passes_that_are_not_there_are_refused() -> None:
    with pytest.raises(UsageError, match="flag --mlir-print-ir-before: there is no pass 'csee'; did you mean cse"):
        instrumented("mlir-print-ir-before=cse,csee")
    options = read_command_line(OPT, ["--cse", "--pass-pipeline=builtin.module(cse)"], lambda name: name == "cse")
    with pytest.raises(UsageError, match="put all passes into the pipeline"):
        pipeline_of(options, "builtin.module")


@pytest.mark.parametrize("severity", ["error", "warning", "remark", "note"])
def test_names_of_cpp_are_taken_out_of_errors_alone(severity: str) -> None:
    message = (
        "failed to parse StableHLO_PrecisionAttr parameter 'value' which is to be a `::mlir::stablehlo::Precision`"
    )
    given = Diagnostic(severity, "", message)  # type: ignore[arg-type]
    found = explained(given, Source("a.mlir", b""))
    plain = "failed to parse Precision parameter 'value' which is to be a `Precision`"
    assert found.message == (plain if severity == "error" else message)
    assert (found.severity, found.location, found.notes) == (severity, "", ())
