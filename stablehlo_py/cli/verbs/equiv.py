"""`stablehlo equiv`: are two programs the same function?"""

from __future__ import annotations

import json

import click

from .shared import Inputs, OutputFile, input_options, json_option, load_global_program, show


@click.command("equiv")
@click.argument("first")
@click.argument("second")
@click.option("--samples", type=click.IntRange(1), default=2, show_default=True, help="How many times to look.")
@click.option("--keep-rounding", is_flag=True, help="Conversions to narrower floats are part of the function.")
@click.option("--sarif", metavar="FILE.sarif", type=OutputFile(), help="Also write the verdict as SARIF.")
@json_option
@input_options
def command(
    first: str, second: str, samples: int, keep_rounding: bool, sarif: str | None, as_json: bool, inputs: Inputs
) -> int:
    """Say whether two programs compute the same function, without a tolerance.

    Floats are read as residues of prime numbers, which rounding does not change. Divisions that became products with a
    rounded reciprocal, and other roundings of constants, are named. Exit code 0 for the same function but for rounding,
    1 for different functions, 2 where rounding may have decided otherwise or an op has no such reading."""
    from ...debug.equivalence import equivalent
    from ...debug.programs.inputs import read_distributions
    from ...debug.programs.subject import examine
    from ..output import write_output

    modules = [load_global_program(path, inputs.function) for path in (first, second)]
    inputs.note(f"working on {first} and {second}")
    given = inputs.given(examine(modules[0]))
    found = equivalent(
        *modules,
        arguments=given,
        samples=samples,
        seed=inputs.seed,
        distributions=read_distributions(inputs.distributions),
        limits=inputs.limits,
        keeps_rounding=keep_rounding,
    )
    show(found, as_json)
    if not (found.is_same or as_json or given is not None):
        click.echo(f"  seen on the arguments of --seed={inputs.seed + found.samples - 1}")
    if sarif is not None:
        write_output(sarif, json.dumps(found.as_sarif(second), indent=2).encode())
    return found.exit_code
