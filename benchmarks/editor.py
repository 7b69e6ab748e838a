"""How long an editor waits: from a change of a text of 2,000 lines to its diagnostics, and for a hover.

python benchmarks/editor.py
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from lsp_client import Client, position

LINES, ROUNDS = 2000, 15


def program(lines: int) -> str:
    """A chain of ops, one a line."""
    ops = (
        f"  %{n + 1} = stablehlo.{('add', 'multiply')[n % 2]} %{n}, %0 : tensor<8x128xf32>" for n in range(lines - 4)
    )
    head = "func.func @main(%0: tensor<8x128xf32>) -> tensor<8x128xf32> {"
    return "\n".join([head, *ops, f"  return %{lines - 4} : tensor<8x128xf32>", "}", ""])


def main() -> None:
    """Print the medians."""
    text = program(LINES)
    client = Client()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.mlir")
        client.open(path, text)
        diagnosed, hovered = [], []
        for round_ in range(ROUNDS):
            document = {"uri": path.as_uri(), "version": round_ + 2}
            place = position(text, "%500, %0")
            started = time.perf_counter()
            edit = {"range": {"start": place, "end": place}, "text": " "}
            client.notify("textDocument/didChange", textDocument=document, contentChanges=[edit])
            client.wait_for("textDocument/publishDiagnostics")
            diagnosed.append(time.perf_counter() - started)
            started = time.perf_counter()
            client.request("textDocument/hover", textDocument=document, position=position(text, "%900"))
            hovered.append(time.perf_counter() - started)
        client.close()
    for name, seconds in (("diagnostics after a change", diagnosed), ("hover after that", hovered)):
        print(f"{name}: median {statistics.median(seconds) * 1e3:.0f} ms, least {min(seconds) * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
