"""`stablehlo reduce`: the smallest program that shows the error."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .shared import Inputs, input_options, load_module, read_tolerance, write_reproducer

if TYPE_CHECKING:
    from ...debug.predicates import Predicate
    from ...debug.reduction import Reduction
    from ...engines import Limits


@click.command("reduce")
@click.argument("file")
@click.option("-o", "--output", default="reduced.mlir", show_default=True, help="Where the reduced program goes.")
@click.option("--engine", "name", default="xla", show_default=True, help="The engine that is wrong.")
@click.option("--reference", default="reference", show_default=True, help="The engine that is right.")
@click.option("--tolerance", metavar="AMOUNT", help="What results may differ by: 4ulp, 1e-3rel, 1e-6abs.")
@click.option("--fails", is_flag=True, help="Interesting is that the engine fails, as it does at first.")
@click.option("--command", "script", metavar="COMMAND", help="Interesting is what COMMAND says of {module}, {inputs}.")
@click.option("--interesting-if-exit", "exit_code", metavar="N", default="0", show_default=True,
              help="The exit code of COMMAND that means interesting, or any.")  # fmt: skip
@click.option("--match", "pattern", default="", metavar="REGEX", help="What the message or output has to match.")
@click.option("-j", "--jobs", type=click.IntRange(1), default=os.cpu_count(), help="Programs tested at a time.")
@click.option("--keep", is_flag=True, help="Keep every step in the folder of --work.")
@click.option("--issue", metavar="FILE.md", help="Write a text for a bug report.")
@input_options
def command(
    file: str,
    output: str,
    name: str,
    reference: str,
    tolerance: str | None,
    fails: bool,
    script: str | None,
    exit_code: str,
    pattern: str,
    jobs: int,
    keep: bool,
    issue: str | None,
    inputs: Inputs,
) -> int:
    """Make FILE as small as possible while it still shows an error.

    Interesting is, by default, that --engine's results differ from --reference's. Exit code 0 with a reduced program, 2
    where the program does not show the error, or not in every run."""
    from ...debug.program import examine
    from ...debug.reduction import reduce
    from ...debug.search import Search

    if keep and inputs.work is None:
        raise click.UsageError("--keep needs --work")
    if exit_code != "any" and not exit_code.isdigit():
        raise click.UsageError(f"--interesting-if-exit takes a number or any, not '{exit_code}'")
    module = load_module(file)
    arguments = inputs.sample(examine(module))
    bounds = inputs.limits

    def judge() -> Predicate:
        return _predicate(name, reference, tolerance, fails, script, exit_code, pattern, bounds)

    folder = _folder(inputs.work, name, reference, tolerance, fails, script, exit_code, pattern)
    search = Search([judge() for _ in range(jobs)], folder, keep)
    try:
        with inputs.engine(reference) as values:
            found = reduce(module, arguments, values, search)
    finally:
        for predicate in search.predicates:
            predicate.close()
    click.echo(_summary(found, search.unstable))
    click.echo(write_reproducer(output, found.program, found.arguments))
    if issue is not None:
        _write_issue(issue, found, output, [] if script is not None else [reference, name], tolerance, bounds)
    return 0


def _summary(found: Reduction, unstable: int) -> str:
    text = f"{found.signature}: {found.ops_before} ops reduced to {found.ops} in {found.tests} tests"
    passed = f"\n{unstable} programs were passed over that show the error in some runs only"
    return text + (passed if unstable else "")


def _folder(work: str | None, *question: object) -> Path | None:
    """Where verdicts on one question are kept, apart from those on others."""
    digest = hashlib.sha256(repr(question).encode()).hexdigest()[:12]
    return None if work is None else Path(work) / f"reduce-{digest}"


def _predicate(
    name: str,
    reference: str,
    tolerance: str | None,
    fails: bool,
    script: str | None,
    exit_code: str,
    pattern: str,
    bounds: Limits,
) -> Predicate:
    """What the options call interesting."""
    from ...debug.predicates import Command, Disagreement, Failure
    from ...engines import open_engine

    if script is not None:
        return Command(script, None if exit_code == "any" else int(exit_code), pattern, bounds.seconds)
    if fails:
        return Failure(open_engine(name, bounds), pattern=pattern)
    allowed = read_tolerance(tolerance)
    return Disagreement(open_engine(reference, bounds), open_engine(name, bounds), allowed)


def _write_issue(
    path: str, found: Reduction, program: str, engines: Sequence[str], tolerance: str | None, bounds: Limits
) -> None:
    """Run the reduced program once more in each engine, and write the text."""
    from ...bindings.bytecode import bytecode_of
    from ...debug.reproducer import issue_text, self_checking
    from ...engines import open_engine
    from ..common import write_whole

    versions, shown, checking = {}, [], None
    for name in engines:
        with open_engine(name, bounds) as engine:
            outcome = engine.run(bytecode_of(found.program), found.arguments)
            versions[name] = engine.versions
        shown.append(
            (name, "\n".join(str(result.tolist()) for result in outcome.results) if outcome.ok else str(outcome))
        )
        if checking is None and outcome.ok:
            checking = self_checking(found.program, found.arguments, outcome.results)
    if checking is not None:
        shown.append((f"As a test that {engines[0]} passes", checking))
    archive = Path(program).with_suffix(".npz")
    names = ["--engines=" + ",".join(engines)] if engines else []
    allowed = [] if tolerance is None else [f"--tolerance={tolerance}"]
    line = shlex.join(["stablehlo", "compare", program, *names, *allowed, f"--inputs={archive}"])
    write_whole(path, issue_text(found, line, versions, shown).encode())
    click.echo(f"wrote {path}")
