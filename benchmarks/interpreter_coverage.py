"""Measures how much of the interpreter the suite tests/lit/interpret covers by itself, with and without accelerators.

`python benchmarks/interpreter_coverage.py` prints the covered percentage of statements and branches together, by
file of `interpreter/ops` and `interpreter/element_types`. `--least 90` fails below that; `--missing` adds the lines.
Guideline (G2) asks for 90 %. The RUN lines run one after the other in one process, without a guard.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import coverage

ROOT = Path(__file__).resolve().parents[1]
SUITE = ROOT / "tests" / "lit" / "interpret"
FOLDERS = ("ops", "element_types")
ELSEWHERE = (
    "element_types/special_values.py",  # quotients as in the C standard, which tests/lit/choices covers
    "element_types/ulp.py",  # measures of differences, for the kit and the debugger, whose tests cover them
)
_RUN = re.compile(
    r"^// RUN: (?:not )?(?:rm -rf %t && )?(?:env \S+ )?stablehlo-translate (.*?)(?: 2>&1)?(?: \|.*)?$", re.M
)


def commands() -> list[list[str]]:
    """Return the arguments of the suite's RUN lines."""
    temporary = os.path.join(tempfile.gettempdir(), f"interpreter-coverage-{os.getpid()}")
    found: list[list[str]] = []
    for path in sorted(SUITE.glob("*.mlir")):
        for line in _RUN.findall(path.read_text(encoding="utf-8")):
            line = line.replace("%s", str(path)).replace("%S", str(SUITE)).replace("%t", temporary)
            found.append(["--trust-input", *shlex.split(line)])
    return found


def run_suite() -> None:
    """Run the tool for each RUN line in this process."""
    from stablehlo_py.cli.translate import main

    for arguments in commands():
        sys.argv = ["stablehlo-translate", *arguments]
        silent = io.TextIOWrapper(io.BytesIO())
        with contextlib.suppress(SystemExit), contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
            main()


def measure(report: str) -> None:
    """Measure this process, and write the report of coverage.py."""
    folders = [str(ROOT / "stablehlo_py" / "interpreter" / folder) for folder in FOLDERS]
    measured = coverage.Coverage(data_file=None, branch=True, source=folders)
    measured.start()
    try:
        run_suite()
    finally:
        measured.stop()
        measured.json_report(outfile=report)


def measured(fast: str) -> dict[str, Any]:
    """Return the report of coverage.py by file, from a process with STABLEHLO_PY_FAST=`fast`."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = [sys.executable, __file__, "--report", report]
        environment = {**os.environ, "STABLEHLO_PY_FAST": fast, "PYTHONPATH": str(ROOT)}
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
        return json.loads(Path(report).read_text(encoding="utf-8"))


def main() -> int:
    """Print the table; the exit code is 1 if a file is below `--least` both ways."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--least", type=float, default=0.0, help="fail if a file has less with every setting")
    parser.add_argument("--missing", action="store_true", help="add the lines that neither setting covers")
    parser.add_argument("--report", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.report:
        measure(options.report)
        return 0
    with_fast, without = measured("1"), measured("0")
    print("| file | without `fast` | with `fast` |\n|---|--:|--:|")
    low: list[str] = []
    for path, entry in sorted(without["files"].items()):
        name = "/".join(Path(path).parts[-2:])
        values = [each["summary"]["percent_covered"] for each in (entry, with_fast["files"][path])]
        missing = sorted({*entry["missing_lines"]} & {*with_fast["files"][path]["missing_lines"]})
        lines = f" {missing}" if options.missing and missing else ""
        print(f"| `{name}` | {values[0]:.0f} | {values[1]:.0f} |{lines}")
        low += [name] if max(values) < options.least and name not in ELSEWHERE else []
    totals = [each["totals"]["percent_covered"] for each in (without, with_fast)]
    print(f"| together | {totals[0]:.0f} | {totals[1]:.0f} |")
    for name in low:
        print(f"{name} is below {options.least:g} %", file=sys.stderr)
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
