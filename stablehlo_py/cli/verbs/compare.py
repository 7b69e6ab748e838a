"""`stablehlo compare`: one program, two or more engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .shared import Inputs, input_options, json_option, load_module, print_json

if TYPE_CHECKING:
    from ...debug.compare import Comparison, ResultComparison


@click.command("compare")
@click.argument("file")
@click.option("--engines", default="reference,xla", show_default=True, help="Engines, the reference first.")
@click.option("--engine", "more", multiple=True, metavar="ENGINE", help="Another engine, its options included.")
@click.option("--samples", type=click.IntRange(1), default=1, show_default=True, help="Sets of arguments to draw.")
@click.option(
    "--tolerance",
    "tolerances",
    multiple=True,
    metavar="[TYPE|N=]AMOUNT",
    help="1e-3rel, 4ulp, 1e-6abs, or several with |; for all, a type (f32=…) or a result (0=…).",
)
@click.option("--junit", metavar="FILE", help="Also write the verdicts as JUnit XML.")
@json_option
@input_options
def command(
    file: str,
    engines: str,
    more: Sequence[str],
    samples: int,
    tolerances: Sequence[str],
    junit: str | None,
    as_json: bool,
    inputs: Inputs,
) -> int:
    """Run FILE in several engines and compare all results with the first engine's.

    Exit code 0 where they are the same within the tolerances or differ only where the spec leaves the result open, 1
    where they differ, 2 where an engine could not run."""
    from ...debug.compare import compare
    from ...debug.inputs import read_distributions
    from ...debug.program import examine
    from ...debug.tolerances import read_tolerances
    from ..common import write_whole

    module = load_module(file)
    given = inputs.given(examine(module))
    names = [name for name in engines.split(",") if name] if not more else []
    comparison = compare(
        module,
        [*names, *more],
        arguments=None if given is None else [given],
        samples=samples,
        seed=inputs.seed,
        distributions=read_distributions(inputs.distributions),
        tolerances=read_tolerances(tolerances),
        limits=inputs.limits,
    )
    if as_json:
        print_json(comparison.as_dict())
    else:
        click.echo(_text(comparison), nl=False)
    if junit is not None:
        from ...debug.junit import junit_report

        write_whole(junit, junit_report(file, comparison))
    return comparison.exit_code


def _text(comparison: Comparison) -> str:
    lines = []
    for number, sample in enumerate(comparison.outcomes):
        for name, outcome in zip(comparison.engines, sample, strict=True):
            if not outcome.ok:
                lines.append(f"sample {number}: {name}: {outcome}")
    for entry in comparison.results:
        if entry.verdict != "same":
            lines += _result_lines(entry)
    counts = len(comparison.results), sum(entry.verdict == "same" for entry in comparison.results)
    lines.append(f"{comparison.verdict}: {counts[1]} of {counts[0]} results agree with {comparison.engines[0]}")
    largest = max(
        (entry.difference.max_ulp for entry in comparison.results if entry.difference is not None), default=0.0
    )
    lines.append(f"largest difference: {largest:.4g} ULP")
    return "\n".join(lines) + "\n"


def _result_lines(entry: ResultComparison) -> list[str]:
    found = entry.difference
    head = f"sample {entry.sample}, result {entry.result} {entry.type}: {entry.engine} {entry.verdict}"
    if found is None:
        return [f"{head}: it is of another shape"]
    lines = [
        f"{head} (allowed: {entry.tolerance})",
        f"  {found.mismatches} of {found.count} elements; largest difference {found.max_absolute:.4g} absolute, "
        f"{found.max_relative:.4g} relative, {found.max_ulp:.4g} ULP",
        f"  ULP at 50, 90, 99, 100 %: {', '.join(f'{value:.4g}' for value in found.quantiles)}",
    ]
    if any(found.nans) or any(found.infinities):
        lines.append(f"  NaN: {found.nans[0]}, expected {found.nans[1]}; "
                     f"infinities: {found.infinities[0]}, expected {found.infinities[1]}")  # fmt: skip
    lines += [f"  {list(index)}: {first}, expected {second}" for index, first, second in found.worst]
    lines += [f"  the spec leaves it open: {reason}" for reason in entry.open_ops]
    return lines
