"""`stablehlo bisect-passes`: the pass that changes results."""

from __future__ import annotations

from collections.abc import Sequence

import click

from .shared import engine_limits, input_options, json_option, limits, load_module, one_sample, print_json


@click.command("bisect-passes")
@click.argument("file")
@click.option("--pass-pipeline", "pipeline", metavar="PASSES", help="Passes of stablehlo-opt, in textual form.")
@click.option("--xla", "of_xla", is_flag=True, help="Look among the HLO passes of XLA instead.")
@click.option("--engine", "name", default="reference", show_default=True, help="What runs the program.")
@click.option("--tolerance", metavar="AMOUNT", help="What results may differ by: 4ulp, 1e-3rel, 1e-6abs.")
@click.option("--show", is_flag=True, help="Print the program before and after the pass.")
@json_option
@input_options
@engine_limits
def command(
    file: str,
    pipeline: str | None,
    of_xla: bool,
    name: str,
    tolerance: str | None,
    show: bool,
    as_json: bool,
    archive: str | None,
    attributes: str,
    distributions: Sequence[str],
    seed: int,
    timeout: float,
    max_memory: int | None,
) -> int:
    """Find the first pass after which FILE's results change, it does not verify, or it does not run.

    With --xla, the HLO pass without which XLA gives the right results. Exit code 1 where a pass is to blame, 2 where
    that cannot be told."""
    from ...debug.bisect_passes import bisect_pipeline, bisect_xla
    from ...debug.program import examine
    from ...debug.tolerances import read_tolerances
    from ...engines import open_engine

    if of_xla == (pipeline is not None):
        raise click.UsageError("one of --pass-pipeline and --xla is needed")
    subject = examine(load_module(file))
    arguments = one_sample(subject, archive, attributes, distributions, seed)
    allowed = None if tolerance is None else read_tolerances([tolerance])[""]
    bounds = limits(timeout, max_memory)
    with open_engine(name, bounds) as engine:
        if pipeline is None:
            found = bisect_xla(subject, arguments, engine, allowed, bounds)
        else:
            found = bisect_pipeline(subject, pipeline, arguments, engine, allowed)
    if as_json:
        print_json(None if found is None else found.as_dict())
    elif found is None:
        click.echo("no pass is to blame: the results are right after all of them")
    else:
        guilty = " and ".join(found.guilty) if found.guilty else "no single pass"
        click.echo(f"{guilty}: {found.verdict}" + (f": {found.message}" if found.message else ""))
        click.echo(f"{found.runs} programs run")
        if found.inconclusive:
            click.echo(f"cannot be left out, so nothing is known of: {', '.join(found.inconclusive)}")
        if show and found.before is not None:
            click.echo(f"// before\n{found.before}\n// after\n{found.after if found.after is not None else 'nothing'}")
    if found is None:
        return 0
    return 2 if found.verdict == "inconclusive" else 1
