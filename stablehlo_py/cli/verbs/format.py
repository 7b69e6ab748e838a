"""`stablehlo format`: the layout of MLIR files."""

from __future__ import annotations

import click

from .shared import json_option, print_json


@click.command("format")
@click.argument("files", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Name the files that would change, and change nothing.")
@json_option
def command(files: tuple[str, ...], check: bool, as_json: bool) -> int:
    """Indent the ops of MLIR files, and take blanks from the ends of lines; names, comments and line breaks stay.

    For `-` the text from standard input goes to standard output. Exit code 1 where --check finds a file to change."""
    from ...errors import InputError
    from ...syntax.layout import laid_out
    from ...syntax.source import binary_kind, read_source
    from ..output import write_output

    if as_json and "-" in files:
        raise click.UsageError("--json and the text of - would both go to standard output")
    changed: list[str] = []
    for name in files:
        source = read_source(name)
        kind = "bytecode" if source.is_bytecode else binary_kind(source.data)[0]
        if kind:
            raise InputError(f"expected text, found {kind}", location=f"{source.name}:1:1")
        before = source.data.decode("utf-8", "surrogateescape")
        after = laid_out(before)
        if before != after:
            changed.append(source.name)
        if check and before != after and not as_json:
            click.echo(f"{source.name} would change")
        elif not check and (name == "-" or before != after):
            write_output(name, after.encode("utf-8", "surrogateescape"))
    if as_json:
        print_json({"changed": changed, "written": not check})
    return int(check and bool(changed))
