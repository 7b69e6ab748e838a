"""Partitions as text."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import counted
from .collectives import Collective
from .links import Links, side_by_side
from .partition import Partition
from .why import Why


def _microseconds(links: Links, collectives: Sequence[Collective]) -> str:
    return f"{links.total(collectives) * 1e6:,.1f} us"


def comparison_text(names: tuple[str, str], found: tuple[Partition, Partition], links: Links) -> str:
    """Return the amounts that two partitions move, in all and by collective."""
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
        rows.append((f"{pair.op}{_location(pair.location)}", *cells))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = ["  ".join([row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].rjust(widths[2])]) for row in rows]
    return "\n".join(lines) + "\n"


def partition_text(found: Partition, links: Links) -> str:
    """Return what a partition makes of the values, and what its collectives move."""
    axes = ", ".join(f"{name}={size}" for name, size in found.mesh.axes.items())
    lines = [
        f"mesh: {axes} ({counted(len(found.mesh.device_ids), 'device')})",
        f"steps: {', '.join(found.steps)}",
        "shardings:",
    ]
    for value in found.values:
        _, opening, dimensions = value.sharding.partition("[{")
        shown = f"{opening}{dimensions.rpartition('}]')[0]}}}]" if opening else "on every device"
        origin = "given" if value.given else "propagated"
        lines.append(f"  {value.name} {value.type}: {shown} ({origin}){_location(value.location)}")
    for one in found.padding:
        name = f"{one.kind} {one.number}"
        lines.append(f"padding: dimension {one.dimension} of {name} from {one.size} to {one.padded}")
    for whole in found.kept_whole:
        lines.append(
            f"kept whole: dimension {whole.dimension} of {whole.op}, as {whole.parts} parts do not divide "
            f"{whole.size}{_location(whole.location)}"
        )
    lines.append("collectives:" if found.collectives else "no collectives")
    for one in found.collectives:
        size = max(map(len, one.groups), default=0)
        amount = f"{one.bytes_sent} B a device"
        if one.bytes_received != one.bytes_sent:
            amount += f", {one.bytes_received} B received"
        times = f", {one.runs} times" if one.runs != 1 else ""
        lines.append(
            f"  {one.op}: {counted(len(one.groups), 'group')} of {size}, {amount}{times}{_location(one.location)}"
        )
    lines.append(f"each device sends {found.bytes_sent} B in all; loops of unknown length count once")
    if found.collectives:
        lines.append(f"the collectives take {_microseconds(links, found.collectives)} on {links}")
    return "\n".join(lines) + "\n"


def why_text(found: Why, links: Links) -> str:
    """Return where the axes of values come from, and what collectives settle."""
    lines = ["where axes come from:"]
    for value in found.values:
        lines.append(f"  {value.name} {value.type}{_location(value.location)}")
        for axis, source, step, carried in value.origins:
            how = f"step {step}: {carried}" if step is not None else "by a step that Shardy does not tell"
            itself = source == f"{value.name} {value.location}".strip()
            lines.append(f'    "{axis}": {"given here" if itself else f"from {source}, {how}"}')
    lines.append("why collectives are there:" if found.collectives else "no collectives to explain")
    for explained in found.collectives:
        one, demand = explained.collective, explained.collective.demand
        assert demand is not None
        sent = f"{one.runs * one.bytes_sent:,} B a device, {_microseconds(links, [one])}"
        lines.append(f"  {one.op}: {sent}{_location(one.location)}")
        lines.append(f"    {demand.producer} has {demand.had}{_location(demand.producer_location)}")
        lines.append(f"    {demand.consumer} wants {demand.wanted}{_location(demand.consumer_location)}")
        removing = [change for change in explained.tried if change.removes]
        for change in removing[:1]:
            (sends, less), (holds, then) = change.bytes_sent, change.bytes_held
            lines.append(f"    {change.source} as {change.sharding} removes it:")
            lines.append(f"      a device sends {less:,} B (now {sends:,}), and holds {then:,} B (now {holds:,})")
        if explained.tried and not removing:
            lines.append(f"    no change of one sharding removes it ({len(explained.tried)} tried)")
        elif not removing:
            lines.append("    no change of a sharding was tried")
    return "\n".join(lines) + "\n"


def _location(location: str) -> str:
    return f"  {location}" if location else ""
