"""`stablehlo numerics`: where a program loses its digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...errors import InputError
from .shared import Inputs, Named, OutputFile, input_options, json_option, show

_MOST_ULP = 16.0  # what is drawn of the error of one op

if TYPE_CHECKING:
    from ...debug.numerics import Numerics


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
    from ...debug.numerics import numerics, numerics_text

    subject, arguments = inputs.sampled(file)
    name = "reference" if element is None else f"reference:{element}"
    with inputs.engine(name) as program, inputs.engine("reference:f64") as shadow:
        found = numerics(subject, arguments, program, shadow)
    show(found, as_json, numerics_text(found, top))
    if picture is not None:
        _plot(found, picture)
    return found.exit_code


def _plot(found: Numerics, path: str) -> None:
    """Draw the total and the introduced error of every op, in program order."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("--plot needs matplotlib", notes=["pip install 'stablehlo-py[plot]'"]) from None
    figure = Figure(figsize=(10, 4), layout="constrained")
    axes = figure.subplots()
    numbers = [one.place.number for one in found.contributions]
    axes.plot(numbers, [one.total for one in found.contributions], label="total, relative")
    axes.set(xlabel="op", ylabel="error of the result")
    axes.set_yscale("symlog", linthresh=1e-12)
    own = axes.twinx()
    own.bar(numbers, [min(one.introduced, _MOST_ULP) for one in found.contributions], alpha=0.3, color="tab:orange",
            label="introduced, ULP")  # fmt: skip
    own.set(ylabel="rounding of the op")
    figure.legend(loc="outside upper center", ncols=2)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write '{path}': {error}") from None
