"""Names to slots: which SSA value is where while a region is planned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..bindings import ir
from ..bindings.types import TypeReader, ValueType

Placed = tuple[tuple[int, ...], tuple[int, ...], tuple[Any, ...]]
"""An op's operands and results as slots, and a key of the op's name and their types. Equal types are the same object as
long as their reader lives."""


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

    def place(self, operation: ir.Operation, name: str, types: TypeReader) -> Placed:
        """Find the slots of an op's operands, and make new ones for its results.

        By index: the sequences of the bindings end by an exception, which costs more than all else here. Two operands
        and one result, which most ops have, go without loops.
        """
        known, slot_types, values = self._slots, self.types, operation.operands
        if len(values) == 2:
            try:
                lhs, rhs = known[hash(values[0])], known[hash(values[1])]
            except KeyError:  # of a region around this one
                lhs, rhs = self.find(values[0]), self.find(values[1])
            operands: tuple[int, ...] = lhs, rhs
            signature: tuple[Any, ...] = name, id(slot_types[lhs]), id(slot_types[rhs])
        else:
            operands = tuple([self.find(values[index]) for index in range(len(values))])
            signature = name, *[id(slot_types[slot]) for slot in operands]
        values = operation.results
        if len(values) == 1:
            value = values[0]
            type_ = types[value.type]
            known[hash(value)] = slot = len(slot_types)
            slot_types.append(type_)
            return operands, (slot,), (signature, id(type_))
        results = tuple([self.add(value, types[value.type]) for value in values])
        return operands, results, (signature, *[id(slot_types[slot]) for slot in results])

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
