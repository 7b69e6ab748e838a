"""Names to slots: which SSA value is where while a region is planned."""

from __future__ import annotations

from collections.abc import Sequence

from ..bindings import ir
from ..bindings.types import TypeReader, ValueType


class Scope:
    """The values that a region knows: its own and, through `parent`, the values of the regions around it.

    Each value has a slot number. A value found in the parent gets a slot here too and is listed in `captures`, by its
    slot in the parent, in the order in which it was first asked for.
    """

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.captures: list[tuple[int, int]] = []
        """Pairs of the slot in the parent and the slot here."""
        self.types: list[ValueType] = []
        """The type of the value in each slot."""
        self._slots: dict[int, int] = {}
        """By the hash of a value, which is its address in C++: a dictionary of the values themselves costs twice."""

    @property
    def size(self) -> int:
        """The number of slots."""
        return len(self.types)

    def add(self, value: ir.Value, type_: ValueType) -> int:
        """A new slot for a value that this region defines."""
        slot = self._slots[hash(value)] = len(self.types)
        self.types.append(type_)
        return slot

    def place(self, operation: ir.Operation, types: TypeReader) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the slots of an op's operands, and new ones for its results."""
        values, results = operation.operands, operation.results  # by index: iterating over them ends by an exception
        operands = tuple([self.find(values[index]) for index in range(len(values))])
        return operands, tuple([self.add(value := results[index], types[value.type]) for index in range(len(results))])

    def types_of(self, slots: Sequence[int]) -> tuple[ValueType, ...]:
        """The types of the values in these slots."""
        return tuple([self.types[slot] for slot in slots])

    def find(self, value: ir.Value) -> int:
        """The slot of a value. Raises KeyError where neither this region nor one around it defines it."""
        slot = self._slots.get(hash(value))
        if slot is None:
            if self.parent is None:
                raise KeyError(value)
            outer = self.parent.find(value)
            slot = self.add(value, self.parent.types[outer])
            self.captures.append((outer, slot))
        return slot
