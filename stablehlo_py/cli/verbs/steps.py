"""`stablehlo steps`: a pipeline, pass by pass."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from .shared import Named, json_option, load_program, print_json, timeout_option

if TYPE_CHECKING:
    from ...debug.steps import PassStep

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


@click.command("steps")
@click.argument("file")
@click.argument("pipeline", type=Named("PASSES"))
@timeout_option(5.0, "Time to find out whether a pass keeps the function.")
@json_option
def command(file: str, pipeline: str, timeout: float, as_json: bool) -> int:
    """Show what each pass of PIPELINE, in stablehlo-opt's textual form, does to FILE: a diff, ops and cost before and
    after, whether the function is the same, and remarks.

    A terminal shows it in a pager; `stablehlo-opt --steps` makes a page. Exit code 1 if a pass fails or makes another
    function."""
    from ...debug.equivalence import DIFFERENT
    from ...debug.steps import PassSteps
    from ...errors import PassError
    from ...isolation.limits import limits
    from ...isolation.tool import doing
    from ...passes.pipeline import Pipeline, resolved_text, run_pipeline
    from ..messages import wants_color

    module = load_program(file)
    whole = Pipeline.from_text(pipeline, nest=True)
    resolved_text(whole, module.context)  # a mistake in it is told before any pass
    run = PassSteps(module, os.path.basename(file), timeout)

    def texts() -> Iterator[str]:
        for part in whole.one_by_one():
            name = ",".join(map(str, part.elements))
            doing(f"running {name} on {file}", limit=limits())
            with suppress(PassError), run.watch(name, module) as step:
                run_pipeline(module, part, sink=step.hear)
            yield from _lines(run.steps[-1])
            if run.steps[-1].error:
                return

    if as_json:
        deque(texts(), 0)
        print_json([step.as_dict() for step in run.steps])
    elif sys.stdout.isatty():
        click.echo_via_pager(texts(), None if wants_color(sys.stdout) else False)
    else:
        for text in texts():
            click.echo(text, nl=False)
    return int(any(step.error or step.function.startswith(DIFFERENT) for step in run.steps))


def _lines(step: PassStep) -> Iterator[str]:
    for line in str(step).splitlines():
        yield click.style(line, fg=_COLOURS.get(line[:1])) + "\n"
