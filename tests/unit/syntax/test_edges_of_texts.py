"""Layouts, tokens, locations and long texts: exact outputs for small texts, and what comes out a second time."""

from __future__ import annotations

import pytest

from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import ParseError, StablehloError
from stablehlo_py.syntax import Source, expansion, parse
from stablehlo_py.syntax.expansion import excess, long_number
from stablehlo_py.syntax.layout import laid_out
from stablehlo_py.syntax.parser import parse_source
from stablehlo_py.syntax.positions import positions_in_text
from stablehlo_py.syntax.printer import Printing, loses_types, print_text, readable_text
from stablehlo_py.syntax.scanner import LineIndex
from stablehlo_py.syntax.tokens import Token, tokens, without_locations
from stablehlo_py.syntax.top_level import require_module, without_implicit_module


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" \n\n", ""),
        ("func.func @f() {\nreturn\n}", "func.func @f() {\n  return\n}\n"),
        ("  func.func @f() {\n      return  \n }\n\n\n", "func.func @f() {\n  return\n}\n"),
        ("module {\nfunc.func @f() {\nreturn\n}\n}", "module {\n  func.func @f() {\n    return\n  }\n}\n"),
        # What continues an op moves with it.
        (
            "func.func @f() {\n%0 = d.op %a,\n  %b :\n      f32\nreturn\n}",
            "func.func @f() {\n  %0 = d.op %a,\n    %b :\n        f32\n  return\n}\n",
        ),
        ("func.func @f() {\n// about\nreturn\n// end\n}", "func.func @f() {\n  // about\n  return\n  // end\n}\n"),
        ("func.func @f() {\n^bb0:\nreturn\n}", "func.func @f() {\n^bb0:\n  return\n}\n"),
        ("  !v = f32\n #m = a\nfunc.func private @f()", "!v = f32\n#m = a\nfunc.func private @f()\n"),
        (
            "d.op ({\nd.end\n}, {\nd.end\n}) : () -> ()\n",
            "d.op ({\n  d.end\n}, {\n  d.end\n}) : () -> ()\n",
        ),
        ("^bb0:\n    more", "^bb0:\n    more\n"),
        ("  ^bb0:\n    more\n      and", "^bb0:\n  more\n    and\n"),
        ("func.func @f() {\n\n\nreturn\n\n}", "func.func @f() {\n\n\n  return\n\n}\n"),
        ("}\n}\nfunc.func @f() {\nreturn", "}\n}\nfunc.func @f() {\n  return\n"),
        ('func.func @f() {\nd.op "{" {a = "}"}\nreturn\n}', 'func.func @f() {\n  d.op "{" {a = "}"}\n  return\n}\n'),
    ],
)
def test_the_layout_of_a_text(text: str, expected: str) -> None:
    assert laid_out(text) == expected
    assert laid_out(expected) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('%a#1 = "d.op" // é', [("value", "%a#1"), ("mark", "="), ("string", '"d.op"'), ("comment", "// é")]),
        ("^bb0-1(%x.y: f32)", [("block", "^bb0-1"), ("mark", "("), ("value", "%x.y"), ("mark", ":"), ("word", "f32"),
                              ("mark", ")")]),
        ('@a @"b c" @', [("symbol", "@a"), ("symbol", '@"b c"'), ("symbol", "@")]),
        ("!quant.any #map", [("type", "!quant.any"), ("attribute", "#map")]),
        ("-1 1.5e-3 2x3", [("number", "-1"), ("number", "1.5e-3"), ("number", "2"), ("word", "x3")]),
        ("a.b -> c", [("word", "a.b"), ("mark", "->"), ("word", "c")]),
        ('"open', [("string", '"open')]),
        ("", []),
        ("é", [("mark", "é")]),
    ],
)  # fmt: skip
def test_the_tokens_of_a_text(text: str, expected: list[tuple[str, str]]) -> None:
    found = list(tokens(text))
    assert [(token.kind, token.text) for token in found] == expected
    for token in found:
        assert text[token.start : token.end] == token.text
    assert Token("value", "%0#1", 0, 4).name == "%0"
    assert Token("string", "a#1", 0, 3).name == "a#1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("d.op loc(#loc1)", "d.op           "),
        ('d.op loc("a"("f.py":1:2)) : f32', "d.op                      : f32"),
        ("#loc1 = loc(\n  unknown)\nd.op", "            \n          \nd.op"),
        ('d.op {a = "loc(x)"} // loc(y)', 'd.op {a = "loc(x)"} // loc(y)'),
        ('d.op loc("a)") x', "d.op           x"),
        ("(%x: f32 loc(#a), %y: f32 loc(#b))", "(%x: f32        , %y: f32        )"),
        ("alloc(x) my.loc_(y)", "alloc(x) my.loc_(y)"),
        ("d.op loc(open", "d.op loc(open"),
        ("// see loc(\nd.op loc(#a)\n// )", "// see loc(\nd.op        \n// )"),
        ("d.op loc(#a // )\n) x", f"d.op {' ' * 11}\n  x"),
        ('{a = "loc("} loc(#a)', '{a = "loc("}        '),
        ('d.op loc("a\\")"(#b)) x', f"d.op {' ' * 15} x"),
        ('loc(fused<"x">[loc(#a), #b]) z', " " * 29 + "z"),
        ("", ""),
    ],
)
def test_blanks_stand_in_the_place_of_locations(text: str, expected: str) -> None:
    found = without_locations(text.encode()).decode()
    assert found == expected
    assert len(found) == len(text)
    assert without_locations(found.encode()).decode() == found


@pytest.mark.parametrize(
    ("text", "digits", "expected"),
    [
        (b"", 3, None),
        (b"12", 3, None),
        (b"123", 3, 0),
        (b"1234", 3, 0),
        (b"a 123", 3, 2),
        (b"a123", 3, None),
        (b'"123"', 3, None),
        (b"x12 1234", 3, 4),
        (b"12 34 56 789", 3, 9),
        (b"-123", 3, 1),
        (b"12345 6", 5, 0),
    ],
)
def test_the_first_long_number(text: bytes, digits: int, expected: int | None) -> None:
    assert long_number(text, digits) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", None),
        (b"!a = tuple<f32>\n!b = tuple<!a, !a>", None),
        (
            b"!a = tuple<f32, f32>\n!b = tuple<!a, !a>\n!c = tuple<!b, !b, !b>",
            (40, "'!c' stands for more than 90 characters"),
        ),
        (
            b"x\n  !a = tuple<f32, f32>\n !b = tuple<!a, !a>\n\t!c = tuple<!b, !b, !b>",
            (46, "'!c' stands for more than 90 characters"),
        ),
        (b"#loc = loc(callsite(#a at #a at #a))", None),  # locations are printed by their aliases
        (b"12345678", (0, "a number of more than 8 digits")),
        (b"!a = " + b"x" * 91, (0, "'!a' stands for more than 90 characters")),
        (b"!a = " + b"x" * 89, None),  # with the blank in front of it
        (b" #a=[" + b"x" * 90, (1, "'#a' stands for more than 90 characters")),
    ],
)
def test_texts_that_say_too_much(
    text: bytes, expected: tuple[int, str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expansion, "_LONGEST_ALIAS", 90)
    monkeypatch.setattr(expansion, "_TIMES_THE_TEXT", 0)
    monkeypatch.setattr(expansion, "_MOST_DIGITS", 8)
    assert excess(text) == expected
    monkeypatch.setattr(expansion, "_TIMES_THE_TEXT", 100)
    assert (excess(text) is None) == (not text.isdigit())


@pytest.mark.parametrize("padding", [0, 300_000, 600_000])
def test_an_alias_stands_for_four_million_characters_or_sixteen_times_the_text(padding: int) -> None:
    size = 250_000 + padding
    most = max(1 << 22, 16 * size)
    first, uses = f"#a ={'x' * 100_000}\n", most // 100_002
    for over in (-2000, -1, 0, 1, 2000):
        body = "#a" * uses
        body += " ".ljust(most + over - len(body) - 100_000 * uses, "x")
        text = f"{first}#b ={body}\n//".ljust(size, "x")
        assert len(text) == size
        said = (len(first), f"'#b' stands for more than {most} characters")
        assert excess(text.encode()) == (said if over > 0 else None), over


FUNCTION = "func.func @f() {\n  return\n}\n"


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("module {}", "builtin.module", None),
        (f"module @m {{ {FUNCTION} }}", "builtin.module", None),
        (FUNCTION, "func.func", None),
        (FUNCTION + FUNCTION.replace("@f", "@g"), None, "source must contain a single top-level operation, found: 2"),
        ("// nothing", None, "source must contain a single top-level operation, found: 0"),
    ],
)
def test_programs_without_a_module_around_them(text: str, name: str | None, message: str | None) -> None:
    source = Source("a", text.encode())
    module = parse_source(source, make_context())
    if message is None:
        assert without_implicit_module(module, source).operation.name == name
    else:
        with pytest.raises(ParseError, match=f"a:1:1: error: {message}"):
            without_implicit_module(module, source)
    if name == "builtin.module":
        require_module(module, source)
    else:
        found = "nothing" if "nothing" in text else "'func.func'"
        with pytest.raises(ParseError, match=f"a:1:1: error: expected a 'builtin.module' op, found {found}"):
            require_module(module, source)


def test_the_first_op_is_named_where_a_module_is_wanted() -> None:
    for text, name in (
        ("module @a {} func.func private @f()", "builtin.module"),
        ("func.func private @f() module {}", "func.func"),
    ):
        source = Source("a", text.encode())
        module = parse_source(source, make_context())
        with pytest.raises(ParseError, match=f"a:1:1: error: expected a 'builtin.module' op, found '{name}'"):
            require_module(module, source)
        with pytest.raises(
            ParseError, match="a:1:1: error: source must contain a single top-level operation, found: 2"
        ):
            without_implicit_module(module, source)


def test_positions_are_those_in_the_text() -> None:
    text = (
        'func.func @f() {\n  return loc("x.py":7:7)\n} loc(#loc)\nfunc.func private @g()\nmodule {}\n'
        '#loc = loc("y.py":1:1)\n'
    )
    assert positions_in_text(Source("a", text.encode()), make_context()) == {
        ("f", 0): ("func.func", "a:1:1"),
        ("f", 1): ("func.return", "a:2:3"),
        ("g", 0): ("func.func", "a:4:1"),
    }
    with pytest.raises(StablehloError):
        positions_in_text(Source("a", b"func.func @f("), make_context())


SLICE = """func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.dynamic_slice"(%x) <{slice_sizes = array<i64>}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
PARTS = """func.func @f(%x: tensor<3x3xf32>, %y: tensor<3xf32>, %i: tensor<i32>) {{
  %0 = stablehlo.dynamic_slice %y, %i, sizes = [1] : (tensor<3xf32>, tensor<i32>) -> tensor<1xf32>
  %1 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2]
    : (tensor<3x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %2 = stablehlo.constant dense<0.0> : tensor<{}f32>
  return
}}
"""
LOOP = """func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%y: tensor<COND>):
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%y: tensor<BODY>):
    stablehlo.return %y : tensor<BODY>
  }) : (tensor<?xf32>) -> tensor<RESULT>
  return %x : tensor<?xf32>
}
"""


@pytest.mark.parametrize(
    ("text", "is_generic", "loses"),
    [
        (FUNCTION, False, False),
        (SLICE, True, False),
        (PARTS.format("1x"), False, False),
        (PARTS.format("1x2x"), False, False),
        (LOOP.replace("COND", "?xf32").replace("BODY", "?xf32").replace("RESULT", "?xf32"), False, False),
        (LOOP.replace("COND", "4xf32").replace("BODY", "?xf32").replace("RESULT", "?xf32"), True, True),
        (LOOP.replace("COND", "?xf32").replace("BODY", "4xf32").replace("RESULT", "?xf32"), True, True),
        (LOOP.replace("COND", "?xf32").replace("BODY", "?xf32").replace("RESULT", "4xf32"), True, True),
    ],
)
def test_a_program_that_cannot_be_read_again_is_written_in_generic_form(
    text: str, is_generic: bool, loses: bool
) -> None:
    module = parse(text)
    pretty, generic = print_text(module), print_text(module, Printing(print_generic_op_form=True))
    assert readable_text(module) == (generic if is_generic else pretty)
    assert loses_types(module, pretty) == loses
    assert not loses_types(module, generic)
    assert print_text(parse(readable_text(module))) == pretty
    inner = next(op for op in operations(module.operation) if op.name == "func.func")
    assert ('"func.func"' in readable_text(inner)) == is_generic


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("func.func private @f()\ncheck.unknown %a\n", "2:1"),
        ("check.unknown %a", "1:1"),
        ("\n\n   check.expect_eq %a\n", "4:1"),
        ("func.func private @f()\n  func.func private @g(!new.t)\ncheck.expect_eq %a, %b : i1", "2:24"),
        ("  " + "9" * 4001, "1:3"),
        ("#a = [1]\n func.func private @f() attributes {a = " + "9" * 4001 + "}", "2:41"),
    ],
)  # fmt: skip
def test_what_a_text_cannot_have_is_told_at_its_line_and_column(text: str, place: str) -> None:
    with pytest.raises(StablehloError) as raised:
        parse(text, source_name="a.mlir", trust_input=True)
    assert raised.value.diagnostics[0].location == f"a.mlir:{place}"


def test_positions_of_a_text_and_offsets() -> None:
    text = "ab\n\nc"
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        line, column = index.position(offset)
        assert (line, column) == (text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
        assert index.offset(line, column) == offset
    found = {place: index.offset(*place) for place in ((0, 1), (4, 1), (3, 2), (3, 3), (3, 99), (1, 4))}
    assert found == {(0, 1): None, (4, 1): None, (3, 2): 5, (3, 3): 5, (3, 99): 5, (1, 4): 3}
