"""`stablehlo diff`: what differs between two programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shared import json_option, print_json

if TYPE_CHECKING:
    from ...report.diff import Change

_SIGNS = {"inserted": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow"), "moved": ("=", "cyan")}


@click.command("diff")
@click.argument("first")
@click.argument("second")
@json_option
def command(first: str, second: str, as_json: bool) -> int:
    """Show what differs between two programs: ops changed (~), inserted (+), removed (-) and moved (=).

    Names of values and locations do not count. Exit code 0 where the programs are the same, 1 where they differ."""
    from ...bindings import make_context
    from ...report.diff import diff
    from ..compat import load_program

    context = make_context()
    changes = diff(load_program(first, context), load_program(second, context))
    if as_json:
        print_json([change.as_dict() for change in changes])
    else:
        for change in changes:
            click.echo(_text(change))
    return int(bool(changes))


def _text(change: Change) -> str:
    sign, colour = _SIGNS[change.kind]
    path = "/".join([f"@{change.function}", *change.path[1:]])
    places = " -> ".join(dict.fromkeys(place for place in (change.first, change.second) if place))
    head = f"{sign} {path}: {change.op}" + (f"  {places}" if places else "")
    return "\n".join([click.style(head, fg=colour), *(f"    {detail}" for detail in change.details)])
