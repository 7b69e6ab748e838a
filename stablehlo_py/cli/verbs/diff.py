"""`stablehlo diff`: the differences of two programs."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from .shared import json_option, load_program, print_json

if TYPE_CHECKING:
    from ...analysis.diff import Change

_SIGNS = {"inserted": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow"), "moved": ("=", "cyan")}


@click.command("diff")
@click.argument("first")
@click.argument("second")
@click.option("-o", "--output", metavar="FILE.html", help="Also write both side by side as a page.")
@click.option("--write-defaults", is_flag=True, help="An absent attribute and its default value are the same.")
@json_option
def command(first: str, second: str, output: str | None, write_defaults: bool, as_json: bool) -> int:
    """Show what differs between two programs: ops changed (~), inserted (+), removed (-) and moved (=).

    Names of values, locations, and names of private functions do not count; nor does the form, so an artifact and the
    text of the same program are equal. The first line says whether they are one function. Exit code 0 where the
    programs are the same, 1 where they differ."""
    from ...analysis.diff import diff
    from ...bindings import make_context
    from ..messages import wants_color

    context = make_context()
    modules = [load_program(path, context) for path in (first, second)]
    if write_defaults:  # an artifact of the current version has them
        from ...artifacts.artifact import deserialize, serialize

        artifacts = [serialize(module, allow_other_dialects=True) for module in modules]
        modules = [deserialize(artifact, context=context) for artifact in artifacts]
    changes = diff(modules[0], modules[1])
    if output is not None:
        from ...analysis.diff_page import side_by_side
        from ..output import write_output

        page = side_by_side(modules[0], modules[1], (os.path.basename(first), os.path.basename(second)), changes)
        write_output(output, page.encoded())
    if as_json:
        print_json(changes.as_dict())
    elif changes:
        from ...debug.steps import function_kept

        click.echo(function_kept(modules[0], modules[1]))
    if not as_json:
        for change in changes:
            click.echo(_text(change), color=wants_color(sys.stdout))
    return int(bool(changes))


def _text(change: Change) -> str:
    sign, colour = _SIGNS[change.kind]
    path = "/".join([f"@{change.function}", *change.path[1:]]) if change.function else "module"
    locations = " -> ".join(dict.fromkeys(location for location in (change.first, change.second) if location))
    head = f"{sign} {path}: {change.op}" + (f"  {locations}" if locations else "")
    return "\n".join([click.style(head, fg=colour), *(f"    {detail}" for detail in change.details)])
