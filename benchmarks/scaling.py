"""How the time of reading, printing, serializing and deserializing grows with a program: linearly, or it says so.

    python benchmarks/scaling.py [--sizes 25000 50000 100000] [--check] [--write]

Times are processor times of the whole tool. The growth is the ratio of times beyond the smallest start, for twice the
ops, and may be 2.3. `--write` puts the table into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import page

LIMIT = 2.3


def chain(size: int) -> str:
    """Return a program with a chain of `size` ops."""
    t = "tensor<8xf32>"
    lines = [f"%v{i + 1} = stablehlo.{('add', 'multiply')[i % 2]} %v{i}, %v0 : {t}" for i in range(size)]
    body = "\n".join(lines)
    return f"func.func @main(%v0: {t}) -> {t} {{\n{body}\nreturn %v{size} : {t}\n}}\n"


def seconds(tool: str, *arguments: str) -> float:
    """The processor time of a run of a tool."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = f"from stablehlo_py.cli import {tool} as run; run()"
    subprocess.run([sys.executable, "-c", code, *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(folder: Path, size: int) -> list[float]:
    """The times of the three commands on a program of `size` ops."""
    program, artifact = folder / "program.mlir", folder / "program.mlirbc"
    program.write_text(chain(size))
    commands = (
        ("stablehlo_opt", str(program), "-o", str(folder / "printed.mlir")),
        ("stablehlo_translate", "--serialize", str(program), "-o", str(artifact)),
        ("stablehlo_translate", "--deserialize", str(artifact), "-o", str(folder / "printed.mlir")),
    )
    return [min(seconds(*command) for _ in range(3)) for command in commands]


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[25000, 50000, 100000], help="numbers of ops")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a time does not grow linearly")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        start = measure(Path(folder), 1)
        rows = [measure(Path(folder), size) for size in options.sizes]
    growths: list[float] = []
    lines = ["| ops | opt, s | serialize, s | deserialize, s | growth of each | at most |", "|--:|--:|--:|--:|---|--:|"]
    for number, (size, row) in enumerate(zip(options.sizes, rows, strict=True)):
        shown = ""
        if number:
            found = [(b - s) / (a - s) for a, b, s in zip(rows[number - 1], row, start, strict=True)]
            factor = 2 * options.sizes[number - 1] / size
            growths += [factor * one for one in found]
            shown = ", ".join(f"{factor * one:.2f}" for one in found)
        lines.append(f"| {size} | {' | '.join(f'{one:.2f}' for one in row)} | {shown} | {LIMIT} |")
    print("\n".join(lines))
    if options.write:
        about = "Programs of many ops; made by `python benchmarks/scaling.py`."
        page.put("scaling", "\n".join([about, "", *lines]))
    return 1 if options.check and max(growths, default=0.0) > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
