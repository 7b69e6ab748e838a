"""`stablehlo cost`: arithmetic, bytes and memory."""

from __future__ import annotations

import re

import click

from .shared import function_option, json_option, load_global_program, show


@click.command("cost")
@click.argument("file")
@function_option
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many kinds of ops to show.")
@click.option("--ops", "each", is_flag=True, help="Show the costliest ops, not kinds of ops.")
@click.option("--at", "sizes", multiple=True, metavar="NAME=N", help="What a dynamic size is: arg0[0]=128.")
@json_option
def command(file: str, function: str, top: int, each: bool, sizes: tuple[str, ...], as_json: bool) -> int:
    """Count what a run of FILE costs: arithmetic, bytes that ops read and write, and the peak of live values.

    A multiplication with an addition counts as two; loops count as often as they run, where their counters tell. Where
    shapes are dynamic, amounts are expressions in the sizes of arguments."""
    from ...analysis import cost
    from ...analysis.cost import cost_text

    found = cost(load_global_program(file), function)
    if sizes:
        found = found.at(dict(map(_size, sizes)))
    show(found, as_json, cost_text(found, top, each=each))
    return 0


def _size(text: str) -> tuple[str, int]:
    found = re.fullmatch(r"([\w.]+\[\d+\])=(\d+)", text)
    if found is None:
        raise click.BadParameter(f"expected NAME=N, found '{text}'; a name is like arg0[0]", param_hint="--at")
    return found[1], int(found[2])
