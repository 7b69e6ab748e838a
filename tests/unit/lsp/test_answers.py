"""Answers of the server in full, each of them to one request: what an editor gets, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsp_client import position
from lsp_here import Here

TEXT = """// 🙂 RUN: stablehlo-opt %s
// RUN: false
!v = tensor<4xf32>
#loc = loc("dir/f.py":3:4)
#loc1 = loc("g"(#loc))
#loc2 = loc("f.py":0:0)
func.func @a(%x: !v) -> !v {
  %e = stablehlo.custom_call @"🙂"(%x) : (!v) -> !v loc(#loc1)
  %0 = stablehlo.negate %e : !v loc(#loc2)
  %1:2 = "stablehlo.optimization_barrier"(%e, %0) : (!v, !v) -> (!v, !v)
  %2 = stablehlo.add %1#0, %1#1 : !v
  return %2 : !v
}
func.func private @b(!v)
"""


def span(line: int, start: int, end: int, last: int | None = None) -> dict[str, Any]:
    """A range of the protocol."""
    return {
        "start": {"line": line, "character": start},
        "end": {"line": line if last is None else last, "character": end},
    }


@pytest.fixture(scope="module")
def session() -> Iterator[Here]:
    client = Here({"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}})
    yield client
    assert client.close() == 0


@pytest.fixture(scope="module")
def path(session: Here, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("a folder") / "a b.mlir"
    assert session.open(path, TEXT) == []
    return path


@pytest.fixture
def here(path: Path) -> dict[str, Any]:
    return {"textDocument": {"uri": path.as_uri()}}


def test_the_server_says_what_it_can_do(session: Here) -> None:
    found = session.capabilities
    assert found["completionProvider"] == {"triggerCharacters": ["%", "@", "^", "!", "#", ".", "-", "<", '"']}
    assert found["signatureHelpProvider"] == {"triggerCharacters": [" ", "(", ","]}
    assert found["codeActionProvider"] == {"codeActionKinds": ["quickfix", "refactor.rewrite"], "resolveProvider": True}
    assert found["semanticTokensProvider"] == {
        "legend": {
            "tokenTypes": [
                *("comment", "string", "variable", "parameter", "label", "function", "type", "macro", "number"),
                *("method", "keyword"),
            ],
            "tokenModifiers": [],
        },
        "range": True,
        "full": {"delta": True},
    }
    assert found["executeCommandProvider"] == {"commands": ["stablehlo.runTest"]}


@pytest.mark.parametrize(
    ("wanted", "place"),
    [
        ("%e : !v", span(7, 2, 4)),
        ("%1#1", span(9, 2, 4)),
        ("!v)", span(2, 0, 2)),
        ("@a", span(6, 10, 12)),
        ("func.func @a", None),
        ("dir/f.py", ("dir/f.py", span(2, 3, 3))),
        ("#loc1)", ("dir/f.py", span(2, 3, 3))),
        ("#loc1 =", ("dir/f.py", span(2, 3, 3))),
        ("#loc2)", ("f.py", span(0, 0, 0))),
    ],
)
def test_where_a_name_is_defined(wanted: str, place: Any, session: Here, here: dict, path: Path) -> None:
    """A name of a location leads to the file beside the text, whose lines and columns begin at one."""
    found = session.request("textDocument/definition", **here, position=position(TEXT, wanted))
    if place is None:
        assert found == []
    elif isinstance(place, tuple):
        assert found == [{"uri": (path.parent / place[0]).as_uri(), "range": place[1]}]
    else:
        assert found == [{"uri": path.as_uri(), "range": place}]


def test_every_use_of_a_name_is_marked_and_gets_the_new_name(session: Here, here: dict, path: Path) -> None:
    places = [span(9, 2, 4), span(10, 21, 25), span(10, 27, 31)]
    where = {**here, "position": position(TEXT, "%1:2")}
    assert session.request("textDocument/documentHighlight", **where) == [{"range": place} for place in places]
    edit = session.request("textDocument/rename", **where, newName="long")
    assert edit == {
        "changes": {
            path.as_uri(): [
                {"range": place, "newText": text}
                for place, text in zip(places, ["%long", "%long#0", "%long#1"], strict=True)
            ]
        }
    }
    refused = session.answer("textDocument/rename", **here, position=position(TEXT, "func.func"), newName="long")
    assert refused["error"] == {"code": -32602, "message": "error: there is no name to change"}


def test_the_tree_has_the_place_of_each_op_and_of_its_name(session: Here, here: dict) -> None:
    first, second = session.request("textDocument/documentSymbol", **here)
    children = first.pop("children")
    assert first == {
        "name": "@a",
        "kind": 12,
        "detail": "func.func",
        "range": span(6, 0, 1, 12),
        "selectionRange": span(6, 0, 9),
    }
    assert (second["name"], second["kind"], second["children"]) == ("@b", 12, [])
    assert (second["range"], second["selectionRange"]) == (span(13, 0, 24), span(13, 0, 9))
    assert children[2] == {
        "name": "%1",
        "kind": 13,
        "detail": "stablehlo.optimization_barrier",
        "children": [],
        "range": span(9, 2, 72),
        "selectionRange": span(9, 9, 41),
    }
    assert [child["name"] for child in children] == ["%e", "%0", "%1", "%2", "return"]
    assert session.request("textDocument/foldingRange", **here) == [{"startLine": 6, "endLine": 11}]


def test_the_first_of_several_run_lines_has_the_lens(session: Here, here: dict, path: Path) -> None:
    command = {"title": "Run this test", "command": "stablehlo.runTest", "arguments": [path.as_uri()]}
    assert session.request("textDocument/codeLens", **here) == [{"range": span(0, 0, 27), "command": command}]


@pytest.mark.parametrize(
    ("wanted", "text", "place"),
    [
        ("%e", "```mlir\n%e : tensor<4xf32>\n```\n\nresult 0 of `stablehlo.custom_call`, line 8", span(7, 2, 4)),
        (
            "%1#1",
            "```mlir\n%1#1 : tensor<4xf32>\n```\n\nresult 1 of `stablehlo.optimization_barrier`, line 10",
            span(10, 27, 31),
        ),
        ("%x", "```mlir\n%x : tensor<4xf32>\n```\n\nargument 0 of `func.func`, line 7", span(6, 13, 15)),
        ("@b", "```mlir\nfunc.func private @b(!v)\n```", span(13, 18, 20)),
        ("@a", "```mlir\nfunc.func @a(%x: !v) -> !v\n```", span(6, 10, 12)),
        ("!v)", "```mlir\n!v = tensor<4xf32>\n```", span(6, 17, 19)),
        ("return", "```mlir\nfunc.return : (tensor<4xf32>) -> ()\n```", span(11, 2, 8)),
        (
            "stablehlo.negate",
            "```mlir\nstablehlo.negate : (tensor<4xf32>) -> (tensor<4xf32>)\n```\n\nApply negate to each element.\n\n"
            "since StableHLO 0.9.0 or before, "
            "[specification](https://github.com/openxla/stablehlo/blob/main/docs/spec.md#negate)\n\n"
            "Constraints:\n- C1 operand and result agree but for scales and zero points",
            span(8, 7, 23),
        ),
    ],
)
def test_what_is_shown_of_a_word(wanted: str, text: str, place: dict, session: Here, here: dict) -> None:
    found = session.request("textDocument/hover", **here, position=position(TEXT, wanted))
    assert found == {"contents": {"kind": "markdown", "value": text}, "range": place}


@pytest.mark.parametrize(("line", "column"), [(99, 0), (14, 0), (6, 999), (6, 3_000), (1, 13)])
def test_nothing_is_shown_beyond_lines_and_the_text(line: int, column: int, session: Here, here: dict) -> None:
    assert session.request("textDocument/hover", **here, position={"line": line, "character": column}) is None


def test_the_signature_with_its_summary(session: Here, here: dict) -> None:
    found = session.request("textDocument/signatureHelp", **here, position=position(TEXT, "%1#1"))
    (signature,) = found.pop("signatures")
    assert found == {"activeSignature": 0, "activeParameter": 1}
    assert signature["label"] == "stablehlo.add(lhs, rhs) -> result"
    assert signature["documentation"] == "Apply add to each element."
    assert signature["parameters"] == [{"label": "lhs"}, {"label": "rhs"}]
    assert session.request("textDocument/signatureHelp", **here, position=position(TEXT, "return %2")) is None


def test_completions_are_numbered_and_replace_what_is_written(session: Here, here: dict) -> None:
    found = session.request("textDocument/completion", **here, position=position(TEXT, "add %", after=True))
    names = ["%1", "%0", "%e", "%x"]
    assert found == {
        "isIncomplete": False,
        "items": [
            {
                "label": name,
                "kind": 6,
                "detail": "tensor<4xf32>",
                "sortText": f"{number:04}",
                "textEdit": {"range": span(10, 21, 22), "newText": name},
            }
            for number, name in enumerate(names)
        ],
    }
    found = session.request("textDocument/completion", **here, position=position(TEXT, "stablehlo.neg", after=True))
    (item,) = [item for item in found["items"] if item["label"] == "stablehlo.negate"]
    number = found["items"].index(item)
    assert "Elementwise" in item.pop("detail")
    assert item == {
        "label": "stablehlo.negate",
        "kind": 2,
        "documentation": "Apply negate to each element.",
        "insertTextFormat": 2,
        "sortText": f"{number:04}",
        "textEdit": {"range": span(8, 7, 20), "newText": "stablehlo.negate ${1:%e} : ${2:tensor<4xf32>}"},
    }


def test_actions_for_a_whole_text_are_passes_and_forms(session: Here, here: dict, path: Path) -> None:
    found = session.request("textDocument/codeAction", **here, range=span(8, 2, 2), context={"diagnostics": []})
    offered = {each.pop("title"): each for each in found}
    pipelines = {
        "Apply canonicalize": "canonicalize",
        "Apply common subexpressions": "cse",
        "Apply fold": "func.func(stablehlo-aggressive-folder)",
        "Apply simplify": "func.func(stablehlo-aggressive-simplification)",
        "Apply refine shapes": "stablehlo-refine-shapes",
        "Apply CHLO to StableHLO": "func.func(chlo-legalize-to-stablehlo)",
    }
    data: dict[str, dict[str, object]] = {title: {"pipeline": text} for title, text in pipelines.items()}
    data |= {"Write in generic form": {"generic": True}, "Write in pretty form": {"generic": False}}
    assert offered == {
        title: {"kind": "refactor.rewrite", "data": {"uri": path.as_uri(), **each}} for title, each in data.items()
    }


def test_shapes_of_a_range(session: Here, here: dict) -> None:
    found = session.request("textDocument/inlayHint", **here, range=span(7, 2, 2, 9))
    assert sorted(found, key=lambda hint: hint["position"]["line"]) == [
        {"position": {"line": line, "character": 4}, "label": ": 4xf32", "kind": 1} for line in (7, 8, 9)
    ]
    assert session.request("textDocument/inlayHint", **here, range=span(7, 3, 1, 8)) == []


def test_colours_have_a_number_that_rises_and_changes_refer_to_it(session: Here, tmp_path: Path) -> None:
    path = tmp_path / "new.mlir"
    assert session.open(path, "func.func private @b()\n") == []
    where = {"textDocument": {"uri": path.as_uri()}}
    data = [*(0, 0, 9, 9, 0), *(0, 10, 7, 10, 0), *(0, 8, 2, 5, 0)]
    ask = "textDocument/semanticTokens/full"
    assert session.request(f"{ask}/delta", **where, previousResultId="7") == {"data": data, "resultId": "1"}
    assert session.request(ask, **where) == {"data": data, "resultId": "2"}
    nothing = {"start": 15, "deleteCount": 0, "data": []}
    assert session.request(f"{ask}/delta", **where, previousResultId="2") == {"edits": [nothing], "resultId": "3"}
    assert session.request(f"{ask}/delta", **where, previousResultId="2") == {"data": data, "resultId": "4"}
    for version, (text, edit) in enumerate(
        [
            ("func.func @b()\n", {"start": 7, "deleteCount": 5, "data": []}),
            (
                "func.func @b()\nfunc.func @c()\n",
                {"start": 10, "deleteCount": 0, "data": [1, 0, 9, 9, 0, 0, 10, 2, 5, 0]},
            ),
        ],
        2,
    ):
        change = {"textDocument": {**where["textDocument"], "version": version}, "contentChanges": [{"text": text}]}
        session.notify("textDocument/didChange", **change)
        number = version + 3
        found = session.request(f"{ask}/delta", **where, previousResultId=str(number - 1))
        assert found == {"edits": [edit], "resultId": str(number)}
    session.notify("textDocument/didClose", **where)
    again = {"uri": path.as_uri(), "languageId": "mlir", "version": 1, "text": "func.func private @b()\n"}
    session.notify("textDocument/didOpen", textDocument=again)  # what was found in the last change may come now
    assert session.request(ask, **where) == {"data": data, "resultId": "1"}
    for start, end, found in ((3, 12, [0, 10, 7, 10, 0]), (0, 10, data[:5]), (0, 11, data[:10])):
        part = session.request("textDocument/semanticTokens/range", **where, range=span(0, start, end))
        assert part == {"data": found}


def test_the_signature_of_an_op_without_a_summary(session: Here, tmp_path: Path) -> None:
    path = tmp_path / "chlo.mlir"
    text = "func.func @f(%x: tensor<f32>) {\n  %0 = chlo.sinh %x : tensor<f32> -> tensor<f32>\n  return\n}\n"
    session.open(path, text)
    place = {"textDocument": {"uri": path.as_uri()}, "position": position(text, "%x : tensor<f32> ->")}
    (signature,) = session.request("textDocument/signatureHelp", **place)["signatures"]
    assert signature["label"] == "chlo.sinh(operand) -> result"
    assert signature.get("documentation") is None


def test_layout_is_one_edit_of_the_whole_text_or_none(session: Here, here: dict, tmp_path: Path) -> None:
    options = {"tabSize": 2, "insertSpaces": True}
    assert session.request("textDocument/formatting", **here, options=options) == []
    path = tmp_path / "layout.mlir"
    session.open(path, "func.func @f() {\n      return   \n}")
    found = session.request("textDocument/formatting", textDocument={"uri": path.as_uri()}, options=options)
    assert found == [{"range": span(0, 0, 1, 2), "newText": "func.func @f() {\n  return\n}\n"}]


def test_a_text_without_run_lines_has_no_lens(session: Here, tmp_path: Path) -> None:
    path = tmp_path / "plain.mlir"
    assert session.open(path, "// about RUN lines\nfunc.func private @f()\n") == []
    assert session.request("textDocument/codeLens", textDocument={"uri": path.as_uri()}) == []


def test_an_error_in_a_text_with_its_remedies(session: Here, tmp_path: Path) -> None:
    path = tmp_path / "word.mlir"
    text = "// 🙂\nfunc.func @f(%x: tensor<2xf32>) {\n  %0 = stablehlo.tanhh %x : tensor<2xf32>\n  return\n}\n"
    (found,) = session.open(path, text)
    message = found.pop("message")
    place = span(2, 7, 22)
    where = {"uri": path.as_uri(), "range": place}
    assert found == {
        "range": place,
        "severity": 1,
        "source": "stablehlo",
        "relatedInformation": [{"location": where, "message": "did you mean stablehlo.tanh?"}],
    }
    assert session.request(
        "textDocument/codeAction",
        textDocument={"uri": path.as_uri()},
        range=span(2, 0, 0, 3),
        context={"diagnostics": []},
    ) == [
        {
            "title": "Change to stablehlo.tanh",
            "kind": "quickfix",
            "isPreferred": True,
            "edit": {"changes": {path.as_uri(): [{"range": place, "newText": "stablehlo.tanh"}]}},
        },
        {
            "title": "Expect this error",
            "kind": "quickfix",
            "edit": {
                "changes": {
                    path.as_uri(): [{"range": span(2, 0, 0), "newText": f"  // expected-error @+1 {{{{{message}}}}}\n"}]
                }
            },
        },
    ]
