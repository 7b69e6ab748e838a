"""Proposals in full for each kind of word, with the cursor at `|` in a text that goes on behind it."""

from __future__ import annotations

import pytest

from stablehlo_py.bindings.context import PROGRAM_DIALECTS
from stablehlo_py.bindings.op_signatures import op_names
from stablehlo_py.bindings.types import element_type_names
from stablehlo_py.lsp import completion
from stablehlo_py.lsp.completion import MOST_PROPOSALS, Proposal
from stablehlo_py.lsp.document import Document
from stablehlo_py.lsp.writing import summary

HEAD = """#map = 1
!t = f32
#loc3 = loc(unknown)
!alias = f32
func.func private @g()
func.func @f(%x: f32, %y: !t) {
  %s = stablehlo.abs %x : f32
  %i:2 = "stablehlo.if"(%s) ({
  ^bb0(%z: i32):
"""
TAIL = """
    %after = stablehlo.abs %z : i32
  }) : () -> ()
  %m = stablehlo.abs %s : f32
}
func.func @h()
"""
VALUES = [("%z", "i32"), ("%s", "f32"), ("%y", "!t"), ("%x", "f32")]
DIALECTS = [f"{name}." for name in dict.fromkeys(["stablehlo", *PROGRAM_DIALECTS, "check"])]
TYPES = [*element_type_names(), "!quant.uniform", "complex"]
FLAGS = [("cse", "about cse"), ("fold", "about fold")]


def proposals(text: str, head: str = "", tail: str = "") -> tuple[list[Proposal], str]:
    """The proposals at `|`, and the text before it that they replace."""
    offset = len(head) + text.index("|")
    document = Document(head + text.replace("|", "", 1) + tail)
    found, start = completion.completions(document, offset, FLAGS)
    return found, document.text[start:offset]


@pytest.mark.parametrize(
    ("line", "word", "kind", "expected"),
    [
        ("%k = stablehlo.add %|", "%", "value", VALUES),
        ("%k = stablehlo.add %z|", "%z", "value", VALUES),
        ("%k = stablehlo.add %k|, %z : f32", "%k", "value", VALUES),
        ("%k = stablehlo.add %x, %|", "%", "value", VALUES),
        ("%k = stablehlo.abs %x : f32\n    return %|", "%", "value", [("%k", "f32"), *VALUES]),
        ("call @|", "@", "symbol", ["@g", "@f", "@h"]),
        ("call @f|", "@f", "symbol", ["@g", "@f", "@h"]),
        ("br ^|", "^", "block", ["^bb0"]),
        ("br ^bb|", "^bb", "block", ["^bb0"]),
        ("return %x : !|", "!", "type", ["!t", "!alias"]),
        ("return %x : !al|", "!al", "type", ["!t", "!alias"]),
        ("return %x #|", "#", "attribute", ["#map", "#loc3"]),
        ("return %x #lo|", "#lo", "attribute", ["#map", "#loc3"]),
        ("|", "", "op", DIALECTS),
        ("%k = |", "", "op", DIALECTS),
        ('%k = "|', "", "op", DIALECTS),
        ("%k = stab|", "stab", "op", DIALECTS),
        ("%k = stablehlo.iota dim |", "", "op", []),
        ("%k = stablehlo.iota dim = 0, |", "", "attribute", []),
        ("%k = stablehlo.iota dim = 0, io|", "io", "attribute", [("iota_dimension", "int")]),
        ("%k = stablehlo.iota {|", "", "attribute", [("iota_dimension", "int")]),
        ("%k = stablehlo.iota {io|", "io", "attribute", [("iota_dimension", "int")]),
        ("%k = stablehlo.iota {iota_dimension = 0, a|", "a", "attribute", [("iota_dimension", "int")]),
        ("%k = nothing.known {|", "", "attribute", []),
        ("return %x : tensor<?x|", "", "type", TYPES),
        ("return %x : tensor<4x?xf|", "f", "type", TYPES),
        ("return %x : complex<|", "", "type", TYPES),
        ("// RUN: x -|", "-", "flag", FLAGS),
        ("// RUN: x --c|", "--c", "flag", FLAGS),
        ("// RUN: x --c-d|", "--c-d", "flag", FLAGS),
        ("// RUN: x --c |", "", "flag", []),
        ("// RUN: x|", "", "flag", []),
        ("// run --c|", "", "flag", []),
        ("return %x // RUN: x --c|", "--c", "flag", FLAGS),
        ('%k = stablehlo.custom_call @g(%x) {url = "https://a", RUN = %|', "%", "value", VALUES),
        ('%k = "https://a"(%|', "%", "value", VALUES),
        ("%k = stablehlo.add %|// more", "%", "value", VALUES),
        ("//|", "", "op", []),
        ("// %|", "", "value", []),
        ("return %x 7.|", "", "op", []),
    ],
)
def test_all_that_can_follow(line: str, word: str, kind: str, expected: list[str | tuple[str, str]]) -> None:
    found, replaced = proposals(f"    {line}", HEAD, TAIL)
    pairs = [each if isinstance(each, tuple) else (each, "") for each in expected]
    assert replaced == word
    if kind == "flag":
        pairs = [(f"--{name}", about) for name, about in pairs]
    assert [(each.text, each.detail) for each in found] == pairs
    assert {each.kind for each in found} <= {kind}


def test_ops_of_a_dialect_with_what_is_known_of_them() -> None:
    for dialect, written in (("stablehlo", "stablehlo.ab"), ("chlo", "chlo."), ("func", '"func.')):
        found, replaced = proposals(f"    %k = {written}|", HEAD, TAIL)
        assert replaced == written.strip('"')
        assert [each.text for each in found] == list(op_names(dialect))
        assert {each.kind for each in found} == {"op"}
        assert [each.summary for each in found] == [summary(each.text) for each in found]
        assert all(each.snippet.startswith((each.text, f'"{each.text}')) for each in found)
        assert any(each.detail for each in found) == (dialect == "stablehlo")
    assert proposals("    %k = nothing.|", HEAD, TAIL)[0] == []


@pytest.mark.parametrize("between", [0, 6, 7, 8])
def test_a_snippet_has_the_next_values_of_one_type_among_the_last_eight(between: int) -> None:
    others = [f"  %o{n} = stablehlo.abs %i : i32" for n in range(between)]
    lines = ["func.func @f(%i: i32) {", "  %far = stablehlo.abs %x : f32", *others, "  %near = stablehlo.abs %x : f32"]
    found, _ = proposals("  %k = stablehlo.add|", "\n".join([*lines, ""]), "\n}")
    (add,) = [each for each in found if each.text == "stablehlo.add"]
    second = "%far" if between < 7 else "%rhs"
    assert add.snippet == f"stablehlo.add ${{1:%near}}, ${{2:{second}}} : ${{3:f32}}"


@pytest.mark.parametrize("count", [MOST_PROPOSALS, MOST_PROPOSALS + 1])
def test_of_too_many_values_those_with_the_written_part_somewhere(count: int) -> None:
    lines = [f"  %v{n} = stablehlo.constant dense<0> : tensor<i32>" for n in range(count)]
    text = "\n".join(["func.func @f() {", *lines, ""])
    for written, wanted in (("%99", "99"), ("%v12", "v12"), ("%", ""), ("%nothing", "nothing")):
        names = [f"%v{n}" for n in reversed(range(count)) if wanted in f"v{n}" or count == MOST_PROPOSALS]
        found, replaced = proposals(f"  return {written}|", text)
        assert (replaced, [each.text for each in found]) == (written, names[:MOST_PROPOSALS]), written
