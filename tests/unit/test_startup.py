"""The tools start quickly."""

from __future__ import annotations

import subprocess
import sys
import time

from stablehlo_py.bindings.provider import provider

LONGEST = 1.6  # times what importing the bindings takes
ROUNDS = 7


def wall_time(*arguments: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def test_opt_takes_little_longer_than_importing_the_bindings(tmp_path):
    program = tmp_path / "program.mlir"
    program.write_text("func.func @main(%arg: tensor<f32>) -> tensor<f32> {\n  return %arg : tensor<f32>\n}\n")
    tool = ["-c", "from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()", str(program)]
    bare = ["-c", f"from {provider.root} import ir"]
    rounds = [(wall_time(*bare), wall_time(*tool)) for _ in range(ROUNDS)]
    assert min(tool for _, tool in rounds) <= LONGEST * min(bare for bare, _ in rounds), rounds
