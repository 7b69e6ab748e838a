"""`stablehlo cost`: arithmetic, bytes and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...syntax.tables import short
from .shared import json_option, load_program, show

if TYPE_CHECKING:
    from ...analysis import Cost


@click.command("cost")
@click.argument("file")
@click.option("--function", default="main", show_default=True, help="The function that runs.")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many kinds of ops to show.")
@click.option("--ops", "each", is_flag=True, help="Show the costliest ops, not kinds of ops.")
@click.option("--at", "extents", multiple=True, metavar="NAME=N", help="What a dynamic extent is: arg0[0]=128.")
@json_option
def command(file: str, function: str, top: int, each: bool, extents: tuple[str, ...], as_json: bool) -> int:
    """Count what a run of FILE costs: arithmetic, bytes that ops read and write, and the peak of live values.

    A multiplication with an addition counts as two; loops count as often as they run, where their counters tell. Where
    shapes are dynamic, amounts are expressions in the extents of arguments."""
    from ...analysis import cost

    found = cost(load_program(file), function)
    if extents:
        found = found.at(dict(map(_extent, extents)))
    show(found, as_json, _text(found, _ops(found, top) if each else _kinds(found, top)))
    return 0


def _extent(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if not number.isdigit():
        raise click.BadParameter(f"expected NAME=N, found '{text}'", param_hint="--at")
    return name, int(number)


def _text(found: Cost, rows: list[str]) -> str:
    intensity = found.intensity
    lines = [
        f"arithmetic operations:   {short(found.flops)}",
        f"functions (exp, log, …): {short(found.transcendentals)}",
        f"bytes read and written:  {short(found.bytes, 'B')}",
        f"operations a byte:       {'depends on extents' if intensity is None else f'{intensity:.3g}'}",
        f"peak of live values:     {short(found.peak_bytes, 'B')} at {found.peak_at}",
        f"{'runs':>10}{'operations':>12}{'functions':>12}{'bytes':>12}  op",
        *rows,
        *(f"note: {note}" for note in found.notes),
    ]
    return "\n".join(lines)


def _row(runs: int, flops: object, functions: object, size: object, name: str) -> str:
    return f"{runs:>10}{_cell(flops)}{_cell(functions)}{_cell(size)}  {name}"


def _cell(amount: object) -> str:
    text = short(amount)
    return f"{text:>12}" if len(text) < 12 else f"  {text}"


def _kinds(found: Cost, top: int) -> list[str]:
    return [_row(*amounts, name) for name, amounts in list(found.by_kind().items())[:top]]


def _ops(found: Cost, top: int) -> list[str]:
    return [
        _row(one.runs, one.flops, one.transcendentals, one.bytes, f"{one.op} {one.location}".rstrip())
        for one in found.costliest(top)
    ]
