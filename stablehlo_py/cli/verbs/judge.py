"""`stablehlo judge`: which engine is wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack

import click

from .engine_options import keep_reproducer, profile_option, reproducer_option
from .shared import Inputs, Named, OutputFile, engine_option, input_options, json_option, show, xla_option


@click.command("judge")
@click.argument("file")
@click.option("--engine", "names", multiple=True, type=Named("ENGINE"), show_default="xla", help="An engine to judge.")
@engine_option("--reference", summary="Computes what is allowed.")
@profile_option
@click.option("--sarif", metavar="FILE.sarif", type=OutputFile(), help="Also write the verdicts as SARIF.")
@reproducer_option
@json_option
@input_options
@xla_option
def command(
    file: str,
    names: Sequence[str],
    reference: str,
    profile: str,
    sarif: str | None,
    reproducer: str | None,
    as_json: bool,
    inputs: Inputs,
) -> int:
    """Say which engine is wrong about FILE: permitted, wrong, unspecified, crashed or rejected.

    Each op is held against what the specification permits on the engine's own operands. An engine is wrong only if a
    smaller program, which is printed, shows the same again. Where a permitted result differs, the ops are named that
    make the difference larger."""
    from ...debug.allowed.widths import profile as profile_of
    from ...debug.judge import judge
    from ..output import write_output
    from ..progress import progress_bar

    chosen = profile_of(profile)
    subject, arguments = inputs.sampled(file)
    first, *others = inputs.named([reference, *(names if names else ["xla"])])
    with ExitStack() as opened, progress_bar("ops") as progress:
        right, *engines = [opened.enter_context(inputs.engine(name)) for name in (first, *others)]
        found = judge(subject.source, engines, reference=right, arguments=arguments, profile=chosen, progress=progress,
                      say=None if as_json else click.echo)  # fmt: skip
    show(found, as_json)
    if sarif is not None:
        write_output(sarif, json.dumps(found.as_sarif(file), indent=2).encode())
    wrong = next((judgement for judgement in found.judgements if judgement.program is not None), None)
    if wrong is not None:
        keep_reproducer(reproducer, wrong.program, wrong.arguments)
    return found.exit_code
