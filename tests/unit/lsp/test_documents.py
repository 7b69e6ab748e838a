"""Positions, names and marks of a text, without a session: behind characters of several bytes, at ends and at edges."""

from __future__ import annotations

import gc
import weakref

import pytest

from stablehlo_py.errors import Diagnostic, UsageError
from stablehlo_py.lsp import actions, completion, hover, marks, navigation, writing
from stablehlo_py.lsp.document import NAME, Document

TEXT = """// é🙂
!v = tensor<4xf32>
func.func @a(%x: !v, %y: tensor<?xf32>) -> tensor<?xf32> {
  %e = stablehlo.custom_call @"é🙂"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %n = stablehlo.add %e, %x : !v loc("é"("f.py":3:4))
  %0:2 = "stablehlo.while"(%e, %y) ({
  ^bb0(%p: tensor<4xf32>, %q: tensor<?xf32>):
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%p: tensor<4xf32>, %q: tensor<?xf32>):
    %r = stablehlo.abs %q : tensor<?xf32>
    stablehlo.return %p, %r : tensor<4xf32>, tensor<?xf32>
  }) : (tensor<4xf32>, tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>)
  %1 = stablehlo.negate %0#1 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
// -----
func.func private @b()
func.func @c() {

  return
}
func.func @d() {
  return
}
"""
LAST = TEXT.count("\n")  # the number of the last line, which is empty


def coloured(document: Document, start: int = 0, end: int | None = None) -> list[tuple[int, int, str]]:
    """The offset, the size and the kind of each token that has a colour."""
    line = column = 0
    found: list[tuple[int, int, str]] = []
    for down, right, size, kind, _ in zip(*[iter(marks.colours(document, len, start, end))] * 5, strict=True):
        line, column = line + down, right if down else column + right
        found.append((document.line_start(line) + column, size, marks.KINDS[kind]))
    return found


@pytest.fixture(scope="module")
def document() -> Document:
    return Document(TEXT).compile()


def at(wanted: str, nth: int = 0, behind: bool = False) -> int:
    start = -1
    for _ in range(nth + 1):
        start = TEXT.index(wanted, start + 1)
    return start + len(wanted) * behind


def test_ops_of_more_than_two_lines_fold_up_to_their_last_line(document: Document) -> None:
    assert document.is_whole
    assert navigation.folds(document) == [(2, 15), (5, 12), (19, 21), (23, 24)]
    assert navigation.folds(Document("func.func @f() {\n}\nfunc.func @g() {\n  return }\n")) == []


@pytest.mark.parametrize(
    ("place", "offset"),
    [
        ("1:1", 0),
        ("1:4", 3),
        ("1:6", 4),  # é has two bytes, the next character four
        ("1:5", 3),  # inside of it
        *[(f"1:{column}", 4) for column in (7, 8, 9)],
        ("1:10", 5),
        ("1:99", 5),
        ("2:1", 6),
        ("0:1", None),
        (f"{LAST + 1}:1", len(TEXT)),
        (f"{LAST + 2}:1", None),
        ("2", None),
        ("2:x", None),
    ],
)
def test_columns_of_the_compiler_count_bytes(place: str, offset: int | None, document: Document) -> None:
    assert document.offset_of(f"{NAME}:{place}") == offset
    assert document.offset_of(f"other.mlir:{place}") is None


def test_lines_at_both_ends(document: Document) -> None:
    ends = (0, 5, 6, len(TEXT) - 1, len(TEXT), len(TEXT) + 9)
    assert [document.line_of(offset) for offset in ends] == [0, 0, 1, LAST - 1, LAST, LAST]
    assert [document.line_start(line) for line in (-1, 0, 1, LAST, LAST + 1, 99)] == [0, 0, 6, *[len(TEXT)] * 3]
    for line, content in enumerate(TEXT.split("\n")):
        assert TEXT.startswith(content, document.line_start(line))


@pytest.mark.parametrize(
    ("name", "nth", "lines"),
    [
        ("%x", 1, [2, 3, 4]),
        ("%e", 1, [3, 4, 5]),
        ("%0#1", 0, [5, 14]),
        ("%p", 0, [6]),
        ("%p", 2, [10, 12]),
        ("%q", 2, [10, 11]),
        ("%r", 0, [11, 12]),
        ("!v", 2, [1, 2, 4]),
        ("^bb0", 1, [10]),
    ],
)
def test_a_name_is_that_of_its_region(name: str, nth: int, lines: list[int], document: Document) -> None:
    found = navigation.occurrences(document, at(name, nth))
    assert [document.line_of(token.start) for token in found] == lines
    behind = navigation.occurrences(document, at(name, nth, behind=True))  # the cursor may be at the end of the word
    assert [token.start for token in behind] == [token.start for token in found]
    uses = navigation.occurrences(document, at(name, nth), with_definition=False)
    assert [document.line_of(token.start) for token in uses] == lines[1:]


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ("%e", "%f", "%f"),
        ("%e", "12", "%12"),
        ("%e", "%e", "%e"),
        ("%e", "a.b-c$", "%a.b-c$"),
        ("@c", "new.name", "@new.name"),
        ("!v", "!w", "!w"),
        ("^bb0", "12", "^12"),
        ("^bb0", "^a-b", "^a-b"),
    ],
)
def test_new_names(old: str, new: str, result: str, document: Document) -> None:
    assert navigation.new_name(document, at(old), new) == result


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("%e", "%x", "%x exists already"),
        ("@c", "d", "@d exists already"),
        ("@c", "a-b", "is not a name that can follow @"),
        ("@c", "1", "is not a name"),
        ("%e", "1a", "is not a name"),
        ("%e", "é", "is not a name"),
        ("%e", "@f", "is not a name"),
        ("%e", "", "is not a name"),
        ("dense", "x", "there is no name to change"),
    ],
)
def test_names_that_are_refused(old: str, new: str, said: str, document: Document) -> None:
    with pytest.raises(UsageError, match=said):
        navigation.new_name(document, at(old), new)


def test_locations_are_found_through_aliases_where_the_cursor_is() -> None:
    text = '#loc = loc("a.py":1:2)\n#loc1 = loc("f"(#loc))\n#loc2 = loc(#loc2)\nx loc(#loc1)\nz loc(#loc2) '
    document = Document.__new__(Document)
    document.text = text
    line = text.index("x loc")
    places = {
        line + 1: None,
        line + 2: ("a.py", 1, 2),
        line + len("x loc(#loc1)"): ("a.py", 1, 2),  # the cursor may be at the end
        text.index("#loc1)"): ("a.py", 1, 2),
        line: None,
        text.index("z"): None,
        text.index("#loc2)", line): None,
        0: ("a.py", 1, 2),
        len(text): None,
    }
    assert {offset: navigation.source_location(document, offset) for offset in places} == places


def test_the_tree_of_symbols_has_ops_in_regions(document: Document) -> None:
    first, private, *_ = navigation.symbols(document)
    assert [(each.name, each.detail) for each in first.children] == [
        ("%e", "stablehlo.custom_call"),
        ("%n", "stablehlo.add"),
        ("%0", "stablehlo.while"),
        ("%1", "stablehlo.negate"),
        ("return", "return"),
    ]
    assert [each.name for each in first.children[2].children] == [*("%t", "stablehlo.return", "%r", "stablehlo.return")]
    assert (private.name, private.children) == ("@b", [])


def test_shapes_are_shown_where_the_editor_asks(document: Document) -> None:
    def shown(start: int, end: int) -> list[tuple[str, str]]:
        found = sorted(marks.shapes(document, start, end))
        return [(TEXT[TEXT.rindex("%", 0, offset) : offset], type_) for offset, type_ in found]

    everything = [("%e", "4xf32"), ("%n", "4xf32"), ("%0", "4xf32"), ("%t", "i1"), ("%r", "?xf32"), ("%1", "?xf32")]
    assert shown(0, len(TEXT)) == everything
    assert shown(at("%n = "), at("%t = ")) == everything[1:4]
    assert shown(at("%n = ") + 1, at("%t = ") - 1) == everything[2:3]
    assert shown(at("%r = "), at("%r = ")) == everything[4:5]


def test_kinds_of_tokens(document: Document) -> None:
    kinds = {TEXT[start : start + size]: kind for start, size, kind in coloured(document)}
    wanted = {
        "// é🙂": "comment",
        '@"é🙂"': "function",
        "%x": "parameter",
        "%e": "variable",
        "%0#1": "variable",
        "^bb0": "label",
        "!v": "type",
        "tensor": "type",
        "dense": "keyword",
        "loc": "keyword",
        "true": "keyword",
        '"stablehlo.while"': "method",
        "return": "method",
        '"f.py"': "string",
        "%q": "parameter",
    }
    assert {text: kinds.get(text) for text in wanted} == wanted
    assert set(kinds.values()) <= set(marks.KINDS)


@pytest.mark.parametrize(
    ("name", "nth", "lines"),
    [
        ("%e", 0, ["%e : tensor<4xf32>", "result 0 of `stablehlo.custom_call`, line 4"]),
        ("%t", 0, ["%t : tensor<i1>", "value `dense<true>`"]),
        ("%0#1", 0, ["%0#1 : tensor<?xf32>", "result 1 of `stablehlo.while`, line 6"]),
        ("%q", 1, ["%q : tensor<?xf32>", "argument 3 of `stablehlo.while`, line 6"]),
        ("%y", 0, ["argument 1 of `func.func`, line 3", "`%y` (line 3) is an argument of the type `tensor<?xf32>`"]),
        ("^bb0", 0, ["^bb0"]),
        ("!v", 1, ["!v = tensor<4xf32>"]),
        ("@b", 0, ["func.func private @b()"]),
        ("stablehlo.abs", 0, ["stablehlo.abs : (tensor<?xf32>) -> (tensor<?xf32>)", "since StableHLO"]),
    ],
)
def test_a_description_has_the_type_and_where_a_name_is_from(
    name: str, nth: int, lines: list[str], document: Document
) -> None:
    found = hover.hover(document, at(name, nth))
    assert found is not None
    assert found[1].start == at(name, nth)
    for line in lines:
        assert line in found[0]
    if name.startswith("%"):
        assert ("caller" in found[0]) == ("?" in found[0])


def test_nothing_is_said_of_blanks_and_types(document: Document) -> None:
    assert hover.hover(document, at("\n\n") + 1) is None
    assert hover.hover(document, at("tensor")) is None


def constant(elements: str, size: int) -> Document:
    return Document(
        f"func.func @f() {{\n  %c = stablehlo.constant dense<{elements}> : tensor<{size}xi32>\n  return\n}}"
    ).compile()


@pytest.mark.parametrize(
    ("size", "shown"), [(2, "dense<[0, 1]>"), (90, "…"), (300, "…"), (301, "301 elements"), (1, "dense<0>")]
)
def test_long_constants_are_cut(size: int, shown: str) -> None:
    document = constant(str(list(range(size))), size)
    operation = document.op(document.outline.statement_at(document.text.index("%c")))
    text = hover.constant_text(operation)
    assert text.endswith(shown)
    assert len(text) <= 301
    assert hover.constant_text(None) == ""


def proposed(document: Document, behind: str, nth: int = 0) -> tuple[int, dict[str, str]]:
    offset = at(behind, nth, behind=True)
    found, start = completion.completions(document, offset, [("cse", "about cse")])
    return offset - start, {each.text: each.detail for each in found}


def test_completions_are_what_is_visible_there(document: Document) -> None:
    assert proposed(document, "abs %")[1].keys() == {"%x", "%y", "%e", "%n", "%p", "%q"}
    assert proposed(document, "negate %0")[1].keys() == {"%x", "%y", "%e", "%n", "%0"}
    assert proposed(document, "negate %0")[0] == 2
    assert proposed(document, "dense<true> : tensor<")[1].keys() >= {"f32", "complex"}
    assert proposed(document, "%x) : (tensor<4x")[0] == 0
    assert proposed(document, "stablehlo.neg") == (13, proposed(document, "stablehlo.")[1])
    assert proposed(document, "// é") == (0, {})


@pytest.mark.parametrize(
    ("line", "word", "proposal"),
    [
        ("// RUN: stablehlo-opt %s --c", "--c", "--cse"),
        ("// RUN: stablehlo-opt %s -", "-", "--cse"),
        ("// RUN: stablehlo-opt %s ", "", None),
        ("  stab", "stab", "stablehlo."),
        ("  %0 = stab", "stab", "stablehlo."),
        ("  %0 = stablehlo.a", "stablehlo.a", "stablehlo.add"),
        ("  %0 = chlo.a", "chlo.a", "chlo.acos"),
        ("  return %v", "%v", "%val.x"),
        ("  cf.br ^b", "^b", "^bb1"),
        ("  call @", "@", "@f"),
        ("  return %v : !a", "!a", "!alias"),
        ("  return %v : #a", "#a", None),
        ("  return %v : tensor<4x?xf", "f", "f32"),
        ("  return %v : tensor<", "", "f32"),
        ("  %0 = stablehlo.iota {iota_d", "iota_d", "iota_dimension"),
        ("  %0 = stablehlo.iota dim = 0, i", "i", "iota_dimension"),
        ("  %0 = stablehlo.iota dim", "dim", None),
        ("  return %v 7.", "", None),
    ],
)
def test_a_completion_replaces_the_word_that_is_being_written(line: str, word: str, proposal: str | None) -> None:
    head = "!alias = f32\nfunc.func @f(%val.x: f32) {\n^bb1:\n"
    offset = len(head + line)
    document = Document(head + line + "\n}\n")
    found, start = completion.completions(document, offset, [("cse", "about cse")])
    assert document.text[start:offset] == word
    texts = [each.text for each in found]
    assert (proposal in texts) if proposal else texts == []
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        ("stablehlo.add %e, ", ("stablehlo.add(lhs, rhs) -> result", ["lhs", "rhs"], 1)),
        ("stablehlo.add ", ("stablehlo.add(lhs, rhs) -> result", ["lhs", "rhs"], 0)),
        ("dense<true> ", None),
        ("!v = ", None),
    ],
)
def test_signatures(behind: str, expected: object, document: Document) -> None:
    assert writing.signature(document, at(behind, behind=True)) == expected


def test_operands_beyond_the_last_one_count_as_it() -> None:
    text = "%0 = stablehlo.add %a, %b, %c, "
    found = writing.signature(Document(text), len(text))
    assert found is not None
    assert found[2] == 1
    text = "%0 = stablehlo.concatenate %a, %b, %c, "
    found = writing.signature(Document(text), len(text))
    assert found is not None
    assert (found[1], found[2]) == (["inputs..."], 0)


def test_an_expected_diagnostic_stands_in_front_of_its_line(document: Document) -> None:
    found = actions.expectation(document, Diagnostic("error", f"{NAME}:5:9", "is wrong\nmore"))
    assert found == (TEXT.index("  %n"), "  // expected-error @+1 {{is wrong}}\n")
    assert actions.expectation(document, Diagnostic("error", "other:5:9", "is wrong")) is None


def test_a_suggestion_is_found_behind_characters_of_several_bytes() -> None:
    text = 'func.func @f(%x: tensor<2xf32>) {\n  %0 = "stablehlo.abs"(%x) {"é🙂" = "stablehlo.negat"} : (tensor<2xf32>) -> tensor<2xf32> %1 = stablehlo.negat %x : tensor<2xf32>\n  return\n}\n'  # noqa: E501
    document = Document(text).compile()
    (diagnostic,) = document.diagnostics
    found = actions.suggested(document, diagnostic)
    start = text.rindex("stablehlo.negat")
    assert found == (start, start + len("stablehlo.negat"), "stablehlo.negate")


def test_programs_that_stay_are_not_parsed_again(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    from stablehlo_py.lsp import document as module

    real = module._read
    monkeypatch.setattr(module, "_read", lambda chunk: (read.append(chunk.data), real(chunk))[1])
    after = Document(TEXT.replace("@d", "@e"), document).compile()
    assert len(read) == 1
    assert b"@e" in read[0]
    assert after.before is None
    Document(TEXT).compile()
    assert len(read) == 3


def test_colours_of_a_range_are_those_of_the_whole_text(document: Document) -> None:
    start, end = document.line_start(3), document.line_start(6)
    assert coloured(document, start, end) == [one for one in coloured(document) if start <= one[0] < end]
    in_utf_16 = marks.colours(document, lambda piece: len(piece.encode("utf-16-le")) // 2, start, end)
    in_characters = marks.colours(document, len, start, end)
    longer = [size - other for size, other in zip(in_utf_16[2::5], in_characters[2::5], strict=True)]
    assert sorted(set(longer)) == [0, 1]  # the name with a character of two units
    assert longer.index(1) == 2


def test_before_it_is_compiled_a_document_knows_its_outline_and_written_types(document: Document) -> None:
    text = TEXT.replace("@d", "@e")
    after = Document(text, document.compiled)
    assert after.compiled is document
    assert not after.is_whole
    (name,) = [one for one in after.outline.definitions if one.token.text == "%r"]
    assert after.type_of(name) == "tensor<?xf32>"
    assert after.compile().is_whole
    assert after.compiled is after


def test_snippets_take_the_values_at_hand() -> None:
    values = [("%b", "tensor<4xf32>"), ("%i", "tensor<i32>"), ("%a", "tensor<4xf32>")]
    assert writing.snippet("stablehlo.add", values) == "stablehlo.add ${1:%b}, ${2:%a} : ${3:tensor<4xf32>}"
    assert "${1:%b}" in writing.snippet("stablehlo.transpose", values)
    assert "${1:%b}" not in writing.snippet("stablehlo.add", [("%b", "")])


def test_of_a_long_text_the_tree_has_functions_and_completion_the_last_values(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"  %v{n} = stablehlo.constant dense<0> : tensor<i32>" for n in range(600)]
    text = "\n".join(["func.func @f() {", *lines, "  return", "}"])
    document = Document(text)
    monkeypatch.setattr(navigation, "_MOST_SYMBOLS", 500)
    assert [(one.name, one.children) for one in navigation.symbols(document)] == [("@f", [])]
    offset = text.index("  return")
    proposals, _ = completion.completions(Document(text.replace("  return", "  stablehlo.abs %")), offset + 17)
    assert [one.text for one in proposals[:2]] == ["%v599", "%v598"]
    assert len(proposals) == completion.MOST_PROPOSALS
    proposals, _ = completion.completions(Document(text.replace("  return", "  stablehlo.abs %v1")), offset + 19)
    assert all("v1" in one.text for one in proposals)


def test_documents_of_the_past_are_freed_without_a_search_for_garbage() -> None:
    document = Document(TEXT)
    statement = weakref.ref(document.outline.statements[0])
    gc.disable()
    try:
        document = Document(TEXT + "\n", document.compiled)
        assert statement() is None
    finally:
        gc.enable()
    assert document.outline.statements


def test_tokens_of_a_last_line_without_a_break_have_their_places() -> None:
    document = Document("return %a, %b : i32, i32")
    assert coloured(document) == [(0, 6, "method"), (7, 2, "variable"), (11, 2, "variable")]


def test_every_word_of_the_language_has_its_colour() -> None:
    """Words of MLIR's syntax are keywords, names of builtin types are types, and others have no colour."""
    keywords = [
        *("dense", "loc", "true", "false", "array", "private", "public", "to", "init", "applies", "across", "unit"),
        *("dimensions", "reducer", "cond", "do", "else", "contracting_dims", "batching_dims"),
    ]
    types = ["tensor", "complex", "tuple", "vector", "memref", "index", "none"]
    found = Document("\n".join([*keywords, *types, "other"]))
    kinds = {found.text[start : start + size]: kind for start, size, kind in coloured(found)}
    assert kinds == dict.fromkeys(keywords, "keyword") | dict.fromkeys(types, "type")
