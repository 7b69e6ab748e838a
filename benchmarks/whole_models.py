"""Times whole models: `python benchmarks/whole_models.py [--only TEXT] [--cores 1] [--rounds 10]`. Needs jax.

For each program of `loop_models.py` the times from its text to the first result, and of a second run. Here a first
result takes reading, planning and interpreting, with XLA compiling and running. The official interpreter has a minute
for a run, and only its time for that counts. Weights and inputs are random and at
hand. Each engine is a process of its own on the same `--cores`, and BLAS has as many threads. On one core, seconds are
processor time, so that other work on the machine counts less. Prints a table with the targets beside the figures,
writes it into docs/benchmarks.md between its marks with `--write`, and exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import page

HERE = Path(__file__).resolve().parent


def draw(specifications: list[tuple[list[int], str]]) -> list[np.ndarray]:
    """Random arrays: weights of usual size, small numbers for indices."""
    random, arrays = np.random.default_rng(0), list[np.ndarray]()
    for shape, name in specifications:
        dtype = np.dtype(getattr(ml_dtypes, name) if name == "bfloat16" else name)
        if dtype.kind in "iu":
            array = random.integers(0, 10, shape)
        else:
            array = random.standard_normal(shape, np.float32) * np.float32(0.05)
        arrays.append(np.asarray(array, dtype))
    return arrays


def ours(program: str, arguments: list[np.ndarray]) -> Any:
    """Read and plan the program; return a function that runs it."""
    from stablehlo_py.bindings import ir, make_context
    from stablehlo_py.interpreter.program import Program
    from stablehlo_py.interpreter.reading import numbers

    numbers(True).prepare_process()  # as the command-line tools do
    planned = Program(ir.Module.parse(program, make_context()))
    return lambda: planned.run(arguments)


def serve(engine: str, path: str, rounds: int, clock: Callable[[], float]) -> None:
    """Print the seconds to the first result and of the fastest run after it."""
    source = json.loads(Path(path).read_text(encoding="utf-8"))
    arguments = draw(source["arguments"])
    if engine == "ours":
        from stablehlo_py.bindings import ir, make_context

        ir.Module.parse("module {}", make_context())  # importing is not in it, for neither engine
        ours("func.func @main() { return }", [])()
        start = clock()
        run = ours(source["program"], arguments)
    elif engine == "official":
        from engines import official

        from stablehlo_py.bindings import ir, make_context
        from stablehlo_py.interpreter.chlo import lower_chlo

        module = ir.Module.parse(source["program"], make_context())
        run = official(str(lower_chlo(module.operation)), arguments)
        start = clock()
    else:
        from engines import xla_compiler

        compile_ = xla_compiler(source["program"], arguments)
        start = clock()
        run = compile_()
    run()
    first = clock() - start
    best = float("inf")
    for _ in range(rounds):
        start = clock()
        run()
        best = min(best, clock() - start)
    print(first, best, flush=True)
    os._exit(0)  # XLA's threads end some processes by SIGABRT while these close


@dataclass(frozen=True)
class Row:
    """A program's times in seconds, the first result and the second run, here and with XLA."""

    name: str
    limit: float
    ours: tuple[float, float]
    xla: tuple[float, float]
    official: float | None

    @property
    def ratios(self) -> tuple[float, float]:
        return self.ours[0] / self.xla[0], self.ours[1] / self.xla[1]

    @property
    def is_missed(self) -> bool:
        is_slower = self.official is not None and self.ours[1] > self.official
        return is_slower or self.ratios[0] > 1 or self.ratios[1] > self.limit

    def __str__(self) -> str:
        cells = [self.name]
        for index, limit in enumerate((1.0, self.limit)):
            cells += [f"{1e3 * self.ours[index]:,.1f} ms", f"{1e3 * self.xla[index]:,.1f} ms"]
            cells += [f"{self.ratios[index]:.2f}x", f"{limit:.1f}x"]
        cells.append("over a minute" if self.official is None else f"{1e3 * self.official:,.1f} ms")
        return f"| {' | '.join(cells)} |"


HEAD = (
    "| program | first result | XLA, compiled and run | of XLA's time | wanted "
    "| second run | XLA | of XLA's time | wanted | official interpreter |\n"
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def export(name: str, path: Path) -> float:
    """Write a program and the types of its arguments; return the limit of its second run."""
    import jax
    from loop_models import PROGRAMS

    function, shapes, limit = PROGRAMS[name]
    arguments = shapes()
    lowered = jax.jit(function, keep_unused=True).lower(*arguments)
    flat = [(list(part.shape), part.dtype.name) for part in jax.tree.leaves(arguments)]
    path.write_text(json.dumps({"program": lowered.as_text(), "arguments": flat}), encoding="utf-8")
    return limit


def measure(name: str, cores: int, rounds: int) -> Row:
    """Time a program in the engines, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.json"
        limit = export(name, path)
        command = [sys.executable, __file__, f"--program={path}", f"--cores={cores}"]
        times: dict[str, tuple[float, float] | None] = {}
        for engine in ("ours", "xla", "official"):
            try:
                process = subprocess.run(
                    [*command, f"--engine={engine}", f"--rounds={0 if engine == 'official' else rounds}"],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    check=True,
                    timeout=60 if engine == "official" else None,
                    env={**os.environ, "OPENBLAS_NUM_THREADS": str(cores)},
                )
            except subprocess.TimeoutExpired:
                times[engine] = None
            else:
                first, second = map(float, process.stdout.split()[-2:])
                times[engine] = first, second
    ours, xla, official = times["ours"], times["xla"], times["official"]
    assert ours is not None
    assert xla is not None
    return Row(name, limit, ours, xla, None if official is None else official[0])


def main() -> int:
    """The exit code: 0 when every target is reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument("--cores", type=int, default=1, help="how many cores and BLAS threads an engine has")
    parser.add_argument("--rounds", type=int, default=10, help="how many runs after the first")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    parser.add_argument("--engine", help=argparse.SUPPRESS)
    parser.add_argument("--program", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cores])
        serve(
            options.engine,
            options.program,
            options.rounds,
            time.process_time if options.cores == 1 else time.perf_counter,
        )
        return 0
    from loop_models import PROGRAMS

    rows: list[Row] = []
    print(HEAD)
    for name in PROGRAMS:
        if options.only in name:
            rows.append(measure(name, options.cores, options.rounds))
            print(rows[-1], flush=True)
    if options.write:
        about = f"Whole models, on {options.cores} core(s) each; made by `python benchmarks/whole_models.py`.\n\n"
        page.put("whole_models", about + "\n".join([HEAD, *map(str, rows)]))
    return int(any(row.is_missed for row in rows))


if __name__ == "__main__":
    sys.exit(main())
