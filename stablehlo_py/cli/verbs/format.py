"""`stablehlo format`: the layout of MLIR files."""

from __future__ import annotations

import click


@click.command("format")
@click.argument("files", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Name the files that would change, and change nothing.")
def command(files: tuple[str, ...], check: bool) -> int:
    """Indent the ops of MLIR files, and take blanks from the ends of lines; names, comments and line breaks stay.

    For `-` the text from standard input goes to standard output. Exit code 1 where --check finds a file to change."""
    from ...errors import InputError
    from ...syntax.layout import laid_out
    from ...syntax.source import read_source
    from ..output import Output

    changed = 0
    for name in files:
        source = read_source(name)
        if source.is_bytecode:
            raise InputError("expected text, found bytecode", location=f"{source.name}:1:1")
        before = source.data.decode("utf-8", "surrogateescape")
        after = laid_out(before)
        changed += before != after
        if check and before != after:
            click.echo(f"{source.name} would change")
        elif not check and (name == "-" or before != after):
            output = Output(name)
            output.write(after.encode("utf-8", "surrogateescape"))
            output.commit()
    return int(check and changed > 0)
