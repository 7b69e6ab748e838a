"""`stablehlo partition`: the program of one device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from .sharding_options import sharding_options
from .shared import json_option, load_program, print_json

POSITIVE = click.FloatRange(min=0, min_open=True)
NOT_NEGATIVE = click.FloatRange(min=0)

if TYPE_CHECKING:
    from ...bindings import ir
    from ...spmd import Collective, Links, Partition


@click.command("partition")
@click.argument("file")
@click.option("-o", "--output", default="-", metavar="FILE", help="Where the program of one device goes.")
@click.option("--report", is_flag=True, help="Print shardings and collectives instead of the program.")
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
    from ...spmd import Links
    from ..output import write_output

    links, found = Links(bandwidth, latency), partitioned(load_program(file), _print_step if prints else None)
    if other is not None:
        compared = partitioned(load_program(other))
        if as_json:
            print_json({file: _as_dict(found, links), other: _as_dict(compared, links)})
        else:
            click.echo(_comparison((file, other), (found, compared), links), nl=False)
        return 0
    if as_json:
        print_json(_as_dict(found, links))
    elif report:
        click.echo(_text(found, links), nl=False)
    if output != "-" or not (report or as_json):
        write_output(output, str(found.module.operation).encode() + b"\n")
    return 0


def _print_step(step: str, module: ir.Module) -> None:
    click.echo(f"// -----// IR Dump After {step} //----- //\n{module}\n", err=True)


def _as_dict(found: Partition, links: Links) -> dict[str, Any]:
    return found.as_dict() | {"seconds": links.total(found.collectives)}


def _microseconds(links: Links, collectives: Sequence[Collective]) -> str:
    return f"{links.total(collectives) * 1e6:,.1f} us"


def _comparison(names: tuple[str, str], found: tuple[Partition, Partition], links: Links) -> str:
    """Return the amounts that two partitions move, in all and by collective."""
    from ...spmd import side_by_side

    rows: list[tuple[str, ...]] = [("", *names)]
    each = [one.collectives for one in found]
    rows.append(("bytes sent by a device", *[f"{one.bytes_sent:,}" for one in found]))
    rows.append(("collectives", *[f"{len(one):,}" for one in each]))
    rows.append((f"time on {links}", *[_microseconds(links, one) for one in each]))
    for pair in side_by_side(each[0], each[1]):
        cells = [
            f"{size:,} B, {_microseconds(links, side)}" if side else "-"
            for size, side in zip(pair.bytes_sent, pair.sides, strict=True)
        ]
        rows.append((f"{pair.op}{_place(pair.location)}", *cells))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = ["  ".join([row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].rjust(widths[2])]) for row in rows]
    return "\n".join(lines) + "\n"


def _text(found: Partition, links: Links) -> str:
    axes = ", ".join(f"{name}={size}" for name, size in found.mesh.axes.items())
    lines = [f"mesh: {axes} ({len(found.mesh.device_ids)} devices)", f"steps: {', '.join(found.steps)}", "shardings:"]
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
        times = f", {one.runs} times" if one.runs != 1 else ""
        lines.append(f"  {one.op}: {len(one.groups)} groups of {size}, {amount}{times}{_place(one.location)}")
    lines.append(f"each device sends {found.bytes_sent} B in all; loops of unknown length count once")
    if found.collectives:
        lines.append(f"the collectives take {_microseconds(links, found.collectives)} on {links}")
    return "\n".join(lines) + "\n"


def _place(location: str) -> str:
    return f"  {location}" if location else ""
