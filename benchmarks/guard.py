"""Measure what the guard costs on a small file: parsing in a child and reading what it wrote, against parsing here.

    python benchmarks/guard.py [--rounds 200] [--check] [--write]

Both ways are taken in turns. The difference is given on the clock and in processor time of this process and the child.
The least of many rounds is the time of an idle machine. `--server` uses the fork server, as processes with threads do.
`--check` fails if the least is more than 10 ms, `--write` puts the table into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable

import page

import stablehlo_py

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
LIMIT = 0.010


def seconds(call: Callable[[], object]) -> tuple[float, float]:
    """The time of a call on the clock, and of the processor here and in ended children."""
    before, began = sum(os.times()[:4]), time.perf_counter()
    call()
    return time.perf_counter() - began, sum(os.times()[:4]) - before


def measure(rounds: int) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """The times of `rounds` readings without the guard and with it, in turns."""
    direct, guarded = [], []
    for round_ in range(rounds + 5):
        pair = [seconds(lambda trust=trust: stablehlo_py.parse(PROGRAM, trust_input=trust)) for trust in (True, False)]
        if round_ >= 5:
            direct.append(pair[0])
            guarded.append(pair[1])
    return direct, guarded


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--server", action="store_true", help="measure the process that stands for a fork")
    parser.add_argument("--check", action="store_true", help="fail where the guard costs more than it may")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
    if options.server:
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    direct, guarded = measure(options.rounds)
    lines = ["| parsing | least, ms | median, ms | processor, mean, ms | at most, ms |", "|---|--:|--:|--:|--:|"]
    for name, way in (("without the guard", direct), ("with it", guarded)):
        clock, processor = ([each[part] * 1e3 for each in way] for part in (0, 1))
        figures = f"{min(clock):.2f} | {statistics.median(clock):.2f} | {statistics.mean(processor):.2f}"
        lines.append(f"| {name} | {figures} | |")
    cost = min(each[0] for each in guarded) - min(each[0] for each in direct)
    lines.append(f"| the guard | {cost * 1e3:.2f} | | | {LIMIT * 1e3:.0f} |")
    print("\n".join(lines))
    if options.write:
        way = "a server" if options.server else "fork"
        page.put("guard", "\n".join([f"The guard, by {way}; made by `python benchmarks/guard.py`.", "", *lines]))
    if options.check and cost > LIMIT:
        sys.exit(f"more than {LIMIT * 1e3:g} ms")


if __name__ == "__main__":
    main()
