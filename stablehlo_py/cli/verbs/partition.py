"""`stablehlo partition`: the program of one device."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from .sharding_options import sharding_options
from .shared import json_option, load_program, print_json

POSITIVE = click.FloatRange(min=0, min_open=True)
NOT_NEGATIVE = click.FloatRange(min=0)

if TYPE_CHECKING:
    from ...bindings import ir
    from ...spmd import Links, Partition


@click.command("partition")
@click.argument("file")
@click.option("-o", "--output", default="-", metavar="FILE", help="Where the program of one device goes.")
@click.option("--report", is_flag=True, help="Print shardings and collectives instead of the program.")
@click.option("--why", "explain", is_flag=True, help="Print where axes come from, and what would remove collectives.")
@click.option("--compare", "other", metavar="FILE", help="Print what FILE, with other shardings, moves in comparison.")
@click.option(
    "--bandwidth", type=POSITIVE, default=1e11, show_default=True, metavar="BYTES", help="Of a link, in a second."
)
@click.option("--latency", type=NOT_NEGATIVE, default=1e-6, show_default=True, metavar="SECONDS", help="Of a message.")
@click.option("--mlir-print-ir-after-all", "prints", is_flag=True, help="Print the program after each step on stderr.")
@json_option
@sharding_options
def command(
    file: str,
    output: str,
    report: bool,
    explain: bool,
    other: str | None,
    bandwidth: float,
    latency: float,
    prints: bool,
    as_json: bool,
    partitioned: Callable[..., Partition],
) -> int:
    """Make the program of one device from FILE, a global program with shardings.

    Its arguments and results are the parts that a device holds; collectives say how devices talk to each other. Times
    of collectives are those of a ring of links (--bandwidth, --latency), one after the other."""
    from ...debug.programs.border import flattened
    from ...spmd import Links
    from ...spmd.partition import refuse_mpmd
    from ...spmd.texts import comparison_text, partition_text, why_text
    from ...spmd.why import why
    from ...syntax import readable_text
    from ..output import write_output

    def read(path: str) -> ir.Module:
        module = load_program(path)
        refuse_mpmd(module)
        return flattened(module)[0]

    if other is not None and (report or output != "-"):
        raise click.UsageError("'--compare' and '--report' or '-o' do not go together")
    program, links, reasons = read(file), Links(bandwidth, latency), None
    if explain:
        if prints or other is not None:
            raise click.UsageError("'--why' and '--compare' or '--mlir-print-ir-after-all' do not go together")
        found, reasons = why(partial(partitioned, program), links)
    else:
        found = partitioned(program, _print_step if prints else None)
    if other is not None:
        compared = partitioned(read(other))
        if as_json:
            print_json({file: _as_dict(found, links), other: _as_dict(compared, links)})
        else:
            click.echo(comparison_text((file, other), (found, compared), links), nl=False)
        return 0
    if as_json:
        print_json(_as_dict(found, links) | ({} if reasons is None else {"why": reasons.as_dict()}))
    elif report:
        click.echo(partition_text(found, links), nl=False)
    if reasons is not None and not as_json:
        click.echo(why_text(reasons, links), nl=False)
    if output != "-" or not (report or as_json or explain):
        write_output(output, readable_text(found.module).encode())
    return 0


def _print_step(step: str, module: ir.Module) -> None:
    click.echo(f"// -----// IR Dump After {step} //----- //\n{module}\n", err=True)


def _as_dict(found: Partition, links: Links) -> dict[str, Any]:
    return found.as_dict() | {"seconds": links.total(found.collectives)}
