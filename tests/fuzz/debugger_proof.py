"""Print the tables of docs/debugging.md: planted errors that the debugger finds, and its times.

python tests/fuzz/debugger_proof.py plants --count=200 --jobs=2 --work=plants.jsonl   # goes on where it was ended
python tests/fuzz/debugger_proof.py reduce --ops=5000
python tests/fuzz/debugger_proof.py agreement
python tests/fuzz/debugger_proof.py kills --count=20
python tests/fuzz/debugger_proof.py memory --ops=10000
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import numpy as np

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.diagnostics import file_location
from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug import Tolerance, bisect, compare, draw_arguments, examine, trace
from stablehlo_py.debug.reduction.predicates import Disagreement
from stablehlo_py.debug.reduction.reduce import Reduction, reduce
from stablehlo_py.debug.reduction.search import Search
from stablehlo_py.dialect.facts import facts
from stablehlo_py.engines import Engine, open_engine
from stablehlo_py.interpreter.storage import load_arrays

ROOT = Path(__file__).parents[2]
SUPPORT = ROOT / "tests" / "support"
sys.path.insert(0, str(SUPPORT))

from planted_programs import PLANTED, arguments, program  # noqa: E402  (it stands beside the tests that use it)

FEWEST, MOST = 50, 5000
PLANTED_BACKEND = "planted_engine:backend"
COMMAND = [sys.executable, "-c", "from stablehlo_py.cli import stablehlo; stablehlo()"]
EXACT = Tolerance()  # both engines are the same interpreter, so that every bit counts


@dataclass(frozen=True)
class Found:
    """The debugger's findings about one planted error."""

    planted: str
    ops: int
    by_trace: bool
    reaches_results: bool
    by_bisect: bool
    runs: int
    trace_seconds: float
    bisect_seconds: float


@contextlib.contextmanager
def planted_engines() -> Iterator[tuple[Engine, Engine]]:
    """The interpreter, and the interpreter with planted errors."""
    path = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(SUPPORT), path]))
    with open_engine("reference") as reference, Engine("planted", PLANTED_BACKEND) as planted:
        yield reference, planted


def look(planted: str, ops: int, seed: int, reference: Engine, engine: Engine) -> Found:
    """Plant one error and look for it."""
    module = stablehlo_py.parse(program(planted, ops, seed))
    (marked,) = [op for op in operations(module.operation) if "planted" in op.attributes]
    wanted = marked.name, file_location(marked.location)
    subject = examine(module)
    start = time.perf_counter()
    traced = trace(subject, arguments(), reference, engine).culprit
    middle = time.perf_counter()
    cut = bisect(subject, arguments(), reference, engine, tolerance=EXACT)
    end = time.perf_counter()
    compared = compare(module, [reference, engine], arguments=[arguments()], tolerances={"": EXACT})
    named = [(one.op, one.location) == wanted if one is not None else False for one in (traced, cut.culprit)]
    reaches = any(entry.difference is not None and not entry.difference.same for entry in compared.results)
    return Found(planted, len(subject.ops), named[0], reaches, named[1], len(cut.steps), middle - start, end - middle)


def sizes(count: int) -> list[int]:
    """Sizes of programs from 50 to 5,000 ops, as many between 50 and 500 as between 500 and 5,000."""
    return [round(float(size)) for size in np.geomspace(FEWEST, MOST, count)]


def look_for_all(count: int, jobs: int, kept: Path | None = None) -> list[Found]:
    """Plant errors of every kind in turn, each in a program of its own.

    Args:
        count: How many errors.
        jobs: How many to look for at once.
        kept: A file that gets a line for each error; those in it are not looked for again.
    """
    kinds = list(PLANTED)
    known = {} if kept is None else read_found(kept)
    tasks = list(enumerate(sizes(count)))
    random.Random(0).shuffle(tasks)
    open_tasks = [(seed, ops) for seed, ops in tasks if (seed, ops) not in known]

    def work(share: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, int], Found]]:
        with planted_engines() as engines:
            found = []
            for seed, ops in share:
                one = look(kinds[seed % len(kinds)], ops, seed, *engines)
                found.append(((seed, ops), one))
                click.echo(f"{seed}: {one}", err=True)
                if kept is not None:
                    with kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps([seed, ops, asdict(one)]) + "\n")
            return found

    with ThreadPoolExecutor(jobs) as pool:
        made = [one for part in pool.map(work, [open_tasks[start::jobs] for start in range(jobs)]) for one in part]
    known.update(made)
    return [known[task] for task in enumerate(sizes(count))]


def read_found(path: Path) -> dict[tuple[int, int], Found]:
    """Return the findings of an earlier run, by seed and size of the program."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {(seed, ops): Found(**found) for seed, ops, found in map(json.loads, lines)}


def plants_table(found: Sequence[Found]) -> str:
    """The table, by size of the program."""
    edges = [(FEWEST, 200), (200, 1000), (1000, MOST + 20)]
    lines = [
        "| ops | planted | named first by `trace` | reach the results | of these named by `bisect` | runs of `bisect` "
        "| seconds of `trace`, of `bisect` (median) |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for low, high in edges:
        part = [one for one in found if low <= one.ops < high]
        if part:
            reached = [one for one in part if one.reaches_results]
            seconds = [np.median([getattr(one, f"{verb}_seconds") for one in part]) for verb in ("trace", "bisect")]
            lines.append(
                f"| {low:,} to {min(high, MOST):,} | {len(part)} | {sum(one.by_trace for one in part)} "
                f"| {len(reached)} | {sum(one.by_bisect for one in reached)} | {min(one.runs for one in part)} to "
                f"{max(one.runs for one in part)} | {seconds[0]:.1f}, {seconds[1]:.1f} |"
            )
    return "\n".join(lines)


def reduced(ops: int, jobs: int, kind: str = "wrong sign: dot_general") -> Reduction:
    """Reduce a program with one planted error."""
    module = stablehlo_py.parse(program(kind, ops, 1))
    with planted_engines() as (reference, _):
        search = Search(
            [Disagreement(open_engine("reference"), Engine("planted", PLANTED_BACKEND)) for _ in range(jobs)]
        )
        try:
            return reduce(module, arguments(), reference, search)
        finally:
            for predicate in search.predicates:
                predicate.close()


@click.group()
def main() -> None:
    """Measure the debugger."""


@main.command()
@click.option("--count", default=200)
@click.option("--jobs", default=2)
@click.option("--work", metavar="FILE", help="Keep what was found out there; a rerun goes on from it.")
def plants(count: int, jobs: int, work: str | None) -> None:
    """Plant errors, and count those that `trace` and `bisect` name."""
    found = look_for_all(count, jobs, None if work is None else Path(work))
    click.echo(plants_table(found))
    for one in found:
        if not one.by_trace or (one.reaches_results and not one.by_bisect):
            click.echo(f"missed: {one}")


@main.command("reduce")
@click.option("--ops", default=5000)
@click.option("--jobs", default=2)
def reduce_one(ops: int, jobs: int) -> None:
    """Reduce a large program with one planted error."""
    start = time.perf_counter()
    found = reduced(ops, jobs)
    seconds = time.perf_counter() - start
    click.echo(f"{found.ops_before:,} ops reduced to {found.ops} in {found.tests} tests and {seconds:.0f} s")


def local_errors(path: Path, reference: Engine, engine: Engine) -> tuple[int, int]:
    """Plant an error of 4 ULP in every elementwise f32 op of a program at once, as `trace` looks at each alone.

    Returns:
        The ops whose results change, and those that `trace` does not call wrong.
    """
    subject = examine(stablehlo_py.parse(path))
    with subject.module.context:
        for op in subject.ops:
            if facts(op.name).is_elementwise and str(op.results[0].type).endswith("f32>"):
                op.attributes["planted"] = ir.StringAttr.get("few_ulp")
    planted = {number for number, op in enumerate(subject.ops) if "planted" in op.attributes}
    rows = trace(subject, draw_arguments(subject.function, 0), reference, engine).rows
    changed = [row for row in rows if row.place.number in planted and row.local is not None and row.local.max_ulp > 0]
    return len(changed), sum(not row.wrong for row in changed)


@main.command()
@click.option("--samples", default=10)
def agreement(samples: int) -> None:
    """Compare the interpreter with XLA on the programs of examples/jax, and plant 4 ULP in their ops."""
    click.echo("| program | samples | results that agree | largest difference in ULP | ops with 4 ULP | missed |")
    click.echo("|---|--:|--:|--:|--:|--:|")
    with planted_engines() as (reference, planted), open_engine("xla") as xla:
        for path in sorted((ROOT / "examples" / "jax").glob("*.mlir")):
            found = compare(stablehlo_py.parse(path), [reference, xla], samples=samples)
            same = sum(entry.verdict == "same" for entry in found.results)
            ulp = max(entry.difference.max_ulp for entry in found.results if entry.difference is not None)
            ops, missed = local_errors(path, reference, planted)
            total = len(found.results)
            click.echo(f"| {path.stem} | {samples} | {same} of {total} | {ulp:.4g} | {ops} | {missed} |")


def run_verb(verb: str, program_file: Path, folder: Path, seconds: float | None) -> str | None:
    """Return the output and the files of a verb; None if it was killed after `seconds`."""
    output = folder / "reduced.mlir"
    command = [*COMMAND, verb, str(program_file), "--engine=reference:bf16", f"--work={folder}"]
    command += [f"--input-distribution={text}" for text in ("uniform(-1,1)", "1=uniform(2.6,3.2)", "2=zeros")]
    command += [f"--output={output}", "--jobs=1"] if verb == "reduce" else ["--all"]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True, cwd=ROOT)
    try:
        printed, _ = started.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        started.communicate()
        return None
    if verb == "trace":
        return printed
    return output.read_text(encoding="utf-8") + str(load_arrays(str(output.with_suffix(".npz"))))


@main.command()
@click.option("--count", default=20)
@click.option("--ops", default=400)
def kills(count: int, ops: int) -> None:
    """Kill `reduce` and `trace` at random moments, let them go on, and compare with a run that was left alone."""
    choose = random.Random(0)
    for verb in ("reduce", "trace"):
        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "program.mlir"
            file.write_text(program("", ops, 1), encoding="utf-8")
            start = time.perf_counter()
            wanted = run_verb(verb, file, Path(name) / "alone", None)
            seconds = time.perf_counter() - start
            killed = same = 0
            while killed < count:
                folder = Path(name) / f"killed-{killed}"
                if run_verb(verb, file, folder, choose.uniform(0.1, 0.9) * seconds) is None:
                    killed += 1
                    same += run_verb(verb, file, folder, None) == wanted
        click.echo(f"{verb}: killed {killed} times, the same answer {same} times")


def traced(ops: int, size: int, cap: int) -> tuple[float, int, int]:
    """Trace a program of tensors of `size` by `size` elements.

    Args:
        ops: The number of its ops.
        size: The sizes of its tensors.
        cap: MiB of values at a time.

    Returns:
        The seconds, and the MiB of the largest process and of the results of all ops.
    """
    text = program("", ops, 1).replace("4x4xf32", f"{size}x{size}xf32").replace("<4xf32", f"<{size}xf32")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.mlir"
        file.write_text(text, encoding="utf-8")
        command = [*COMMAND, "trace", str(file), "--engine=reference:reverse", f"--memory={cap}", "--json"]
        start = time.perf_counter()
        with open(Path(folder) / "printed", "wb") as printed:
            started = subprocess.Popen([*command, "--input-distribution=uniform(-1,1)"], stdout=printed, cwd=ROOT)
            _, status, usage = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        rows = json.loads((Path(folder) / "printed").read_text(encoding="utf-8"))["rows"]
    if started.returncode == 2:
        raise click.ClickException("the program could not be traced")
    return seconds, usage.ru_maxrss >> 10, len(rows) * size * size * 4 >> 20


@main.command()
@click.option("--ops", default=10_000)
@click.option("--size", default=100)
def memory(ops: int, size: int) -> None:
    """Trace a short program of large tensors under two caps and a long one, and tell time and memory."""
    click.echo("| ops | MiB of all results | cap in MiB | seconds | MiB of the largest process |")
    click.echo("|--:|--:|--:|--:|--:|")
    for count, cap in ((ops // 20, 1), (ops // 20, 16), (ops, 16)):
        seconds, peak, results = traced(count, size, cap)
        click.echo(f"| {count:,} | {results:,} | {cap} | {seconds:.0f} | {peak:,} |")


if __name__ == "__main__":
    main()
