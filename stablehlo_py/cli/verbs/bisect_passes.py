"""`stablehlo bisect-passes`: the pass that changes results."""

from __future__ import annotations

import click

from .shared import Inputs, Named, engine_option, input_options, json_option, show


@click.command("bisect-passes")
@click.argument("file")
@click.option("--pass-pipeline", "pipeline", type=Named("PASSES"), help="Passes of stablehlo-opt, in textual form.")
@click.option("--xla", "of_xla", is_flag=True, help="Look among the HLO passes of XLA instead.")
@engine_option("--engine", "name", summary="What runs the program.")
@click.option("--tolerance", metavar="AMOUNT", help="What results may differ by: 4ulp, 1e-3rel, 1e-6abs.")
@click.option("--show", "with_programs", is_flag=True, help="Print the program before and after the pass.")
@json_option
@input_options
def command(
    file: str,
    pipeline: str | None,
    of_xla: bool,
    name: str,
    tolerance: str | None,
    with_programs: bool,
    as_json: bool,
    inputs: Inputs,
) -> int:
    """Find the first pass that changes FILE's results, or makes it fail to verify or run.

    With --xla, the HLO pass after which ENGINE no longer gives FILE's results; "code generation" if it does after all
    passes and XLA does not. Exit code 1 if one pass is to blame, 2 if it can be one of several."""
    from ...debug.bisect_passes import NO_PASS, bisect_pipeline, bisect_xla, passes_text
    from ...debug.reduction.question import read_tolerance

    if of_xla == (pipeline is not None):
        raise click.UsageError("one of --pass-pipeline and --xla is needed")
    subject, arguments = inputs.sampled(file)
    allowed = read_tolerance(tolerance)
    with inputs.engine(name) as engine:
        if pipeline is None:
            found = bisect_xla(subject, arguments, engine, allowed, inputs.limits)
        else:
            found = bisect_pipeline(subject, pipeline, arguments, engine, allowed)
    show(found, as_json, NO_PASS if found is None else passes_text(found, show=with_programs))
    if found is None:
        return 0
    return 2 if found.verdict == "inconclusive" else 1
