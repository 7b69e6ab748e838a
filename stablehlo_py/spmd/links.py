"""A model of the links between devices, and the time that collectives take on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..syntax.tables import short
from .collectives import Collective, messages_sent


@dataclass(frozen=True)
class Links:
    """A ring of links: each device sends to the next one of its group, all at the same time.

    Attributes:
        bandwidth: The bytes per second of a link in one direction.
        latency: The seconds of a message of no bytes.
    """

    bandwidth: float = 1e11
    latency: float = 1e-6

    def __str__(self) -> str:
        return f"a ring of links of {short(self.bandwidth, 'B/s')} and {self.latency * 1e6:g} us"

    def seconds(self, collective: Collective) -> float:
        """Return the time of all runs of a collective: a latency for each message, and its bytes on the link."""
        messages = messages_sent(collective.op, max(map(len, collective.groups), default=1))
        once = messages * self.latency + collective.bytes_sent / self.bandwidth if collective.bytes_sent else 0.0
        return collective.runs * once

    def total(self, collectives: Sequence[Collective]) -> float:
        """Return the time of collectives that run one after the other."""
        return sum(map(self.seconds, collectives))


@dataclass(frozen=True)
class LinkedCollectives:
    """The collectives of two partitions that have an op and a source line in common; one side may have none.

    Attributes:
        op: The op of all of them.
        location: Their source line.
        sides: The collectives of each partition.
    """

    op: str
    location: str
    sides: tuple[list[Collective], list[Collective]]

    @property
    def bytes_sent(self) -> tuple[int, int]:
        """The bytes that a device sends on each side."""
        first, second = [sum(one.runs * one.bytes_sent for one in side) for side in self.sides]
        return first, second


def side_by_side(first: Sequence[Collective], second: Sequence[Collective]) -> list[LinkedCollectives]:
    """Pair the collectives of two partitions by op and source line, the largest difference of bytes first."""
    pairs: dict[tuple[str, str], LinkedCollectives] = {}
    for side, collectives in enumerate((first, second)):
        for one in collectives:
            pair = pairs.setdefault((one.op, one.location), LinkedCollectives(one.op, one.location, ([], [])))
            pair.sides[side].append(one)
    return sorted(pairs.values(), key=lambda pair: -abs(pair.bytes_sent[0] - pair.bytes_sent[1]))
