"""`stablehlo trace`: every op measured."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from .engine_options import keep_reproducer, opened, pair_options, profile_option, reproducer_option
from .shared import Inputs, input_options, json_option, load_global_program, show, xla_option

if TYPE_CHECKING:
    from ...debug.reduction.question import EnginePair


@click.command("trace")
@click.argument("file")
@click.option("--against", metavar="OTHER", help="Another export of the program, such as in f32, that is right.")
@click.option("--memory", type=click.IntRange(1), default=256, show_default=True, metavar="MIB",
              help="Memory for values at a time.")  # fmt: skip
@click.option("--compiled", "cuts", type=click.IntRange(0), default=2, show_default=True, metavar="N",
              help="How many of the worst ops are also measured as compiled.")  # fmt: skip
@click.option("--all", "show_all", is_flag=True, help="Print a line for every op.")
@profile_option
@reproducer_option
@json_option
@input_options
@pair_options
@xla_option
def command(
    file: str,
    against: str | None,
    memory: int,
    cuts: int,
    show_all: bool,
    profile: str,
    reproducer: str | None,
    as_json: bool,
    inputs: Inputs,
    pair: EnginePair,
) -> int:
    """Measure every op of FILE in one engine against another, and name the first and the worst.

    Local: the op gets the reference's operands. Accumulated: the engine goes on from its own values. As compiled: the
    program up to the op, compiled as a whole. With --against, ops are measured against those of OTHER, the same program
    in other float types or from another exporter, matched by name stack and structure."""
    from ...debug.allowed.widths import profile as profile_of
    from ...debug.programs.subject import examine
    from ...debug.tracing.against import trace_against
    from ...debug.tracing.rows import trace_text
    from ...debug.tracing.trace import trace
    from ..progress import progress_bar

    subject, arguments = inputs.sampled(file)
    other = None if against is None else examine(load_global_program(against, inputs.function))
    with opened(pair, inputs) as engines, progress_bar("ops") as progress:
        measure = trace if other is None else partial(trace_against, other=other)
        found = measure(
            subject,
            arguments=arguments,
            reference=engines[0],
            engine=engines[1],
            tolerance=pair.tolerance,
            cap=memory << 20,
            cuts=cuts,
            progress=progress,
            profile=profile_of(profile),
        )
    show(found, as_json, trace_text(found, show_all=show_all))
    keep_reproducer(reproducer, found.program, found.arguments)
    return found.exit_code
