"""`stablehlo trace`: every op measured."""

from __future__ import annotations

import click

from .shared import Inputs, input_options, json_option, load_module, print_json, read_tolerance, write_reproducer


@click.command("trace")
@click.argument("file")
@click.option("--engine", "name", default="xla", show_default=True, help="The engine to measure.")
@click.option("--reference", default="reference", show_default=True, help="The engine to measure it against.")
@click.option("--tolerance", metavar="AMOUNT", help="What one op may differ by: 4ulp, 1e-3rel, 1e-6abs.")
@click.option("--memory", default=256, show_default=True, metavar="MIB", help="Memory for values at a time.")
@click.option("--all", "show_all", is_flag=True, help="Print a line for every op.")
@click.option("--reproducer", metavar="FILE.mlir", help="Write the wrong op as a program, and its arguments.")
@json_option
@input_options
def command(
    file: str,
    name: str,
    reference: str,
    tolerance: str | None,
    memory: int,
    show_all: bool,
    reproducer: str | None,
    as_json: bool,
    inputs: Inputs,
) -> int:
    """Measure every op of FILE in one engine against another, and name the first and the worst.

    Local: the op gets the reference's operands. Accumulated: the engine goes on from its own values. As compiled: the
    program up to the op, compiled as a whole. Exit code 1 where an op is wrong."""
    from ...debug.program import examine
    from ...debug.trace import trace, trace_text

    subject = examine(load_module(file))
    arguments = inputs.sample(subject)
    allowed = read_tolerance(tolerance)
    with inputs.engine(reference) as first, inputs.engine(name) as second:
        found = trace(subject, arguments, first, second, tolerance=allowed, cap=memory << 20)
    if as_json:
        print_json(found.as_dict())
    else:
        click.echo(trace_text(found, show_all=show_all))
    if reproducer is not None and found.program is not None:
        click.echo(write_reproducer(reproducer, found.program, found.arguments), err=True)
    return 0 if found.first is None else 1
