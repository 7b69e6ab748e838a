"""The outline of a text at each of its offsets, by a slow definition, by the parser, and by single rules."""

from __future__ import annotations

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import blocks, children
from stablehlo_py.syntax.outline import Definition, NameScope, Outline, Statement

TEXT = """#map = loc("a")
!pair = tuple<tensor<f32>, tensor<f32>>
module @whole attributes {sdy.x = @outside} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xf32>, %i: tensor<i1>, %p: !pair) -> (tensor<4xf32>, tensor<f32>) attributes {a = @f} {
    %a:2 = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %b, %c:2, %d = "test.several"(%a#0, %a#1) {callee = @f, text = "@none"} : (tensor<4xf32>, tensor<4xf32>)
      -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
    %e = "stablehlo.if"(%i) ({
      %inner = stablehlo.negate %b : tensor<f32>
      stablehlo.return %inner : tensor<f32>
    }, {
      %inner = stablehlo.abs %c#1 : tensor<f32>
      stablehlo.return %inner : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    cf.br ^next(%e : tensor<f32>)
  ^next(%n: tensor<f32>):
    return %x, %n : tensor<4xf32>, tensor<f32>
  }
  func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
}
func.func @last() { return }
"""


def by_definition(outline: Outline, offset: int) -> Statement | None:
    """The op that begins last of those that an offset is in, and that lie in each other."""
    level, found = outline.statements, None
    while level:
        inside = [one for one in level if one.start <= offset]
        if not inside or offset > inside[-1].end:
            return found
        found, level = inside[-1], inside[-1].children
    return found


def test_a_text_that_ends_with_a_name_has_what_surrounds_it() -> None:
    whole = Outline(TEXT)
    written = [one for one in whole.all_statements() if one.token.text == one.name]
    assert len(written) > 9
    for statement in written:  # a string is a name where a parenthesis follows
        start, end = statement.token.start, statement.token.end
        cut = Outline(TEXT[:end])
        seen, wanted = [[(each.token.text, each.token.start) for each in one.visible_at(start)] for one in (cut, whole)]
        assert seen == wanted, TEXT[:end]
        found, parent = cut.statement_at(start), statement.parent
        while parent is not None:
            assert found is not None
            found = found.parent
            assert found is not None
            assert (found.name, found.end) == (parent.name, end), TEXT[:end]
            parent = parent.parent


def test_the_op_at_each_offset_is_the_innermost_one_around_it() -> None:
    outline = Outline(TEXT)
    for offset in range(-1, len(TEXT) + 2):
        assert outline.statement_at(offset) is by_definition(outline, offset), TEXT[max(offset, 0) :][:20]
    for statement in outline.all_statements():
        assert outline.statement_at(statement.start) is statement
        at_end = outline.statement_at(statement.end)
        assert at_end is statement or (at_end is not None and at_end.start == statement.end)
        behind = outline.statement_at(statement.end + 1)
        assert behind is not statement
        assert TEXT[statement.token.start : statement.token.end].strip('"') == statement.name
        assert not statement.children or statement.children[-1].end <= statement.end


def test_ops_in_each_other_know_each_other() -> None:
    outline = Outline(TEXT)
    everything = list(outline.all_statements())
    assert [one.start for one in everything] == sorted(one.start for one in everything)
    assert [one.name for one in everything if one.parent is None] == ["module", "func.func"]
    for one in everything:
        siblings = outline.statements if one.parent is None else one.parent.children
        assert one in siblings
        assert all(child.parent is one for child in one.children)
    assert {everything.index(one): one.token.start for one in everything} == dict(enumerate(sorted(outline.op_names)))


def shown(definitions: list[Definition]) -> list[tuple[str, str, int]]:
    return [(each.kind, each.token.text, each.index) for each in definitions]


def test_results_and_arguments_are_counted() -> None:
    outline = Outline(TEXT)
    by_name = {one.name: one for one in outline.all_statements()}
    assert shown(by_name["test.several"].results) == [("result", "%b", 0), ("result", "%c", 1), ("result", "%d", 3)]
    assert shown(by_name["call"].results) == [("result", "%a", 0)]
    main = next(one for one in outline.all_statements() if one.symbol is not None and one.symbol.token.text == "@main")
    assert [(each.index, each.token.text, each.type) for each in main.arguments] == [
        (0, "%x", "tensor<4xf32>"), (1, "%i", "tensor<i1>"), (2, "%p", "!pair"), (3, "%n", "tensor<f32>"),
    ]  # fmt: skip
    assert all(each.statement is main for each in main.arguments)


def test_the_first_symbol_of_an_op_that_defines_one_is_its_own_and_others_are_uses() -> None:
    outline = Outline(TEXT)
    symbols = [each for each in outline.definitions if each.kind == "symbol"]
    assert [each.token.text for each in symbols] == ["@whole", "@mesh", "@main", "@f", "@last"]
    names = {each.token.text: each for each in symbols}
    assert len(names["@f"].uses) == 3, "an attribute, a call, and an attribute of another op"
    assert [TEXT[use.start : use.end] for use in names["@f"].uses] == ["@f"] * 3
    assert names["@main"].uses == names["@last"].uses == []
    assert all(one.symbol is names[one.symbol.token.text] for one in outline.all_statements() if one.symbol is not None)
    assert TEXT.index("@outside") not in outline.by_offset
    typed = Outline("func.func private @f(!test.type<@g>) -> !test.type<@f>\nfunc.func private @g()")
    assert [(each.token.text, len(each.uses)) for each in typed.definitions] == [("@f", 1), ("@g", 1)]
    assert TEXT.index('"@none"') not in outline.by_offset


def test_each_use_is_one_of_what_is_visible_there() -> None:
    outline = Outline(TEXT)
    uses = [(use, each) for each in outline.definitions for use in each.uses]
    assert len([use for use, each in uses if each.kind in ("result", "argument", "block")]) == 12
    for use, definition in uses:
        assert outline.definition(use) is definition
        if definition.kind in ("result", "argument"):
            assert definition in outline.visible_at(use.start), use
            assert definition.token.start < use.start
    negated, absolute = (each for each in outline.definitions if each.token.text == "%inner")
    assert (len(negated.uses), len(absolute.uses)) == (1, 1)
    assert negated not in outline.visible_at(absolute.uses[0].start)
    for definition in outline.definitions:
        if definition.kind in ("result", "argument"):
            visible = [outline.visible_at(definition.token.start + more) for more in (0, 1)]
            assert definition not in visible[0], "a name is visible behind its beginning"


def test_the_outline_has_the_tree_of_the_parsed_program() -> None:
    text = TEXT.replace("sdy.x = @outside", "").replace(" attributes {a = @f}", "")
    context = make_context(allow_unregistered_dialects=True)
    body = text[text.index("module") :].replace("!pair", "tuple<tensor<f32>, tensor<f32>>")
    parsed = ir.Module.parse(body, context)
    outline = Outline(body)

    def tree(op: ir.Operation) -> list[object]:
        arguments = sum(len(block.arguments) for block in blocks(op))
        has_body = any(len(block.operations) for block in blocks(op))
        own = (
            [arguments if has_body else len(op.attributes["function_type"].value.inputs)]
            if op.name == "func.func"
            else []
        )
        return [op.name.rpartition(".")[2], len(op.results) > 0, *own, *map(tree, children(op))]

    def written(one: Statement) -> list[object]:
        own = [len(one.arguments)] if one.name == "func.func" else []
        return [one.name.rpartition(".")[2], bool(one.results), *own, *map(written, one.children)]

    assert [written(one) for one in outline.statements] == [tree(op) for op in children(parsed.operation)]


@pytest.mark.parametrize("count", [1, 5, 10, 45])
def test_long_types_are_told_as_they_are_written(count: int) -> None:
    type_ = f"tuple<{', '.join(f'tensor<{number}x?xf32>' for number in range(count))}>"
    outline = Outline(f"func.func @f(%x: {type_}, %y: i32) {{\n  return\n}}\n")
    assert [each.type for each in outline.statements[0].arguments] == [type_, "i32"]


@pytest.mark.parametrize(
    ("line", "is_op"),
    [
        ('"test.op"() : () -> ()', True),
        ('"test"() : () -> ()', False),
        ('"test.op" () : () -> ()', True),
        ('"test.op"', False),
        ("test.op", True),
        ("test", False),
        ("return", True),
        ("%0 = test", True),
        ("test.op = 3", False),
        ('"test.op" = 3', False),
        ("%0 = %1", False),
        ("%0, = test.op", False),
        ("%0:2, %1 = test.op", True),
        ("%0:two = test.op", False),
        ("{test.op}", True),
    ],
)
def test_what_begins_a_statement(line: str, is_op: bool) -> None:
    found = [one.name for one in Outline(f"func.func @f() {{\n  {line}\n  return\n}}").all_statements()]
    assert len(found) == (3 if is_op else 2), found
    assert (found[0], found[-1]) == ("func.func", "return")


@pytest.mark.parametrize("more", range(10))
def test_a_bracket_closes_one_of_the_nearest_eight(more: int) -> None:
    """Somebody has yet to close the others; what is farther away is left open."""
    text = f"func.func @f() {{\n  test.first ({'[' * more} )\n  test.second\n}}"
    names = [one.name for one in Outline(text).all_statements()]
    assert names == ["func.func", "test.first", *(["test.second"] if more < 8 else [])]


def test_the_nearest_scope_with_a_name_has_it() -> None:
    outline = Outline("%x = test.a\n%y = test.b")
    first, second = outline.definitions
    outer = NameScope(names={"%x": first, "%y": first})
    inner = NameScope(NameScope(outer), {"%x": second})
    assert [inner.find(name) for name in ("%x", "%y", "%z")] == [second, first, None]
    assert outer.find("%x") is first


SHORT = ("{", "}", "(", ")", "[", "<", "->", ":", "=", ",", '"a.b"', '"f"', '"', "%0", "%0:2", "%0#1", "@f", "^b", "#m",
         "!t", "sym_name", "func.func", "return", "loc", "7", "// c", "// -----", "\n", "²")  # fmt: skip


def test_the_beginnings_of_all_texts_have_outlines() -> None:
    """Nothing stands before the first token and behind the last one."""
    texts = ["", *SHORT, *(f"{first} {second}" for first in SHORT for second in SHORT)]
    texts += [f"{first} = {third}" for first in SHORT for third in SHORT]
    for text in texts:
        outline = Outline(text)
        assert [text[token.start : token.end] for token in outline.tokens] == [token.text for token in outline.tokens]
        for statement in outline.all_statements():
            assert 0 <= statement.start <= statement.token.end <= statement.end <= len(text), (text, statement)
        for offset in range(len(text) + 1):
            assert by_definition(outline, offset) is outline.statement_at(offset), (text, offset)
            for definition in outline.visible_at(offset):
                assert definition.token.start < offset, (text, offset)
    for text in ('"f" sym_name =', '"f" = sym_name =', '"f"', '"f" sym_name'):
        assert Outline(text).definitions == [], text
    (symbol,) = Outline('sym_name = "f"').definitions
    assert (symbol.kind, symbol.token.text) == ("symbol", "@f")
