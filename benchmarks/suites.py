"""How long the project's own checks take: the lit suites, and with `--ci` all that `.ci/run` runs, phase by phase.

    python benchmarks/suites.py [--ci] [--write] [--check]

Seconds are on the clock, so run it on an idle machine. lit runs as in CI, on all cores, with each FileCheck that is
found, LLVM's and the package, and reports the slowest tests. `--write` puts the table into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import page

from stablehlo_py.testing.filecheck import find_filechecks

ROOT = Path(__file__).resolve().parent.parent
HEAD = "| what | tests | seconds | ms a test | wanted, s |\n|---|--:|--:|--:|--:|"
LIT_LIMIT, CI_LIMIT = 30.0, 240.0
SLOWEST = 5


def row(what: str, tests: int | None, seconds: float, wanted: float | None) -> str:
    """A line of the table."""
    each = "" if tests is None else f"{1e3 * seconds / tests:.0f}"
    wish = "" if wanted is None else f"{wanted:.0f}"
    return f"| {what} | {'' if tests is None else tests} | {seconds:.1f} | {each} | {wish} |"


def lit() -> tuple[float, list[str]]:
    """The seconds of all suites, and the lines about them and their slowest tests."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        named = dict.fromkeys([*find_filechecks(), shutil.which("filecheck") or ""])
        variables = {**os.environ, "STABLEHLO_PY_FILECHECK": os.pathsep.join(filter(None, named))}
        command = ["lit", "--quiet", f"--output={report}", str(ROOT / "tests" / "lit")]
        start = time.perf_counter()
        completed = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - start
        if completed.returncode:
            sys.exit(f"lit fails:\n{completed.stdout[-2000:]}")
        tests = json.loads(report.read_text(encoding="utf-8"))["tests"]
    slowest = sorted(tests, key=lambda test: -test["elapsed"])[:SLOWEST]
    lines = [row("lit", len(tests), seconds, LIT_LIMIT)]
    lines += [row(f"`{test['name'].partition(' :: ')[2]}`", 1, test["elapsed"], None) for test in slowest]
    return seconds, lines


def ci() -> tuple[float, list[str]]:
    """The seconds of `.ci/run`, and the lines about its phases."""
    process = subprocess.Popen([str(ROOT / ".ci" / "run")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    begin = time.perf_counter()
    phases, output = [("environment", begin)], list[str]()
    for line in process.stdout or ():
        output.append(line)
        if line.startswith("== ") and not line.startswith("== failed"):
            phases.append((line[3:].strip(), time.perf_counter()))
    code, end = process.wait(), time.perf_counter()
    if code:
        sys.exit(f".ci/run fails:\n{''.join(output[-40:])}")
    counted = re.search(r"(\d+) passed", output[-1])
    ends = [*[start for _, start in phases[1:]], end]
    lines = [row("`.ci/run`", None, end - begin, CI_LIMIT)]
    for (title, start), stop in zip(phases, ends, strict=True):
        tests = int(counted[1]) if title == "pytest" and counted else None
        lines.append(row(f"its {title}", tests, stop - start, None))
    return end - begin, lines


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ci", action="store_true", help="run .ci/run as well")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    parser.add_argument("--check", action="store_true", help="exit with 1 where something takes longer than it may")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    seconds, lines = lit()
    late = seconds > LIT_LIMIT
    if options.ci:
        seconds, more = ci()
        late, lines = late or seconds > CI_LIMIT, lines + more
    table = "\n".join([HEAD, *lines])
    print(table)
    if options.write:
        about = f"The project's own checks on {os.cpu_count()} cores; made by `python benchmarks/suites.py --ci`."
        page.put("suites", f"{about}\n\n{table}")
    return int(options.check and late)


if __name__ == "__main__":
    sys.exit(main())
