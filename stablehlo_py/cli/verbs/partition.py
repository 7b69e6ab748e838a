"""`stablehlo partition`: the program of one device."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from .sharding_options import sharding_options
from .shared import json_option, load_program, print_json

if TYPE_CHECKING:
    from ...bindings import ir
    from ...spmd import Partition


@click.command("partition")
@click.argument("file")
@click.option("-o", "--output", default="-", metavar="FILE", help="Where the program of one device goes.")
@click.option("--report", is_flag=True, help="Print shardings and collectives instead of the program.")
@json_option
@sharding_options
def command(file: str, output: str, report: bool, as_json: bool, partitioned: Callable[[ir.Module], Partition]) -> int:
    """Make the program of one device from FILE, a global program with shardings.

    Its arguments and results are the parts that a device holds; collectives say how devices talk to each other."""
    from ..output import write_output

    found = partitioned(load_program(file))
    if as_json:
        print_json(found.as_dict())
    elif report:
        click.echo(_text(found), nl=False)
    if output != "-" or not (report or as_json):
        write_output(output, str(found.module.operation).encode() + b"\n")
    return 0


def _text(found: Partition) -> str:
    axes = ", ".join(f"{name}={size}" for name, size in found.mesh.axes.items())
    lines = [f"mesh: {axes} ({len(found.mesh.device_ids)} devices)", "shardings:"]
    for value in found.values:
        _, opening, dimensions = value.sharding.partition("[{")
        shown = f"{opening}{dimensions.rpartition('}]')[0]}}}]" if opening else "on every device"
        origin = "given" if value.given else "propagated"
        lines.append(f"  {value.name} {value.type}: {shown} ({origin}){_place(value.location)}")
    for one in found.padding:
        name = f"{one.kind} {one.number}"
        lines.append(f"padding: dimension {one.dimension} of {name} from {one.extent} to {one.padded}")
    for whole in found.kept_whole:
        lines.append(
            f"kept whole: dimension {whole.dimension} of {whole.op}, as {whole.parts} parts do not divide "
            f"{whole.extent}{_place(whole.location)}"
        )
    lines.append("collectives:" if found.collectives else "no collectives")
    for one in found.collectives:
        size = max(map(len, one.groups), default=0)
        amount = f"{one.bytes_sent} B a device"
        if one.bytes_received != one.bytes_sent:
            amount += f", {one.bytes_received} B received"
        lines.append(f"  {one.op}: {len(one.groups)} groups of {size}, {amount}{_place(one.location)}")
    lines.append(f"each device sends {found.bytes_sent} B in all, loops counted once")
    return "\n".join(lines) + "\n"


def _place(location: str) -> str:
    return f"  {location}" if location else ""
