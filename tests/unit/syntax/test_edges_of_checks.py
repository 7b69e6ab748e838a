"""Ops of the check dialect: each rule, each form of the text, and where each inserted character leads."""

from __future__ import annotations

import pytest

from stablehlo_py.syntax.check_dialect import (
    GenericForm,
    read_dictionary,
    violation,
    write_check_ops,
    written_entries,
)
from stablehlo_py.syntax.check_reader import rewrite_check_ops
from stablehlo_py.syntax.scanner import LineIndex, ScanError, TextCursor

F = "tensor<2xf32>"
I = "tensor<2xi32>"  # noqa: E741 (beside F)
FLOATING = "must be ranked tensor of floating-point or complex values, but got"
UNSIGNED = "failed to satisfy constraint: 64-bit unsigned integer attribute"


def rewritten(text: str) -> str:
    """The text with its check ops in the generic form."""
    found = rewrite_check_ops(text)
    assert found is not None
    return found.text


def form(name: str, attributes: str, *types: str) -> GenericForm:
    operands = ", ".join(f"%{number}" for number in range(len(types)))
    return GenericForm.read(TextCursor(f'"check.{name}"({operands}) {{{attributes}}} : ({", ".join(types)}) -> ()'))


@pytest.mark.parametrize(
    ("name", "attributes", "types"),
    [
        ("expect_eq", "", [I, I]),
        ("expect_eq", "", ["tensor<i1>", "tensor<i1>"]),
        ("expect_eq", "", ["tensor<?x3x!quant.uniform<i8:f32, 0.5>>"] * 2),
        ("expect_eq_const", f"value = dense<1> : {I}", [I]),
        ("expect_almost_eq", "", [F, F]),
        ("expect_almost_eq", "tolerance = 0.5 : f64", ["tensor<complex<f32>>"] * 2),
        ("expect_almost_eq", "", ["tensor<2x?xbf16>"] * 2),
        ("expect_almost_eq_const", f"value = dense_resource<a> : {F}, tolerance = 1.0 : f64", [F]),
        ("expect_almost_eq_const", f"value = sparse<0, 1.0> : {F}", [F]),
        ("expect_close", "max_ulp_difference = 0 : ui64", ["tensor<tf32>"] * 2),
        ("expect_close", "max_ulp_difference = 10 : ui64, min_ulp_difference = 2 : ui64", [F, F]),
        ("expect_serialized_eq", 'probe_id = "p"', [I]),
        ("expect_serialized_eq", 'probe_id = "p", iteration = 3 : ui32', [F]),
    ],
)
def test_what_keeps_the_rules_is_sound(name: str, attributes: str, types: list[str]) -> None:
    assert violation(form(name, attributes, *types)) is None


@pytest.mark.parametrize(
    ("name", "attributes", "types", "message"),
    [
        ("expect_eq", "", [F], "expected 2 operands, but found 1"),
        ("expect_eq_const", "", [F, F], "expected 1 operands, but found 2"),
        ("expect_eq", "", [F, I], "requires the same type for all operands"),
        ("expect_close", "max_ulp_difference = 3 : ui64", [F, "tensor<3xf32>"],
         "failed to verify that all of {actual, expected} have same type"),
        ("expect_eq", "", [F, "tensor<*xf32>"],
         "operand #1 must be ranked tensor of any StableHLO element type values, but got 'tensor<*xf32>'"),
        ("expect_serialized_eq", 'probe_id = "p"', ["f32"],
         "operand #0 must be ranked tensor of any StableHLO element type values, but got 'f32'"),
        ("expect_almost_eq", "", [I, I], f"operand #0 {FLOATING} '{I}'"),
        ("expect_almost_eq", "", [F, I], f"operand #1 {FLOATING} '{I}'"),
        ("expect_almost_eq_const", f"value = dense<1> : {I}", [I], f"operand #0 {FLOATING} '{I}'"),
        ("expect_close", "max_ulp_difference = 3 : ui64", [I, I], f"operand #0 {FLOATING} '{I}'"),
        ("expect_eq_const", "", [F], "requires attribute 'value'"),
        ("expect_almost_eq_const", "", [F], "requires attribute 'value'"),
        ("expect_close", "", [F, F], "requires attribute 'max_ulp_difference'"),
        ("expect_serialized_eq", "", [F], "requires attribute 'probe_id'"),
        ("expect_eq_const", f"value = 3 : {F}", [F],
         "attribute 'value' failed to satisfy constraint: constant vector/tensor attribute"),
        ("expect_almost_eq_const", f"value = dense<1.0> : {F}, tolerance = 1 : i64", [F],
         "attribute 'tolerance' failed to satisfy constraint: 64-bit float attribute"),
        ("expect_close", "max_ulp_difference = 3 : i64", [F, F], f"attribute 'max_ulp_difference' {UNSIGNED}"),
        ("expect_close", "max_ulp_difference = -3 : ui64", [F, F], f"attribute 'max_ulp_difference' {UNSIGNED}"),
        ("expect_close", "max_ulp_difference = 3 : ui64, min_ulp_difference = 1 : ui32", [F, F],
         f"attribute 'min_ulp_difference' {UNSIGNED}"),
        ("expect_serialized_eq", "probe_id = @p", [F],
         "attribute 'probe_id' failed to satisfy constraint: string attribute"),
        ("expect_serialized_eq", 'probe_id = "p", iteration = 1 : ui64', [F],
         "attribute 'iteration' failed to satisfy constraint: 32-bit unsigned integer attribute"),
        ("expect_eq_const", f"value = dense<1> : {I}", [F], "failed to verify that all of {lhs, value} have same type"),
    ],
)  # fmt: skip
def test_each_rule_is_told_in_the_words_of_the_verifier(
    name: str, attributes: str, types: list[str], message: str
) -> None:
    assert violation(form(name, attributes, *types)) == f"'check.{name}' op {message}"


@pytest.mark.parametrize(
    ("name", "attributes", "types", "assembly", "generic"),
    [
        ("expect_eq", "", [F, F], f"%0, %1 : {F}", f"(%0, %1) : ({F}, {F}) -> ()"),
        ("expect_eq", "why = 1", [F, F], f"%0, %1 {{why = 1}} : {F}", f"(%0, %1) {{why = 1}} : ({F}, {F}) -> ()"),
        ("expect_eq_const", f"value = dense<1> : {I}, why", [I], f"%0, dense<1> : {I} {{why}}",
         f"(%0) <{{value = dense<1> : {I}}}> {{why}} : ({I}) -> ()"),
        ("expect_almost_eq", "tolerance = 1.000000e-04 : f64", [F, F], f"%0, %1 : {F}",
         f"(%0, %1) <{{tolerance = 1.000000e-04 : f64}}> : ({F}, {F}) -> ()"),
        ("expect_almost_eq_const", f"tolerance = 0.5 : f64, value = #v : {F}", [F], f"%0, #v : {F}, tolerance = 0.5",
         f"(%0) <{{tolerance = 0.5 : f64, value = #v : {F}}}> : ({F}) -> ()"),
        ("expect_close", "max_ulp_difference = 0 : ui64, min_ulp_difference = 0 : ui64", [F, F],
         f"%0, %1, max_ulp_difference = 0 : {F}, {F}",
         f"(%0, %1) <{{max_ulp_difference = 0 : ui64, min_ulp_difference = 0 : ui64}}> : ({F}, {F}) -> ()"),
        ("expect_close", "why = 1, max_ulp_difference = 3 : ui64, min_ulp_difference = 2 : ui64", [F, F],
         f"%0, %1, max_ulp_difference = 3, min_ulp_difference = 2 : {{why = 1}} {F}, {F}",
         "(%0, %1) <{max_ulp_difference = 3 : ui64, min_ulp_difference = 2 : ui64}> {why = 1}"
         f" : ({F}, {F}) -> ()"),
        ("expect_serialized_eq", 'probe_id = "p", iteration = 0 : ui32', [F], f'%0, probe_id = "p" : {F}',
         f'(%0) <{{probe_id = "p", iteration = 0 : ui32}}> : ({F}) -> ()'),
        ("expect_serialized_eq", 'iteration = 2 : ui32, probe_id = "p"', [F], f'%0, probe_id = "p", iter = 2 : {F}',
         f'(%0) <{{iteration = 2 : ui32, probe_id = "p"}}> : ({F}) -> ()'),
    ],
)  # fmt: skip
def test_an_op_is_written_in_either_form(
    name: str, attributes: str, types: list[str], assembly: str, generic: str
) -> None:
    operands = ", ".join(f"%{number}" for number in range(len(types)))
    given = f'"check.{name}"({operands}) {{{attributes}}} : ({", ".join(types)}) -> ()'
    other = '"check.other"() ({\n  }) : () -> ()\n"check.unknown"() : () -> ()'
    text = f"  {other}\n\t{given} loc(unknown)\n%1 = a.b\n"
    assert write_check_ops(text) == f"  {other}\n\tcheck.{name} {assembly} loc(unknown)\n%1 = a.b\n"
    assert write_check_ops(text, generic=True) == f'  {other}\n\t"check.{name}"{generic} loc(unknown)\n%1 = a.b\n'
    read_again = rewritten(f"check.{name} {assembly}\n")
    assert violation(GenericForm.read(TextCursor(read_again))) == violation(GenericForm.read(TextCursor(given)))


def test_what_is_left_out_is_not_written() -> None:
    for name, types, given, written in (
        ("expect_almost_eq", f"{F}, {F}", "", f"%0, %1 : {F}"),
        ("expect_close", f"{F}, {F}", " {min_ulp_difference = 2 : ui64}", f"%0, %1, min_ulp_difference = 2 : {F}, {F}"),
    ):
        text = f'"check.{name}"(%0, %1){given} : ({types}) -> ()'
        assert write_check_ops(text) == f"check.{name} {written}"


def test_properties_and_attributes_are_read_together_and_results_are_refused() -> None:
    text = f'"check.expect_eq_const"(%0) <{{value = dense<1> : {I}}}> {{why = 1 : i8}} : ({I}) -> () more'
    found = GenericForm.read(TextCursor(text))
    assert {name: str(value) for name, value in found.attributes.items()} == {
        "value": f"dense<1> : {I}",
        "why": "1 : i8",
    }
    assert violation(found) is None
    with_result = GenericForm.read(TextCursor(text.replace("-> ()", "-> i8")))
    assert violation(with_result) == "'check.expect_eq_const' op requires zero results"
    assert violation(GenericForm.read(TextCursor('"check.eq"() : () -> ()'))) == (
        "unregistered operation 'check.eq' found in dialect ('check') that does not allow unknown operations"
    )
    with pytest.raises(ScanError, match="expected '>'"):
        GenericForm.read(TextCursor('"check.eq"() <{a} : () -> ()'))


def test_names_in_dictionaries_may_be_quoted_and_values_left_out() -> None:
    found = read_dictionary(TextCursor('{"a b" = 1 : i8, unit, c.d = "}"} more'))
    assert {name: str(value) for name, value in found.items()} == {"a b": "1 : i8", "unit": "unit", "c.d": '"}"'}
    assert read_dictionary(TextCursor("{}")) == {}
    with pytest.raises(ScanError, match="expected ','"):
        read_dictionary(TextCursor("{a b}"))


def check_origins(text: str, *parts: tuple[str, int] | str) -> None:
    """Compare rewritten text with its parts: copied ones, and inserted ones with the offset that each leads to."""
    rewriting = rewrite_check_ops(text)
    assert rewriting is not None
    assert rewriting.text == "".join(part if isinstance(part, str) else part[0] for part in parts)
    original, new = LineIndex(text), LineIndex(rewriting.text)
    offset = copied = 0
    for part in parts:
        for number in range(len(part if isinstance(part, str) else part[0])):
            wanted = text.index(part, copied) + number if isinstance(part, str) else part[1]
            found = rewriting.original_position(*new.position(offset))
            assert found == original.position(wanted), f"{part!r}, character {number}"
            offset += 1
        copied = text.index(part, copied) + len(part) if isinstance(part, str) else copied


def test_each_part_of_an_op_leads_to_where_it_comes_from() -> None:
    text = "//\n  check.expect_eq_const  %a, [1, 2] : tensor<2xi32> { k = 1 // why\n} loc(x)\nz"
    op, value = text.index("check"), text.index("[1")
    check_origins(
        text,
        "//\n  ", ('"check.expect_eq_const"(', op), "%a", (") {", op), ("value = ", value), ("dense<", value), "[1, 2]",
        (">", value + 6), " : tensor<2xi32>", (", ", text.index(" k = 1")), " k = 1 // why\n", ("} : (", op),
        ("tensor<2xi32>", value), (") -> ()", op), " loc(x)\nz",
    )  # fmt: skip


def test_types_that_are_left_out_lead_to_their_value() -> None:
    text = f"check.expect_close %a,\n %b, max_ulp_difference = 3 : ui64, min_ulp_difference = 2 : {{}} {F}, {F}\nz\ny"
    most, least, second = text.index("3"), text.index("2 :"), text.rindex(F)
    check_origins(
        text,
        ('"check.expect_close"(', 0), "%a", (", ", text.index("%b")), "%b", (") {", 0), ("max_ulp_difference = ", most),
        "3", (" : ui64", most), (", ", least), ("min_ulp_difference = ", least), "2", (" : ui64", least), ("} : (", 0),
        F, (", ", second), F, (") -> ()", 0), "\nz\ny",
    )  # fmt: skip


def test_properties_become_attributes() -> None:
    text = f'a\n"check.expect_eq_const" (%a) <{{value = dense<1> : {I}}}> {{k = "}}", u}} : ({I}) -> ()\nz'
    written = f' {{value = dense<1> : {I}, k = "}}", u}}'
    check_origins(text, 'a\n"check.expect_eq_const" (%a)', (written, text.index("{value")), f" : ({I}) -> ()\nz")
    alone = text.replace(' {k = "}", u}', "")
    check_origins(
        alone,
        'a\n"check.expect_eq_const" (%a)',
        (f" {{value = dense<1> : {I}}}", text.index("{value")),
        f": ({I}) -> ()\nz",
    )


def test_positions_that_are_in_no_text_stay() -> None:
    rewriting = rewrite_check_ops(f"\ncheck.expect_eq %a,\n%b : {F}\nz")
    assert rewriting is not None
    assert [rewriting.original_position(*place) for place in ((0, 0), (2, 0), (9, 4), (3, 1))] == [
        (0, 0), (2, 0), (9, 4), (4, 1),
    ]  # fmt: skip


def test_the_type_of_elements_may_come_by_names() -> None:
    check_op = "check.expect_eq_const %a, #w"
    for definitions in (f"#w = dense<1> : {I}\n", f"#v = dense<1> : {I}\n  #w   = #v\n"):
        assert (
            rewritten(f"{definitions}{check_op}")
            == f'{definitions}"check.expect_eq_const"(%a) {{value = #w}} : ({I}) -> ()'
        )


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("  check.expect_equal %a", 2, "custom op 'check.expect_equal' is unknown"),
        ("check.expect_eq_const %a", 24, "custom op 'check.expect_eq_const' expected ','"),
        ("check.expect_eq_const %a, #w", 28, "custom op 'check.expect_eq_const' expected a typed elements attribute"),
        ("check.expect_eq_const %a, dense<1>", 34,
         "custom op 'check.expect_eq_const' expected a typed elements attribute"),
        ("check.expect_eq %a %b", 19, "custom op 'check.expect_eq' expected ','"),
        (f"check.expect_close %a, %b : {F}, {F}", 26, "custom op 'check.expect_close' expected ','"),
        (f"check.expect_almost_eq %a, %b, tol = 1.0 : {F}", 31, "custom op 'check.expect_almost_eq' expected "
         "'tolerance'"),
        (f"check.expect_close %a, %b, max_ulp_difference 3 : {F}, {F}", 46,
         "custom op 'check.expect_close' expected '='"),
        ('"check.expect_eq"(%a) <{a = 1} : () -> ()', 31, "expected '>'"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_at_its_place(text: str, position: int, message: str) -> None:
    with pytest.raises(ScanError) as caught:
        rewrite_check_ops(text)
    assert (caught.value.position, caught.value.message) == (position, message)


def test_a_tolerance_may_have_its_type() -> None:
    for written in ("0.5", "0.5 : f64"):
        text = rewritten(f"check.expect_almost_eq %a, %b, tolerance = {written} : {F}")
        assert text == f'"check.expect_almost_eq"(%a, %b) {{tolerance = 0.5 : f64}} : ({F}, {F}) -> ()'


def test_an_alias_is_defined_where_a_line_begins() -> None:
    others = '// #w = dense<1> : tensor<9xi8>\n#v#w = dense<1> : tensor<8xi8>\n{a = "#w = dense<1> : i8"}\n'
    for definition in (f"#w = dense<1> : {I}\n", f"\t #w= dense<1> : {I}\n"):
        text = rewritten(f"{others}{definition}check.expect_eq_const %a, #w")
        assert text.endswith(f'"check.expect_eq_const"(%a) {{value = #w}} : ({I}) -> ()')
    with pytest.raises(ScanError, match="expected a typed elements attribute"):
        rewrite_check_ops(f"{others}check.expect_eq_const %a, #w")


def test_entries_of_a_dictionary_are_written_as_they_are_read() -> None:
    for text in ("a", "a = 1", "a = 1 : i8, b", 'a = unit : i1, b.c = "unit"', "a = @unit, b = #unit, c = [unit]"):
        assert written_entries(read_dictionary(TextCursor(f"{{{text}}}"))) == text
    assert written_entries(read_dictionary(TextCursor("{a = unit}"))) == "a"
    assert written_entries({}) == ""


@pytest.mark.parametrize(
    ("value", "written"),
    [("[1, 2]", "dense<[1, 2]>"), ("[]", "dense<[]>"), ("{a = 1}", "{a = 1}"), ("dense<[1]>", "dense<[1]>")],
)
def test_lists_alone_become_elements(value: str, written: str) -> None:
    text = rewritten(f"check.expect_eq_const %a, {value} : {I}")
    assert text == f'"check.expect_eq_const"(%a) {{value = {written} : {I}}} : ({I}) -> ()'


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("a (b [c) d]", 7, "unexpected ')'"),
        ("a  (b {c}", 3, "this bracket is never closed"),
        ("a (<b>", 2, "this bracket is never closed"),
        ('a (")" // )\n', 2, "this bracket is never closed"),
        ("a ]", 2, "unexpected ']'"),
        ("a (-> [}", 7, "unexpected '}'"),
    ],
)
def test_brackets_that_do_not_fit_are_told_at_their_place(text: str, position: int, message: str) -> None:
    cursor = TextCursor(text, 1)
    with pytest.raises(ScanError) as caught:
        cursor.read_balanced()
    assert (caught.value.position, caught.value.message) == (position, message)
