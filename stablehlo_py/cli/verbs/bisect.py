"""`stablehlo bisect`: the wrong op in a few runs."""

from __future__ import annotations

import click

from .shared import Inputs, input_options, json_option, load_module, print_json, read_tolerance, write_reproducer


@click.command("bisect")
@click.argument("file")
@click.option("--engine", "name", default="xla", show_default=True, help="The engine that is wrong.")
@click.option("--reference", default="reference", show_default=True, help="The engine that is right.")
@click.option("--tolerance", metavar="AMOUNT", help="What results may differ by: 4ulp, 1e-3rel, 1e-6abs.")
@click.option("--reproducer", metavar="FILE.mlir", help="Write the op as a program, and its arguments.")
@json_option
@input_options
def command(
    file: str,
    name: str,
    reference: str,
    tolerance: str | None,
    reproducer: str | None,
    as_json: bool,
    inputs: Inputs,
) -> int:
    """Find the op of FILE that makes an engine's results wrong, by cutting the program in O(log n) runs.

    Exit code 1 where there is one, 0 where the results agree."""
    from ...debug.bisect import bisect
    from ...debug.program import examine

    subject = examine(load_module(file))
    arguments = inputs.sample(subject)
    allowed = read_tolerance(tolerance)
    with inputs.engine(reference) as first, inputs.engine(name) as second:
        found = bisect(subject, arguments, first, second, tolerance=allowed)
    if as_json:
        print_json(found.as_dict())
    elif found.place is None:
        click.echo(f"the results agree: {name} is not wrong on these arguments")
    else:
        click.echo(f"first wrong op: {found.culprit}")
        click.echo(f"it shows {'alone' if found.alone else 'only together with the ops before it'}, "
                   f"found in {len(found.steps)} runs of {len(subject.ops)} ops")  # fmt: skip
        if found.difference is not None:
            click.echo(f"largest difference: {found.difference.max_ulp:.4g} ULP")
        if found.program is not None and len(subject.ops) and found.alone:
            click.echo(str(found.program.operation).rstrip())
    if reproducer is not None and found.program is not None:
        click.echo(write_reproducer(reproducer, found.program, found.arguments), err=True)
    return 0 if found.place is None else 1
