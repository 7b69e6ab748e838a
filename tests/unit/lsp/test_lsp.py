"""The language server over real sessions: each row of the table in docs/editors.md is a test here."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsp_client import Client, applied, position

import stablehlo_py

TEXT = """// RUN: stablehlo-opt %s --canonicalize | FileCheck %s
!vector = tensor<4xf32>
// CHECK: func.func @main
func.func @main(%x: tensor<?xf32>, %y: !vector) -> tensor<?xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<4xf32> loc("model.py":7:3)
  %sum = stablehlo.add %y, %c : tensor<4xf32>
  %parts:2 = call @other(%sum) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<2xi32>)
  %both = stablehlo.negate %parts#1 : tensor<2xi32>
  %negative = stablehlo.negate %x : tensor<?xf32> loc(#loc1)
  return %negative : tensor<?xf32>
}
func.func private @other(%z: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xi32>)
#loc1 = loc("layer"("model.py":9:1))
"""
# The add is wrong, and the last function is cut off.
BROKEN = """func.func @good(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @bad(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %e = stablehlo.custom_call @"é🙂"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.add %e, %y : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 :
"""


@pytest.fixture(scope="module")
def session():
    client = Client()
    yield client
    assert client.close() == 0


@pytest.fixture(scope="module")
def opened(session, tmp_path_factory):
    """The URI of TEXT, as the protocol's parameter."""
    path = tmp_path_factory.mktemp("lsp") / "program.mlir"
    path.write_text(TEXT)
    assert session.open(path, TEXT) == []
    return {"textDocument": {"uri": path.as_uri()}}


def hovered(session, opened, wanted, text=TEXT, **place):
    found = session.request("textDocument/hover", **opened, position=position(text, wanted, **place))
    return found["contents"]["value"] if found else ""


def words(text, places):
    lines = text.split("\n")
    found = []
    for place in places:
        start, end = place["range"]["start"], place["range"]["end"]
        found.append((start["line"], lines[start["line"]][start["character"] : end["character"]]))
    return found


def completed(session, opened, wanted, text=TEXT):
    found = session.request("textDocument/completion", **opened, position=position(text, wanted, after=True))
    return {item["label"]: item.get("detail") for item in found["items"]}


def test_hover_shows_types_values_and_where_they_come_from(session, opened):
    assert "%x : tensor<?xf32>" in hovered(session, opened, "%x")
    assert "value `dense<2.000000e+00>`" in hovered(session, opened, "%c")
    assert "%parts#1 : tensor<2xi32>" in hovered(session, opened, "%parts#1")
    assert "@other(%z: tensor<4xf32>)" in hovered(session, opened, "@other")
    assert "!vector = tensor<4xf32>" in hovered(session, opened, "!vector", nth=1)


def test_hover_shows_what_an_op_requires(session, opened):
    text = hovered(session, opened, "stablehlo.add")
    assert "stablehlo.add : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)" in text
    assert "since StableHLO 0.9.0 or before" in text
    assert "C1 lhs, rhs and result have one type" in text


def test_hover_says_why_a_size_is_dynamic(session, opened):
    text = hovered(session, opened, "%negative")
    assert "`%negative` (line 9) has dynamic sizes from an operand of `stablehlo.negate`" in text
    assert "`%x` (line 4) is an argument of the type `tensor<?xf32>`: the caller decides" in text


def test_definition_of_values_symbols_and_aliases(session, opened):
    for name, nth, line in (("%c", 1, 4), ("@other", 0, 11), ("!vector", 1, 1), ("%parts#1", 0, 6)):
        found = session.request("textDocument/definition", **opened, position=position(TEXT, name, nth=nth))
        assert [(place, word.partition("#")[0]) for place, word in words(TEXT, found)] == [
            (line, name.partition("#")[0])
        ]


def test_definition_of_a_location_is_in_its_file(session, opened):
    for name, line in (("loc(#loc1)", 8), ('loc("model.py":7', 6)):
        (found,) = session.request("textDocument/definition", **opened, position=position(TEXT, name))
        assert found["uri"].endswith("/model.py")
        assert found["range"]["start"]["line"] == line


def test_references_and_highlights(session, opened):
    where = {**opened, "position": position(TEXT, "%sum")}
    found = session.request("textDocument/references", **where, context={"includeDeclaration": True})
    assert words(TEXT, found) == [(5, "%sum"), (6, "%sum")]
    found = session.request("textDocument/references", **where, context={"includeDeclaration": False})
    assert words(TEXT, found) == [(6, "%sum")]
    assert len(session.request("textDocument/documentHighlight", **where)) == 2


def test_rename_keeps_the_program(session, opened):
    edit = session.request("textDocument/rename", **opened, position=position(TEXT, "%parts"), newName="pair")
    after = applied(TEXT, next(iter(edit["changes"].values())))
    assert after == TEXT.replace("%parts", "%pair")
    stablehlo_py.parse(after)


@pytest.mark.parametrize(("wanted", "new"), [("%x", "%y"), ("%sum", "sum two"), ("@other", "@main"), ("%c", "%")])
def test_rename_refuses_what_would_change_the_program(session, opened, wanted, new):
    answer = session.answer("textDocument/rename", **opened, position=position(TEXT, wanted), newName=new)
    assert "exists already" in answer["error"]["message"] or "not a name" in answer["error"]["message"]


def test_ops_fold(session, opened):
    (main,) = session.request("textDocument/foldingRange", **opened)
    assert (main["startLine"], main["endLine"]) == (3, 9)


def test_the_signature_of_an_op_while_it_is_written(session, opened):
    found = session.request("textDocument/signatureHelp", **opened, position=position(TEXT, "add %y, ", after=True))
    (signature,) = found["signatures"]
    assert signature["label"] == "stablehlo.add(lhs, rhs) -> result"
    assert [each["label"] for each in signature["parameters"]] == ["lhs", "rhs"]
    assert found["activeParameter"] == 1


def test_completion_inserts_snippets_where_the_client_takes_them(tmp_path):
    client = Client({"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}})
    text = "func.func @f(%x: tensor<2xf32>) {\n  %0 = stablehlo.conc\n}\n"
    path = tmp_path / "snippet.mlir"
    client.open(path, text)
    place = {"textDocument": {"uri": path.as_uri()}, "position": position(text, "stablehlo.conc", after=True)}
    found = client.request("textDocument/completion", **place)
    (item,) = [one for one in found["items"] if one["label"] == "stablehlo.concatenate"]
    assert client.close() == 0
    assert item["insertTextFormat"] == 2
    assert item["textEdit"]["newText"].startswith("stablehlo.concatenate ${1:%")
    assert "${3:tensor<" in item["textEdit"]["newText"]
    assert item["documentation"]


@pytest.mark.parametrize(("wrong", "right"), [("stablehlo.tanhh", "stablehlo.tanh"), ("bfloat16", "bf16")])
def test_actions_apply_a_suggestion(session, tmp_path, wrong, right):
    bf16 = "tensor<2xbf16>"
    whole = f"func.func @f(%x: {bf16}) -> {bf16} {{\n  %0 = stablehlo.tanh %x : {bf16}\n  return %0 : {bf16}\n}}\n"
    text = whole.replace(right, wrong, 1)
    path = tmp_path / "wrong.mlir"
    assert session.open(path, text)
    size = {"start": position(text, wrong), "end": position(text, wrong)}
    found = session.request(
        "textDocument/codeAction", textDocument={"uri": path.as_uri()}, range=size, context={"diagnostics": []}
    )
    (action,) = [one for one in found if one["title"] == f"Change to {right}"]
    assert applied(text, action["edit"]["changes"][path.as_uri()]) == whole


def test_the_tree_of_symbols(session, opened):
    main, other = session.request("textDocument/documentSymbol", **opened)
    assert (main["name"], other["name"]) == ("@main", "@other")
    names = [child["name"] for child in main["children"]]
    assert names == ["%c", "%sum", "%parts", "%both", "%negative", "return"]


def test_completion_of_values_ops_symbols_types_and_attributes(session, opened):
    assert completed(session, opened, "add %y, %") == {
        "%x": "tensor<?xf32>", "%y": "tensor<4xf32>", "%c": "tensor<4xf32>",
    }  # fmt: skip
    assert {"stablehlo.add", "stablehlo.atan2"} <= completed(session, opened, "stablehlo.add").keys()
    assert set(completed(session, opened, "call @")) == {"@main", "@other"}
    assert {"f32", "bf16", "ui4"} <= completed(session, opened, "%y, %c : tensor<4x").keys()
    assert "!vector" in completed(session, opened, "%y: !")


def test_completion_of_attributes(session, tmp_path):
    text = 'func.func @f(%x: tensor<2xi32>) {\n  %0 = "stablehlo.transpose"(%x) {pe\n}\n'
    path = tmp_path / "cut_off.mlir"
    session.open(path, text)
    assert completed(session, {"textDocument": {"uri": path.as_uri()}}, "{pe", text) == {"permutation": "int_array"}


def test_completion_of_passes_in_run_lines(session, opened):
    found = completed(session, opened, "--canon")
    assert {"--canonicalize", "--stablehlo-refine-shapes", "--split-input-file"} <= found.keys()


def test_diagnostics_and_what_is_whole_stays_known(session, tmp_path):
    path = tmp_path / "broken.mlir"
    found = session.open(path, BROKEN)
    (message,) = [each for each in found if each["severity"] == 1]
    assert message["range"]["start"]["line"] == 9
    here = {"textDocument": {"uri": path.as_uri()}}
    assert "%0 : tensor<4xf32>" in hovered(session, here, "%0", BROKEN)
    assert "%0 : tensor<4xf32>" in hovered(session, here, "%0 :", BROKEN, nth=1)
    place = position(BROKEN, '🙂"(', after=True)
    (definition,) = session.request("textDocument/definition", **here, position=place)
    assert words(BROKEN, [definition]) == [(7, "%x")]


def test_diagnostics_follow_changes(session, tmp_path):
    path = tmp_path / "changed.mlir"
    assert session.open(path, BROKEN) != []
    uri = path.as_uri()
    start = position(BROKEN, "// -----")
    whole = {"start": start, "end": {"line": 99, "character": 0}}
    session.notify(
        "textDocument/didChange",
        textDocument={"uri": uri, "version": 2},
        contentChanges=[{"range": whole, "text": ""}],
    )
    assert session.wait_for("textDocument/publishDiagnostics")["diagnostics"] == []


def test_a_text_that_crashes_the_compiler_ends_no_session(session, tmp_path):
    crashing = 'func.func @f() { %0 = "stablehlo.real_dynamic_slice"() : () -> tensor<f32>\n return }\n'
    found = session.open(tmp_path / "crash.mlir", crashing)
    assert any("fail" in each["message"] or "expect" in each["message"] for each in found)
    assert session.process.poll() is None


def test_actions_expect_a_diagnostic(session, tmp_path):
    path = tmp_path / "wrong.mlir"
    text = (
        "func.func @f(%x: tensor<2xf32>, %y: tensor<3xf32>) {\n"
        '  %0 = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>\n  return\n}\n'
    )
    (found,) = session.open(path, text)
    offered = session.request(
        "textDocument/codeAction",
        textDocument={"uri": path.as_uri()},
        range=found["range"],
        context={"diagnostics": [found]},
    )
    (action,) = [each for each in offered if each["kind"] == "quickfix"]
    after = applied(text, action["edit"]["changes"][path.as_uri()])
    assert re.search(r"^  // expected-error @\+1 \{\{.*\}\}$", after, re.MULTILINE)
    session.notify(
        "textDocument/didChange", textDocument={"uri": path.as_uri(), "version": 2}, contentChanges=[{"text": after}]
    )
    assert session.wait_for("textDocument/publishDiagnostics")["diagnostics"][0]["range"]["start"]["line"] == 2


def test_actions_apply_passes_and_change_the_form(session, opened):
    uri = opened["textDocument"]["uri"]
    nowhere = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 0}}
    offered = session.request("textDocument/codeAction", **opened, range=nowhere, context={"diagnostics": []})
    by_title = {each["title"]: each for each in offered}
    after = {}
    for title in ("Apply canonicalize", "Write in generic form", "Write in pretty form"):
        resolved = session.request("codeAction/resolve", **by_title[title])
        after[title] = applied(TEXT, resolved["edit"]["changes"][uri])
    assert TEXT.count("stablehlo.negate") == 2
    assert after["Apply canonicalize"].count("stablehlo.negate") == 1
    assert after["Apply canonicalize"].startswith("// RUN: stablehlo-opt")
    assert '"stablehlo.add"' in after["Write in generic form"]
    assert " = stablehlo.add" in after["Write in pretty form"]
    for text in after.values():
        stablehlo_py.parse(text)


def test_colours_of_tokens(session, opened):
    legend = session.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = session.request("textDocument/semanticTokens/full", **opened)["data"]
    lines, found, line, column = TEXT.split("\n"), {}, 0, 0
    for delta_line, delta, length, kind, _ in zip(*[iter(data)] * 5, strict=True):
        line, column = line + delta_line, delta if delta_line else column + delta
        found.setdefault(lines[line][column : column + length], legend[kind])
    assert found["%x"] == "parameter"
    assert found["%sum"] == "variable"
    assert found["stablehlo.add"] == "method"
    assert found["@main"] == "function"
    assert found["!vector"] == "type"
    assert found['"model.py"'] == "string"


def test_colours_of_a_range_and_as_changes(session, tmp_path):
    path = tmp_path / "coloured.mlir"
    session.open(path, TEXT)
    here = {"textDocument": {"uri": path.as_uri()}}
    whole = session.request("textDocument/semanticTokens/full", **here)
    first = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
    part = session.request("textDocument/semanticTokens/range", **here, range=first)["data"]
    assert part == whole["data"][: len(part)]
    assert 0 < len(part) < len(whole["data"])
    place = position(TEXT, "%sum = ")
    session.notify(
        "textDocument/didChange",
        textDocument={"uri": path.as_uri(), "version": 2},
        contentChanges=[{"range": {"start": place, "end": place}, "text": "%other, "}],
    )
    changed = session.request("textDocument/semanticTokens/full/delta", **here, previousResultId=whole["resultId"])
    (edit,) = changed["edits"]
    data = whole["data"]
    data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
    after = session.request("textDocument/semanticTokens/full", **here)
    assert after["data"] == data
    assert len(edit["data"]) <= 15
    again = session.request("textDocument/semanticTokens/full/delta", **here, previousResultId="unknown")
    assert again["data"] == data


def test_the_last_line_may_have_no_break(session, tmp_path):
    text = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32> }"
    path = tmp_path / "last.mlir"
    assert session.open(path, text) == []
    here = {"textDocument": {"uri": path.as_uri()}}
    assert "%x : tensor<2xf32>" in hovered(session, here, "%x :", text)
    beyond = session.request("textDocument/hover", **here, position={"line": 9, "character": 0})
    assert beyond is None or "func" not in beyond["contents"]["value"]


def test_requests_that_an_edit_makes_stale_are_dropped(session, tmp_path):
    path = tmp_path / "stale.mlir"
    session.open(path, TEXT)
    here = {"textDocument": {"uri": path.as_uri()}}
    session.number += 1
    session._send(id=session.number, method="textDocument/hover", params={**here, "position": position(TEXT, "%x")})
    edit = {"textDocument": {"uri": path.as_uri(), "version": 2}, "contentChanges": [{"text": TEXT + "\n"}]}
    session.notify("textDocument/didChange", **edit)
    answers = [session._receive()]
    while answers[-1].get("id") != session.number:
        answers.append(session._receive())
    assert answers[-1].get("error", {}).get("code") in (-32801, None)  # unless the server was faster
    session.number += 1
    session._send(id=session.number, method="textDocument/hover", params={**here, "position": position(TEXT, "%x")})
    session.notify("$/cancelRequest", id=session.number)
    while answers[-1].get("id") != session.number:
        answers.append(session._receive())
    assert answers[-1].get("error", {}).get("code") in (-32800, None)
    assert "%x" in hovered(session, here, "%x")


def test_diagnostics_carry_the_constraint_and_the_nearest_word(session, tmp_path):
    wrong = "func.func @f(%x: tensor<2xf32>) {\n  %0 = stablehlo.tanhh %x : tensor<2xf32>\n  return\n}\n"
    (found,) = session.open(tmp_path / "word.mlir", wrong)
    assert [note["message"] for note in found["relatedInformation"]] == ["did you mean stablehlo.tanh?"]
    text = wrong.replace("stablehlo.tanhh %x : tensor<2xf32>", "stablehlo.reverse %x, dims = [0, 0] : tensor<2xf32>")
    (found,) = session.open(tmp_path / "constraint.mlir", text)
    (note,) = found["relatedInformation"]
    assert "this breaks constraint C2 of reverse: dimensions differ" in note["message"]
    assert note["location"]["range"]["start"]["line"] == 1


def test_shapes_behind_names(session, opened):
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}}
    found = session.request("textDocument/inlayHint", **opened, range=everything)
    by_line = {hint["position"]["line"]: hint["label"] for hint in found}
    assert by_line[4] == ": 4xf32"
    assert by_line[8] == ": ?xf32"


def test_layout(session, tmp_path):
    path = tmp_path / "layout.mlir"
    text = "func.func @f() {\n      return   \n}"
    session.open(path, text)
    options = {"tabSize": 2, "insertSpaces": True}
    edits = session.request("textDocument/formatting", textDocument={"uri": path.as_uri()}, options=options)
    assert applied(text, edits) == "func.func @f() {\n  return\n}\n"


def test_the_lens_runs_the_test(session, opened):
    (lens,) = session.request("textDocument/codeLens", **opened)
    command = lens["command"]
    assert lens["range"]["start"]["line"] == 0
    assert (
        session.request("workspace/executeCommand", command=command["command"], arguments=command["arguments"]) is True
    )


def test_bytecode_and_artifacts_open_as_text(session, opened, tmp_path):
    module = stablehlo_py.parse(TEXT)
    artifact = tmp_path / "artifact.mlirbc"
    artifact.write_bytes(stablehlo_py.serialize(module))
    text = session.request("mlir/convertFromBytecode", uri=artifact.as_uri())["output"]
    assert "stablehlo.add" in text
    written = session.request("mlir/convertToBytecode", uri=opened["textDocument"]["uri"])["output"]
    bytecode = tmp_path / "plain.mlirbc"
    bytecode.write_bytes(base64.b64decode(written))
    assert session.request("mlir/convertFromBytecode", uri=bytecode.as_uri())["output"] == text
    (tmp_path / "bad.mlirbc").write_bytes(b"ML\xefR\x0d")
    assert "error" in session.answer("mlir/convertFromBytecode", uri=(tmp_path / "bad.mlirbc").as_uri())


def test_every_row_of_the_table_of_features_is_tested():
    page = (Path(__file__).parents[3] / "docs" / "editors.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|[^|]*\|[^|]*\|[^|]*\| `(test_\w+)` \|$", page, re.MULTILINE)
    assert len(rows) >= 15
    assert set(rows) <= set(globals())
    untold = {name for name in globals() if name.startswith("test_")} - set(rows)
    assert untold == {"test_every_row_of_the_table_of_features_is_tested"}


NOWHERE = {"textDocument": {"uri": "file:///no/such.mlir"}, "position": {"line": 0, "character": 0}}
REFUSED = [
    ("no/such", {}, -32601),
    ("textDocument/hover", {}, -32602),
    ("textDocument/hover", NOWHERE, -32602),
    ("textDocument/hover", {**NOWHERE, "textDocument": {"uri": "::"}}, -32602),
    ("textDocument/hover", {**NOWHERE, "position": {"line": "a", "character": 1}}, -32602),
    ("textDocument/hover", {**NOWHERE, "position": {"line": -1, "character": 0}}, -32602),
    ("textDocument/completion", {**NOWHERE, "context": {}}, -32602),
    ("workspace/executeCommand", {"command": "no.such"}, -32602),
]


def test_requests_that_cannot_be_served_are_answered():
    client = Client(initialize=False)
    codes = [client.answer("textDocument/hover", **NOWHERE)["error"]["code"]]
    client.begin()
    errors = [client.answer(method, **params)["error"] for method, params, _ in REFUSED]
    client.request("shutdown")
    codes += [client.answer("textDocument/hover", **NOWHERE)["error"]["code"]]
    assert codes == [-32002, -32600]
    assert [error["code"] for error in errors] == [code for *_, code in REFUSED]
    assert not [error for error in errors if "sub-exception" in error["message"]]
    assert client.exit() == 0
