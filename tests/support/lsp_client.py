"""A client of the Language Server Protocol that starts the server as editors do, and speaks with it over pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SERVER = "from stablehlo_py.cli import stablehlo_lsp_server as main; main()"


class Session:
    """What every session does with its `notify`, `answer` and `wait_for`."""

    def begin(self, capabilities: dict[str, Any] | None = None) -> None:
        answer = self.request("initialize", processId=None, rootUri=None, capabilities=capabilities or {})
        self.capabilities = answer["capabilities"]
        self.notify("initialized")

    def request(self, method: str, **params: Any) -> Any:
        """The result of a request."""
        message = self.answer(method, **params)
        assert "error" not in message, message
        return message["result"]

    def open(self, path: Path, text: str) -> list[dict[str, Any]]:
        """Open a text, and return its diagnostics."""
        document = {"uri": path.as_uri(), "languageId": "mlir", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)
        while (found := self.wait_for("textDocument/publishDiagnostics"))["uri"] != path.as_uri():
            pass
        return found["diagnostics"]


class Client(Session):
    """One session with a server, which `begin` begins unless `initialize` is left out."""

    def __init__(self, capabilities: dict[str, Any] | None = None, *, initialize: bool = True) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.number = 0
        self.received: list[dict[str, Any]] = []
        if initialize:
            self.begin(capabilities)

    def _send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if not length:
            raise EOFError(self.process.stderr.read().decode())
        return json.loads(self.process.stdout.read(length))

    def notify(self, method: str, **params: Any) -> None:
        self._send(method=method, params=params)

    def answer(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole answer to a request; notifications that come before it are kept."""
        self.number += 1
        self._send(id=self.number, method=method, params=params)
        while True:
            message = self._receive()
            if message.get("id") == self.number and "method" not in message:
                return message
            self.received.append(message)

    def wait_for(self, method: str) -> dict[str, Any]:
        """The parameters of the next notification of a kind."""
        while True:
            for position, message in enumerate(self.received):
                if message.get("method") == method:
                    return self.received.pop(position)["params"]
            self.received.append(self._receive())

    def close(self) -> int:
        """End the session; return the server's exit code."""
        self.request("shutdown")
        return self.exit()

    def exit(self) -> int:
        self.notify("exit")
        code = self.process.wait(20)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        return code


def position(text: str, wanted: str, *, after: bool = False, nth: int = 0) -> dict[str, int]:
    """Where the nth occurrence of a part of the text begins, or ends, in the units of the protocol."""
    offset = -1
    for _ in range(nth + 1):
        offset = text.index(wanted, offset + 1)
    offset += len(wanted) if after else 0
    line = text.count("\n", 0, offset)
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return {"line": line, "character": len(before.encode("utf-16-le")) // 2}


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after edits."""
    lines = text.splitlines(keepends=True) or [""]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for edit in sorted(
        edits, key=lambda each: -(each["range"]["start"]["line"] * 10**6 + each["range"]["start"]["character"])
    ):
        start, end = (
            starts[min(edit["range"][side]["line"], len(starts) - 1)] + edit["range"][side]["character"]
            for side in ("start", "end")
        )
        text = text[:start] + edit["newText"] + text[end:]
    return text
