"""A server's texts in this process: where an offset is, what is kept and forgotten, and which requests are refused."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.workspace import Workspace

from stablehlo_py.errors import Diagnostic
from stablehlo_py.lsp import session
from stablehlo_py.lsp.document import NAME
from stablehlo_py.lsp.server import make_server

URI = "file:///a.mlir"
TEXT = "a🙂b\n\ncé\r\nlast"
COMPARED = "func.func @f(%x: tensor<2xf32>) {\n  %0 = stablehlo.abs %x : tensor<2xf32>\n  return\n}\n"


class Recorded(session.Server):
    """A server that keeps what it would send."""

    def __init__(self, text: str = TEXT) -> None:
        super().__init__(tuple)
        self.sent: list[Any] = []
        self.protocol._workspace = Workspace(None)
        self.protocol._send_data = self.sent.append
        self.put(text, 1)

    def put(self, text: str, version: int) -> None:
        self.workspace.put_text_document(types.TextDocumentItem(URI, "mlir", version, text))

    @property
    def errors(self) -> list[tuple[Any, int, str]]:
        return [(one.id, one.error.code, one.error.message) for one in self.sent]


@pytest.mark.parametrize(
    ("line", "offsets"),
    [
        (0, [0, 1, 2, 2, 3, 3, 3]),  # the emoji has two units
        (1, [4, 4, 4]),
        (2, [5, 6, 7, 7, 7]),
        (3, [9, 10, 11, 12, 13, 13, 13]),
        (4, [13, 13]),
        (99, [13, 13]),
    ],
)
def test_a_column_behind_the_end_of_a_line_is_its_end(line: int, offsets: list[int]) -> None:
    server = Recorded()
    found = [server.offset(URI, types.Position(line, column)) for column in range(len(offsets))]
    assert found == offsets


def test_an_offset_and_its_position_lead_to_each_other() -> None:
    server = Recorded()
    for offset in range(len(TEXT) + 1):
        found = server.range(URI, 0, offset)
        assert found.start == types.Position(0, 0)
        if TEXT[offset - 1 : offset + 1] not in ("\r\n", "\r"):
            assert server.offset(URI, found.end) == offset
    assert server.range(URI, 2, 11) == types.Range(types.Position(0, 3), types.Position(3, 2))
    assert [server.units(URI)(piece) for piece in ("", "ab", "é", "a🙂")] == [0, 2, 1, 3]


def test_a_text_is_analysed_once_until_it_changes() -> None:
    server = Recorded(COMPARED)
    first = server.document(URI)
    assert server.document(URI) is first
    server.put(COMPARED, 2)
    assert server.document(URI) is first
    server.put(COMPARED.replace("abs", "cos"), 3)  # as long as before
    second = server.document(URI)
    assert second is not first
    assert second.before is None  # the first one was not compiled
    second.compile()
    server.put(COMPARED, 4)
    assert server.document(URI).before is second


def test_a_text_that_is_not_there_is_refused() -> None:
    server = Recorded()
    assert server.text(URI).source == TEXT
    for uri in ("file:///no/such.mlir", "::"):
        with pytest.raises(JsonRpcInvalidParams, match=f"'{uri}' is not open: "):
            server.text(uri)


def test_flags_are_asked_for_once() -> None:
    asked: list[int] = []
    server = make_server(lambda: (asked.append(0), [("cse", "about cse")])[1])
    assert asked == []
    assert [server.flags, server.flags] == [[("cse", "about cse")]] * 2
    assert asked == [0]
    assert make_server().flags == ()


def test_a_text_is_compiled_until_the_newest_one_is_and_then_published() -> None:
    server = Recorded("func.func @f(")
    published: list[tuple[str, int, int | None]] = []

    def publish(found: types.PublishDiagnosticsParams) -> None:
        published.append((found.uri, len(found.diagnostics), found.version))

    server.text_document_publish_diagnostics = publish  # pyright: ignore[reportAttributeAccessIssue]

    async def work() -> None:
        server.schedule(URI)
        task = server._waiting[URI]
        server.put(COMPARED, 2)
        server.schedule(URI)
        assert server._waiting[URI] is task  # the first one takes the newest text
        await task
        server.put("func.func @f(", 3)
        server.schedule(URI)
        assert server._waiting[URI] is not task
        await server._waiting[URI]
        server.schedule(URI)  # nothing has changed since
        again = server._waiting[URI]
        await asyncio.sleep(0)
        server.colours[URI] = "1", []
        server.forget(URI)
        assert (server._documents, server._waiting, server.colours) == ({}, {}, {})
        with pytest.raises(asyncio.CancelledError):
            await again
        server.forget(URI)

    async def changed_meanwhile() -> None:
        """A text that changes while it is compiled is not published before the newest one."""
        compiling = server.document(URI).compile
        server._documents[URI].compile = lambda: (server.put(COMPARED, 5), compiling())  # type: ignore[assignment]
        server.schedule(URI)
        await server._waiting[URI]

    asyncio.run(work())
    assert published == [(URI, 0, 2), (URI, 1, 3)]
    server.put("func.func @g(", 4)
    asyncio.run(changed_meanwhile())
    assert published[2:] == [(URI, 0, 5)]


def place(line: int, start: int, end: int) -> types.Location:
    return types.Location(URI, types.Range(types.Position(line, start), types.Position(line, end)))


def test_a_diagnostic_has_its_severity_its_token_and_its_notes() -> None:
    server = Recorded(COMPARED)
    severities = [("error", 1), ("warning", 2), ("remark", 3), ("note", 4)]
    notes = (
        Diagnostic("note", f"{NAME}:1:14", "is here"),
        Diagnostic("note", "", "somewhere"),
        Diagnostic("note", f"{NAME}:1:1", "see current operation: x"),
        Diagnostic("note", "other.mlir:3:1", "elsewhere"),
    )
    for severity, number in severities:
        found = server._diagnostic(URI, Diagnostic(severity, f"{NAME}:2:8", "'stablehlo.abs' op is wrong", notes))  # pyright: ignore[reportArgumentType]
        assert found.severity == number
        assert found.source == "stablehlo"
        assert found.message == "'stablehlo.abs' op is wrong"
        assert found.range == place(1, 7, 20).range
        assert found.related_information == [
            types.DiagnosticRelatedInformation(place(0, 13, 15), "is here"),
            types.DiagnosticRelatedInformation(place(1, 7, 20), "somewhere"),
            types.DiagnosticRelatedInformation(place(0, 0, 9), "elsewhere"),
        ]
    inside = server._diagnostic(URI, Diagnostic("error", f"{NAME}:2:10", "x"))
    assert inside.range == place(1, 9, 20).range
    blank = server._diagnostic(URI, Diagnostic("error", f"{NAME}:2:1", "x"))
    assert blank.range == place(1, 0, 1).range
    behind = server._diagnostic(URI, Diagnostic("error", f"{NAME}:1:10", "x"))
    assert behind.range == place(0, 9, 10).range
    assert server._diagnostic(URI, Diagnostic("error", "", "x")).range == place(0, 0, 9).range


def request(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


HOVER = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


def test_messages_that_cannot_be_read_are_answered_or_raised() -> None:
    server = Recorded()
    server.feature("own/one")(lambda params: None)
    protocol = server.protocol
    assert protocol.structure_message(request(1, "textDocument/hover", **HOVER)).params.text_document.uri == URI
    assert server.sent == []
    assert protocol.structure_message(request(2, "textDocument/hover", position=3)) is None
    without = [{"jsonrpc": "2.0", "id": id_, "method": name} for id_, name in ((3, "own/one"), (4, "no/such"), (5, 3))]
    assert [protocol.structure_message(message) for message in without] == [None] * 3
    codes = [code for _, code, _ in server.errors]
    texts = [text for *_, text in server.errors]
    assert codes == [-32602, -32602, -32601, -32601]
    assert [id_ for id_, *_ in server.errors] == [2, 3, 4, 5]
    assert texts[0].startswith("Invalid Params of textDocument/hover: ")
    assert "; " in texts[0]
    assert "position" in texts[0]
    assert "sub-exception" not in "".join(texts)
    assert texts[1].startswith("Invalid Params of own/one: ")
    assert "'params'" in texts[1]
    assert texts[2:] == ["Method Not Found: no/such", "Method Not Found: 3"]
    with pytest.raises(JsonRpcInvalidParams):
        protocol.structure_message({"jsonrpc": "2.0", "method": "textDocument/didClose", "params": {}})


def test_requests_before_the_beginning_and_after_the_end() -> None:
    server = Recorded()
    protocol, workspace = server.protocol, server.protocol._workspace
    message = protocol.structure_message(request(1, "shutdown"))
    note = protocol.structure_message({"jsonrpc": "2.0", "method": "initialized", "params": {}})
    protocol._workspace = None
    protocol.handle_message(None)
    protocol.handle_message(message)
    protocol.handle_message(note)
    assert server.errors == [(1, -32002, "shutdown comes before initialize")]
    protocol._workspace, protocol._shutdown = workspace, True
    protocol.handle_message(message)
    protocol.handle_message(note)
    assert server.errors[1:] == [(1, -32600, "shutdown comes after shutdown")]


@pytest.mark.parametrize("change", ["none", "edit", "cancel"])
def test_a_request_waits_for_what_makes_it_stale(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Recorded()
    server.feature(types.TEXT_DOCUMENT_HOVER)(lambda params: None)
    monkeypatch.setattr(session, "_SECONDS_TO_BECOME_STALE", 0.0)

    async def work() -> None:
        message = server.protocol.structure_message(request(7, "textDocument/hover", **HOVER))
        server.protocol.handle_message(message)
        assert server.sent == []  # it is not answered at once
        waiting = server.protocol._request_futures[7]
        await asyncio.sleep(0)
        if change == "edit":
            server.put(TEXT + "\n", 2)
        elif change == "cancel":
            server.protocol._handle_cancel_notification(7)
        await waiting
        assert server.protocol._request_futures == {}

    asyncio.run(work())
    (answer,) = server.sent
    assert answer.id == 7
    if change == "none":
        assert answer.result is None
    else:
        expected = {
            "edit": (-32801, "the text changed after textDocument/hover"),
            "cancel": (-32800, "textDocument/hover was cancelled"),
        }
        assert (answer.error.code, answer.error.message) == expected[change]
