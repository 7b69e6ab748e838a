"""Measure how long plans take to make: `python benchmarks/planning.py [--rounds 12] [--write]`.

Prints the microseconds of processor time for an op, of the fastest plan, with the target beside each figure, and exits
with 1 where one is missed. Reading the text of a program is not in it. `--write` puts the table into
docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time

import page
from cases import many_ops

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.interpreter.planner import Planner
from stablehlo_py.interpreter.settings import Settings

_MIXED = (
    "%c{i} = stablehlo.constant dense<1.0> : tensor<4xf32>",
    "%b{i} = stablehlo.broadcast_in_dim %v{i}, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>",
    "%t{i} = stablehlo.transpose %b{i}, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>",
    "%r{i} = stablehlo.reshape %t{i} : (tensor<4x2xf32>) -> tensor<8xf32>",
    "%s{i} = stablehlo.slice %r{i} [0:4] : (tensor<8xf32>) -> tensor<4xf32>",
    "%p{i} = stablehlo.compare LT, %s{i}, %c{i} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>",
    "%m{i} = stablehlo.multiply %s{i}, %c{i} : tensor<4xf32>",
    "%w{i} = stablehlo.select %p{i}, %m{i}, %c{i} : tensor<4xi1>, tensor<4xf32>",
    "%e{i} = stablehlo.exponential %w{i} : tensor<4xf32>",
    "%v{next} = stablehlo.add %e{i}, %m{i} : tensor<4xf32>",
)


def _mixed_ops(rounds: int) -> str:
    lines = [f"  {line.format(i=i, next=i + 1)}\n" for i in range(rounds) for line in _MIXED]
    head, end = "func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {\n", f"  return %v{rounds} : tensor<4xf32>\n}}\n"
    return head + "".join(lines) + end


PROGRAMS = {
    "5,000 additions": (many_ops(5000), 5000, 5.0),
    "5,000 ops of ten kinds, seven of them with attributes or constants": (_mixed_ops(500), 5000, None),
}


def microseconds(program: str, ops: int, rounds: int) -> float:
    """The processor time of planning an op, at best."""
    module = ir.Module.parse(program, make_context())
    best = float("inf")
    for _ in range(rounds):
        gc.collect()  # of the last plan
        start = time.process_time()
        Planner(module.operation, Settings()).plan("main")
        best = min(best, time.process_time() - start)
    return best / ops * 1e6


def main() -> int:
    """The exit code: 0 when every target is reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=12, help="how often each program is planned")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
    missed = False
    lines = ["| program | µs an op | wanted at most |", "|---|--:|--:|"]
    for name, (program, ops, target) in PROGRAMS.items():
        measured = microseconds(program, ops, options.rounds)
        missed |= target is not None and measured > target
        lines.append(f"| {name} | {measured:.2f} | {'' if target is None else f'{target:.2f}'} |")
    print("\n".join(lines))
    if options.write:
        about = "Planning, in processor time; made by `python benchmarks/planning.py`."
        page.put("planning", "\n".join([about, "", *lines]))
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
