"""`stablehlo hash`: a name for a program."""

from __future__ import annotations

import click

from .shared import function_option, json_option, load_program, show


@click.command("hash")
@click.argument("file")
@click.option("--by", type=click.Choice(["ops", "function"]), default="ops", show_default=True,
              help="By its ops, or by what they compute.")  # fmt: skip
@json_option
@function_option
def command(file: str, by: str, as_json: bool, function: str) -> int:
    """Print a name for a program: the same for programs that differ in names, locations and the order of ops.

    With --by=function the same for programs that compute the same function, but for roundings."""
    module = load_program(file, function=function)
    if by == "function":
        from ...debug.equivalence import function_hash

        name = function_hash(module)
    else:
        from ...analysis.identity import program_hash

        name = program_hash(module)
    show({"by": by, "hash": name}, as_json, name)
    return 0
