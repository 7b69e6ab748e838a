"""What a session shows and sends: messages of what went wrong, notes, positions behind wide characters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsp_client import Client, position

# In UTF-16 each emoji has two units.
TEXT = """// RUN: false
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %b = stablehlo.abs %x : tensor<2xf32>
  %a = stablehlo.custom_call @"🙂🙂"(%b) : (tensor<2xf32>) -> tensor<2xf32>
  %c = stablehlo.add %a, %b : tensor<2xf32>
  return %c : tensor<2xf32>
}
"""
NAMED_TWICE = """func.func @f() {
  return
}
func.func @f() {
  return
}
"""


@pytest.fixture(scope="module")
def session() -> Iterator[Client]:
    client = Client()
    yield client
    assert client.close() == 0


@pytest.fixture
def opened(session: Client, tmp_path: Path) -> dict[str, object]:
    path = tmp_path / "a b.mlir"
    path.write_text(TEXT)
    assert session.open(path, TEXT) == []
    return {"textDocument": {"uri": path.as_uri()}}


def sent(session: Client, method: str) -> dict:
    """The notification of a kind that came before the last answer."""
    found = [message for message in session.received if message.get("method") == method]
    assert found, [message.get("method") for message in session.received]
    session.received.remove(found[0])
    return found[0]["params"]


def shown(session: Client) -> tuple[int, str]:
    message = sent(session, "window/showMessage")
    return message["type"], message["message"]


def test_a_pass_that_fails_is_shown_and_changes_nothing(session: Client, opened: dict) -> None:
    action = {"title": "t", "data": {"uri": opened["textDocument"]["uri"], "pipeline": "builtin.module(nothing)"}}
    assert "edit" not in session.request("codeAction/resolve", **action)
    kind, message = shown(session)
    assert kind == 1
    assert "nothing" in message
    assert session.request("codeAction/resolve", title="t", data={"pipeline": "cse"}).get("edit") is None


def test_a_test_that_fails_is_shown_with_its_log(session: Client, opened: dict) -> None:
    (lens,) = session.request("textDocument/codeLens", **opened)
    assert lens["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 13}}
    assert (
        session.request("workspace/executeCommand", **{k: lens["command"][k] for k in ("command", "arguments")})
        is False
    )
    assert shown(session) == (1, "a b.mlir fails; the log of the server shows how")
    assert "FAIL: " in sent(session, "window/logMessage")["message"]


def test_positions_are_counted_in_units_of_the_protocol(session: Client, opened: dict) -> None:
    place = position(TEXT, "%b", nth=1)
    (definition,) = session.request("textDocument/definition", **opened, position=place)
    start = position(TEXT, "%b")
    assert definition["range"] == {"start": start, "end": {**start, "character": start["character"] + 2}}
    used = session.request("textDocument/references", **opened, position=start, context={"includeDeclaration": False})
    places = [place, position(TEXT, "%b", nth=2)]
    assert [each["range"]["start"] for each in used] == places
    both = session.request("textDocument/references", **opened, position=start, context={"includeDeclaration": True})
    assert [each["range"]["start"] for each in both] == [start, *places]
    edits = session.request("textDocument/rename", **opened, position=start, newName="long")["changes"]
    (found,) = edits.values()
    assert [(each["range"]["start"], each["newText"]) for each in found] == [
        (each, "%long") for each in [start, *places]
    ]


def test_tokens_and_shapes_behind_characters_of_two_units(session: Client, opened: dict) -> None:
    data = session.request("textDocument/semanticTokens/full", **opened)["data"]
    lines, line, column, words = TEXT.split("\n"), 0, 0, []
    for delta_line, delta, length, _, modifiers in zip(*[iter(data)] * 5, strict=True):
        line, column = line + delta_line, delta if delta_line else column + delta
        units = lines[line].encode("utf-16-le")
        words.append(units[2 * column : 2 * (column + length)].decode("utf-16-le"))
        assert modifiers == 0
    assert {"%b", "stablehlo.abs", '@"🙂🙂"', "%c"} <= set(words)
    assert words.count("%b") == 3
    hints = session.request(
        "textDocument/inlayHint", **opened, range={"start": position(TEXT, "%a"), "end": {"line": 4, "character": 0}}
    )
    assert [(hint["position"], hint["label"]) for hint in hints] == [(position(TEXT, "%a", after=True), ": 2xf32")]


def test_the_second_of_two_names_is_shown_with_a_note_at_the_first(session: Client, tmp_path: Path) -> None:
    path = tmp_path / "twice.mlir"
    (found,) = session.open(path, NAMED_TWICE)
    (note,) = found["relatedInformation"]
    assert found["severity"] == 1
    assert found["source"] == "stablehlo"
    assert (found["range"]["start"]["line"], note["location"]["range"]["start"]["line"]) == (3, 0)
    asked = {"textDocument": {"uri": path.as_uri()}, "context": {"diagnostics": []}}
    here, above = ({"start": {"line": n, "character": 0}, "end": {"line": n, "character": 1}} for n in (3, 2))
    offered = session.request("textDocument/codeAction", **asked, range=here)
    assert [each["title"] for each in offered] == ["Expect this error"]  # no passes for what cannot be parsed
    assert session.request("textDocument/codeAction", **asked, range=above) == []


def test_a_text_that_is_closed_has_no_diagnostics_left(session: Client, tmp_path: Path) -> None:
    path = tmp_path / "closed.mlir"
    assert session.open(path, NAMED_TWICE) != []
    session.notify("textDocument/didClose", textDocument={"uri": path.as_uri()})
    left = session.wait_for("textDocument/publishDiagnostics")
    assert (left["uri"], left["diagnostics"]) == (path.as_uri(), [])
    assert session.open(path, "func.func @f() {\n  return\n}\n") == []
