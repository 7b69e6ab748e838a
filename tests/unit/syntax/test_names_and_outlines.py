"""Exact outlines of texts, lines around columns, and programs printed with names that say who uses them."""

from __future__ import annotations

from typing import Any

import pytest
from installed import needs

from stablehlo_py.syntax import Printing, parse
from stablehlo_py.syntax.outline import Outline, Statement
from stablehlo_py.syntax.source import Source, printable_name
from stablehlo_py.syntax.value_names import print_with_names

TEXT = """#map = affine
!v = tensor<4xf32>
module @m attributes {a = 1} {
  func.func @f(%x: !v {tf.a = "b"}, %y: tensor<2xf32> loc("y")) -> !v attributes {b} {
    %a, %b:2 = "d.op"(%x, %y) <{k = #map}> ({
    ^bb0(%p: tensor<i1>, %q: (f32) -> f32):
      d.end %p, %a#0 : tensor<i1>
    ^bb1:
      d.br ^bb0
    }, {
      %p = d.other %x, %later : !v
    }) : (!v) -> !v
    %later = d.while(%i = %x, %j = %b#1) : !v do { d.end %i : !v }
    return %later : !v
  }
  call @f(%x) : () -> ()
  sdy.mesh @mesh = <["x"=2]>
}
// -----
func.func private @g(!v)
func.func @h(%x: tensor<"""


def tree(statement: Statement) -> tuple[Any, ...]:
    """The name of an op, its last words, its results and arguments, its symbol, and the ops in it."""
    return (
        statement.name,
        TEXT[statement.start : statement.end].split()[-1],
        [(one.token.text, one.index) for one in statement.results],
        [(one.token.text, one.index, one.type) for one in statement.arguments],
        statement.symbol.token.text if statement.symbol else None,
        [tree(child) for child in statement.children],
    )


def test_the_tree_of_a_text() -> None:
    inner = [
        ("d.end", "tensor<i1>", [], [], None, []),
        ("d.br", "^bb0", [], [], None, []),
        ("d.other", "!v", [("%p", 0)], [], None, []),
    ]
    body = [
        ("d.op", "!v", [("%a", 0), ("%b", 1)], [("%p", 0, "tensor<i1>"), ("%q", 1, "(f32) -> f32")], None, inner),
        ("d.while", "}", [("%later", 0)], [("%i", 0, ""), ("%j", 1, "")], None, [("d.end", "!v", [], [], None, [])]),
        ("return", "!v", [], [], None, []),
    ]
    ops = [
        ("func.func", "}", [], [("%x", 0, "!v"), ("%y", 1, "tensor<2xf32>")], "@f", body),
        ("call", "()", [], [], None, []),
        ("sdy.mesh", '<["x"=2]>', [], [], "@mesh", []),
    ]
    assert [tree(statement) for statement in Outline(TEXT).statements] == [
        ("module", "}", [], [], "@m", ops),
        ("func.func", "@g(!v)", [], [], "@g", []),
        ("func.func", "tensor<", [], [("%x", 0, "tensor<")], "@h", []),
    ]


def test_the_definitions_of_a_text_with_their_uses() -> None:
    outline = Outline(TEXT)
    found = [
        (one.token.text, one.kind, one.statement.name if one.statement else None, len(one.uses))
        for one in outline.definitions
    ]
    assert found == [
        ("#map", "alias", None, 1),
        ("!v", "alias", None, 8),
        ("@m", "symbol", "module", 0),
        ("@f", "symbol", "func.func", 1),
        ("%x", "argument", "func.func", 3),  # not that of the call, which is outside of the function
        ("%y", "argument", "func.func", 1),
        ("%a", "result", "d.op", 1),
        ("%b", "result", "d.op", 1),
        ("^bb0", "block", "d.op", 1),
        ("%p", "argument", "d.op", 1),
        ("%q", "argument", "d.op", 0),
        ("^bb1", "block", "d.op", 0),
        ("%p", "result", "d.other", 0),
        ("%later", "result", "d.while", 2),
        ("%i", "argument", "d.while", 1),
        ("%j", "argument", "d.while", 0),
        ("@mesh", "symbol", "sdy.mesh", 0),
        ("@g", "symbol", "func.func", 0),
        ("@h", "symbol", "func.func", 0),
        ("%x", "argument", "func.func", 0),
    ]
    for one in outline.definitions:
        for token in (one.token, *one.uses):
            assert outline.definition(token) is one
            assert token.text.partition("#")[0] == one.token.text or token.text[0] == "#"
            assert TEXT[token.start : token.end] == token.text
    assert [TEXT[offset:].split("(")[0].split()[0] for offset in sorted(outline.op_names)] == [
        *("module", "func.func", '"d.op"', "d.end", "d.br", "d.other", "d.while", "d.end", "return", "call"),
        *("sdy.mesh", "func.func", "func.func"),
    ]


@pytest.mark.parametrize(
    ("place", "op", "visible"),
    [
        ("d.end %p", "d.end", ["^bb0", "%p", "%q", "%a", "%b", "%x", "%y"]),
        ("d.br", "d.br", ["^bb0", "%p", "%q", "^bb1", "%a", "%b", "%x", "%y"]),
        ("%p = d.other", "d.other", ["%a", "%b", "%x", "%y"]),
        ("%later = d.w", "d.while", ["%a", "%b", "%x", "%y"]),
        ("do { ", "d.while", ["%i", "%j", "%a", "%b", "%later", "%x", "%y"]),
        ("return %l", "return", ["%a", "%b", "%later", "%x", "%y"]),
        ("call @f", "call", []),
        ("private", "func.func", []),
        ("#map", None, []),
        ("// -----", None, []),
    ],
)
def test_what_is_visible_at_a_place(place: str, op: str | None, visible: list[str]) -> None:
    outline = Outline(TEXT)
    offset = TEXT.index(place)
    assert [one.token.text for one in outline.visible_at(offset)] == visible
    statement = outline.statement_at(offset)
    assert (statement.name if statement else None) == op


@pytest.mark.parametrize(
    ("text", "offset", "found"),
    [
        ("", 0, None),
        ("ab", 0, "ab"),
        ("ab", 2, "ab"),
        ("ab", 3, None),
        ("ab cd", 2, "ab"),
        ("ab cd", 3, "cd"),
        ("ab  cd", 3, None),
        ("ab(cd", 2, "ab"),  # a word counts for more than a mark behind it
        ("ab(cd", 3, "cd"),
        ("ab((cd", 3, "("),
        ("(ab", 0, "("),
        (" ab", 0, None),
    ],
)
def test_the_token_at_an_offset(text: str, offset: int, found: str | None) -> None:
    token = Outline(text).token_at(offset)
    assert (token.text if token else None) == found


def test_tokens_of_a_part_and_a_text_without_cycles() -> None:
    outline = Outline("ab cd\nef")
    for span, words in (
        ((0, 8), ["ab", "cd", "ef"]), ((1, 6), ["cd"]), ((0, 3), ["ab"]), ((3, 3), []), ((3, 4), ["cd"]),
    ):  # fmt: skip
        assert [one.text for one in outline.tokens_between(*span)] == words
    outline = Outline(TEXT)
    outline.break_cycles()
    assert not any(one.parent for one in outline.all_statements())
    assert not any(one.statement for one in outline.definitions)


@pytest.mark.parametrize(
    ("line", "column", "window", "expected"),
    [
        ("abc", 1, 5, ("abc", 0)),
        ("abc", 3, 5, ("abc", 2)),
        ("abc", 0, 5, ("abc", 0)),
        ("abc", 9, 5, ("abc", 8)),
        ("abcdefghi", 5, 3, ("abcdefghi", 4)),
        ("abcdefghij", 5, 3, ("...bcdefg...", 6)),
        ("abcdefghij", 1, 3, ("abc...", 0)),
        ("abcdefghij", 4, 3, ("abcdef...", 3)),
        ("abcdefghij", 8, 3, ("...efghij", 6)),
        ("abcdefghij", 10, 3, ("...ghij", 6)),
        ("éééééééééé", 8, 3, ("...ééé...", 6)),  # the window is of bytes
        ("éééééééééé", 9, 3, ("...éé...", 6)),  # a half character is left out
        ("a\tb\r", 2, 5, ("a\tb", 1)),
        ("a\x00b", 2, 5, None),
        ("abcdefgh\x00ijklm", 2, 3, ("abcd...", 1)),
        ("abcdefgh\x00ijklm", 9, 3, None),
    ],
)
def test_a_line_around_a_column(line: str, column: int, window: int, expected: tuple[str, int] | None) -> None:
    source = Source("a", f"first\n{line}\nlast".encode())
    assert source.line_around(2, column, window) == expected
    assert source.line(1) == "first"
    for number in (0, 4, -1):
        assert source.line(number) is None
        assert source.line_around(number, column, window) is None
    assert source.line_around(3, 1, 9) == ("last", 0)


def test_lines_that_cannot_be_shown() -> None:
    source = Source("a", b"\xff\na\x07\nb\t\r\n\xef\xbf\xbd\n")
    assert [source.line(number) for number in range(1, 6)] == [None, None, "b\t", None, ""]
    assert source.lines == [b"\xff", b"a\x07", b"b\t\r", b"\xef\xbf\xbd", b""]
    assert printable_name(b"a\xffb".decode("utf-8", "surrogateescape")) == "a\\xffb"
    assert printable_name("é") == "é"


PROGRAM = """func.func @main(%x: tensor<i32> loc("x"), %u: tensor<i1>) -> (tensor<i32>, tensor<i32>) {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %x, %y = %c) : tensor<i32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %c : tensor<i32> loc("sum"("m.py":1:2))
    stablehlo.return %j, %y : tensor<i32>, tensor<i32>
  }
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %z = stablehlo.negate %0#0 : tensor<i32>
  return %0#0, %0#1 : tensor<i32>, tensor<i32>
}
func.func @f(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %n = stablehlo.negate %x : tensor<i32>
  return %n : tensor<i32>
}
"""
# In a region of its own a number begins again.
USERS = """module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<i1>) -> (tensor<i32>, tensor<i32>) {
    // %arg0 is used by %3#0, %3#1
    // %arg1 is unused
    %c = stablehlo.constant dense<3> : tensor<i32> // users: %6, %6, %3#0, %3#1
    %3:2 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c) : tensor<i32>, tensor<i32>
    cond {
      // %iterArg is used by %6
      // %iterArg_1 is unused
      %6 = stablehlo.compare LT, %iterArg, %c : (tensor<i32>, tensor<i32>) -> tensor<i1> // user: %7
      stablehlo.return %6 : tensor<i1> // id: %7
    } do {
      // %iterArg is used by %6
      // %iterArg_1 is used by %7
      %6 = stablehlo.add %iterArg, %c : tensor<i32> // user: %7
      stablehlo.return %6, %iterArg_1 : tensor<i32>, tensor<i32> // id: %7
    } // users: (%5, %4), (%5)
    %c_0 = stablehlo.constant dense<3> : tensor<i32> // unused
    %4 = stablehlo.negate %3#0 : tensor<i32> // unused
    return %3#0, %3#1 : tensor<i32>, tensor<i32> // id: %5
  }
  func.func @f(%arg0: tensor<i32>) -> tensor<i32> {
    // %arg0 is used by %3
    %c = stablehlo.constant dense<3> : tensor<i32> // unused
    %3 = stablehlo.negate %arg0 : tensor<i32> // user: %4
    return %3 : tensor<i32> // id: %4
  }
}
"""
UNIQUE = """module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<i1>) -> (tensor<i32>, tensor<i32>) {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %c) : tensor<i32>, tensor<i32>
    cond {
      %2 = stablehlo.compare LT, %iterArg, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %3 = stablehlo.add %iterArg, %c : tensor<i32>
      stablehlo.return %3, %iterArg_2 : tensor<i32>, tensor<i32>
    }
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.negate %0#0 : tensor<i32>
    return %0#0, %0#1 : tensor<i32>, tensor<i32>
  }
  func.func @f(%arg2: tensor<i32>) -> tensor<i32> {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %4 = stablehlo.negate %arg2 : tensor<i32>
    return %4 : tensor<i32>
  }
}
"""


@needs("location-setters")
def test_a_program_is_printed_with_who_uses_what() -> None:
    module = parse(PROGRAM)
    before = module.operation.get_asm(enable_debug_info=True)
    assert print_with_names(module.operation, Printing(), unique=False, users=True) == USERS
    assert print_with_names(module.operation, Printing(), unique=True, users=False) == UNIQUE
    assert module.operation.get_asm(enable_debug_info=True) == before
    both = print_with_names(module.operation, Printing(), unique=True, users=True).splitlines()
    assert both[12:14] == ["      // %iterArg is used by %8", "      // %iterArg_2 is used by %9"]
    located = print_with_names(
        module.operation, Printing(enable_debug_info=True, use_local_scope=True), unique=False, users=True
    )
    assert '%6 = stablehlo.add %iterArg, %c : tensor<i32> loc("sum"("m.py":1:2)) // user: %7\n' in located
    assert '@main(%arg0: tensor<i32> loc("x"), ' in located
    generic = print_with_names(module.operation, Printing(print_generic_op_form=True), unique=False, users=True)
    assert "  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i1>):\n    // %arg0 is used by %3#0, %3#1\n" in generic
    assert '"stablehlo.return"(%6, %iterArg_1) : (tensor<i32>, tensor<i32>) -> () // id: %7\n' in generic


@needs("location-setters")
def test_a_function_alone_is_printed_without_a_last_line_break() -> None:
    module = parse(PROGRAM)
    text = print_with_names(module.body.operations[1].operation, Printing(), unique=True, users=False)
    lines = [line[2:] for line in UNIQUE.splitlines()[15:20]]
    assert text.splitlines() == [line.replace("%arg2", "%arg0").replace("%4", "%0") for line in lines]
    assert not text.endswith("\n")


@needs("location-setters")
def test_who_uses_an_argument_stands_above_the_whole_of_the_first_op() -> None:
    """The first op of a function has regions, whose first ops begin two lines below it."""
    module = parse("""func.func @main(%x: tensor<i32>, %p: tensor<i1>) -> tensor<i32> {
      %0 = stablehlo.while(%i = %x) : tensor<i32>
      cond { stablehlo.return %p : tensor<i1>
      } do { stablehlo.return %i : tensor<i32> }
      return %0 : tensor<i32>
    }""")
    text = print_with_names(module.operation, Printing(), unique=True, users=True)
    assert text.splitlines()[2:7] == [
        "    // %arg0 is used by %2",
        "    // %arg1 is used by %4",
        "    %2 = stablehlo.while(%iterArg = %arg0) : tensor<i32>",
        "    cond {",
        "      // %iterArg is unused",
    ], text
