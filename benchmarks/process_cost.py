"""Print the cost of processes of a grid in one interpreter: `python benchmarks/process_cost.py [8 32 64]`.

For each number N, N x N processes run an all_reduce over all of them, and 50 turns of a loop with a matrix product, a
tangent and an all_reduce over each row; once with what equal processes share, once without.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import numpy as np

from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.syntax import parse

TURNS = 50
REDUCE = """"stablehlo.all_reduce"({operand}) ({{
  ^bb0(%left: tensor<f32>, %right: tensor<f32>):
    %both = stablehlo.add %left, %right : tensor<f32>
    stablehlo.return %both : tensor<f32>
  }}) {{replica_groups = dense<{groups}> : tensor<{count}x{size}xi64>{channel}}}
  : (tensor<8x8xf32>) -> tensor<8x8xf32>"""
CHANNEL = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>"
ONCE = """
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {{
  %0 = {reduce}
  return %0 : tensor<8x8xf32>
}}
"""
LOOP = """
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %turns = stablehlo.constant dense<{turns}> : tensor<i32>
  %result:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<8x8xf32>
    cond {{
      %more = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
      %product = stablehlo.dot_general %v, %v, contracting_dims = [1] x [0]
        : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %sum = {reduce}
      %next = stablehlo.tanh %sum : tensor<8x8xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %next : tensor<i32>, tensor<8x8xf32>
    }}
  return %result#1 : tensor<8x8xf32>
}}
"""


def measure(program: Program, side: int) -> float:
    """The seconds of a run on side x side processes with arguments that all differ."""
    arguments = [[np.full((8, 8), number / side**2, np.float32)] for number in range(side * side)]
    started = time.perf_counter()
    program.run_parallel(arguments, num_replicas=side, num_partitions=side)
    return time.perf_counter() - started


def row(side: int) -> str:
    """The line of the table for side x side processes, measured in this process."""
    whole = REDUCE.format(operand="%x", groups=[list(range(side))], count=1, size=side, channel=CHANNEL)
    rows = REDUCE.format(operand="%product", groups=[list(range(side))], count=1, size=side, channel="")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    once = measure(Program(parse(ONCE.format(reduce=whole))), side)
    taken = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / side**2
    loop = parse(LOOP.format(reduce=rows, turns=TURNS))
    shared, alone = [measure(Program(loop, Settings(share=share)), side) for share in (True, False)]
    return f"| {side} x {side} | {once:.2f} | {taken:.0f} | {shared:.1f} | {alone:.1f} |"


def main() -> None:
    """Print the table; each line is measured in a child, so that peaks do not hide each other."""
    if sys.argv[1:2] == ["--row"]:
        print(row(int(sys.argv[2])))
        return
    print("| processes | all_reduce over all, s | KiB a process | 50 turns, s | without sharing, s |")
    print("|---|--:|--:|--:|--:|")
    for side in sys.argv[1:] if sys.argv[1:] else ["8", "32", "64"]:
        command = [sys.executable, __file__, "--row", side]
        print(subprocess.run(command, capture_output=True, text=True, check=True).stdout, end="", flush=True)


if __name__ == "__main__":
    main()
