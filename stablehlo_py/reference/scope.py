"""Names to slots: which SSA value is where while a region is planned."""

from __future__ import annotations

from ..bindings import ir
from ..bindings.types import ValueType


class Scope:
    """The values that a region knows: its own and, through `parent`, those of the regions around it.

    Each value has a slot number. A value found in the parent gets a slot here too and is listed in `captures`, by its
    slot in the parent, in the order in which it was first asked for.
    """

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.captures: list[tuple[int, int]] = []
        """Pairs of the slot in the parent and the slot here."""
        self.types: list[ValueType] = []
        """The type of the value in each slot."""
        self._slots: dict[ir.Value, int] = {}

    @property
    def size(self) -> int:
        """How many slots there are."""
        return len(self.types)

    def add(self, value: ir.Value, type_: ValueType) -> int:
        """A new slot for a value that this region defines."""
        slot = self._slots[value] = len(self.types)
        self.types.append(type_)
        return slot

    def find(self, value: ir.Value) -> int:
        """The slot of a value. Raises KeyError where neither this region nor one around it defines it."""
        slot = self._slots.get(value)
        if slot is None:
            if self.parent is None:
                raise KeyError(value)
            outer = self.parent.find(value)
            slot = self.add(value, self.parent.types[outer])
            self.captures.append((outer, slot))
        return slot
