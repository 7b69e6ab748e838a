"""Times the official interpreter, this package and XLA on a CPU side by side: `python benchmarks/interpreter.py`.

Writes its table into docs/benchmarks.md, and docs/benchmarks.svg (which needs matplotlib: pip install
'stablehlo-py[plot]').
"""

from __future__ import annotations

import argparse
import os
import pickle
import platform
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import page
from cases import CASES, Case

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent / "docs"


@dataclass(frozen=True)
class Timing:
    """Seconds of the fastest run in each engine; None where the official interpreter or XLA cannot run the program."""

    case: Case
    official: float | None
    ours: float
    planning: float
    xla: float | None

    @property
    def speedup(self) -> float | None:
        return None if self.official is None else self.official / self.ours

    @property
    def is_missed(self) -> bool:
        too_slow = self.speedup is not None and self.speedup < self.case.target
        of_xla, limit = self.xla, self.case.xla_target
        return too_slow or (of_xla is not None and limit is not None and self.ours > limit * of_xla)


def seconds(engine: str, case: Case, budget: float) -> float | None:
    """Return the seconds of a case, from `engines.py`, or None if its process failed."""
    process = subprocess.run(
        [sys.executable, str(HERE / "engines.py"), engine],
        input=pickle.dumps((case.program, case.arguments(), budget)),
        capture_output=True,
        check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # threads that wait for a busy core would be timed too
    )
    return float(process.stdout.split()[-1]) if process.returncode == 0 else None


def measure(case: Case, budget: float) -> Timing:
    official, ours, planning, xla = [seconds(e, case, budget) for e in ("official", "ours", "planning", "xla")]
    if ours is None or planning is None:
        raise SystemExit(f"{case.name}: our own run failed")
    return Timing(case, official, ours, planning, xla)


def duration(value: float | None) -> str:
    """Seconds with three digits, in the unit that suits."""
    if value is None:
        return "cannot run it"
    unit, factor = next(
        pair for pair in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)) if value * pair[1] >= 1 or pair[0] == "µs"
    )
    number = value * factor
    return f"{number:.{max(0, 2 - len(str(int(number))) + 1)}f} {unit}"


def ratio(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}x" if value >= 10 else f"{value:.1f}x"


def table(timings: list[Timing]) -> str:
    """The timings as a Markdown table."""
    lines = [
        "| program | official interpreter | stablehlo-py | faster by | wanted | XLA CPU | of XLA's time | wanted |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for timing in timings:
        of_xla = "" if timing.xla is None else ratio(timing.ours / timing.xla)
        cells = [timing.case.name, duration(timing.official), duration(timing.ours), ratio(timing.speedup)]
        cells += [ratio(timing.case.target), duration(timing.xla), of_xla]
        cells.append(ratio(timing.case.xla_target))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def document(timings: list[Timing]) -> str:
    planned = timings[-1]
    ops = planned.case.program.count("stablehlo.")
    return f"""{table(timings)}

Each time is that of the fastest run, arguments at hand and the program parsed, planned or compiled before. Planning
takes {planned.planning / ops * 1e6:.1f} µs an op (that of the last program, {ops} ops; at most 5 are wanted), once for
a program. What is wanted of XLA is a limit.
numpy multiplies matrices on one thread, the official interpreter has no others, XLA takes as many as it likes.
Made by `python benchmarks/interpreter.py` with jaxlib {version("jaxlib")} and numpy {version("numpy")} on Python
{platform.python_version()}, {os.cpu_count()} cores of {processor()}.

![The same times as bars](benchmarks.svg)
"""


def plot(timings: list[Timing], path: Path) -> None:
    """Draws the times as bars on a logarithmic scale."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "stablehlo-py"  # the same picture for the same times
    from matplotlib import pyplot as plt

    engines = [("official", "#b0b0b0"), ("ours", "#1f6f8b"), ("xla", "#e0a030")]
    labels = {"official": "official interpreter", "ours": "stablehlo-py", "xla": "XLA CPU"}
    figure, axes = plt.subplots(figsize=(9, 0.5 * len(timings) + 1))
    for offset, (engine, color) in enumerate(engines):
        times = [getattr(timing, engine) for timing in timings]
        heights = [row + (offset - 1) * 0.27 for row, time in enumerate(times) if time is not None]
        axes.barh(heights, [time for time in times if time is not None], 0.25, color=color, label=labels[engine])
    axes.set_yticks(range(len(timings)), [timing.case.name for timing in timings])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("seconds")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower right", frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> int:
    """The exit code: 0 when every case reaches its target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=2.0, help="seconds for each program in each engine")
    parser.add_argument("--only", default="", help="only cases whose name contains this; nothing is written")
    options = parser.parse_args()
    timings: list[Timing] = []
    for case in CASES:
        if options.only in case.name:
            timings.append(measure(case, options.budget))
            print(table(timings[-1:]).splitlines()[-1], flush=True)
    if not options.only:
        page.put("interpreter", document(timings))
        plot(timings, DOCS / "benchmarks.svg")
    missed = [timing.case.name for timing in timings if timing.is_missed]
    if missed:
        print("off their targets:", ", ".join(missed), file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
