"""`stablehlo reduce`: the smallest program that shows the error."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import click

from .engine_options import Pair, pair_options
from .shared import (
    Inputs,
    OutputFile,
    cluster_option,
    input_options,
    jobs_option,
    json_option,
    show,
    tell,
    write_reproducer,
    xla_option,
)

if TYPE_CHECKING:
    from ...debug.predicates import Predicate
    from ...debug.reduction import Reduction
    from ...engines import Limits, Outcome

_EXIT_CODES = ("any", "crash")


@dataclass(frozen=True)
class Question:
    """The question that the options ask of programs."""

    pair: Pair
    fails: bool
    script: str | None
    exit_code: str
    pattern: str

    def predicate(self, bounds: Limits, *, tied: bool = False) -> Predicate:
        """A predicate in processes, which are tied to this thread where it stays as long as they."""
        from ...debug.predicates import Command, Disagreement, Failure
        from ...engines import open_engine

        if self.script is not None:
            return Command(self.script, self.exit_code, self.pattern, bounds.seconds)
        engine = replace(open_engine(self.pair.engine, bounds), tied=tied)
        if self.fails:
            return Failure(engine, pattern=self.pattern)
        reference = replace(open_engine(self.pair.reference, bounds), tied=tied)
        return Disagreement(reference, engine, self.pair.tolerance)

    def folder(self, work: str | None) -> Path | None:
        """The folder of verdicts, apart from those on other questions."""
        digest = hashlib.sha256(repr(astuple(self)).encode()).hexdigest()[:12]
        return None if work is None else Path(work) / f"reduce-{digest}"

    def command(self, program: str, archive: str) -> str:
        """The command that shows the error of a program on the arguments in an archive."""
        if self.script is not None:
            return self.script.format(module=program, inputs=archive)
        if self.fails:
            return shlex.join(["stablehlo", "run", program, f"--engine={self.pair.engine}", f"--inputs={archive}"])
        names = f"--engine={self.pair.reference}", f"--engine={self.pair.engine}"
        if not any("," in name for name in (self.pair.reference, self.pair.engine)):
            names = (f"--engines={self.pair.reference},{self.pair.engine}",)
        allowed = [] if self.pair.amount is None else [f"--tolerance={self.pair.amount}"]
        return shlex.join(["stablehlo", "compare", program, *names, *allowed, f"--inputs={archive}"])


@click.command("reduce")
@click.argument("file")
@click.option("-o", "--output", default="reduced.mlir", show_default=True, type=OutputFile(),
              help="Where the reduced program goes.")  # fmt: skip
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
    pair: Pair,
) -> int:
    """Make FILE as small as possible while it still shows an error.

    Interesting is, by default, that --engine's results differ from --reference's. COMMAND ends with exit code 0 for
    programs that are interesting, unless --interesting-if-exit says otherwise; a signal counts as 128 and its number.
    Here, exit code 0 means that FILE was reduced. Ctrl-C writes the smallest program so far, with exit code 130."""
    from ...debug.reduction import reduce
    from ...debug.search import Search
    from ...isolation.tool import doing
    from ..progress import progress_bar

    if keep and inputs.work is None:
        raise click.UsageError("--keep needs --work")
    _check(exit_code, pattern)
    question = Question(pair, fails, script, exit_code, pattern)
    subject, arguments = inputs.sampled(file)
    doing(f"reducing {file}")  # in any number of runs
    with ExitStack() as stack:
        values = stack.enter_context(inputs.engine(pair.reference))
        predicates = stack.enter_context(_predicates(question, inputs.limits, jobs, cluster))
        progress = stack.enter_context(progress_bar("programs tested"))
        search = Search(predicates, question.folder(inputs.work), keep, progress=progress)
        found = reduce(subject.module, arguments, values, search)
    written = write_reproducer(output, found.program, found.arguments)
    show(found, as_json)
    report = tell if as_json else click.echo  # standard output is for the JSON then
    report(written)
    if found.interrupted:
        return _interrupted(output, inputs.work)
    for line in _write_texts(issue, test, found, question, output, inputs.limits):
        report(line)
    return 0


def _interrupted(output: str, work: str | None) -> int:
    """Say how to go on after Ctrl-C, and return the exit code."""
    from ..common import INTERRUPTED

    start = f"on {output} with --inputs={Path(output).with_suffix('.npz')}"
    tell(f"to go on, run the same command {start if work is None else f'again, with --work={work}'}")
    return INTERRUPTED


@contextmanager
def _predicates(question: Question, bounds: Limits, jobs: int, cluster: str) -> Generator[Sequence[Predicate]]:
    """The predicates, one for each program that is tested at a time."""
    from ...debug.distant import DistantPredicate
    from ...isolation.pool import open_pool

    with ExitStack() as opened:
        if cluster:
            pool = opened.enter_context(open_pool(cluster, jobs))
            search = uuid4().hex
            yield [DistantPredicate(pool, question, bounds, search) for _ in range(pool.size)]
            return
        predicates = [question.predicate(bounds) for _ in range(jobs)]
        for predicate in predicates:
            opened.callback(predicate.close)
        yield predicates


def _check(exit_code: str, pattern: str) -> None:
    """Raise click.UsageError for an exit code or a pattern that is none."""
    if exit_code not in _EXIT_CODES and not exit_code.isdigit():
        raise click.UsageError(f"--interesting-if-exit takes a number, crash or any, not '{exit_code}'")
    try:
        re.compile(pattern)
    except re.error as error:
        raise click.UsageError(f"--match takes a regular expression, not '{pattern}': {error}") from None


def _write_texts(
    issue: str | None, test: str | None, found: Reduction, question: Question, program: str, bounds: Limits
) -> Iterator[str]:
    """Run the reduced program once more in each engine, write the text for the issue and the test, and say so."""
    if issue is None and test is None:
        return
    from ...debug.reproducer import issue_text, self_checking
    from ..common import announce
    from ..output import write_whole

    names = [] if question.script is not None else [question.pair.reference, question.pair.engine]
    outcomes, versions = _last_runs(names, found, bounds)
    right = next((name for name, outcome in outcomes.items() if outcome.ok), None)
    checks = partial(self_checking, found.program, found.arguments)
    if test is not None:
        text = None if right is None else checks(outcomes[right].results, most=None)
        if text is None:
            announce("warning", f"did not write {test}: no engine gives results to check, or they are not tensors")
        else:
            write_whole(test, text.encode("utf-8", "surrogateescape"))
            yield f"wrote {test}, which {right} passes"
    if issue is not None:
        shown = [(name, _shown(outcome)) for name, outcome in outcomes.items()]
        checking = None if right is None else checks(outcomes[right].results)
        if checking is not None:
            shown.append((f"As a test that {right} passes", checking))
        line = question.command(program, str(Path(program).with_suffix(".npz")))
        write_whole(issue, issue_text(found, line, versions, shown).encode("utf-8", "surrogateescape"))
        yield f"wrote {issue}"


def _last_runs(
    names: list[str], found: Reduction, bounds: Limits
) -> tuple[dict[str, Outcome], dict[str, dict[str, str]]]:
    """The outcome of the reduced program in each engine, and the engine's versions."""
    from ...bindings.bytecode import bytecode_of
    from ...engines import open_engine

    outcomes: dict[str, Outcome] = {}
    versions: dict[str, dict[str, str]] = {}
    for name in names:
        with open_engine(name, bounds) as engine:
            outcomes[name] = engine.run(bytecode_of(found.program), found.arguments)
            versions[name] = engine.versions
    return outcomes, versions


def _shown(outcome: Outcome) -> str:
    return "\n".join(str(result.tolist()) for result in outcome.results) if outcome.ok else str(outcome)
