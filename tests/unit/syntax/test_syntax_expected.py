"""Comments that expect diagnostics."""

from __future__ import annotations

import pytest

import stablehlo_py
from stablehlo_py.errors import Diagnostic, VerificationError
from stablehlo_py.syntax.expected import ExpectedDiagnostics


def compare(text: str, *diagnostics: Diagnostic, only_expected: bool = False) -> list[str]:
    expected = ExpectedDiagnostics.read("f.mlir", text.encode().split(b"\n"), only_expected=only_expected)
    for diagnostic in diagnostics:
        expected.receive(diagnostic)
    return [f"{failure.location} {failure.message}" for failure in expected.finish()]


def error(line: int, message: str, *notes: Diagnostic) -> Diagnostic:
    return Diagnostic("error", f"f.mlir:{line}:1", message, notes)


def test_places():
    text = "\n".join(
        [
            "op // expected-error {{same}}",
            "// expected-error @+1 {{next}}",
            "op",
            "// expected-error@-1 {{previous}}",
            "// expected-error @below {{first below}}",
            "// expected-error @below {{second below}}",
            "op",
            "// expected-error @above {{above}}",
            "// expected-error @unknown {{nowhere}}",
        ]
    )
    came = (error(1, "same"), error(3, "next"), error(3, "previous"), error(7, "first below"), error(7, "second below"))
    assert compare(text, *came, error(7, "above"), Diagnostic("error", "", "nowhere")) == []
    assert compare(text, *came, error(7, "above")) == ['f.mlir:9:4 expected error "nowhere" was not produced']


def test_text_is_part_of_the_message_and_one_comment_serves_any_number():
    assert compare("op // expected-error {{b (c)}}", error(1, "a b (c) d"), error(1, "b (c)")) == []


def test_regular_expressions():
    text = "op // expected-error-re {{rank {{[0-9]+}} (of {{2|3}})}}"
    assert compare(text, error(1, "rank 17 (of 3)")) == []
    assert len(compare(text, error(1, "rank x (of 3)"))) == 2
    assert compare("// expected-error-re {{{{*}}}}")[0].startswith("f.mlir:1:4 invalid regex: ")
    assert compare("// expected-error-re {{{{a}}") == ["f.mlir:1:4 found start of regex with no end '}}'"]


def test_notes_are_expected_like_errors_but_the_op_shown_is_not():
    note, shown = (
        Diagnostic("note", "f.mlir:1:3", "because"),
        Diagnostic("note", "f.mlir:1:3", "see current operation: x"),
    )
    assert compare("op // expected-error {{wrong}}", error(1, "wrong", shown)) == []
    assert compare("op // expected-error {{wrong}}", error(1, "wrong", note)) == ["f.mlir:1:3 unexpected note: because"]


def test_what_is_not_expected():
    assert compare("op", error(1, "a")) == ["f.mlir:1:1 unexpected error: a"]
    assert compare("op", error(1, "a"), only_expected=True) == []
    assert compare("op", Diagnostic("error", "other.mlir:1:1", "a")) == ["other.mlir:1:1 unexpected error: a"]


def test_of_several_other_severities_the_last_one_is_told():
    text = "op // expected-warning {{a}}\n// expected-remark@-1 {{a}}\n// expected-note@-2 {{b}}"
    assert compare(text, error(1, "a"))[0] == "f.mlir:2:4 'error' diagnostic emitted when expecting a 'remark'"


def test_another_severity_is_told():
    assert compare("op // expected-warning {{a}}", error(1, "a")) == [
        "f.mlir:1:7 'error' diagnostic emitted when expecting a 'warning'",
        'f.mlir:1:7 expected warning "a" was not produced',
    ]


def test_a_comment_ends_its_line():
    assert compare("op // expected-error {{a}} and more", error(1, "a")) == ["f.mlir:1:1 unexpected error: a"]
    assert compare("op // expected-error {{a}}  \r", error(1, "a")) == []


def test_an_expectation_is_of_one_line_and_one_file():
    text = "op // expected-error {{wrong}}\nop"
    unmet = 'f.mlir:1:7 expected error "wrong" was not produced'
    for came in (error(2, "wrong"), Diagnostic("error", "g.mlir:1:1", "wrong"), Diagnostic("error", "", "wrong")):
        assert compare(text, came) == [f"{came.location} unexpected error: wrong", unmet]
    assert compare(text, error(1, "wrong"), error(2, "wrong")) == ["f.mlir:2:1 unexpected error: wrong"]


def test_above_is_the_last_line_without_a_comment_and_the_first_line_has_none() -> None:
    assert compare("// expected-error @above {{a}}", error(1, "a")) == []
    text = "op\nop\n// expected-error @above {{a}}\n// expected-error @above {{b}}\nop"
    assert compare(text, error(2, "a"), error(2, "b")) == []
    below = "// expected-error @below {{a}}\n// expected-error @below {{b}}"
    assert compare(below, error(2, "a"), error(2, "b")) == []
    assert compare(f"{below}\nop\nop", error(3, "a"), error(3, "b")) == []


def test_a_comment_below_that_cannot_be_read_leaves_the_others() -> None:
    text = "// expected-error-re @below {{{{a}}\n// expected-error @below {{b}}\nop"
    assert compare(text, error(3, "b")) == ["f.mlir:1:4 found start of regex with no end '}}'"]


def test_an_offset_has_at_most_ten_characters() -> None:
    far = "op // expected-error @-{} {{{{a}}}}"
    assert compare(far.format("1" * 10)) == ["f.mlir:1:7 line offset is out of range"]
    assert compare(far.format("1" * 9)) == ['f.mlir:1:7 expected error "a" was not produced']
    found = ExpectedDiagnostics.read("f.mlir", [far.format("1" * 10).encode()]).finish()
    assert [each.severity for each in found] == ["error"]


def test_names_of_files_may_have_colons_and_everything_else_is_unexpected() -> None:
    expected = ExpectedDiagnostics.read("c:d:f.mlir", [b"op // expected-error {{a}}"])
    expected.receive(Diagnostic("error", "c:d:f.mlir:1:1", "a"))
    expected.receive(Diagnostic("error", "c:d:f.mlir:1:2", "b"))
    assert [each.message for each in expected.finish()] == ["unexpected error: b"]
    plain = ExpectedDiagnostics("f.mlir")
    plain.receive(error(1, "a"))
    assert [each.message for each in plain.finish()] == ["unexpected error: a"]


def test_what_is_not_expected_passes_where_only_what_is_expected_counts_whatever_is_like_it() -> None:
    text = "op // expected-warning {{a}}"
    missing = 'f.mlir:1:7 expected warning "a" was not produced'
    assert compare(text, error(1, "a"), error(1, "b"), only_expected=True) == [missing]
    other = "f.mlir:1:7 'error' diagnostic emitted when expecting a 'warning'"
    assert compare(text, error(1, "a"), error(1, "b")) == [other, "f.mlir:1:1 unexpected error: b", missing]


@pytest.mark.parametrize("name", ["unknown", '"layer"', '"layer"("inner")', '"see: "'])
def test_the_note_with_the_op_is_not_expected_whatever_its_place_is_called(name: str) -> None:
    text = f"// expected-error @unknown {{{{has 0 operands}}}}\nfunc.func @f() -> i32 {{ return loc({name}) }}"
    with pytest.raises(VerificationError) as raised:
        stablehlo_py.parse(text)
    assert compare(text, *raised.value.diagnostics) == []
    other = Diagnostic("note", "", "then see current operation: x")
    assert compare("op", Diagnostic("note", "", "a", (other,))) == [
        " unexpected note: a",
        " unexpected note: then see current operation: x",
    ]
