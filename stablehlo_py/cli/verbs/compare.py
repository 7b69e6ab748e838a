"""`stablehlo compare`: one program, two or more engines."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from .engine_options import profile_option
from .shared import (
    Inputs,
    Named,
    OutputFile,
    cluster_option,
    input_options,
    jobs_option,
    json_option,
    load_global_program,
    print_json,
    xla_option,
)

if TYPE_CHECKING:
    from ...bindings import ir
    from ...debug.allowed.widths import AccuracyProfile
    from ...debug.compare import Comparison
    from ...engines import Engine


@click.command("compare")
@click.argument("file")
@click.argument("other", required=False)
@click.option("--engines", type=Named("ENGINE,…"), show_default="reference,xla", help="Engines, the reference first.")
@click.option("--engine", "more", multiple=True, type=Named("ENGINE"),
              help="Another engine, its options included. The first of several stands for the reference.")  # fmt: skip
@click.option("--samples", type=click.IntRange(1), default=1, show_default=True, help="Sets of arguments to draw.")
@click.option(
    "--tolerance",
    "tolerances",
    multiple=True,
    metavar="[TYPE|N=]AMOUNT",
    help="1e-3rel, 4ulp, 1e-6abs, or several with |; for all, a type (f32=…) or a result (0=…).",
)
@click.option("--verdict-only", is_flag=True, help="Do not look for the first wrong op, which runs each op.")
@click.option("--junit", metavar="FILE", type=OutputFile(), help="Also write the verdicts as JUnit XML.")
@profile_option
@jobs_option("Workers of --cluster=local.")
@cluster_option
@json_option
@input_options
@xla_option
def command(
    file: str,
    other: str | None,
    engines: str | None,
    more: Sequence[str],
    samples: int,
    tolerances: Sequence[str],
    verdict_only: bool,
    junit: str | None,
    profile: str,
    jobs: int,
    cluster: str,
    as_json: bool,
    inputs: Inputs,
) -> int:
    """Run FILE in several engines and compare all results with the first engine's, or FILE and OTHER in one.

    The verdict comes first. Then each op is run for the first wrong one; Ctrl-C or --verdict-only leaves that out.
    Differences that the spec leaves to the implementation do not count. Of OTHER it is also said whether it is the same
    function, as by `stablehlo equiv`. With --cluster, each run is a task."""
    from ...debug.allowed.measures import read_tolerances
    from ...debug.allowed.widths import profile as profile_of
    from ...debug.compare import OtherProgram, as_junit, compare
    from ...debug.equivalence import equivalent
    from ...debug.programs.inputs import read_distributions
    from ...debug.programs.subject import examine
    from ...isolation.pool import open_pool
    from ..output import write_output

    accuracy, module = profile_of(profile), load_global_program(file, inputs.function)
    inputs.note(f"working on {file}")
    given = inputs.given(examine(module))
    changed = module
    names = inputs.named(_named(engines, more))[: None if other is None else 1]
    with ExitStack() as opened:
        pool = opened.enter_context(open_pool(cluster, jobs)) if cluster else None
        running = [opened.enter_context(inputs.engine(name, pool)) for name in names]
        if other is not None:
            changed = load_global_program(other, inputs.function)
            running.append(OtherProgram(other, running[0], changed))
        comparison = compare(
            module,
            running,
            arguments=None if given is None else [given],
            samples=samples,
            seed=inputs.seed,
            distributions=read_distributions(inputs.distributions),
            tolerances=read_tolerances(tolerances),
            profile=accuracy,
            explains=False,
        )
        if not as_json:
            click.echo(comparison)
        if comparison.verdict == "differs" and other is None and not verdict_only:
            comparison = _explained(inputs, comparison, module, running, accuracy, as_json)
    function = {}
    if other is not None:
        same = equivalent(module, changed, arguments=given, seed=inputs.seed, limits=inputs.limits)
        function = {"function": same.as_dict()}
        if not as_json:
            click.echo(same)
    if as_json:
        print_json({**comparison.as_dict(), **function})
    if junit is not None:
        write_output(junit, as_junit(file, comparison))
    return comparison.exit_code


def _explained(
    inputs: Inputs,
    comparison: Comparison,
    module: ir.Module,
    running: Sequence[Engine],
    profile: AccuracyProfile,
    as_json: bool,
) -> Comparison:
    """Look for the ops that make results differ, and say which they are."""
    from ...debug.compare import explained

    inputs.note("looking for the first wrong op (--verdict-only leaves that out)")
    found = explained(comparison, module, running, profile)
    for entry in found.results:
        if entry.because and not as_json:
            click.echo("\n".join([f"sample {entry.sample}, result {entry.result}: {entry.engine}", *entry.because]))
    if found.verdict != comparison.verdict and not as_json:
        click.echo(f"verdict: {found.verdict}")
    return found


def _named(engines: str | None, more: Sequence[str]) -> list[str]:
    """The names of the engines: one of --engine adds to the reference, several stand alone unless others are listed."""
    if engines is not None:
        return [*filter(None, engines.split(",")), *more]
    if len(more) > 1:
        return list(more)
    return ["reference", *(more if more else ["xla"])]
