"""`stablehlo partition`: the program of one device."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from .sharding_options import sharding_options
from .shared import json_option, load_module, print_json

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
    """Make the program of one device from FILE, a global program with shardings, by Shardy's passes.

    Its arguments and results are the parts that a device holds; collectives say how devices talk to each other."""
    from ..output import Output

    found = partitioned(load_module(file))
    if as_json:
        print_json(found.as_dict())
    elif report:
        click.echo(_text(found), nl=False)
    if output != "-" or not (report or as_json):
        written = Output(output)
        written.write(str(found.module.operation).encode() + b"\n")
        written.commit()
    return 0


def _text(found: Partition) -> str:
    axes = ", ".join(f"{name}={size}" for name, size in found.mesh.axes.items())
    lines = [f"mesh: {axes} ({len(found.mesh.device_ids)} devices)", "shardings:"]
    for value in found.values:
        sharding = value.sharding.partition("[")[2]
        where = f"  {value.location}" if value.location else ""
        origin = "given" if value.given else "propagated"
        shown = f"[{sharding.rstrip('>]')}]" if sharding else "on every device"
        lines.append(f"  {value.name} {value.type}: {shown} ({origin}){where}")
    lines.append("collectives:" if found.collectives else "no collectives")
    for one in found.collectives:
        size = max(map(len, one.groups), default=0)
        where = f"  {one.location}" if one.location else ""
        lines.append(f"  {one.op}: {len(one.groups)} groups of {size}, {one.bytes_sent} B a device{where}")
    lines.append(f"each device sends {found.bytes_sent} B in all, loops counted once")
    return "\n".join(lines) + "\n"
