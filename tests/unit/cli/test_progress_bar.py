"""Verbs that take long draw a bar on terminals, and write nothing anywhere else."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from speeds import later

from stablehlo_py.cli.progress import progress_bar

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")

ROOT = Path(__file__).parents[3]
PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


def on_a_terminal(code: str, arguments: list[str], folder: Path) -> tuple[str, str]:
    """What a verb writes to standard output, which is a file, and to standard error, which is a terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"}
    with (folder / "printed").open("w") as printed:
        started = subprocess.Popen(
            [sys.executable, "-c", code, *arguments], cwd=folder, env=environment, stdout=printed, stderr=theirs
        )
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # how Linux tells that the other side has gone
                break
            if not part:
                break
            seen += part
        assert started.wait() in (0, 1)
    os.close(ours)
    return (folder / "printed").read_text(), seen.decode()


RUN = "from stablehlo_py.cli import stablehlo; stablehlo()"
WITHOUT_RICH = "import sys; sys.modules['rich'] = None; " + RUN


@pytest.mark.parametrize(
    ("code", "arguments", "drawn"),
    [
        (RUN, ["trace", "p.mlir", "--engine=reference:bf16", "--compiled=0"], r"ops .*2/2"),
        later(RUN, ["bisect", "p.mlir", "--engine=reference:bf16", "--tolerance=0.01ulp"], r"cuts .*\d/3"),
        (WITHOUT_RICH, ["reduce", "p.mlir", "--engine=reference:bf16", "--tolerance=0.01ulp", "-j1"],
         r"ops removed: 1 of 1"),
        later(RUN, ["conformance", "run", "--ops=negate,abs", "--types=i32", "--level=smoke", "-j1"], r"ops .*\d/2"),
    ],
)  # fmt: skip
def test_a_bar_is_drawn_on_a_terminal_and_taken_away(code, arguments, drawn, tmp_path):
    (tmp_path / "p.mlir").write_text(PROGRAM)
    printed, seen = on_a_terminal(code, arguments, tmp_path)
    assert re.search(drawn, seen), seen
    assert "\x1b[" not in printed
    last = re.split(r"\x1b\[2K|\x1b\[K", seen)[-1]
    assert not re.search(r"\w", re.sub(r"\x1b\[\??\w+", "", last)), "the bar is still there"


def test_nothing_is_drawn_where_there_is_no_terminal(tmp_path):
    (tmp_path / "p.mlir").write_text(PROGRAM)
    ended = subprocess.run(
        [sys.executable, "-c", RUN, "trace", "p.mlir", "--engine=reference"], cwd=tmp_path, capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, text=True,
    )  # fmt: skip
    assert ended.stderr == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_without_rich_a_line_of_numbers_is_drawn_again_and_again(monkeypatch):
    monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    monkeypatch.setattr(sys, "stderr", written := Terminal())
    with progress_bar("ops") as show:
        for done, total in ((1, 0), (2, 3000), (1000, 3000)):
            show(done, total)
    assert written.getvalue() == "".join(
        f"\r\x1b[K{text}" for text in ("ops: 1", "ops: 2 of 3,000", "ops: 1,000 of 3,000", "")
    )
