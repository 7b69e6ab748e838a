"""Measure what watching a run costs: a loop of 1,000,000 iterations, without and with each flag that watches it.

    python benchmarks/watching.py [--rounds 5] [--check] [--write]

Times are of the processor, of the whole tool on a terminal, in turns; the share is of the fastest plain run. With a
limit on steps or time it may be 1.10; a run with listeners goes op by op, and may take any time.
`--write` puts the table into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import pty
import resource
import subprocess
import sys
import tempfile
import threading

import page

PROGRAM = """func.func @main() -> (tensor<i32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %count = stablehlo.constant dense<1000000> : tensor<i32>
  %factor = stablehlo.constant dense<1.0001> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %x = %factor) : tensor<i32>, tensor<f32>
    cond {
      %more = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %scaled = stablehlo.multiply %x, %factor : tensor<f32>
      %y = stablehlo.sine %scaled : tensor<f32>
      stablehlo.return %next, %y : tensor<i32>, tensor<f32>
    }
  return %r#0, %r#1 : tensor<i32>, tensor<f32>
}
"""
LIMIT = 1.10
FLAGS = {"": LIMIT, "--timeout=1000": LIMIT, "--max-steps=100000000": LIMIT, "--progress": None, "--profile": None}
"""What the share of the plain run may be."""


def _read(terminal: io.FileIO) -> None:
    """Read what is drawn, until nobody has the terminal any more."""
    with contextlib.suppress(OSError):
        while terminal.read(4096):
            pass


def processor_seconds(path: str, flag: str) -> float:
    """The processor time of a run of the tool."""
    command = [sys.executable, "-c", "from stablehlo_py.cli import stablehlo_translate as run; run()", "--interpret"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ours, theirs = pty.openpty()  # progress is drawn on terminals only
    with os.fdopen(ours, "rb", buffering=0) as terminal, os.fdopen(theirs, "wb") as standard_error:
        reader = threading.Thread(target=_read, args=(terminal,))
        reader.start()
        run = [*command, path, *filter(None, [flag])]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL, stderr=standard_error)
        standard_error.close()
        reader.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often each is run")
    parser.add_argument("--check", action="store_true", help="exit with 1 where watching costs more than it may")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(PROGRAM)
        file.flush()
        processor_seconds(file.name, "")
        rounds = [[processor_seconds(file.name, flag) for flag in FLAGS] for _ in range(options.rounds)]
    fastest = [min(times) for times in zip(*rounds, strict=True)]
    lines = ["| flag | processor, s | of the plain run | at most |", "|---|--:|--:|--:|"]
    shares = [seconds / fastest[0] for seconds in fastest]
    for (flag, limit), seconds, share in zip(FLAGS.items(), fastest, shares, strict=True):
        at_most = "" if limit is None else f"{limit:.2f}"
        lines.append(f"| {flag if flag else 'none'} | {seconds:.2f} | {share:.2f} | {at_most} |")
    print("\n".join(lines))
    if options.write:
        about = "A loop of 1,000,000 iterations, watched; made by `python benchmarks/watching.py`."
        page.put("watching", "\n".join([about, "", *lines]))
    is_over = any(limit and share > limit for limit, share in zip(FLAGS.values(), shares, strict=True))
    return 1 if options.check and is_over else 0


if __name__ == "__main__":
    sys.exit(main())
