"""`stablehlo conformance`: measure a backend with the kit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import UsageError
from .shared import Named, engine_option, jobs_option, timeout_option, with_options

if TYPE_CHECKING:
    from ...conformance.catalog import Choice
    from ...conformance.score.run import Report

_CHOICE = (
    click.option("--ops", default="", type=Named("OP,…"), help="Take cases of these ops."),
    click.option("--types", default="", type=Named("TYPE,…"), help="Take cases of these element types."),
    click.option("--level", type=click.Choice(["smoke", "full"]), default="full", show_default=True, help="How many."),
    click.option("--seed", default=0, show_default=True, help="What inputs are drawn from."),
    click.option("--verify-spec", is_flag=True, help="Check programs first, as stablehlo-opt --stablehlo-verify-spec."),
)


_choice_options = partial(with_options, _CHOICE)
_OUTPUTS = (
    click.option("--json", "json_file", metavar="FILE", help="Write everything as JSON."),
    click.option("--junit", "junit_file", metavar="FILE", help="Write JUnit XML."),
    click.option("--html", "html_file", metavar="FILE", help="Write one HTML page."),
    click.option("--markdown", "markdown_file", metavar="FILE", help="Write tables with the causes of --known."),
    click.option(
        "--write-profile", "profile_file", metavar="FILE.toml", help="Write what the engine takes; see check."
    ),
    click.option("--known", "known_file", metavar="FILE", help="Accepted failures, PATTERN # CAUSE a line."),
)


def _reported(command: Callable[..., Report]) -> Callable[..., int]:
    """Add the options about reports; the one that the command returns is printed and written as they say."""

    @wraps(command)
    def wrapped(known_file: str | None, **options: Any) -> int:
        from ...conformance.score import reports
        from ...conformance.score.profile import profile_toml
        from ..output import write_output

        known = [] if known_file is None else reports.read_known(known_file)
        makers = {"json": reports.as_json, "junit": reports.junit, "html": reports.html, "markdown": reports.markdown}
        makers["profile"] = profile_toml
        files = {form: options.pop(f"{form}_file") for form in makers}
        report = command(**options)
        if not report.entries:
            raise UsageError("there is no such case", notes=["the choice of ops, element types and target leaves none"])
        click.echo(reports.text(report, known))
        for each in reports.mended(report, known):
            click.echo(f"passes now: {each.pattern} ({each.cause})")
        for form, path in files.items():
            if path is not None:
                write_output(path, makers[form](report, known))
        return 1 if reports.regressions(report, known) else 0

    return with_options(_OUTPUTS, wrapped)


def _choice(ops: str, types: str, level: Any, seed: int, *, verify_spec: bool) -> Choice:
    """Return the cases that the options ask for. Raises UsageError for an op or a type that the kit does not have."""
    from ...conformance.catalog import Choice, families
    from ...conformance.generate.values import ELEMENTS, POWERS
    from ...syntax.spelling import hint

    chosen = [op.removeprefix("stablehlo.") for op in ops.split(",") if op]
    elements = [each for each in types.split(",") if each]
    known = ((chosen, families(), "op"), (elements, {*ELEMENTS, *POWERS, "quantized"}, "element type"))
    for asked, names, what in known:
        for each in asked:
            if each not in names:
                raise UsageError(f"the kit has no cases of the {what} '{each}'{hint(each, names)}")
    return Choice(chosen, elements, level, seed, verify_spec)


@click.group("conformance")
def command() -> None:
    """Measure a backend against the specification, op by op and type by type."""


@command.command("run")
@engine_option("--engine", summary="The engine to measure, see stablehlo compare.")
@_choice_options
@click.option("--target", default="", type=Named("VERSION"), help="Hand over artifacts of VERSION; only what it has.")
@jobs_option("Processes of the engine at a time.")
@timeout_option(20.0, "Of a case.")
@click.option("--work", metavar="FILE", help="Keep scores; a rerun goes on, and runs cases again that have changed.")
@_reported
def run(engine: str, target: str, jobs: int, timeout: float, work: str | None, **chosen: Any) -> Report:
    """Run the kit in an engine.

    Exit code 0 where every case passes, is not supported or is a known failure; 1 where one fails; 2 where the engine
    does not start."""
    from ...conformance.catalog import families
    from ...conformance.score.run import run as run_kit
    from ...conformance.score.scoring import Score
    from ...engines import Limits
    from ..progress import progress_bar

    folder, limits = None if work is None else Path(work), Limits(timeout)
    cases = _choice(**chosen)
    ops = [op for op in families() if not cases.ops or op in cases.ops]
    with progress_bar("ops") as show:

        def finished(entry: Score) -> None:
            if show is not None:
                show(ops.index(entry.op), len(ops))

        return run_kit(engine, cases, target=target, jobs=jobs, limits=limits, work=folder, finished=finished)


@command.command("export")
@click.argument("folder")
@_choice_options
@click.option("--target", default="current", show_default=True, type=Named("VERSION"), help="Version of the artifacts.")
def export(folder: str, target: str, **chosen: Any) -> int:
    """Write the kit into FOLDER as plain files, for backends that do not run beside Python."""
    from ...conformance.score.export import export as write_kit

    click.echo(f"{write_kit(folder, _choice(**chosen), target)} cases in {folder}")
    return 0


@command.command("check")
@click.argument("folder")
@click.argument("results")
@_reported
def check(folder: str, results: str) -> Report:
    """Score the RESULTS that a foreign runner wrote for the kit in FOLDER."""
    from ...conformance.score.export import check as check_results

    return check_results(folder, results)


@command.command("board")
@click.argument("files", nargs=-1, required=True)
@click.option("--html", "html_file", metavar="FILE", help="Write one HTML page.")
def board(files: tuple[str, ...], html_file: str | None) -> int:
    """Compare engines by the FILES that --json wrote: totals, and the cases that none of them passes."""
    from ...conformance.score import board as boards
    from ..output import write_output

    found = [boards.read_report(file) for file in files]
    click.echo(boards.text(found))
    if html_file is not None:
        write_output(html_file, boards.html(found))
    return 0


@command.command("coverage")
@_choice_options
def coverage(**chosen: Any) -> int:
    """Say for each op which types, kinds of case and constraints the kit exercises."""
    from ...conformance.catalog import cases
    from ...conformance.coverage import coverage as count
    from ...conformance.coverage import text

    click.echo(text(count(cases(_choice(**chosen)))))
    return 0
