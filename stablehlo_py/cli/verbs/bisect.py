"""`stablehlo bisect`: the wrong op in a few runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .engine_options import keep_reproducer, opened, pair_options, profile_option, reproducer_option
from .shared import Inputs, input_options, json_option, show, xla_option

if TYPE_CHECKING:
    from ...debug.reduction.question import EnginePair


@click.command("bisect")
@click.argument("file")
@profile_option
@reproducer_option
@json_option
@input_options
@pair_options
@xla_option
def command(file: str, pair: EnginePair, profile: str, reproducer: str | None, as_json: bool, inputs: Inputs) -> int:
    """Find the op of FILE that makes an engine's results wrong, by cutting the program in O(log n) runs."""
    from ...debug.allowed.widths import profile as profile_of
    from ...debug.bisect import bisect
    from ..progress import progress_bar

    subject, arguments = inputs.sampled(file)
    with opened(pair, inputs) as engines, progress_bar("cuts") as progress:
        chosen = profile_of(profile)
        found = bisect(subject, arguments, *engines, tolerance=pair.tolerance, progress=progress, profile=chosen)
    show(found, as_json)
    keep_reproducer(reproducer, found.program, found.arguments)
    return 0 if found.place is None else 1
