"""What a collective is for: the layout that a value has, and the layout in which an op wants it."""

from __future__ import annotations

from typing import NamedTuple

from ..bindings import ir
from ..bindings.diagnostics import file_location


class LayoutDemand(NamedTuple):
    """The two layouts between which a reshard goes.

    Attributes:
        producer: The op or argument that makes the value.
        producer_location: Its source line.
        had: The layout that the value has there, in Shardy's print.
        consumer: The op that takes the value.
        consumer_location: Its source line.
        wanted: The layout that it takes, or in words the range of a dimension that each device needs.
    """

    producer: str
    producer_location: str
    had: str
    consumer: str
    consumer_location: str
    wanted: str

    @property
    def is_halo(self) -> bool:
        """Whether the layout stays as it is, and devices need more than their parts."""
        return not self.wanted.startswith("[")


def producer_of(value: ir.Value) -> tuple[str, str]:
    """Return the name and the source line of a value's maker."""
    if isinstance(value.owner, ir.Block):
        number, parent = ir.BlockArgument(value).arg_number, value.owner.owner.operation
        name = f"argument {number}" if parent.name == "func.func" else f"argument {number} of {parent.name}"
        return name, "" if parent.name == "func.func" else file_location(parent.location)
    op = value.owner.operation
    if op.name.endswith("data_flow_edge"):
        return producer_of(op.operands[0])
    return op.name, file_location(op.location)
