"""How long an editor waits for each request on a text of 10,000 lines: at rest, and right after an edit.

    python benchmarks/editor.py
    python benchmarks/editor.py --lines 2500 --rounds 3

The last column is the time that the server's thread of requests had a processor, where the system tells it: on a
machine that does other work it is what the wait would be without that.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from lsp_client import Client, position

SHOWN = 60  # lines of a window


def program(lines: int) -> str:
    """A chain of ops, one a line."""
    ops = (
        f"  %{n + 1} = stablehlo.{('add', 'multiply')[n % 2]} %{n}, %0 : tensor<8x128xf32>" for n in range(lines - 4)
    )
    head = "func.func @main(%0: tensor<8x128xf32>) -> tensor<8x128xf32> {"
    return "\n".join([head, *ops, f"  return %{lines - 4} : tensor<8x128xf32>", "}", ""])


def requests(text: str, lines: int) -> dict[str, dict[str, Any]]:
    """The requests that editors send, each with its parameters beside the document."""
    middle = lines // 2
    use = {"position": position(text, f"%{middle}, %0")}
    window = {"start": {"line": middle, "character": 0}, "end": {"line": middle + SHOWN, "character": 0}}
    return {
        "semanticTokens/range": {"range": window},
        "semanticTokens/full": {},
        "semanticTokens/full/delta": {"previousResultId": "0"},
        "hover": use,
        "definition": use,
        "references": {**use, "context": {"includeDeclaration": True}},
        "documentHighlight": use,
        "rename": {**use, "newName": "%renamed"},
        "completion": {"position": position(text, f"stablehlo.add %{middle}", after=True)},
        "signatureHelp": {"position": position(text, f"%{middle}, %0", after=True)},
        "inlayHint": {"range": window},
        "foldingRange": {},
        "documentSymbol": {},
        "codeLens": {},
        "codeAction": {"range": window, "context": {"diagnostics": []}},
    }


class Session:
    """A server with one text open."""

    def __init__(self, path: Path, text: str) -> None:
        self.client = Client()
        self.uri, self.version = path.as_uri(), 1
        self.place = position(text, f"%{text.count(chr(10)) // 3}, %0")
        self.client.open(path, text)
        self.results: str | None = None

    def edit(self) -> None:
        """Type a blank in front of an operand."""
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        change = {"range": {"start": self.place, "end": self.place}, "text": " "}
        self.client.notify("textDocument/didChange", textDocument=document, contentChanges=[change])

    def diagnosed(self) -> None:
        """Wait for the diagnostics of the last edit."""
        while self.client.wait_for("textDocument/publishDiagnostics").get("version") != self.version:
            pass

    def processor(self) -> float:
        """Return the milliseconds that the server's first thread had a processor; 0 where that is unknown."""
        children = Path(f"/proc/{self.client.process.pid}/task/{self.client.process.pid}/children")
        server = children.read_text().split()[0] if children.exists() else ""
        return int(Path(f"/proc/{server}/task/{server}/schedstat").read_text().split()[0]) / 1e6 if server else 0.0

    def timed(self, method: str, params: dict[str, Any]) -> tuple[float, float]:
        """Return the milliseconds until the answer to a request, and those of the server's processor."""
        if method == "semanticTokens/full/delta":
            params = {"previousResultId": self.results or "0"}
        before, started = self.processor(), time.perf_counter()
        answer = self.client.answer(f"textDocument/{method}", textDocument={"uri": self.uri}, **params)
        seconds = time.perf_counter() - started
        if "error" in answer:
            raise LookupError(answer["error"]["message"].partition("\n")[0])
        if method.startswith("semanticTokens/full"):
            self.results = answer["result"].get("resultId")
        return seconds * 1e3, self.processor() - before


def main() -> None:
    """Print the medians of each request."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    text = program(arguments.lines)
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        session = Session(Path(folder, "program.mlir"), text)
        print(f"{arguments.lines} lines; diagnostics after opening: {(time.perf_counter() - started) * 1e3:.0f} ms")
        print(f"{'request':28}{'at rest, ms':>12}{'after an edit, ms':>20}{'of a processor, ms':>20}")
        for method, params in requests(text, arguments.lines).items():
            try:
                session.timed(method, params)
                rest = [session.timed(method, params)[0] for _ in range(arguments.rounds)]
                edited: list[tuple[float, float]] = []
                for _ in range(arguments.rounds):
                    session.edit()
                    edited.append(session.timed(method, params))
                    session.diagnosed()
            except LookupError as error:
                print(f"{method:28} {error}")
                continue
            waited, used = (statistics.median(column) for column in zip(*edited, strict=True))
            print(f"{method:28}{statistics.median(rest):12.0f}{waited:20.0f}{used:20.0f}", flush=True)
        diagnosed: list[float] = []
        for _ in range(arguments.rounds):
            started = time.perf_counter()
            session.edit()
            session.diagnosed()
            diagnosed.append((time.perf_counter() - started) * 1e3)
        print(f"{'diagnostics':28}{'':12}{statistics.median(diagnosed):20.0f}")
        session.client.close()


if __name__ == "__main__":
    main()
