"""`stablehlo reduce`: the smallest program that shows the error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from .engine_options import pair_options
from .shared import (
    Inputs,
    OutputFile,
    ProgramFile,
    archive_of,
    cluster_option,
    input_options,
    jobs_option,
    json_option,
    refuse_own_files,
    show,
    tell,
    write_reproducer,
    xla_option,
)

if TYPE_CHECKING:
    from ...debug.reduction.question import EnginePair, Question
    from ...debug.reduction.reduce import Reduction
    from ...engines import Limits

_EXIT_CODES = ("any", "crash")


@click.command("reduce")
@click.argument("file")
@click.option("-o", "--output", default="reduced.mlir", show_default=True, type=ProgramFile(),
              help="Where the reduced program goes, and its arguments beside it; - is standard output.")  # fmt: skip
@click.option("--fails", is_flag=True, help="Interesting is that the engine fails, as it does at first.")
@click.option("--command", "script", metavar="COMMAND", help="Interesting is what COMMAND says of {module}, {inputs}.")
@click.option("--interesting-if-exit", "exit_code", metavar="N", default="0", show_default=True,
              help="The exit code of COMMAND that means interesting; crash for a signal; any.")  # fmt: skip
@click.option("--match", "pattern", default="", metavar="REGEX", help="What the message or output has to match.")
@jobs_option("Programs tested at a time.")
@cluster_option
@click.option("--keep", is_flag=True, help="Keep every step in the folder of --work.")
@click.option(
    "--test", metavar="FILE.mlir", type=OutputFile(), help="Write a program that checks itself with check.expect_*."
)
@click.option("--issue", metavar="FILE.md", type=OutputFile(), help="Write a text for a bug report.")
@json_option
@input_options
@pair_options
@xla_option
def command(
    file: str,
    output: str,
    fails: bool,
    script: str | None,
    exit_code: str,
    pattern: str,
    jobs: int,
    cluster: str,
    keep: bool,
    test: str | None,
    issue: str | None,
    as_json: bool,
    inputs: Inputs,
    pair: EnginePair,
) -> int:
    """Make FILE as small as possible while it still shows an error.

    Interesting is, by default, that --engine's results differ from --reference's. COMMAND ends with exit code 0 for
    programs that are interesting, unless --interesting-if-exit says otherwise; a signal counts as 128 and its number.
    Here, exit code 0 means that FILE was reduced. Ctrl-C writes the smallest program so far, with exit code 130."""
    from ...debug.reduction.question import Question, predicates_of
    from ...debug.reduction.reduce import reduce
    from ...debug.reduction.search import Search
    from ...isolation.tool import doing
    from ..progress import progress_bar

    if keep and inputs.work is None:
        raise click.UsageError("--keep needs --work")
    _check(exit_code, pattern)
    refuse_own_files(output, file, inputs.archive)
    if as_json and output == "-":
        raise click.UsageError("--json and -o - both write to standard output")
    question = Question(pair, fails, script, exit_code, pattern)
    subject, arguments = inputs.sampled(file)
    doing(f"reducing {file}")  # in any number of runs
    with ExitStack() as stack:
        values = stack.enter_context(inputs.engine(pair.reference))
        predicates = stack.enter_context(predicates_of(question, inputs.limits, jobs, cluster))
        progress = stack.enter_context(progress_bar("ops removed"))
        search = Search(predicates, question.folder(inputs.work), keep, progress=progress)
        found = reduce(subject.source, arguments, values, search)
    written = write_reproducer(output, found.program, found.arguments)
    report = tell if as_json or output == "-" else click.echo  # standard output is for the JSON or the program then
    if output == "-":
        report(str(found))
    else:
        show(found, as_json)
    report(written)
    if found.interrupted:
        return _interrupted(output, inputs.work)
    for line in _write_texts(issue, test, found, question, output, inputs.limits):
        report(line)
    return 0


def _interrupted(output: str, work: str | None) -> int:
    """Say how to go on after Ctrl-C, and return the exit code."""
    from ..common import INTERRUPTED

    start = f"on {output} with --inputs={archive_of(output)} and another -o"
    tell(f"to go on, run the same command {start if work is None else f'again, with --work={work}'}")
    return INTERRUPTED


def _check(exit_code: str, pattern: str) -> None:
    """Raise click.UsageError for an exit code or a pattern that is none."""
    if exit_code not in _EXIT_CODES and not exit_code.isdecimal():
        raise click.UsageError(f"--interesting-if-exit takes a number, crash or any, not '{exit_code}'")
    try:
        re.compile(pattern)
    except re.error as error:
        raise click.UsageError(f"--match takes a regular expression, not '{pattern}': {error}") from None


def _write_texts(
    issue: str | None, test: str | None, found: Reduction, question: Question, program: str, bounds: Limits
) -> Iterator[str]:
    """Run the reduced program again in each engine, write the text for the issue and the test, and say so."""
    if issue is None and test is None:
        return
    from ...debug.reduction.question import last_runs, shown_outcome
    from ...debug.reduction.reproducer import issue_text, self_checking
    from ..messages import announce
    from ..output import write_output

    runs = last_runs(question, found, bounds)
    outcomes = runs.outcomes
    right = next((name for name, outcome in outcomes.items() if outcome.ok), None)
    checks = partial(self_checking, found.program, found.arguments)
    if test is not None:
        text = None if right is None else checks(outcomes[right].results, most=None)
        if text is None:
            announce("warning", f"did not write {test}: no engine gives results to check, or they are not tensors")
        else:
            write_output(test, text.encode("utf-8", "surrogateescape"))
            yield f"wrote {test}, which {right} passes"
    if issue is not None:
        shown = [(name, shown_outcome(outcome)) for name, outcome in outcomes.items()]
        checking = None if right is None else checks(outcomes[right].results)
        if checking is not None:
            shown.append((f"As a test that {right} passes", checking))
        noted = replace(found, notes=(*found.notes, *runs.notes))
        line = question.command(program, str(archive_of(program)))
        write_output(issue, issue_text(noted, line, runs.versions, shown).encode("utf-8", "surrogateescape"))
        yield f"wrote {issue}"
