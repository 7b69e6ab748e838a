"""`stablehlo cost`: arithmetic, bytes and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shared import json_option, load_module, print_json

if TYPE_CHECKING:
    from ...report import Cost

_PREFIXES = ("", "k", "M", "G", "T", "P")


@click.command("cost")
@click.argument("file")
@click.option("--function", default="main", show_default=True, help="The function that runs.")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many kinds of ops to show.")
@json_option
def command(file: str, function: str, top: int, as_json: bool) -> int:
    """Count what a run of FILE costs: arithmetic, bytes that ops read and write, and the peak of live values.

    A multiplication with an addition counts as two; loops count as often as they run, where their counters tell."""
    from ...report import cost

    found = cost(load_module(file), function)
    if as_json:
        print_json(found.as_dict())
    else:
        click.echo(_text(found, top), nl=False)
    return 0


def _short(number: float, unit: str = "") -> str:
    """1234567 as `1.23 M`."""
    for prefix in _PREFIXES:
        if number < 1000 or prefix == _PREFIXES[-1]:
            return f"{number:.3g} {prefix}{unit}".rstrip()
        number /= 1000
    return ""


def _text(found: Cost, top: int) -> str:
    kinds: dict[str, list[int]] = {}
    for one in found.ops:
        entry = kinds.setdefault(one.op, [0, 0, 0, 0])
        for index, value in enumerate((one.runs, one.flops, one.transcendentals, one.bytes)):
            entry[index] += value
    lines = [
        f"arithmetic operations:   {_short(found.flops)}",
        f"functions (exp, log, …): {_short(found.transcendentals)}",
        f"bytes read and written:  {_short(found.bytes, 'B')}",
        f"operations a byte:       {found.intensity:.3g}",
        f"peak of live values:     {_short(found.peak_bytes, 'B')} at {found.peak_at}",
        f"{'runs':>10}{'operations':>12}{'functions':>12}{'bytes':>12}  op",
    ]
    ranked = sorted(kinds.items(), key=lambda item: (-item[1][1] - item[1][2], -item[1][3], item[0]))
    lines += [f"{r:>10}{_short(f):>12}{_short(t):>12}{_short(b):>12}  {name}" for name, (r, f, t, b) in ranked[:top]]
    lines += [f"note: {note}" for note in found.notes]
    return "\n".join(lines) + "\n"
