"""The collectives of a device's program: who takes part, and how many bytes each device sends and receives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..analysis.cost import cost
from ..bindings import ir
from ..bindings.attributes import string_of
from ..bindings.diagnostics import file_location
from ..bindings.meshes import replica_groups
from ..bindings.types import TypeReader
from ..bindings.walk import functions, operations, symbols
from ..interpreter.ops.async_collectives import STARTS, collective_of
from ..interpreter.plan import byte_size
from .demands import LayoutDemand


@dataclass(frozen=True)
class Collective:
    """One collective op.

    Attributes:
        op: Its name.
        location: The source line that it stands for.
        groups: The devices that talk to each other.
        bytes_sent: What each device sends in one run of the op, by the best known algorithm for a ring of links.
        bytes_received: What each device receives.
        runs: The number of its runs in a run of the program; a loop of unknown length counts once, and so does what is
            inside an asynchronous op.
        demand: The two layouts between which it goes; None for one of the program's own.
    """

    op: str
    location: str
    groups: tuple[tuple[int, ...], ...]
    bytes_sent: int
    bytes_received: int
    runs: int = 1
    demand: LayoutDemand | None = field(default=None, compare=False, repr=False)

    def as_dict(self) -> dict[str, Any]:
        """Return the collective as JSON holds it."""
        return vars(self) | {"demand": None if self.demand is None else self.demand._asdict()}


# The times that a ring of n devices passes parts on, n - 1 messages each time. Other collectives are a single message.
_ROUNDS = {
    "stablehlo.all_gather": 1,
    "stablehlo.all_reduce": 2,
    "stablehlo.all_to_all": 1,
    "stablehlo.reduce_scatter": 1,
}
_BROADCAST = "stablehlo.collective_broadcast"


def messages_sent(op: str, count: int) -> int:
    """Return the number of messages that each of `count` devices sends one after the other."""
    return _ROUNDS[op] * (count - 1) if op in _ROUNDS else 1


def bytes_sent(op: str, size: int, count: int) -> int:
    """Return the bytes that each of `count` devices sends for a collective of this name with operands of `size` bytes.

    A permutation sends the operand; any other collective takes what the best known algorithm for a ring of links takes.
    """
    if op in _ROUNDS:
        return messages_sent(op, count) * size // (1 if op == "stablehlo.all_gather" else count)
    return size if op != _BROADCAST or count > 1 else 0


def collectives(module: ir.Module, demands: Mapping[ir.Operation, LayoutDemand] | None = None) -> list[Collective]:
    """List the collectives of a program, those in regions included, in the order of the text.

    `demands` says what those that the partitioner inserted are for."""
    types, known = TypeReader(), symbols(module.operation)
    runs = Counter[tuple[str, int]]()
    for one in cost(module).ops:
        runs[one.function, one.index] += one.runs
    found = list[Collective]()
    for name, function in functions(module.operation).items():
        for number, op in enumerate(operations(function)):
            size = sum(byte_size(types[operand.type]) for operand in op.operands)
            collective = _collective(op, size, runs.get((name, number), 1), known.get)
            found += [] if collective is None else [replace(collective, demand=(demands or {}).get(op))]
    return found


def _collective(
    op: ir.Operation, size: int, runs: int, symbol: Callable[[str], ir.Operation | None]
) -> Collective | None:
    """Return what an op of operands of `size` bytes moves; None if it is not a collective."""
    if op.name == "stablehlo.custom_call" and string_of(op.attributes["call_target_name"]) in STARTS:
        op = collective_of(op)
    if op.name == "stablehlo.collective_permute":
        groups = source_target_pairs(op)
        moved = size if any(source != target for source, target in groups) else 0
    elif op.name in _ROUNDS or op.name == _BROADCAST:
        groups = tuple(tuple(row) for row in replica_groups(op.attributes["replica_groups"], symbol))
        moved = bytes_sent(op.name, size, max(map(len, groups), default=1))
    else:
        return None
    return Collective(op.name, file_location(op.location), groups, moved, moved, runs)


def source_target_pairs(op: ir.Operation) -> tuple[tuple[int, ...], ...]:
    """Return the devices between which a permutation moves parts."""
    from ..bindings.elements import to_numpy

    return tuple((int(source), int(target)) for source, target in to_numpy(op.attributes["source_target_pairs"]))
