"""The outline of a text against what the bindings parse, on texts that are cut off too; and the layout."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from parsed import shared_context
from speeds import later

from stablehlo_py.bindings.diagnostics import file_location
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import StablehloError
from stablehlo_py.syntax import parse
from stablehlo_py.syntax.layout import laid_out
from stablehlo_py.syntax.outline import Outline
from stablehlo_py.syntax.tokens import common_ends, without_locations

FILES = sorted((Path(__file__).parents[2] / "lit").rglob("*.mlir"))
PROGRAM = """!pair = tuple<tensor<f32>, tensor<f32>>
func.func @main(%x: tensor<4xf32>, %unused: !pair) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %parts:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<f32>, tensor<f32>
    cond {
      %more = stablehlo.compare LT, %i, %sum : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      stablehlo.return %i, %sum : tensor<f32>, tensor<f32>
    }
  %total = "stablehlo.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %added = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %added : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %called = func.call @other(%parts#1) : (tensor<f32>) -> tensor<f32>
  return %called : tensor<f32>
}
func.func private @other(%x: tensor<f32>) -> tensor<f32>
"""


def sampled(count):
    chosen = random.Random(5).sample(FILES, count)
    return [chunk for path in chosen for chunk in path.read_text(errors="replace").split("// -----") if chunk.strip()]


@pytest.mark.parametrize("count", [12, later(60)])
def test_every_op_stands_where_the_compiler_finds_it(count):
    compared = 0
    for text in sampled(count):
        try:
            module = parse(
                without_locations(text.encode()), source_name="t", context=shared_context(), trust_input=True
            )
        except StablehloError:
            continue
        outline = Outline(text)
        starts = {statement.token.start: statement.name.rpartition(".")[2] for statement in outline.all_statements()}
        lines = text.split("\n")
        for op in operations(module.operation):
            _, line, column = (file_location(op.location) or "t:0:0").rsplit(":", 2)
            if int(line) and "applies" not in lines[int(line) - 1] and op.name != "builtin.module":
                offset = sum(len(one) + 1 for one in lines[: int(line) - 1]) + int(column) - 1
                statement = outline.statement_at(offset)  # where the op has a syntax of its own, behind its name
                found = starts.get(offset) or (statement.name.rpartition(".")[2] if statement else "")
                assert found == op.name.rpartition(".")[2], (op.name, lines[int(line) - 1])
                compared += 1
    assert compared > 3 * count


@pytest.mark.parametrize("count", [12, later(60)])
def test_every_value_and_block_has_its_definition(count):
    checked = 0
    for text in sampled(count):
        if "scf.for" in text:
            continue  # its counter is defined without a type
        try:
            parse(text, context=shared_context(), trust_input=True)
        except StablehloError:
            continue
        outline = Outline(text)
        for token in outline.tokens:
            if token.kind in ("value", "block"):
                definition = outline.definition(token)
                assert definition is not None, (token, text)
                assert definition.token.name == token.name
                checked += 1
    assert checked > 10 * count


@pytest.mark.parametrize("count", [12, later(60)])
def test_a_program_on_one_line_has_the_same_outline(count):
    def described(outline):
        return [
            (
                op.name,
                op.parent and op.parent.name,
                [(one.token.text, len(one.uses)) for one in op.results + op.arguments],
            )
            for op in outline.all_statements()
        ]

    compared = 0
    for text in sampled(count):
        try:
            printed = str(parse(text, context=shared_context(), trust_input=True))
        except StablehloError:
            continue
        if re.search(r"\n *\^.*// .*pred", printed):
            continue  # a label begins a line
        expected = described(Outline(printed))
        assert described(Outline(" ".join(printed.split("\n")))) == expected, printed
        compared += len(expected)
    assert compared > 3 * count


def test_names_belong_to_the_region_around_them():
    outline = Outline(PROGRAM)
    by_name = {one.token.text: one for one in outline.definitions}
    main, other = outline.statements
    assert (main.name, main.symbol.token.text) == ("func.func", "@main")
    assert [use.text for use in by_name["%zero"].uses] == ["%zero"] * 3
    assert [use.text for use in by_name["%parts"].uses] == ["%parts#1"]
    assert by_name["@other"].statement is other
    assert len(by_name["@other"].uses) == 1
    assert len(by_name["!pair"].uses) == 1
    assert [argument.type for argument in main.arguments] == ["tensor<4xf32>", "!pair"]
    loop = by_name["%parts"].statement
    assert [argument.token.text for argument in loop.arguments] == ["%i", "%sum"]
    assert [child.name for child in loop.children] == ["stablehlo.compare", "stablehlo.return", "stablehlo.return"]
    inside = PROGRAM.index("%added = ")
    assert {one.token.text for one in outline.visible_at(inside)} >= {"%a", "%b", "%x", "%zero", "%parts", "%total"}
    assert "%i" not in {one.token.text for one in outline.visible_at(inside)}
    assert outline.statement_at(inside + 12).name == "stablehlo.add"


@pytest.mark.parametrize("stray", [")", "]", ">", ")]", "} }"])
def test_a_bracket_that_nothing_opens_closes_nothing_of_another_kind(stray):
    text = f"""func.func @f(%x: tensor<f32>) -> tensor<f32> {{
      %a = stablehlo.abs %x : tensor<f32> {stray if "}" not in stray else ""}
      %b = stablehlo.negate %a : tensor<f32>
      return %b : tensor<f32>
    }} {stray if "}" in stray else ""}
    func.func @g(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}"""
    outline = Outline(text)
    assert [one.name for one in outline.statements] == ["func.func", "func.func"]
    uses = [(one.token.text, len(one.uses)) for one in outline.definitions if one.token.text.startswith("%")]
    assert uses == [("%x", 1), ("%a", 1), ("%b", 1), ("%x", 1)]


@pytest.mark.parametrize("seed", range(30))
def test_any_text_has_an_outline_and_a_layout(seed):
    generator = random.Random(seed)
    text = PROGRAM
    for _ in range(generator.randint(1, 6)):
        start = generator.randrange(len(text))
        text = text[:start] + generator.choice(["", "{", "}", ")", "(", '"', "%", "\n", "}}}"]) + text[start + 3 :]
    outline = Outline(text)
    assert "".join(token.text for token in outline.tokens).split() == "".join(text.split()).split() or '"' in text
    for statement in outline.all_statements():
        assert statement.start <= statement.token.start < statement.end <= len(text)
    once = laid_out(text)
    assert laid_out(once) == once
    assert once.split() == text.split()


def test_the_layout_changes_no_program():
    texts = sampled(20)
    assert len(texts) >= 20
    for text in texts:
        once = laid_out(text)
        assert laid_out(once) == once
        assert once.split() == text.split()


def test_long_and_deep_texts_take_linear_time():
    chain = "func.func @main(%v0: tensor<f32>) {\n" + "".join(
        f"  %v{n + 1} = stablehlo.add %v{n}, %v{n} : tensor<f32>\n" for n in range(10_000)
    )
    assert len(Outline(chain).definitions) == 10_002
    nest = "".join(f'"stablehlo.case"(%v{n}) ({{\n' for n in range(1_000))
    assert sum(1 for _ in Outline(nest).all_statements()) == 1_000
    assert laid_out(nest).splitlines()[-1].startswith(" " * 1_998)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%sum", "%s"),
        ("\n", "\n\n"),
        ("}", ""),
        ("%", "// %"),
        ('"', ""),
        ("add", "add add\n add"),
        ("", "x"),
        ("f", ""),
    ],
)
def test_the_outline_after_a_change_is_that_of_the_new_text(old: str, new: str) -> None:
    text = 'func.func @f(%x: tensor<i32>) {\n  %sum = stablehlo.add %x, %x : tensor<i32> loc("a")\n  return\n}'
    for count in (1, 2, -1):
        after = text.replace(old, new, count)
        assert Outline(after, Outline(text)).tokens == Outline(after).tokens
        assert Outline(text, Outline(after)).tokens == Outline(text).tokens


@pytest.mark.parametrize(
    ("before", "after", "ends"),
    [
        ([1, 2, 3], [1, 2, 3], (3, 0)),
        ([1, 2, 3], [1, 9, 3], (1, 1)),
        ([1, 1, 1], [1, 1], (2, 0)),
        ([], [5], (0, 0)),
        ([1, 2], [3, 1, 2], (0, 2)),
        ("aXbc", "aYYbc", (1, 2)),
    ],
)
def test_what_two_sequences_share_at_their_ends(before, after, ends) -> None:
    assert common_ends(before, after) == ends


@pytest.mark.parametrize("end", ["", " {a.b = {c = 1}}", " loc(#l)", ' loc("é🙂":1:2)', " {a} loc(#l)", "\n"])
@pytest.mark.parametrize(
    "type_",
    [
        "tensor<4xf32>",
        "tensor < 4xf32 >",
        "(tensor<2xf32>, i1) -> f32",
        "tuple<tensor<2xf32>, i1>",
        "!alias",
        "tensor<?xf32, #stablehlo.bounds<3>>",
        "!quant.uniform<i8:f32, 2.0:15>",
        "",
    ],
)
def test_the_type_of_an_argument_ends_where_something_else_begins(type_: str, end: str) -> None:
    for text in (
        f"func.func @f(%é: i7, %x: {type_}{end}, %y: i1) {{\n  return\n}}\n",
        f"func.func @f(%é: i7, %x: {type_}{end}",  # somebody types
    ):
        outline = Outline(text)
        found = {one.token.text: one.type for one in outline.definitions if one.kind == "argument"}
        assert found["%x"] == type_, text
        assert found.get("%y", "i1") == "i1"


@pytest.mark.parametrize(("count", "index"), [("2", 2), ("0", 0), ("2.5", 1), ("1e3", 1), ("007", 7)])
def test_a_number_of_results_that_is_no_integer_counts_as_one(count: str, index: int) -> None:
    outline = Outline(f"%a:{count}, %b = d.op %c")
    assert [(one.token.text, one.index) for one in outline.definitions] == [("%a", 0), ("%b", index)]
