"""`stablehlo view`: a report on a program as one file of HTML."""

from __future__ import annotations

import json
import os
import re
from typing import Any

import click

from .shared import json_option, load_program, print_json


@click.command("view")
@click.argument("file")
@click.option("-o", "--output", required=True, metavar="FILE.html|FILE.json", help="Where the report goes.")
@click.option("--function", default="main", show_default=True, help="The function whose run is counted.")
@click.option("--overlay", "overlays", multiple=True, metavar="FILE.json", help="What another verb's --json found out.")
@json_option
def command(file: str, output: str, function: str, overlays: tuple[str, ...], as_json: bool) -> int:
    """Write a report on FILE: tables, a graph, the text, and costs, in one page that a browser opens without a server.

    Overlays colour ops by what other tools found: stablehlo-translate --profile-output=FILE.json writes one, and so do
    trace, numerics, partition, explain and diff with --json. With the ending .json the output is a graph for Model
    Explorer, with its node data in files beside it."""
    from ...analysis.overlays import read_overlay
    from ...analysis.view import report_data, view
    from ..output import write_output

    read = [read_overlay(path) for path in overlays]
    title = os.path.basename(file)
    if output.endswith(".json"):
        files = _explorer_files(report_data(load_program(file), title, function, read), output)
    else:
        files = {output: view(load_program(file), title=title, function=function, overlays=read).encoded()}
    for path, content in files.items():
        write_output(path, content)
    if as_json:
        print_json({"output": output, "size": len(files[output])})
    return 0


def _explorer_files(data: dict[str, Any], output: str) -> dict[str, bytes]:
    """Return the graph, and each kind of node data in a file of its own, as Model Explorer reads them."""
    from ...analysis.model_explorer import explorer_graphs, explorer_node_data

    stem = output.removesuffix(".json")
    found = {output: explorer_graphs(data)}
    for name, one in explorer_node_data(data).items():
        found["{}.{}.json".format(stem, re.sub(r"\W+", "_", name))] = one
    return {path: json.dumps(content).encode("utf-8", "surrogateescape") for path, content in found.items()}
