"""`stablehlo numerics`: where a program loses its digits."""

from __future__ import annotations

import click

from .shared import Inputs, Named, OutputFile, input_options, json_option, show


@click.command("numerics")
@click.argument("file")
@click.option("--as", "element", type=Named("TYPE"), help="Run with all floats of this type: bf16, f16, f8E4M3FN, …")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many ops to show.")
@click.option(
    "--plot",
    "picture",
    metavar="FILE",
    type=OutputFile(".svg", ".png"),
    help="Draw the error along the program, .svg or .png (extra `plot`).",
)
@json_option
@input_options
def command(file: str, element: str | None, top: int, picture: str | None, as_json: bool, inputs: Inputs) -> int:
    """Run FILE beside itself in double precision, and say which ops lose digits and why.

    Introduced is an op's own rounding error; total the error of its result; grown what it adds to its operands' error.
    Exit code 1 where NaN or infinities come up that double precision does not have."""
    from ...debug.tracing.numerics import numerics, numerics_text, plot

    subject, arguments = inputs.sampled(file)
    name = "reference" if element is None else f"reference:{element}"
    with inputs.engine(name) as program, inputs.engine("reference:f64") as shadow:
        found = numerics(subject, arguments, program, shadow)
    show(found, as_json, numerics_text(found, top))
    if picture is not None:
        plot(found, picture)
    return found.exit_code
