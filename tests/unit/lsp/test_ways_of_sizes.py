"""Descriptions of values whose sizes are known only while running: the way back to where a size comes from."""

from __future__ import annotations

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.lsp import hover, writing
from stablehlo_py.lsp.document import NAME, Document

D = "tensor<?xf32>"
TEXT = f"""func.func @f(%x: {D}, %n: tensor<1xi32>, %p: tensor<i1>) -> {D} {{
  %a = stablehlo.abs %x : {D}
  %b = stablehlo.tanh %a : {D}
  %d = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> {D}
  %e = stablehlo.add %b, %d : {D}
  %s = stablehlo.constant dense<1.0> : tensor<4xf32>
  %h:2 = "stablehlo.if"(%p) ({{
    %k = stablehlo.abs %d : {D}
    stablehlo.return %k, %s : {D}, tensor<4xf32>
  }}, {{
    stablehlo.return %d, %s : {D}, tensor<4xf32>
  }}) : (tensor<i1>) -> ({D}, tensor<4xf32>)
  return %h#0 : {D}
}}
"""


@pytest.fixture(scope="module")
def document() -> Document:
    return Document(TEXT).compile()


CALLER = f"`%x` (line 1) is an argument of the type `{D}`: the caller decides"
A = "`%a` (line 2) has dynamic sizes from an operand of `stablehlo.abs`:"
B = "`%b` (line 3) has dynamic sizes from an operand of `stablehlo.tanh`:"
IOTA = "`%d` (line 4) is computed by `stablehlo.dynamic_iota` from values that are known later"


@pytest.mark.parametrize(
    ("name", "origin", "way"),
    [
        ("%x", "argument 0 of `func.func`, line 1", [CALLER]),
        ("%n", "argument 1 of `func.func`, line 1", []),
        ("%a =", "result 0 of `stablehlo.abs`, line 2", [A, CALLER]),
        ("%b =", "result 0 of `stablehlo.tanh`, line 3", [B, A, CALLER]),
        ("%d =", "result 0 of `stablehlo.dynamic_iota`, line 4", [IOTA]),
        (
            "%e =",
            "result 0 of `stablehlo.add`, line 5",
            ["`%e` (line 5) has dynamic sizes from an operand of `stablehlo.add`:", B, A, CALLER],
        ),
        ("%s =", "value `dense<1.000000e+00>`", []),
        (
            "%k =",
            "result 0 of `stablehlo.abs`, line 8",
            ["`%k` (line 8) has dynamic sizes from an operand of `stablehlo.abs`:", IOTA],
        ),
        (
            "%h#0",
            "result 0 of `stablehlo.if`, line 7",
            ["`%h` (line 7) is computed by `stablehlo.if` from values that are known later"],
        ),
    ],
)
def test_the_way_back_to_where_a_size_comes_from(name: str, origin: str, way: list[str], document: Document) -> None:
    found = hover.hover(document, TEXT.index(name))
    assert found is not None
    assert found[0].split("\n\n")[1:] == [origin, *way]


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        (D, True), ("tensor<2x?xi8>", True), ("tensor<2xf32>", False), ("tensor<f32>", False), ("tensor<*xf32>", False),
        ("!stablehlo.token", False), (f"tuple<{D}>", False), ("i32", False),
    ],
)  # fmt: skip
def test_a_tensor_with_an_unknown_size_is_dynamic(type_: str, expected: bool) -> None:
    assert hover.is_dynamic(ir.Type.parse(type_, make_context())) == expected


def test_a_long_way_is_cut(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hover, "_MOST_STEPS", 2)
    for name, way in (("%a =", [A, CALLER]), ("%e =", [A.replace("%a", "%e").replace("2", "5"), B, "…"])):
        found = hover.hover(document, TEXT.index(name))
        assert found is not None
        shown = found[0].split("\n\n")[2:]
        assert shown[-1] == way[-1]
        assert len(shown) == len(way)


def test_without_a_program_the_written_types_are_shown() -> None:
    text = f"func.func @f(%x: {D}) {{\n  %a = stablehlo.abs %x : {D}\n  %c = d.op %a\n  stop"
    document = Document(text).compile()
    for name, expected in (
        ("%x", f"%x : {D}"),
        ("%a =", f"%a : {D}"),
        ("%c =", "%c"),
    ):
        found = hover.hover(document, text.index(name))
        assert found is not None
        assert found[0].split("\n")[1] == expected
    assert hover.constant_text(document.op(document.outline.statements[0])) == ""


@pytest.mark.parametrize(
    ("line", "type_"),
    [
        ("%a = d.op %x : (f32) -> tensor<2xf32>", "tensor<2xf32>"),
        ("%a = d.op %x : tensor<2xf32>", "tensor<2xf32>"),
        ('%a = d.op %x : tensor<2xf32> loc("a : b")', "tensor<2xf32>"),
        ("%a = d.op %x", ""),
        ("%a, %b = d.op %x : f32", ""),
        ("%a = d.op %x :\n  f32", ""),
        ("%a = d.op %x : (f32) ->\n  f32", ""),
    ],
)
def test_the_type_that_is_written_behind_an_op(line: str, type_: str) -> None:
    document = Document(f"func.func @f(%x: f32) {{\n{line}\n")
    (definition,) = [one for one in document.outline.definitions if one.token.text == "%a"]
    assert document.type_of(definition) == type_


@pytest.mark.parametrize(
    ("text", "problems", "is_whole"),
    [
        ("", [], True),
        ("func.func private @a()", [], True),
        ("func.func private @a()\n// -----\nfunc.func @b(", [f"{NAME}:3:13"], False),
        ("func.func @b(\n// -----\n\n// -----\nfunc.func @c(", [f"{NAME}:1:14", f"{NAME}:5:14"], False),
    ],
)
def test_each_program_of_a_text_is_compiled_for_itself(text: str, problems: list[str], is_whole: bool) -> None:
    document = Document(text)
    assert (document.is_whole, document.diagnostics, document.ops) == (False, [], {})
    document.compile()
    assert document.is_whole == is_whole
    assert [one.location.rpartition(":")[0] for one in document.diagnostics] == [
        place.rpartition(":")[0] for place in problems
    ]
    assert len(document.ops) == text.count("private")
    assert document.op(None) is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%0 = stablehlo.add %a, ", ("stablehlo.add(lhs, rhs) -> result", ["lhs", "rhs"], 1)),
        ('%0 = "stablehlo.add"(%a', ("stablehlo.add(lhs, rhs) -> result", ["lhs", "rhs"], 0)),
        ("%0 = stablehlo.no_such_op %a, ", None),
        ("%0 = unknown.op %a, ", None),
        ("stablehlo.add", ("stablehlo.add(lhs, rhs) -> result", ["lhs", "rhs"], 0)),
        ("", None),
        ("stablehlo.add %a : ", None),
    ],
)
def test_the_signature_of_the_op_that_is_being_written(line: str, expected: object) -> None:
    assert writing.signature(Document(f"first\n{line}\nlast"), 6 + len(line)) == expected


def test_a_signature_has_attributes_and_results() -> None:
    line = "stablehlo.custom_call "
    found = writing.signature(Document(line), len(line))
    assert found is not None
    label, operands, number = found
    assert label.startswith("stablehlo.custom_call(inputs...) {call_target_name, has_side_effect?, backend_config?")
    assert "} -> " in label
    assert (operands, number) == (["inputs..."], 0)
    line = "stablehlo.iota "
    assert (writing.signature(Document(line), len(line)) or ("",))[0].startswith(
        "stablehlo.iota() {iota_dimension} -> "
    )
    line = "stablehlo.create_token "
    assert (writing.signature(Document(line), len(line)) or ("", [1], 1))[1:] == ([], 0)


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("stablehlo.add", (), "stablehlo.add ${1:%lhs}, ${2:%rhs} : ${3:tensor<2x6xi32>}"),
        ("stablehlo.none", (), "stablehlo.none"),
        ("chlo.sinh", (), "chlo.sinh"),
        ("stablehlo.abs", [("%a", ""), ("%b", "tensor<f64>")], "stablehlo.abs ${1:%b} : ${2:tensor<f64>}"),
        # Operands of other types than the first are left to the user.
        (
            "stablehlo.select",
            [("%a", "tensor<i1>"), ("%b", "tensor<i1>"), ("%c", "tensor<i1>")],
            "stablehlo.select ${1:%a}, ${2:%on_true}, ${3:%on_false} : ${4:tensor<i1>}, ${5:tensor<4xi32>}",
        ),
        (
            "stablehlo.clamp",
            [("%a", "f"), ("%b", "g"), ("%c", "f")],
            "stablehlo.clamp ${1:%a}, ${2:%c}, ${3:%max} : ${4:f}",
        ),
        ("stablehlo.abs", [("%$1", "t}")], "stablehlo.abs ${1:%\\$1} : ${2:t\\}}"),
    ],
)
def test_snippets_of_ops(name: str, values: list[tuple[str, str]], expected: str) -> None:
    assert writing.snippet(name, values) == expected


def test_summaries_are_one_sentence() -> None:
    assert writing.summary("stablehlo.abs") == "Apply abs to each element."
    assert writing.summary("stablehlo.none") == writing.summary("arith.addi") == writing.summary("") == ""
    assert "\n" not in writing.summary("stablehlo.while")
    assert "Spec:" not in writing.summary("stablehlo.while")
