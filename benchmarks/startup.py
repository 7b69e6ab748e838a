"""How long the tools take to start: cold, as programs, and warm, as lit runs them by fork.

    python benchmarks/startup.py [--rounds 21] [--check] [--write]

The commands read a program of three lines, and the package is compiled, as pip leaves it. Cold ones are compared with
importing the bindings and nothing else; all are run in turns, so that what else the machine does meets all of them.
Wall time and processor time are medians. `--write` puts the table into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import page

from stablehlo_py.bindings.provider import provider
from stablehlo_py.testing.filecheck import find_filechecks
from stablehlo_py.testing.lit import make_tool_folder
from stablehlo_py.testing.warm_lit import WarmShTest

PROGRAM = """func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>  // CHECK: stablehlo.constant
  return %0 : tensor<2xf32>
}
"""
TOOLS = {name: name.removeprefix("stablehlo-") for name in ("stablehlo", "stablehlo-opt", "stablehlo-translate")}
BASELINE = "import of the bindings"
# The largest ratio of a cold command's time to the baseline.
LIMITS = {
    "stablehlo-opt": 1.25,
    "stablehlo-opt --canonicalize": 1.25,
    "stablehlo-translate --serialize": 1.25,
    "stablehlo-translate --deserialize": 1.25,
    "stablehlo info": 1.25,
    "stablehlo-translate --interpret": 1.5,
}


@dataclass
class Row:
    """Something that is run, and the seconds of each run: on the clock, and of the processor."""

    name: str
    run: Callable[[], Any]
    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def measure(self) -> None:
        before = _processor_time()
        start = time.perf_counter()
        process = self.run()
        process.communicate()
        code = process.wait()
        self.clock.append(time.perf_counter() - start)
        self.processor.append(_processor_time() - before)
        if code:
            sys.exit(f"{self.name} fails with exit code {code}")


def _processor_time() -> float:
    """Return the processor time of this process and its children so far; warm tools are forks of this process."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _rows(folder: Path) -> tuple[list[Row], list[Row]]:
    """Return the commands that are run cold and warm."""
    tools = str(folder / "tools")
    filechecks = find_filechecks()
    make_tool_folder(tools, *filechecks)
    test_format = WarmShTest(tools, TOOLS, filechecks)
    program, artifact = str(folder / "program.mlir"), str(folder / "program.mlirbc")
    Path(program).write_text(PROGRAM)
    commands = {
        "stablehlo-opt": [program],
        "stablehlo-opt --canonicalize": [program],
        "stablehlo-translate --serialize": [program, "-o", artifact],
        "stablehlo-translate --deserialize": [artifact],
        "stablehlo info": [artifact],
        "stablehlo-translate --interpret": [program],
        "FileCheck": [program],
    }

    def process(name: str, start: Callable[..., Any]) -> Callable[[], Any]:
        args = [*name.split(), *commands[name]]

        def run() -> Any:
            with open(program) as stdin:
                return start(
                    args,
                    executable=os.path.join(tools, args[0]),
                    stdin=stdin,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=dict(os.environ),
                )

        return run

    bare = [sys.executable, "-c", f"from {provider.root} import ir"]
    cold = [Row(BASELINE, lambda: subprocess.Popen(bare))]
    cold += [Row(name, process(name, subprocess.Popen)) for name in commands]
    return cold, [Row(name, process(name, test_format.start)) for name in commands]


def _table(cold: list[Row], warm: list[Row]) -> tuple[str, list[str]]:
    """The table, and the commands that take longer than they may."""
    baseline = statistics.median(cold[0].clock)
    beside = {row.name: row for row in warm}
    late, lines = list[str](), list[str]()
    lines.append("| command | cold, ms | of it processor | times the import | at most | warm, ms | of it processor |")
    lines.append("|---|--:|--:|--:|--:|--:|--:|")
    for row in cold:
        ratio = statistics.median(row.clock) / baseline
        limit = LIMITS.get(row.name)
        if limit is not None and ratio > limit:
            late.append(row.name)
        cells = [row.name, *_milliseconds(row), f"{ratio:.2f}", "" if limit is None else f"{limit:.2f}"]
        cells += _milliseconds(beside[row.name]) if row.name in beside else ["", ""]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines), late


def _milliseconds(row: Row) -> list[str]:
    return [f"{statistics.median(seconds) * 1e3:.1f}" for seconds in (row.clock, row.processor)]


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=21, help="how often each command is run")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a command takes longer than it may")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        cold, warm = _rows(Path(folder))
        for row in [*cold, *warm]:  # what is written once, and read again, is there after this
            row.measure()
            row.clock.clear()
            row.processor.clear()
        for _ in range(options.rounds):
            for row in [*cold, *warm]:
                row.measure()
    table, late = _table(cold, warm)
    print(table)
    if options.write:
        page.put("startup", f"A program of three lines; made by `python benchmarks/startup.py`.\n\n{table}")
    if late:
        print(f"longer than they may take: {', '.join(late)}", file=sys.stderr)
    return 1 if options.check and late else 0


sys.exit(main())
