"""The check dialect's text: what is rewritten, what is left alone, and where its positions lead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stablehlo_py.errors import DiagnosticsError, ParseError, VerificationError
from stablehlo_py.syntax import parse, print_text
from stablehlo_py.syntax.check_dialect import write_check_ops
from stablehlo_py.syntax.check_reader import rewrite_check_ops
from stablehlo_py.syntax.scanner import LineIndex, ScanError, TextCursor

HEAD = "func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {\n"


def operations(module):
    return [op.operation for op in module.body.operations[0].regions[0].blocks[0].operations]


@pytest.mark.parametrize(
    "text",
    [
        "func.func @main() { return }",
        "// check.expect_eq %a, %b : tensor<2xf32>\n",
        'stablehlo.custom_call @check.eq(%a) {note = "check.expect_eq %a"} : (tensor<2xf32>) -> ()',
        "func.func private @f() attributes {check.first = 1 : i32, check.second}",
        '"check.expect_eq"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> ()',
    ],
)
def test_what_needs_no_rewriting_is_left_alone(text):
    assert rewrite_check_ops(text) is None


def test_ops_are_in_memory_under_their_own_names_with_typed_attributes():
    text = "  check.expect_close %a, %b, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>\n  return\n}"
    module = parse(HEAD + text)
    op = operations(module)[0]
    assert op.name == "check.expect_close"
    assert str(op.attributes["max_ulp_difference"]) == "3 : ui64"
    assert [str(operand.type) for operand in op.operands] == ["tensor<2xf32>"] * 2


def test_positions_behind_an_op_on_the_same_line_are_the_files():
    text = HEAD + "  check.expect_eq %a, %b : tensor<2xf32>   %0 = stablehlo.abs %a : tensor<2xf32>\n  return\n}"
    module = parse(text, source_name="here.mlir")
    location = operations(module)[1].location
    assert (location.filename, location.start_line, location.start_col) == ("here.mlir", 2, 49)
    with pytest.raises(ParseError) as raised:
        parse(text.replace("abs %a", "abs %missing"), source_name="here.mlir")
    assert raised.value.location == "here.mlir:2:63"


def test_an_op_over_several_lines_keeps_the_lines_behind_it():
    text = HEAD + "  check.expect_eq %a, // the actual value\n      %b\n    : tensor<2xf32>\n  return\n}"
    module = parse(text, source_name="here.mlir")
    locations = [op.location.start_line for op in operations(module)]
    assert locations == [2, 5]


@given(st.lists(st.sampled_from(["Q", " ", "\n", "// c\n", "check.expect_eq %a, %b : tensor<2xf32>\n", '"s"\n'])))
def test_every_copied_character_is_found_again(parts):
    text = "".join(parts)
    rewriting = rewrite_check_ops(text)
    if rewriting is None:
        return
    original, rewritten = LineIndex(text), LineIndex(rewriting.text)
    for offset, character in enumerate(rewriting.text):
        if character == "Q":
            line, column = rewriting.original_position(*rewritten.position(offset))
            assert text[original.offset(line, column)] == "Q"


def test_what_is_printed_is_read_back_as_it_was():
    text = (
        HEAD
        + '  check.expect_almost_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf32>, tolerance = 0.5 {why = "a, {b}"}\n'
        + '  check.expect_serialized_eq %b, probe_id = "p : q", iter = 2 : tensor<2xf32>\n  return\n}'
    )
    printed = print_text(parse(text))
    assert "check.expect_almost_eq_const %arg0, dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, tol" in printed
    assert 'probe_id = "p : q", iter = 2 : tensor<2xf32>' in printed
    assert print_text(parse(printed)) == printed


def test_other_ops_of_the_dialect_are_printed_as_they_are():
    text = '  "check.unknown"() ({\n  }) : () -> ()\n  "check.other"() : () -> ()\n'
    assert write_check_ops(text) == text


def test_a_broken_check_names_the_place():
    with pytest.raises(ScanError, match="expected ':'") as raised:
        rewrite_check_ops("check.expect_eq %a, %b tensor<2xf32>")
    assert raised.value.position == 23


@pytest.mark.parametrize(
    ("op", "message"),
    [
        ('"check.expect_eq"(%a) : (tensor<2xf32>) -> ()', "expected 2 operands, but found 1"),
        ('%0 = "check.expect_eq"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> i32', "requires zero results"),
        ('"check.expect_eq_const"(%a) : (tensor<2xf32>) -> ()', "requires attribute 'value'"),
        (
            '"check.expect_eq_const"(%a) {value = dense<1> : tensor<2xi32>} : (tensor<2xf32>) -> ()',
            "all of {lhs, value} have same type",
        ),
        (
            '"check.expect_almost_eq"(%a, %b) {tolerance = 1 : i32} : (tensor<2xf32>, tensor<2xf32>) -> ()',
            "attribute 'tolerance' failed to satisfy constraint: 64-bit float attribute",
        ),
        ('"check.expect_equal"(%a) : (tensor<2xf32>) -> ()', "unregistered operation 'check.expect_equal'"),
        ('"check.expect_eq"(%a, %b) ({}) : (tensor<2xf32>, tensor<2xf32>) -> ()', "requires zero regions"),
    ],
)
def test_a_check_op_is_verified(op, message):
    with pytest.raises(VerificationError) as raised:
        parse(f"{HEAD}  {op}\n  return\n}}", source_name="wrong.mlir")
    assert message in raised.value.message
    assert raised.value.location.startswith("wrong.mlir:2:")


@pytest.mark.parametrize(
    ("words", "kind", "name"),
    [
        ('"a.b"() : () -> !other.type', "type", "other"),
        ('"a.b"() : () -> !third<i32>', "type", "third"),
        ('"a.b"() {a = #other.value} : () -> ()', "attribute", "other"),
        ('"a.b"() {a = #fourth<"x">} : () -> !other.t', "attribute", "fourth"),
        ('"a.b"() {a = "#other.a"} : () -> () // !other.type', "", ""),
        ('"a.b"() {a = #stablehlo<precision HIGH>} : () -> !stablehlo.token', "", ""),
    ],
)
@pytest.mark.parametrize("allows", [False, True])
def test_what_is_of_an_unknown_dialect_beside_a_check_op_is_refused_by_its_kind(words, kind, name, allows):
    result = "%r = " if "-> !" in words else ""
    text = f"{HEAD}  check.expect_eq %a, %b : tensor<2xf32>\n  {result}{words}\n  return\n}}"
    if allows:
        assert '"a.b"' in print_text(parse(text, allow_unregistered_dialects=True))
        return
    with pytest.raises(DiagnosticsError) as raised:
        parse(text, source_name="a.mlir")
    if not kind:
        assert isinstance(raised.value, VerificationError)
        assert "does not allow" in raised.value.message or "unregistered" in raised.value.message
        return
    sign = "!" if kind == "type" else "#"
    line = text.splitlines()[2]
    assert raised.value.message == f"{kind} of unregistered dialect '{name}'; -allow-unregistered-dialect lets it pass"
    assert raised.value.location == f"a.mlir:3:{line.index(sign + name) + 1}"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("dense<[1, 2]> : tensor<2xi32>, next", "dense<[1, 2]> : tensor<2xi32>"),
        ('"a\\"b" {', '"a\\"b"'),
        ("-1.5e-3 : f64 : tensor<2xf32>", "-1.5e-3 : f64"),
        ("#stablehlo.dot<a = [1]> {", "#stablehlo.dot<a = [1]>"),
        ("[1, {a = [2]}], b", "[1, {a = [2]}]"),
        ("array<i64: 1, 2> }", "array<i64: 1, 2>"),
        ('@"a symbol"', '@"a symbol"'),
        ("affine_map<(d0) -> (d0)>, x", "affine_map<(d0) -> (d0)>"),
    ],
)
def test_the_size_of_an_attribute(text, size):
    cursor = TextCursor(text)
    cursor.read_attribute()
    assert text[: cursor.position] == size


@pytest.mark.parametrize(
    "text", ["tensor<2x?xf32, #stablehlo.bounds<?, 3>>", "(i32, f32) -> tuple<i32>", "!quant.uniform<i8:f32, 0.5>"]
)
def test_the_size_of_a_type(text):
    cursor = TextCursor(text + " next")
    assert cursor.read_type() == text


@pytest.mark.parametrize("text", ["", ",", "dense<[1}", "dense<[1"])
def test_what_is_no_attribute_is_an_error(text):
    with pytest.raises(ScanError):
        TextCursor(text).read_attribute()


def test_what_is_wrong_inside_is_told_before_what_is_around_it():
    text = f"""{HEAD}  check.expect_eq %a, %b : tensor<2xf32>
  "x.outer"() ({{
    "x.inner"() : () -> ()
    "check.expect_eq"(%a) : (tensor<2xf32>) -> ()
  }}) : () -> ()
  "x.last"() : () -> ()
  return
}}"""
    with pytest.raises(VerificationError) as raised:
        parse(text, source_name="a.mlir")
    found = [(each.location.split(":")[1], each.severity, len(each.notes)) for each in raised.value.diagnostics]
    assert found == [(line, "error", 1) for line in ("4", "5", "3", "7")]
    shown = [note.message for each in raised.value.diagnostics for note in each.notes]
    assert [each.removeprefix("see current operation: ").split("(")[0] for each in shown] == [
        '"x.inner"',
        '"check.expect_eq"',
        '"x.outer"',
        '"x.last"',
    ]
    with pytest.raises(VerificationError) as raised:
        parse(text, source_name="a.mlir", allow_unregistered_dialects=True)
    assert [each.location.split(":")[1] for each in raised.value.diagnostics] == ["5"]
