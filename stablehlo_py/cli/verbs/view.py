"""`stablehlo view`: a report on a program as one file of HTML."""

from __future__ import annotations

import os

import click

from .shared import json_option, load_program, print_json


@click.command("view")
@click.argument("file")
@click.option("-o", "--output", required=True, metavar="FILE.html", help="Where the report goes.")
@click.option("--function", default="main", show_default=True, help="The function whose run is counted.")
@click.option("--overlay", "overlays", multiple=True, metavar="FILE.json", help="What another verb's --json found out.")
@json_option
def command(file: str, output: str, function: str, overlays: tuple[str, ...], as_json: bool) -> int:
    """Write a report on FILE: tables, a graph, the text, and costs, in one page that a browser opens without a server.

    Overlays are results of run --profile, trace, numerics, partition, explain and diff; ops are coloured by them."""
    from ...analysis.overlays import read_overlay
    from ...analysis.view import view
    from ..output import write_output

    read = [read_overlay(path) for path in overlays]
    page = view(load_program(file), title=os.path.basename(file), function=function, overlays=read)
    write_output(output, page.encoded())
    if as_json:
        print_json({"output": output, "size": len(page.encoded())})
    return 0
